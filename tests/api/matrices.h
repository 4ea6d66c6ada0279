// Small random matrices of every format for tests through the public API, each with its content as a plain table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "support/backend.h"

namespace bs::test {

// Content of a matrix, row by row; `stored` where the pattern has an entry.
struct Table {
  int64_t rows = 0, cols = 0;
  std::vector<double> value;
  std::vector<char> stored;

  Table(int64_t r, int64_t c) : rows(r), cols(c), value(r * c), stored(r * c, 0) {}
  double& at(int64_t i, int64_t j) { return value[i * cols + j]; }
  double at(int64_t i, int64_t j) const { return value[i * cols + j]; }
  char& is_stored(int64_t i, int64_t j) { return stored[i * cols + j]; }
  bool is_stored(int64_t i, int64_t j) const { return stored[i * cols + j] != 0; }
};

// Integers of a few bits: every sum of products below is exact in f32.
inline Table random_table(int64_t rows, int64_t cols, double density, std::mt19937& random) {
  Table t(rows, cols);
  for (int64_t i = 0; i < rows * cols; ++i) {
    if (std::uniform_real_distribution<>(0, 1)(random) >= density) continue;
    t.value[i] = std::uniform_int_distribution<>(-4, 4)(random);
    t.stored[i] = 1;
  }
  return t;
}

inline Table transposed(const Table& t) {
  Table u(t.cols, t.rows);
  for (int64_t i = 0; i < t.rows; ++i)
    for (int64_t j = 0; j < t.cols; ++j) {
      u.at(j, i) = t.at(i, j);
      u.is_stored(j, i) = t.is_stored(i, j);
    }
  return u;
}

inline Table under(bsOperation_t op, const Table& t) {
  return op == BS_OPERATION_NON_TRANSPOSE ? t : transposed(t);
}

class Handle {
 public:
  Handle() { REQUIRE(bsCreateOn(&handle_, backend(), 0) == BS_STATUS_SUCCESS); }
  ~Handle() { bsDestroy(handle_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator bsHandle_t() const { return handle_; }

 private:
  bsHandle_t handle_ = nullptr;
};

// f32 with `gap` elements between lines, which hold a value that no product makes.
class Dense {
 public:
  static constexpr float kGap = 12345.0f;

  Dense(const Table& t, bsOrder_t order, int64_t gap = 1)
      : rows(t.rows), cols(t.cols), row_major(order == BS_ORDER_ROW) {
    ld = std::max<int64_t>(row_major ? cols : rows, 1) + gap;
    data.assign(ld * (row_major ? rows : cols), kGap);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < cols; ++j) at(i, j) = static_cast<float>(t.at(i, j));
    REQUIRE(bsCreateDense(&mat, rows, cols, ld, data.data(), BS_R_32F, order) == BS_STATUS_SUCCESS);
  }
  ~Dense() { bsDestroyMat(mat); }
  Dense(const Dense&) = delete;
  Dense& operator=(const Dense&) = delete;

  float& at(int64_t i, int64_t j) { return data[row_major ? i * ld + j : i + j * ld]; }
  int64_t gaps() const { return std::count(data.begin(), data.end(), kGap); }

  int64_t rows, cols, ld = 0;
  bool row_major;
  Shared<float> data;
  bsMatDescr_t mat = nullptr;
};

enum class Form { csr, csc, bsr_row, bsr_col };

// i32 offsets and indices from base 1; BSR blocks are 2 x 3, padded with a value that must not matter.
class Sparse {
 public:
  Sparse(const Table& t, Form form) : form_(form) {
    const bool bsr = form == Form::bsr_row || form == Form::bsr_col;
    if (bsr) block_rows_ = 2, block_cols_ = 3;
    const Table lists = form == Form::csc ? transposed(t) : t;
    build(lists);
    const int64_t nnz = static_cast<int64_t>(indices.size());
    if (form == Form::csr)
      create(bsCreateCsr(&mat, t.rows, t.cols, nnz, offsets.data(), indices.data(), values.data(), BS_INDEX_32I,
                         BS_INDEX_32I, BS_INDEX_BASE_ONE, BS_R_32F));
    if (form == Form::csc)
      create(bsCreateCsc(&mat, t.rows, t.cols, nnz, offsets.data(), indices.data(), values.data(), BS_INDEX_32I,
                         BS_INDEX_32I, BS_INDEX_BASE_ONE, BS_R_32F));
    if (bsr)
      create(bsCreateBsr(&mat, t.rows, t.cols, nnz, block_rows_, block_cols_, offsets.data(), indices.data(),
                         values.data(), BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ONE, BS_R_32F,
                         form == Form::bsr_row ? BS_ORDER_ROW : BS_ORDER_COL));
  }
  ~Sparse() { bsDestroyMat(mat); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  // What the arrays say now; blocks count whole.
  Table table() const {
    const int64_t rows = rows_, cols = cols_;
    Table t(rows, cols);
    for (int64_t r = 0; r + 1 < static_cast<int64_t>(offsets.size()); ++r)
      for (int64_t q = offsets[r] - 1; q < offsets[r + 1] - 1; ++q)
        for (int64_t e = 0; e < block_rows_ * block_cols_; ++e) {
          const int64_t i = r * block_rows_ + row_in_block(e), j = (indices[q] - 1) * block_cols_ + col_in_block(e);
          if (i >= rows || j >= cols) continue;
          t.at(i, j) = values[q * block_rows_ * block_cols_ + e];
          t.is_stored(i, j) = 1;
        }
    return form_ == Form::csc ? transposed(t) : t;
  }

  Shared<int32_t> offsets, indices;
  Shared<float> values;
  bsMatDescr_t mat = nullptr;

 private:
  static constexpr float kPadding = 999.0f;
  static void create(bsStatus_t status) { REQUIRE(status == BS_STATUS_SUCCESS); }
  int64_t row_in_block(int64_t e) const { return form_ == Form::bsr_col ? e % block_rows_ : e / block_cols_; }
  int64_t col_in_block(int64_t e) const { return form_ == Form::bsr_col ? e / block_rows_ : e % block_cols_; }

  void build(const Table& t) {
    std::vector<int32_t> ends{1}, columns;
    std::vector<float> blocks;
    rows_ = t.rows, cols_ = t.cols;
    for (int64_t r = 0; r * block_rows_ < t.rows; ++r) {
      for (int64_t c = 0; c * block_cols_ < t.cols; ++c) add_block(t, r, c, &columns, &blocks);
      ends.push_back(static_cast<int32_t>(columns.size()) + 1);
    }
    offsets = ends, indices = columns, values = blocks;
  }
  void add_block(const Table& t, int64_t r, int64_t c, std::vector<int32_t>* columns, std::vector<float>* blocks) {
    bool any = false;
    std::vector<float> block(block_rows_ * block_cols_, kPadding);
    for (int64_t e = 0; e < block_rows_ * block_cols_; ++e) {
      const int64_t i = r * block_rows_ + row_in_block(e), j = c * block_cols_ + col_in_block(e);
      if (i >= t.rows || j >= t.cols) continue;
      block[e] = static_cast<float>(t.at(i, j));
      any = any || t.is_stored(i, j);
    }
    if (!any) return;
    columns->push_back(static_cast<int32_t>(c) + 1);
    blocks->insert(blocks->end(), block.begin(), block.end());
  }

  Form form_;
  int64_t rows_ = 0, cols_ = 0, block_rows_ = 1, block_cols_ = 1;
};

}  // namespace bs::test
