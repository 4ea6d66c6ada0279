// alpha and beta of a launch: values known to the host, or addresses in device memory read in stream order.
#pragma once

#include "model/operands.h"

namespace bs::cuda {

template <class Acc>
struct DeviceScalars {
  Acc alpha_value = 0, beta_value = 0;
  const Acc* alpha_address = nullptr;
  const Acc* beta_address = nullptr;

  // A product with nothing to sum (inner extent or number of summands 0) is beta C, whatever alpha is.
  template <class Problem>
  static DeviceScalars from(const Problem& p, const Scalars& s) {
    const auto* alpha = static_cast<const Acc*>(s.alpha);
    const auto* beta = static_cast<const Acc*>(s.beta);
    const bool empty = p.k == 0 || p.reduce == 0;
    if (s.on_device) return {.alpha_address = empty ? nullptr : alpha, .beta_address = beta};
    return {.alpha_value = empty ? Acc(0) : *alpha, .beta_value = *beta};
  }
  __device__ Acc alpha() const { return alpha_address ? *alpha_address : alpha_value; }
  __device__ Acc beta() const { return beta_address ? *beta_address : beta_value; }
};

}  // namespace bs::cuda
