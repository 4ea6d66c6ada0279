// Other libraries in the same process, opened at run time so that the bench runs without them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bsbench/contender.h"
#include "bsbench/problem.h"

namespace bench {

class Peer {
 public:
  virtual ~Peer() = default;
  // Every configuration of the peer that serves the problem; why others do not goes to `refusals`. What the contenders
  // need lives as long as they do.
  virtual std::vector<Contender> contenders(Problem& problem, std::vector<std::string>* refusals) = 0;
};

// "cublas" or "cusparse". Null with a reason if it cannot be opened.
std::unique_ptr<Peer> open_peer(const std::string& name, bsStream_t stream, std::string* reason);

std::unique_ptr<Peer> open_cublas(bsStream_t stream, std::string* reason);
std::unique_ptr<Peer> open_cusparse(bsStream_t stream, std::string* reason);

}  // namespace bench
