// A descriptor's matrix in the canonical form of model/problem.h: CSR or BSR, a CSC matrix being the CSR form of its
// transpose.
#pragma once

#include <cstdint>

#include "model/matrix_view.h"
#include "model/operands.h"

namespace bs {

inline SparseShape stored_shape(const MatrixView& m) {
  const bool by_columns = m.format == BS_FORMAT_CSC;
  SparseShape s;
  s.rows = by_columns ? m.cols : m.rows;
  s.cols = by_columns ? m.rows : m.cols;
  s.nnz = m.nnz;
  s.block_rows = m.block_rows;
  s.block_cols = m.block_cols;
  s.format = m.format == BS_FORMAT_BSR ? Format::bsr : Format::csr;
  s.block_layout = m.block_order;
  s.dtype = m.dtype;
  s.offset_type = m.offset_type;
  s.index_type = m.index_type;
  s.base = static_cast<uint8_t>(m.base);
  s.own_structure = m.own_structure();
  return s;
}

inline Pattern stored_pattern(const MatrixView& m) {
  return {.offsets = m.offsets, .indices = m.indices, .offset_stride = m.offset_stride, .index_stride = m.index_stride};
}

}  // namespace bs
