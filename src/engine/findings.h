// The sentences of bsMatCheck about what is wrong, the same for all backends. Values are as stored, base included.
#pragma once

#include <cstdint>

#include "model/matrix_view.h"
#include "model/status.h"

namespace bs {

// "row 17: offset 9 is not in [0, 8] (base 0, nnz 8)"
Status fail_offset_range(const MatrixView& m, int64_t structure, int64_t i, int64_t offset);
// "row 17: offset 3 is below offset 5 of the row before"
Status fail_offset_order(const MatrixView& m, int64_t structure, int64_t i, int64_t offset, int64_t before);
// "row 17: column 9001 >= cols 4096", of a compressed matrix
Status fail_list_index(const MatrixView& m, int64_t structure, int64_t list, int64_t index);
// The same of COO: "entry 17: row ..." or "entry 17: column ...", whichever is outside
Status fail_coordinates(const MatrixView& m, int64_t entry, int64_t row, int64_t column);

}  // namespace bs
