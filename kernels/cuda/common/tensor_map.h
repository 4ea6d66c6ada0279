// Tensor maps of the copy engine (CUDA driver, cuTensorMapEncodeTiled): for 16-bit elements in boxes of 64 x `step`,
// and for plain panels of any type.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "model/dtype.h"
#include "model/status.h"

namespace bs::cuda {

// `lines` lines of `length` contiguous elements, `line_stride` elements apart, `inputs` times `input_stride` apart
// (0: one for all). What a box brings from outside is zero. With box_groups > 0 length is a multiple of 64, and the box
// takes so many runs of 64 elements of each of its lines, the runs one after the other: cells side by side in one copy.
// Coordinates: element of the line, line, 0, input; with groups 0, line, run, input.
struct TensorBox {
  const void* data = nullptr;
  int64_t length = 0, lines = 0, line_stride = 0;
  int64_t inputs = 1, input_stride = 0;
  int box_length = 64, box_lines = 64;  // box_length: 64, 32 or 16, rows of 128, 64 or 32 bytes
  int box_groups = 0;
};

// Host work only, about a microsecond. The shared memory of a box is swizzled over its row.
Status make_tensor_map(const TensorBox& box, CUtensorMap* map);

// Panels of a row-major dense operand, whose data, ld and stride divide by 16 bytes; no swizzle. Coordinates: column,
// row, 0, input.
struct TensorPanel {
  const void* data = nullptr;
  int64_t rows = 0, cols = 0, ld = 0;
  int64_t inputs = 1, stride = 0;  // stride 0: one for all inputs
  DType dtype = DType::f32;
  int box_rows = 0, box_cols = 0;  // up to kMaxBox
};
inline constexpr int kMaxBox = 256;

Status make_panel_map(const TensorPanel& panel, CUtensorMap* map);

}  // namespace bs::cuda
