// Where a block (an element for CSR) lies in its matrix, and where its elements lie in the block.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/common/scalar.h"
#include "model/problem.h"

namespace bs::cpu {

// First row and column of a block, and how many of its rows and columns lie inside the matrix; the rest is padding.
struct BlockPlace {
  int64_t row = 0, col = 0;
  int64_t rows = 0, cols = 0;
  constexpr bool has(int64_t i, int64_t j) const { return i < rows && j < cols; }
};

constexpr BlockPlace place_of(const SparseShape& s, int64_t block_row, int64_t block_col) {
  const int64_t row = block_row * s.block_rows, col = block_col * s.block_cols;
  return {row, col, std::min(s.block_rows, s.rows - row), std::min(s.block_cols, s.cols - col)};
}

constexpr int64_t block_size(const SparseShape& s) {
  return s.block_rows * s.block_cols;
}

// Elements from one row (column) of a block to the next.
constexpr int64_t block_row_stride(const SparseShape& s) {
  return s.block_layout == Layout::row ? s.block_cols : 1;
}
constexpr int64_t block_col_stride(const SparseShape& s) {
  return s.block_layout == Layout::row ? 1 : s.block_rows;
}

// Offset of element (i, j) of block p in the array of values.
constexpr int64_t element_of(const SparseShape& s, int64_t p, int64_t i, int64_t j) {
  return p * block_size(s) + i * block_row_stride(s) + j * block_col_stride(s);
}

// What sums are formed in, at least, and what alpha and beta come in.
constexpr DType compute_type(const SparseShape& s) {
  return s.dtype == DType::f64 ? DType::f64 : DType::f32;
}

}  // namespace bs::cpu
