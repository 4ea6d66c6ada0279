// How many elements the arrays of a matrix have, and how many bytes lie between their first and last one.
#pragma once

#include <cstdint>

#include "model/matrix_view.h"
#include "model/saturate.h"

namespace bs {

// A dense matrix as lines: rows for row order, columns for column order.
inline int64_t lines_of(const MatrixView& v) {
  return v.order == Layout::row ? v.rows : v.cols;
}
inline int64_t line_length_of(const MatrixView& v) {
  return v.order == Layout::row ? v.cols : v.rows;
}

// Elements of one array in one batch, from the first to the last.
inline int64_t offset_count(const MatrixView& v) {
  return v.format == BS_FORMAT_COO ? v.nnz : v.lists() + 1;
}
inline int64_t value_count(const MatrixView& v) {
  if (v.sparse()) return saturating_mul(v.nnz, v.block_rows * v.block_cols);
  if (v.rows == 0 || v.cols == 0) return 0;
  return saturating_add(saturating_mul(lines_of(v) - 1, v.ld), line_length_of(v));
}

// The same over the whole batch, in bytes.
inline int64_t batch_bytes(int64_t count, int64_t batch, int64_t stride, int64_t element_bytes) {
  if (count == 0 || batch == 0) return 0;
  return saturating_mul(saturating_add(saturating_mul(batch - 1, stride), count), element_bytes);
}

}  // namespace bs
