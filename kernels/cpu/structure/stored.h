// Compressed matrices as lists: structure functions walk CSR, CSC and BSR alike with SparseRows.
#pragma once

#include <cstdint>

#include "cpu/common/sparse_rows.h"
#include "engine/stored.h"

namespace bs::cpu {

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
