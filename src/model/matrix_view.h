// A matrix as its descriptor describes it, before any canonical form: what the structure functions (analysis, check,
// conversion) work on.
#pragma once

#include <cstdint>

#include "model/dtype.h"
#include "model/problem.h"

namespace bs {

struct MatrixView {
  bsFormat_t format = BS_FORMAT_DENSE;
  int64_t rows = 0, cols = 0;
  int64_t nnz = 0;  // entries, blocks for BSR; unused for dense
  DType dtype = DType::f32;
  // dense
  int64_t ld = 1;
  Layout order = Layout::row;
  // sparse. COO keeps row indices in `offsets` and column indices in `indices`.
  IndexType offset_type = IndexType::i32, index_type = IndexType::i32;
  int64_t base = 0;
  int64_t block_rows = 1, block_cols = 1;
  Layout block_order = Layout::row;
  void* offsets = nullptr;
  void* indices = nullptr;
  void* values = nullptr;
  bool structure_read_only = false, values_read_only = false;  // given as const
  const float* gate = nullptr;
  int64_t gate_stride = 0;
  int64_t batch = 1, value_stride = 0, offset_stride = 0, index_stride = 0;

  bool sparse() const { return format != BS_FORMAT_DENSE; }
  // Compressed matrices as lists: CSC's lists are its columns, BSR's its block rows.
  int64_t lists() const { return format == BS_FORMAT_CSC ? cols : (rows + block_rows - 1) / block_rows; }
  int64_t list_extent() const { return format == BS_FORMAT_CSC ? rows : (cols + block_cols - 1) / block_cols; }
  bool own_structure() const { return batch > 1 && (offset_stride != 0 || index_stride != 0); }
  // Batches that differ in structure count apart, those that share it once. A batch of 0 has none: its arrays may be
  // NULL.
  int64_t structures() const { return own_structure() || batch == 0 ? batch : 1; }
};

}  // namespace bs
