// Peers by name.
#include "bsbench/peers/peer.h"

namespace bench {

std::unique_ptr<Peer> open_peer(const std::string& name, bsStream_t stream, std::string* reason) {
  if (name == "cublas") return open_cublas(stream, reason);
  if (name == "cusparse") return open_cusparse(stream, reason);
  *reason = name + ": no such peer, known are cublas and cusparse";
  return nullptr;
}

}  // namespace bench
