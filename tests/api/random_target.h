// A destination of conversions, of any format.
#pragma once

#include "api/random_draw.h"

namespace bs::test {

class Target {
 public:
  Target(int64_t r, int64_t c, bsDataType_t t, Random& random) : rows(r), cols(c), type(t) {
    format = random.of({BS_FORMAT_CSR, BS_FORMAT_CSC, BS_FORMAT_COO, BS_FORMAT_BSR, BS_FORMAT_DENSE});
    offset_type = random.of({BS_INDEX_32I, BS_INDEX_64I}), index_type = random.of({BS_INDEX_32I, BS_INDEX_64I});
    base = random.of({BS_INDEX_BASE_ZERO, BS_INDEX_BASE_ONE});
    order = random.of({BS_ORDER_ROW, BS_ORDER_COL});
    if (format == BS_FORMAT_BSR) block_rows = random.of({1, 2, 5, 16}), block_cols = random.of({1, 3, 8, 41});
    lists = format == BS_FORMAT_CSC ? cols : (rows + block_rows - 1) / block_rows;
    ld = std::max<int64_t>(order == BS_ORDER_ROW ? cols : rows, 1) + random.below(3);
    create();
  }
  ~Target() { bsDestroyMat(mat); }
  Target(const Target&) = delete;

  // The first phase, and arrays for the second.
  void count(bsHandle_t handle, bsOperation_t op, bsMatDescr_t source, Random& random) {
    int64_t bytes = -1;
    ok(bsConvert_bufferSize(handle, op, source, mat, &bytes));
    workspace = std::make_unique<Memory>(handle, bytes);
    if (has_offsets()) offsets = Array::of_indices(lists + 1, offset_type, random);
    ok(bsMatSetPointers(mat, offsets.get(), nullptr, nullptr));
    ok(bsConvert_count(handle, op, source, mat, workspace->pointer, bytes));
    allocate(random);
    ok(bsMatSetPointers(mat, offsets.get(), indices.get(), values.get()));
  }
  bsStatus_t fill(bsHandle_t handle, bsOperation_t op, bsMatDescr_t source) {
    return bsConvert_fill(handle, op, source, mat, workspace->pointer, workspace->bytes);
  }

  // Elements of the same place add.
  std::vector<double> table() const {
    std::vector<double> t(rows * cols);
    if (format == BS_FORMAT_DENSE) {
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < cols; ++j) t[i * cols + j] = values[order == BS_ORDER_ROW ? i * ld + j : i + j * ld];
      return t;
    }
    if (format == BS_FORMAT_COO) {
      for (int64_t q = 0; q < nnz; ++q) t[(offsets.index(q) - base) * cols + indices.index(q) - base] += values[q];
      return t;
    }
    for (int64_t list = 0; list < lists; ++list)
      for (int64_t q = offsets.index(list) - base; q < offsets.index(list + 1) - base; ++q) add_block(&t, list, q);
    return t;
  }

  int64_t rows, cols;
  bsDataType_t type;
  bsMatDescr_t mat = nullptr;

 private:
  bool has_offsets() const { return format != BS_FORMAT_DENSE && format != BS_FORMAT_COO; }
  void create() {
    const auto make = format == BS_FORMAT_CSC ? bsCreateCsc : bsCreateCsr;
    if (format == BS_FORMAT_DENSE) return ok(bsCreateDense(&mat, rows, cols, ld, nullptr, type, order));
    if (format == BS_FORMAT_COO)
      return ok(bsCreateCoo(&mat, rows, cols, 0, nullptr, nullptr, nullptr, index_type, base, type));
    if (format == BS_FORMAT_BSR)
      return ok(bsCreateBsr(&mat, rows, cols, 0, block_rows, block_cols, nullptr, nullptr, nullptr, offset_type,
                            index_type, base, type, order));
    ok(make(&mat, rows, cols, 0, nullptr, nullptr, nullptr, offset_type, index_type, base, type));
  }
  void allocate(Random& random) {
    ok(bsMatGetSize(mat, nullptr, nullptr, &nnz));
    const int64_t lines = order == BS_ORDER_ROW ? rows : cols, length = order == BS_ORDER_ROW ? cols : rows;
    const int64_t extent = lines && length ? (lines - 1) * ld + length : 0;
    values = Array(format == BS_FORMAT_DENSE ? extent : nnz * block_rows * block_cols, type, random);
    values.fill(kNaN);
    if (format == BS_FORMAT_DENSE) return;
    indices = Array::of_indices(nnz, index_type, random);
    if (format == BS_FORMAT_COO) offsets = Array::of_indices(nnz, index_type, random);
  }
  void add_block(std::vector<double>* t, int64_t list, int64_t q) const {
    const int64_t index = indices.index(q) - base;
    for (int64_t i = 0; i < block_rows; ++i)
      for (int64_t j = 0; j < block_cols; ++j) {
        const int64_t inside =
            order == BS_ORDER_ROW || format != BS_FORMAT_BSR ? i * block_cols + j : i + j * block_rows;
        const double value = values[q * block_rows * block_cols + inside];
        const int64_t row = format == BS_FORMAT_CSC ? index : list * block_rows + i;
        const int64_t col = format == BS_FORMAT_CSC ? list : index * block_cols + j;
        if (row < rows && col < cols)
          (*t)[row * cols + col] += value;
        else
          CHECK(value == 0);
      }
  }

  bsFormat_t format;
  bsIndexType_t offset_type, index_type;
  bsIndexBase_t base;
  bsOrder_t order;
  int64_t block_rows = 1, block_cols = 1, lists, ld, nnz = 0;
  Array offsets, indices, values;
  std::unique_ptr<Memory> workspace;
};

}  // namespace bs::test
