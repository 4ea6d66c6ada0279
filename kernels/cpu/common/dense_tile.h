// What SDDMM rows compute with: packing, dot products and register tiles over dense operands, compiled once an
// instruction set (simd/dense_tile.cpp) and reached through one table a compute type.
#pragma once

#include <cstdint>

#include "model/dtype.h"

namespace bs::cpu {

// Element (i, j) at data[i * row_stride + j * col_stride].
struct StridedMatrix {
  const void* data = nullptr;
  DType type = DType::f32;
  int64_t row_stride = 0, col_stride = 0;
};

// Columns of a full panel. A panel is rows of equal width, one after the other: 32 elements, or 4, 8 or 16 for the
// rest.
inline constexpr int kPanelWidth = 32;
constexpr int panel_width(int64_t columns) {
  return columns <= 4 ? 4 : columns <= 8 ? 8 : columns <= 16 ? 16 : 32;
}

// acc(i, j) += sum over q < k of a(i, q) * panel(q, j), for i < rows and all j < width; every element in the order of
// q.
template <class T>
struct TileProduct {
  int64_t k = 0, rows = 0;
  const T* a = nullptr;
  int64_t a_row_stride = 0, a_inner_stride = 0;
  const T* panel = nullptr;
  int width = kPanelWidth;
  T* acc = nullptr;  // acc[i * kPanelWidth + j]
};

template <class T>
struct DenseTileFunctions {
  // destination[i * ld + j] = source(i, j), widened; source types are T's own and, for float, the 16-bit ones.
  void (*pack)(const StridedMatrix& source, int64_t rows, int64_t cols, T* destination, int64_t ld);
  // sums[i] = sum over q < k of l[q] * r[i][q], i < 4.
  void (*dot4)(int64_t k, const T* l, const T* const* r, T* sums);
  void (*tile)(const TileProduct<T>& product);
  // sums[i] += sum over j of source(i, j).
  void (*add_row_sums)(const StridedMatrix& source, int64_t rows, int64_t cols, double* sums);
};

template <class T>
const DenseTileFunctions<T>& dense_tile_functions(int isa);

// Sum of x[i] * y[i], in double.
using DotFunction = double (*)(int64_t count, const void* x, const void* y);
DotFunction dot_function(int isa, DType x, DType y);

}  // namespace bs::cpu
