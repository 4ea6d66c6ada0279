// alpha and beta of a launch: values known to the host, or addresses in device memory read in stream order.
#pragma once

#include "model/operands.h"

namespace bs::cuda {

template <class Acc>
struct DeviceScalars {
  Acc alpha_value = 0, beta_value = 0;
  const Acc* alpha_address = nullptr;
  const Acc* beta_address = nullptr;

  static DeviceScalars from(const Scalars& s) {
    const auto* alpha = static_cast<const Acc*>(s.alpha);
    const auto* beta = static_cast<const Acc*>(s.beta);
    if (s.on_device) return {.alpha_address = alpha, .beta_address = beta};
    return {.alpha_value = *alpha, .beta_value = *beta};
  }
  __device__ Acc alpha() const { return alpha_address ? *alpha_address : alpha_value; }
  __device__ Acc beta() const { return beta_address ? *beta_address : beta_value; }
};

}  // namespace bs::cuda
