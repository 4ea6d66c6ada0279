// Roofline shared by all estimates: what must be moved and computed, against what the device sustains.
#pragma once

#include <algorithm>

#include "model/device.h"

namespace bs {

// Sizes come from users: their product as a cost counts it, which does not overflow.
template <class... Sizes>
constexpr double product_of(Sizes... sizes) {
  return (1.0 * ... * static_cast<double>(sizes));
}

struct Work {
  double bytes = 0;  // through main memory or HBM
  double flops = 0;
};

// Shares of the device's peaks that a kernel reaches, measured, stated beside the kernel's plan.
struct Efficiency {
  double memory = 0.8;
  double compute = 0.5;
};

// CPU peak in flop/us: two FMA units of simd_bytes a core, f32 lanes for everything but f64.
inline double cpu_peak_flops_per_us(const Device& d, int element_bytes) {
  const double lanes = static_cast<double>(d.simd_bytes()) / element_bytes;
  return d.cores * d.ghz * 1e3 * lanes * 2 * 2;
}

inline double roofline_us(const Work& work, double peak_flops_per_us, double memory_gbs, const Efficiency& efficiency,
                          double fixed_us) {
  const double memory_us = work.bytes / (memory_gbs * 1e3 * efficiency.memory);
  const double compute_us = work.flops / (peak_flops_per_us * efficiency.compute);
  return fixed_us + std::max(memory_us, compute_us);
}

}  // namespace bs
