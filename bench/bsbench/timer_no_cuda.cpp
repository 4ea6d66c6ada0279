// A build without CUDA: no GPU to time, no peers.
#include "bsbench/peers/peer.h"
#include "bsbench/timer.h"

namespace bench {

std::unique_ptr<Timer> make_cuda_timer(int) {
  return nullptr;
}

std::unique_ptr<Peer> open_peer(const std::string& name, bsStream_t, std::string* reason) {
  *reason = name + ": bsbench was built without CUDA";
  return nullptr;
}

}  // namespace bench
