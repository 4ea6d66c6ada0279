// A compressed matrix as lists on the device: rows, columns for CSC, block rows for BSR; inputs are its batches.
#pragma once

#include "cuda/device/sparse.cuh"
#include "engine/stored.h"

namespace bs::cuda {

inline SparseRows stored_rows(const MatrixView& m) {
  SparseOperand operand;
  operand.stored = stored_pattern(m);
  operand.values = m.values;
  operand.value_stride = m.value_stride;
  operand.gate = m.gate;
  operand.gate_stride = m.gate_stride;
  return SparseRows::from(stored_shape(m), operand);
}

}  // namespace bs::cuda
