// Runs of elements between the types of arrays and the types of sums.
#pragma once

#include <cstdint>
#include <cstring>

#include "cpu/simd/microkernels.h"
#include "model/dtype.h"

namespace bs::cpu {

// to[i] = array[offset + i]. float has no f64 arrays, double no 16-bit ones: products do not mix them (bsparse.h).
inline void widen_run(const Microkernels& simd, DType type, const void* array, int64_t offset, float* to,
                      int64_t count) {
  switch (type) {
    case DType::f16:
      return simd.widen_f16(static_cast<const Half*>(array) + offset, to, count);
    case DType::bf16:
      return simd.widen_bf16(static_cast<const BFloat16*>(array) + offset, to, count);
    default:
      std::memcpy(to, static_cast<const float*>(array) + offset, static_cast<size_t>(count) * sizeof(float));
  }
}
inline void widen_run(const Microkernels&, DType, const void* array, int64_t offset, double* to, int64_t count) {
  std::memcpy(to, static_cast<const double*>(array) + offset, static_cast<size_t>(count) * sizeof(double));
}

// array[offset + i] = from[i], rounded to nearest even.
inline void narrow_run(const Microkernels& simd, DType type, const float* from, void* array, int64_t offset,
                       int64_t count) {
  switch (type) {
    case DType::f16:
      return simd.narrow_f16(from, static_cast<Half*>(array) + offset, count);
    case DType::bf16:
      return simd.narrow_bf16(from, static_cast<BFloat16*>(array) + offset, count);
    default:
      std::memcpy(static_cast<float*>(array) + offset, from, static_cast<size_t>(count) * sizeof(float));
  }
}

}  // namespace bs::cpu
