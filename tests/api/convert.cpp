// bsConvert: cases computed by hand, and round trips through every pair of formats.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "support/backend.h"

namespace {

using Ints = bs::test::Shared<int32_t>;
using Floats = bs::test::Shared<float>;

// An f32 matrix with 32-bit indices that owns its arrays; arrays start poisoned.
struct Matrix {
  bsFormat_t format;
  bsIndexBase_t base;
  int64_t rows, cols, block_rows = 1, block_cols = 1;
  bsMatDescr_t mat = nullptr;
  Ints offsets, indices;
  Floats values;

  Matrix(bsFormat_t f, int64_t r, int64_t c, bsIndexBase_t b = 0, int64_t br = 1, int64_t bc = 1)
      : format(f), base(b), rows(r), cols(c), block_rows(br), block_cols(bc) {
    const int64_t lists = f == BS_FORMAT_CSC ? cols : (rows + br - 1) / br;
    if (f != BS_FORMAT_DENSE && f != BS_FORMAT_COO) offsets.assign(static_cast<size_t>(lists) + 1, -7);
    if (f == BS_FORMAT_DENSE) values.assign(static_cast<size_t>(r * c), -7.0f);
    describe(0);
  }
  Matrix(const Matrix&) = delete;
  ~Matrix() { bsDestroyMat(mat); }

  Matrix& with(Ints o, Ints i, Floats v) {
    offsets = std::move(o), indices = std::move(i), values = std::move(v);
    describe(static_cast<int64_t>(indices.size()));
    return *this;
  }
  void describe(int64_t nnz) {
    bsDestroyMat(mat);
    int32_t *o = offsets.data(), *i = indices.data();
    const bsIndexType_t type = BS_INDEX_32I;
    bsStatus_t status = BS_STATUS_INTERNAL_ERROR;
    if (format == BS_FORMAT_DENSE)
      status = bsCreateDense(&mat, rows, cols, std::max<int64_t>(cols, 1), values.data(), BS_R_32F, BS_ORDER_ROW);
    if (format == BS_FORMAT_CSR)
      status = bsCreateCsr(&mat, rows, cols, nnz, o, i, values.data(), type, type, base, BS_R_32F);
    if (format == BS_FORMAT_CSC)
      status = bsCreateCsc(&mat, rows, cols, nnz, o, i, values.data(), type, type, base, BS_R_32F);
    if (format == BS_FORMAT_COO) status = bsCreateCoo(&mat, rows, cols, nnz, o, i, values.data(), type, base, BS_R_32F);
    if (format == BS_FORMAT_BSR)
      status = bsCreateBsr(&mat, rows, cols, nnz, block_rows, block_cols, o, i, values.data(), type, type, base,
                           BS_R_32F, BS_ORDER_COL);
    REQUIRE(status == BS_STATUS_SUCCESS);
  }
  void make_room(int64_t nnz) {
    if (format == BS_FORMAT_COO) offsets.assign(static_cast<size_t>(nnz), -7);
    indices.assign(static_cast<size_t>(nnz), -7);
    values.assign(static_cast<size_t>(nnz * block_rows * block_cols), -7.0f);
    REQUIRE(bsMatSetPointers(mat, offsets.data(), indices.data(), values.data()) == BS_STATUS_SUCCESS);
  }
};

class Converter {
 public:
  Converter() { REQUIRE(bsCreateOn(&handle_, bs::test::backend(), 0) == BS_STATUS_SUCCESS); }
  ~Converter() { bsDestroy(handle_); }
  Converter(const Converter&) = delete;

  void run(const Matrix& from, Matrix& to, bsOperation_t op = BS_OPERATION_NON_TRANSPOSE) {
    int64_t bytes = 0, nnz = 0;
    void* workspace = nullptr;
    REQUIRE(bsConvert_bufferSize(handle_, op, from.mat, to.mat, &bytes) == BS_STATUS_SUCCESS);
    REQUIRE(bsMalloc(handle_, &workspace, bytes) == BS_STATUS_SUCCESS);
    REQUIRE(bsConvert_count(handle_, op, from.mat, to.mat, workspace, bytes) == BS_STATUS_SUCCESS);
    REQUIRE(bsMatGetSize(to.mat, nullptr, nullptr, &nnz) == BS_STATUS_SUCCESS);
    if (to.format != BS_FORMAT_DENSE) to.make_room(nnz);
    REQUIRE(bsConvert_fill(handle_, op, from.mat, to.mat, workspace, bytes) == BS_STATUS_SUCCESS);
    bsFree(handle_, workspace);
  }

 private:
  bsHandle_t handle_ = nullptr;
};

constexpr bsFormat_t kFormats[] = {BS_FORMAT_DENSE, BS_FORMAT_CSR, BS_FORMAT_CSC, BS_FORMAT_COO, BS_FORMAT_BSR};

}  // namespace

BACKEND_TEST_CASE("convert: COO in any order becomes sorted CSR") {
  Converter converter;
  Matrix coo(BS_FORMAT_COO, 3, 3), csr(BS_FORMAT_CSR, 3, 3, BS_INDEX_BASE_ONE);
  coo.with({0, 1, 2, 1, 2, 2}, {0, 0, 0, 1, 1, 2}, {1, 2, 3, 4, 5, 6});

  converter.run(coo, csr);

  CHECK(csr.offsets == Ints{1, 2, 4, 7});
  CHECK(csr.indices == Ints{1, 1, 2, 1, 2, 3});
  CHECK(csr.values == Floats{1, 2, 4, 3, 5, 6});
}

BACKEND_TEST_CASE("convert: CSR of base 1 to CSC of either base") {
  // [1 0 2; 0 3 0; 4 0 5; 0 0 6]
  Converter converter;
  Matrix csr(BS_FORMAT_CSR, 4, 3, BS_INDEX_BASE_ONE), one(BS_FORMAT_CSC, 4, 3, BS_INDEX_BASE_ONE),
      zero(BS_FORMAT_CSC, 4, 3);
  csr.with({1, 3, 4, 6, 7}, {3, 1, 2, 1, 3, 3}, {2, 1, 3, 4, 5, 6});

  converter.run(csr, one);
  converter.run(csr, zero);

  CHECK(one.offsets == Ints{1, 3, 4, 7});
  CHECK(one.indices == Ints{1, 3, 2, 1, 3, 4});
  CHECK(zero.offsets == Ints{0, 2, 3, 6});
  CHECK(zero.indices == Ints{0, 2, 1, 0, 2, 3});
  CHECK(zero.values == Floats{1, 4, 3, 2, 5, 6});
}

BACKEND_TEST_CASE("convert: duplicates stay apart in their order, and add in dense and BSR") {
  Converter converter;
  Matrix csr(BS_FORMAT_CSR, 2, 3), csc(BS_FORMAT_CSC, 2, 3), dense(BS_FORMAT_DENSE, 2, 3),
      bsr(BS_FORMAT_BSR, 2, 3, 0, 2, 2);
  csr.with({0, 3, 3}, {1, 0, 1}, {3, 8, 1});

  converter.run(csr, csc);
  converter.run(csr, dense);
  converter.run(csr, bsr);

  CHECK(csc.offsets == Ints{0, 1, 3, 3});
  CHECK(csc.values == Floats{8, 3, 1});
  CHECK(dense.values == Floats{8, 4, 0, 0, 0, 0});
  CHECK(bsr.offsets == Ints{0, 1});
  CHECK(bsr.values == Floats{8, 0, 4, 0});
}

BACKEND_TEST_CASE("convert: from dense, NaN is taken and zeros of both signs are not; stored zeros stay") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Converter converter;
  Matrix dense(BS_FORMAT_DENSE, 1, 4), csr(BS_FORMAT_CSR, 1, 4), coo(BS_FORMAT_COO, 1, 4);
  dense.values = {nan, -0.0f, 0.0f, 5};
  dense.describe(0);

  converter.run(dense, csr);
  CHECK(csr.indices == Ints{0, 3});
  CHECK(std::isnan(csr.values[0]));
  csr.values[0] = -0.0f;
  converter.run(csr, coo);

  CHECK(coo.offsets == Ints{0, 0});
  CHECK(std::signbit(coo.values[0]));
}

BACKEND_TEST_CASE("convert: gates are multiplied in, blocks with gate 0 are not read, padding is zero") {
  // 3 x 2 in blocks of 2 x 2, column-major: block row 0 has one block with gate 2, block row 1 one with gate 0.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Floats gate{2, 0};
  Converter converter;
  Matrix bsr(BS_FORMAT_BSR, 3, 2, 0, 2, 2), csr(BS_FORMAT_CSR, 3, 2), wide(BS_FORMAT_BSR, 2, 3, 0, 1, 4);
  bsr.with({0, 1, 2}, {0, 0}, {1, 3, 2, 4, nan, nan, nan, nan});
  REQUIRE(bsMatSetGate(bsr.mat, gate.data(), 0) == BS_STATUS_SUCCESS);

  converter.run(bsr, csr);
  converter.run(bsr, wide, BS_OPERATION_TRANSPOSE);

  CHECK(csr.offsets == Ints{0, 2, 4, 6});
  CHECK(csr.values == Floats{2, 4, 6, 8, 0, 0});
  CHECK(wide.offsets == Ints{0, 1, 2});
  CHECK(wide.values == Floats{2, 6, 0, 0, 4, 8, 0, 0});
}

BACKEND_TEST_CASE("convert: offsets of empty matrices are all the base") {
  Converter converter;
  const int64_t sizes[][2] = {{0, 0}, {5, 0}, {0, 5}, {5, 5}};
  for (const auto& size : sizes) {
    for (const bsFormat_t from : kFormats) {
      for (const bsFormat_t to : kFormats) {
        for (const bsIndexBase_t base : {BS_INDEX_BASE_ZERO, BS_INDEX_BASE_ONE}) {
          Matrix source(from, size[0], size[1], 1 - base, 1, 1), target(to, size[0], size[1], base, 1, 1);
          for (int32_t& offset : source.offsets) offset = 1 - base;
          for (float& value : source.values) value = 0;

          converter.run(source, target);

          CHECK(target.offsets == Ints(target.offsets.size(), base));
          CHECK(target.indices.empty());
          for (const float value : target.values) CHECK(value == 0);
        }
      }
    }
  }
}

BACKEND_TEST_CASE("convert: dense through any two formats, the second transposing, and back") {
  Converter converter;
  std::mt19937 random(20);
  for (const bsFormat_t first : kFormats) {
    for (const bsFormat_t second : kFormats) {
      const int64_t rows = 13 + static_cast<int64_t>(random() % 30), cols = 7 + static_cast<int64_t>(random() % 50);
      const bool blocks_first = first == BS_FORMAT_BSR, blocks_second = second == BS_FORMAT_BSR;
      Matrix dense(BS_FORMAT_DENSE, rows, cols), back(BS_FORMAT_DENSE, rows, cols);
      Matrix one(first, rows, cols, 1, blocks_first ? 3 : 1, blocks_first ? 5 : 1);
      Matrix two(second, cols, rows, 0, blocks_second ? 8 : 1, blocks_second ? 4 : 1);
      for (float& value : dense.values) value = random() % 10 ? 0.0f : static_cast<float>(random() % 100);
      dense.describe(0);

      converter.run(dense, one);
      converter.run(one, two, BS_OPERATION_TRANSPOSE);
      converter.run(two, back, BS_OPERATION_TRANSPOSE);

      CAPTURE(first, second, rows, cols);
      CHECK(back.values == dense.values);
    }
  }
}

BACKEND_TEST_CASE("convert: a destination that does not have the counted number of entries is refused") {
  Converter converter;
  Matrix coo(BS_FORMAT_COO, 3, 3), csr(BS_FORMAT_CSR, 3, 3);
  coo.with({0, 1}, {0, 0}, {1, 2});
  bsHandle_t handle = nullptr;
  REQUIRE(bsCreateOn(&handle, bs::test::backend(), 0) == BS_STATUS_SUCCESS);
  converter.run(coo, csr);
  csr.describe(1);
  int64_t bytes = 0;
  void* workspace = nullptr;
  REQUIRE(bsConvert_bufferSize(handle, 0, coo.mat, csr.mat, &bytes) == BS_STATUS_SUCCESS);
  REQUIRE(bsMalloc(handle, &workspace, bytes) == BS_STATUS_SUCCESS);

  CHECK(bsConvert_fill(handle, 0, coo.mat, csr.mat, workspace, bytes) == BS_STATUS_INVALID_SIZE);
  CHECK(csr.indices == Ints{0, 0});

  bsFree(handle, workspace);
  bsDestroy(handle);
}
