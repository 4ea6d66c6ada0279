// A descriptor's matrix in the canonical form of model/problem.h: CSR or BSR, a CSC matrix being the CSR form of its
// transpose. Structure functions then walk all three with SparseRows.
#pragma once

#include <cstdint>

#include "cpu/common/sparse_rows.h"
#include "model/matrix_view.h"
#include "model/operands.h"

namespace bs::cpu {

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

inline SparseRows stored_rows(const MatrixView& m, int64_t batch) {
  SparseOperand operand;
  operand.stored = stored_pattern(m);
  return {stored_shape(m), operand, batch};
}

// Calls body(rows, structure, list) for every list: rows, columns for CSC, block rows for BSR.
template <class Body>
void for_each_list(const MatrixView& m, Body&& body) {
  for (int64_t structure = 0; structure < m.structures(); ++structure) {
    const SparseRows rows = stored_rows(m, structure);
    for (int64_t list = 0; list < m.lists(); ++list) body(rows, structure, list);
  }
}

}  // namespace bs::cpu
