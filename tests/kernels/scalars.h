// alpha and beta of the compute type, in host memory or in the machine's.
#pragma once

#include <vector>

#include "model/operands.h"
#include "support/guarded.h"
#include "support/typed.h"

namespace bs::test {

class ScalarData {
 public:
  ScalarData(Machine* machine, DType sparse_type, double alpha, double beta, bool on_device) : host_(16) {
    const DType type = sparse_type == DType::f64 ? DType::f64 : DType::f32;
    store(type, host_.data(), 0, alpha);
    store(type, host_.data() + 8, 0, beta);
    if (on_device) device_ = Guarded(machine, host_);
  }
  Scalars scalars() const {
    const char* base = device_.data() ? static_cast<const char*>(device_.data()) : host_.data();
    return {base, base + 8, device_.data() != nullptr};
  }

 private:
  std::vector<char> host_;
  Guarded device_;
};

}  // namespace bs::test
