// One side of a comparison: a route of the library or a configuration of a peer.
#pragma once

#include <functional>
#include <string>

#include "bsbench/operands.h"

namespace bench {

// Where a contender leaves the result of instance 0: values at b * batch + i * row + j * col, or at the positions of
// the problem's own sparse matrix.
struct Result {
  void* data = nullptr;
  int64_t bytes = 0, batch = 0, row = 0, col = 0;
  bs::DType type = bs::DType::f32;
  bool sparse = false;

  static Result of(const Dense& d, void* data);
  static Result of(const Sparse& s, void* data);
};

struct Contender {
  std::string name, peer;  // peer: "" for the library
  double predicted = -1;   // microseconds, < 0: nothing said
  bool chosen = false;
  std::function<void(int instance)> enqueue;
  Result result;
  double tolerance = 0;  // relative error of inputs that the contender rounds on its own, such as TF32
};

}  // namespace bench
