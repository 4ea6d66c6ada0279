// What a conversion is once every transposition has moved into the views; the same for all backends.
#pragma once

#include <cstdint>

#include "model/matrix_view.h"
#include "model/status.h"

namespace bs {

// The source describes op(source), or its transpose if the destination is column after column.
struct Conversion {
  MatrixView source, destination;
  bool by_columns = false;  // the source's lists are its (block) columns

  Conversion(bool transposed, const MatrixView& source, const MatrixView& destination);
  int64_t source_block_rows() const { return (source.rows + source.block_rows - 1) / source.block_rows; }
  int64_t source_block_cols() const { return (source.cols + source.block_cols - 1) / source.block_cols; }
};

// Entries that the destination's offsets can count.
int64_t countable_entries(const MatrixView& destination);
Status check_countable_entries(const MatrixView& destination, int64_t count);

}  // namespace bs
