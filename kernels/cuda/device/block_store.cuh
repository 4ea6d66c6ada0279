// alpha product + beta C for the blocks of a BSR result, eight neighbouring elements at a time: the end of SDDMM
// kernels.
#pragma once

#include <cstdint>

#include "cuda/device/numeric.cuh"
#include "cuda/device/scalars.cuh"
#include "model/problem.h"

namespace bs::cuda {

inline constexpr int kEight = 8;

// Eight elements of a block from `to` on, of which `inside` belong to the matrix; the others are padding and become
// zero.
template <class C>
__device__ __forceinline__ void store_eight_as(C* to, const float (&sum)[kEight], float factor, float beta, int inside,
                                               bool aligned) {
  struct alignas(16) Vector {
    C element[kEight];
  } out;
#pragma unroll
  for (int e = 0; e < kEight; ++e) {
    const float product = factor != 0 ? factor * sum[e] : 0.0f;
    const float old = beta != 0 && e < inside ? beta * widen<float>(to[e]) : 0.0f;
    out.element[e] = narrow<C>(e < inside ? product + old : 0.0f);
  }
  if (aligned) {
    *reinterpret_cast<Vector*>(to) = out;
  } else {
#pragma unroll
    for (int e = 0; e < kEight; ++e) to[e] = out.element[e];
  }
}

// Passed to kernels by value.
struct BlockStore {
  void* c;
  int64_t c_stride, block_elements;
  int64_t m, n;
  int block_rows, block_cols;
  DType c_type;
  Layout layout;  // of a block
  bool aligned;   // 16-byte stores are legal
  DeviceScalars<float> scalars;

  static BlockStore from(const SddmmProblem& p, const SddmmOperands& o) {
    return {.c = o.c,
            .c_stride = o.c_stride,
            .block_elements = p.s.block_rows * p.s.block_cols,
            .m = p.m,
            .n = p.n,
            .block_rows = static_cast<int>(p.s.block_rows),
            .block_cols = static_cast<int>(p.s.block_cols),
            .c_type = p.s.dtype,
            .layout = p.s.block_layout,
            .aligned = p.constraints.block_alignment >= 16,
            .scalars = DeviceScalars<float>::from(p, o.scalars)};
  }

  // The elements from (i, j) of block `entry` on, along its lines; `row` and `column` are where (i, j) lies in C.
  // factor is alpha times the gate.
  __device__ __forceinline__ void store_eight(int64_t result, int64_t entry, int i, int j, int64_t row, int64_t column,
                                              const float (&sum)[kEight], float factor, float beta) const {
    const bool rows = layout == Layout::row;
    const int64_t left = rows ? (row < m ? n - column : 0) : (column < n ? m - row : 0);
    const int inside = static_cast<int>(min(max(left, int64_t{0}), int64_t{kEight}));
    const int64_t at = result * c_stride + entry * block_elements +
                       (rows ? static_cast<int64_t>(i) * block_cols + j : static_cast<int64_t>(j) * block_rows + i);
    if (c_type == DType::f32)
      store_eight_as(static_cast<float*>(c) + at, sum, factor, beta, inside, aligned);
    else if (c_type == DType::f16)
      store_eight_as(static_cast<__half*>(c) + at, sum, factor, beta, inside, aligned);
    else
      store_eight_as(static_cast<__nv_bfloat16*>(c) + at, sum, factor, beta, inside, aligned);
  }
};

}  // namespace bs::cuda
