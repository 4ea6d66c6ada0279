// The stored matrix written out as dense rows ("image"), gates multiplied in, what is not stored zero.
#pragma once

#include <cstdint>

#include "cuda/common/pack_dense.h"
#include "model/operands.h"
#include "model/problem.h"
#include "model/status.h"

namespace bs::cuda {

// Row-major in the matrix's value type; every row begins on 16 bytes.
constexpr int64_t image_ld(const SparseShape& s) {
  return packed_ld(s.cols, s.dtype);
}
constexpr int64_t image_bytes(const SparseShape& s) {
  return packed_bytes(s.rows, s.cols, s.dtype, 1);
}

// Whether every input has the same image.
inline bool shares_image(const SparseShape& s, const SparseOperand& o) {
  return !s.own_structure && o.value_stride == 0 && (!s.gated || o.gate_stride == 0);
}

// Of inputs `first` to `first + count - 1`, image_bytes apart. Equal indices add, in stored order and in the value
// type: for 16-bit types, where that would round twice, indices must ascend strictly and there must be no gate.
Status densify(const SparseShape& s, const SparseOperand& o, int64_t first, int64_t count, void* images,
               const Exec& exec);

}  // namespace bs::cuda
