// The (block) rows of op(S) as kernels walk them: stored directly, or through the transposed index.
#pragma once

#include "model/operands.h"
#include "model/problem.h"

namespace bs::cuda {

__device__ __forceinline__ int64_t load_index(IndexType type, const void* array, int64_t i) {
  return type == IndexType::i64 ? static_cast<const int64_t*>(array)[i] : static_cast<const int32_t*>(array)[i];
}

__device__ __forceinline__ void store_index(IndexType type, void* array, int64_t i, int64_t value) {
  if (type == IndexType::i64)
    static_cast<int64_t*>(array)[i] = value;
  else
    static_cast<int32_t*>(array)[i] = static_cast<int32_t>(value);
}

// The list that uses entry p: the last one whose offset is not beyond p. offset(0) <= p < offset(lists).
template <class Offset>
__device__ int64_t list_of(const Offset& offset, int64_t lists, int64_t p) {
  int64_t low = 0, high = lists;
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    (offset(middle) <= p ? low : high) = middle;
  }
  return low;
}

// Passed to kernels by value.
struct SparseRows {
  Pattern pattern;
  const void* positions = nullptr;
  const void* values = nullptr;
  int64_t value_stride = 0;
  const float* gate = nullptr;
  int64_t gate_stride = 0;
  const int32_t* order = nullptr;  // of op(S)'s rows; null for the natural order
  IndexType offset_type = IndexType::i32, index_type = IndexType::i32;
  int base = 0;

  // `s.transposed` needs the index in o.transposed (see common/transposed_index.h).
  static SparseRows from(const SparseShape& s, const SparseOperand& o) {
    return {.pattern = s.transposed ? o.transposed : o.stored,
            .positions = s.transposed ? o.positions : nullptr,
            .values = o.values,
            .value_stride = o.value_stride,
            .gate = o.gate,
            .gate_stride = o.gate_stride,
            .order = s.transposed ? nullptr : o.row_order,
            .offset_type = s.offset_type,
            .index_type = s.index_type,
            .base = s.transposed ? 0 : s.base};
  }
  __device__ int64_t begin(int64_t input, int64_t row) const {
    return load_index(offset_type, pattern.offsets, input * pattern.offset_stride + row) - base;
  }
  __device__ int64_t end(int64_t input, int64_t row) const { return begin(input, row + 1); }
  __device__ int64_t index(int64_t input, int64_t q) const {
    return load_index(index_type, pattern.indices, input * pattern.index_stride + q) - base;
  }
  // Of entry q in the stored matrix's arrays, counted within the input.
  __device__ int64_t position(int64_t input, int64_t q) const {
    return positions ? load_index(offset_type, positions, input * pattern.index_stride + q) : q;
  }
};

}  // namespace bs::cuda
