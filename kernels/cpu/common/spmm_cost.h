// What every SpMM row of the CPU must move and compute, for the estimates beside the kernels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/common/dense_panels.h"
#include "engine/cost.h"
#include "model/problem.h"

namespace bs::cpu {

inline int64_t lanes_of(const SpmmProblem& p, const Device& device) {
  return device.simd_bytes() / (p.s.dtype == DType::f64 ? 8 : 4);
}
inline int64_t inputs_of(const SpmmProblem& p) {
  return p.batch * p.reduce;
}

// How often a row of B is met, once a block row: packing pays from a reuse of about `reuse` on, and 16-bit B is widened
// by it once instead of at each use.
inline bool packing_pays(const SpmmProblem& p, int64_t reuse) {
  return p.s.entries() * (p.s.transposed ? p.s.block_rows : p.s.block_cols) >= saturating_mul(reuse, p.k);
}

// Elements of op(S) that are multiplied, against a padded row of B. The dense operand is charged for what the pattern
// can touch, twice where it may be packed, so that the estimate falls nowhere as nnz, n or k grow.
inline Work spmm_work(const SpmmProblem& p, const Device& device, int64_t elements, int64_t entries) {
  const auto real = [](int64_t x) { return static_cast<double>(x); };
  const int64_t lanes = lanes_of(p, device), padded_n = (p.n + lanes - 1) / lanes * lanes;
  const double touched = std::min(real(p.k), real(elements));
  const double structure = real(entries) * real(size_of(p.s.index_type)) + real(p.m) * real(size_of(p.s.offset_type));
  const double sparse = real(elements) * real(size_of(p.s.dtype)) + structure * (p.s.transposed ? 3.0 : 1.0);
  const double dense = touched * real(padded_n) * real(size_of(p.b_type)) * 2;
  const double result = real(p.m) * real(p.n) * real(size_of(p.c_type)) * (p.auxiliary ? 3 : 2);
  return {.bytes = (sparse + dense) * real(inputs_of(p)) + result * real(p.batch),
          .flops = 2 * real(elements) * real(padded_n) * real(inputs_of(p))};
}

inline double spmm_cost_us(const SpmmProblem& p, const Device& device, const Work& work, const Efficiency& efficiency) {
  constexpr double kCallUs = 2;  // starting the threads
  const double peak = cpu_peak_flops_per_us(device, p.s.dtype == DType::f64 ? 8 : 4);
  return roofline_us(work, peak, device.memory_gbs, efficiency, kCallUs);
}

}  // namespace bs::cpu
