// Products of sizes beyond 2^31 and grids beyond 65,535. Arrays of zeros take no memory while they are only read.
#include "cases/element.h"
#include "cases/routes.h"
#include "support/catch.h"
#include "support/reduced.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace bs::cases {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;
#define BS_NEEDS(gibibytes)                                                   \
  if (test::reduced()) BS_SKIP("sizes beyond 2^31 are not for reduced runs"); \
  if (available_bytes() < (gibibytes)*kGiB)                                   \
  BS_SKIP("needs " #gibibytes " GiB, " + std::to_string(available_bytes() / kGiB) + " are free")

struct Matrix {
  ~Matrix() { bsDestroyMat(mat); }
  operator bsMatDescr_t() const { return mat; }
  bsMatDescr_t mat = nullptr;
};

struct DenseMatrix : Matrix {
  DenseMatrix(int64_t rows, int64_t cols, bsDataType_t t, bsOrder_t order, Array array)
      : type(t), ld(order == BS_ORDER_ROW ? cols : rows), by_rows(order == BS_ORDER_ROW), values(std::move(array)) {
    REQUIRE(bsCreateDense(&mat, rows, cols, ld, values.data(), type, order) == BS_STATUS_SUCCESS);
  }
  DenseMatrix(int64_t rows, int64_t cols, bsDataType_t t, bsOrder_t order = BS_ORDER_ROW)
      : DenseMatrix(rows, cols, t, order, Array::zeros(rows * cols * size_of(t))) {}
  double at(int64_t i, int64_t j) const { return get(type, values.data(), by_rows ? i * ld + j : i + j * ld); }
  void set(int64_t i, int64_t j, double value) { put(type, values.data(), by_rows ? i * ld + j : i + j * ld, value); }
  bsDataType_t type;
  int64_t ld;
  bool by_rows;
  Array values;
};

// A CSR matrix with one entry, in its last element.
struct LastElement : Matrix {
  LastElement(int64_t rows, int64_t cols, bsDataType_t type)
      : offsets(Array::zeros((rows + 1) * 4)), indices(4), values(size_of(type)) {
    put_index(BS_INDEX_32I, offsets.data(), rows, 1);
    put_index(BS_INDEX_32I, indices.data(), 0, cols - 1);
    put(type, values.data(), 0, 2);
    REQUIRE(bsCreateCsr(&mat, rows, cols, 1, offsets.data(), indices.data(), values.data(), BS_INDEX_32I, BS_INDEX_32I,
                        0, type) == BS_STATUS_SUCCESS);
  }
  Array offsets, indices, values;
};

// Every route that accepts and takes at most 10 s and 2 GiB by its own account.
int run_routes(bsHandle_t handle, const Call& call, const std::function<void()>& verify) {
  const Options options;
  int count = 0;
  for (const Route& route : routes_of(handle, call, options)) {
    if (!route.accepted || route.microseconds > 10e6 || route.workspace > 2 * kGiB) continue;
    INFO(route.name);
    REQUIRE(bsOptionsSetRoute(options, route.name.empty() ? nullptr : route.name.c_str()) == BS_STATUS_SUCCESS);
    REQUIRE(run(handle, call, options) == BS_STATUS_SUCCESS);
    verify();
    ++count;
  }
  return count;
}

TEST_CASE("A01 1,048,561 columns, by rows and by columns, in f32 and f64", "[large]") {
  BS_NEEDS(1);
  const Handle handle;
  const int64_t n = 1048561;
  const int32_t offsets[] = {0, 2, 5, 5, 9, 12}, columns[] = {1, 3, 0, 2, 4, 0, 1, 2, 3, 0, 3, 4};
  const double values64[] = {1, -2, 3, 4, -5, 6, 7, -8, 9, 10, -11, 12}, sums[] = {-1, 2, 0, 14, 11};
  float values32[12];
  for (int i = 0; i < 12; ++i) values32[i] = static_cast<float>(values64[i]);
  for (const bsDataType_t type : {BS_R_32F, BS_R_64F})
    for (const bsOrder_t order : {BS_ORDER_ROW, BS_ORDER_COL}) {
      Matrix a;
      void* values = type == BS_R_64F ? const_cast<double*>(values64) : static_cast<void*>(values32);
      REQUIRE(bsCreateCsr(&a.mat, 5, 5, 12, const_cast<int32_t*>(offsets), const_cast<int32_t*>(columns), values,
                          BS_INDEX_32I, BS_INDEX_32I, 0, type) == BS_STATUS_SUCCESS);
      DenseMatrix b(5, n, type, order), c(5, n, type, order);
      for (int64_t i = 0; i < 5 * n; ++i) put(type, b.values.data(), i, 1);
      const Call call{.a = a, .b = b, .c = c, .compute = type};
      const int count = run_routes(handle, call, [&] {
        int64_t wrong = 0;
        for (int64_t i = 0; i < 5; ++i)
          for (int64_t j = 0; j < n; ++j) wrong += c.at(i, j) != sums[i];
        CHECK(wrong == 0);
      });
      CHECK(count > 1);
    }
}

// Through count and fill into arrays of 32-bit indices.
void convert_last_cell(bsFormat_t format, int64_t block) {
  const Handle handle;
  const int64_t size = 46341, lists = (size + block - 1) / block;
  DenseMatrix dense(size, size, BS_R_16F);
  dense.set(size - 1, size - 1, 3);
  const Array offsets((lists + 1) * 4), index(4), values(block * block * 2);
  Matrix to;
  if (format == BS_FORMAT_BSR)
    REQUIRE(bsCreateBsr(&to.mat, size, size, 0, block, block, offsets.data(), nullptr, nullptr, BS_INDEX_32I,
                        BS_INDEX_32I, 0, BS_R_16F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
  else
    REQUIRE(bsCreateCsr(&to.mat, size, size, 0, offsets.data(), nullptr, nullptr, BS_INDEX_32I, BS_INDEX_32I, 0,
                        BS_R_16F) == BS_STATUS_SUCCESS);
  int64_t bytes = 0, nnz = 0;
  REQUIRE(bsConvert_bufferSize(handle, 0, dense, to, &bytes) == BS_STATUS_SUCCESS);
  const Array workspace((bytes + 255) / 256 * 256);
  REQUIRE(bsConvert_count(handle, 0, dense, to, workspace.data(), bytes) == BS_STATUS_SUCCESS);
  REQUIRE(bsMatGetSize(to, nullptr, nullptr, &nnz) == BS_STATUS_SUCCESS);
  REQUIRE(nnz == 1);
  REQUIRE(bsMatSetPointers(to, offsets.data(), index.data(), values.data()) == BS_STATUS_SUCCESS);
  REQUIRE(bsConvert_fill(handle, 0, dense, to, workspace.data(), bytes) == BS_STATUS_SUCCESS);
  const auto* o = static_cast<const int32_t*>(offsets.data());
  CHECK(o[lists - 1] == 0);
  CHECK(o[lists] == 1);
  CHECK(*static_cast<const int32_t*>(index.data()) == (size - 1) / block);
  const int64_t inside = (size - 1) % block;
  CHECK(get(BS_R_16F, values.data(), inside * block + inside) == 3);
}

TEST_CASE("A03 46341 x 46341 with one element in the last cell, to CSR", "[large]") {
  BS_NEEDS(6);
  convert_last_cell(BS_FORMAT_CSR, 1);
}
TEST_CASE("A03 46341 x 46341 with one element in the last cell, to BSR", "[large]") {
  BS_NEEDS(6);
  convert_last_cell(BS_FORMAT_BSR, 32);
}

// 131,073 blocks of 128 x 128 in rows of 511: 2,147,500,032 values behind 32-bit indices. All are zero.
struct ManyBlocks : Matrix {
  static constexpr int64_t kBlocks = 131073, kRows = 257, kCols = 511, kBlock = 128;
  ManyBlocks() : offsets((kRows + 1) * 4), indices(kBlocks * 4), values(Array::zeros(kBlocks * kBlock * kBlock * 2)) {
    for (int64_t r = 0; r <= kRows; ++r) put_index(BS_INDEX_32I, offsets.data(), r, std::min(r * kCols, kBlocks));
    for (int64_t q = 0; q < kBlocks; ++q) put_index(BS_INDEX_32I, indices.data(), q, q % kCols);
    REQUIRE(bsCreateBsr(&mat, kRows * kBlock, kCols * kBlock, kBlocks, kBlock, kBlock, offsets.data(), indices.data(),
                        values.data(), BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_16F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
  }
  // Of the last block.
  int64_t last(int64_t i, int64_t j) const { return ((kBlocks - 1) * kBlock + i) * kBlock + j; }
  static constexpr int64_t kLastRow = (kBlocks - 1) / kCols * kBlock, kLastCol = (kBlocks - 1) % kCols * kBlock;
  Array offsets, indices, values;
};

TEST_CASE("A05 1.7k the last of 2,147,500,032 block values counts in a product", "[large]") {
  BS_NEEDS(6);
  const Handle handle;
  ManyBlocks a;
  for (int64_t i = 0; i < 128; ++i) put(BS_R_16F, a.values.data(), a.last(i, i), 1);
  DenseMatrix b(a.kCols * 128, 8, BS_R_16F), c(a.kRows * 128, 8, BS_R_16F);
  for (int64_t i = 0; i < a.kCols * 128; ++i)
    for (int64_t j = 0; j < 8; ++j) b.set(i, j, static_cast<double>(1 + (i + 3 * j) % 50));
  const Call call{.a = a, .b = b, .c = c};
  const int count = run_routes(handle, call, [&] {
    int64_t wrong = 0;
    for (int64_t i = 0; i < a.kRows * 128; ++i)
      for (int64_t j = 0; j < 8; ++j) {
        const int64_t inside = i - a.kLastRow;
        wrong += c.at(i, j) != (inside >= 0 && inside < 128 ? b.at(a.kLastCol + inside, j) : 0);
      }
    CHECK(wrong == 0);
  });
  CHECK(count > 1);
}

TEST_CASE("A05 1.7k the last of 2,147,500,032 block values is sampled", "[large]") {
  BS_NEEDS(8);
  const Handle handle;
  const ManyBlocks c;
  DenseMatrix a(c.kRows * 128, 1, BS_R_16F), b(1, c.kCols * 128, BS_R_16F);
  for (int64_t i = 0; i < 128; ++i) a.set(c.kLastRow + i, 0, static_cast<double>(i % 16 + 1));
  for (int64_t j = 0; j < 128; ++j) b.set(0, c.kLastCol + j, static_cast<double>(j % 8 + 1));
  const Options options;  // one run: it writes 4 GiB
  REQUIRE(run(handle, {.op = Op::sddmm, .a = a, .b = b, .c = c}, options) == BS_STATUS_SUCCESS);
  int64_t wrong = 0;
  for (int64_t i = 0; i < 128; ++i)
    for (int64_t j = 0; j < 128; ++j)
      wrong += get(BS_R_16F, c.values.data(), c.last(i, j)) != static_cast<double>((i % 16 + 1) * (j % 8 + 1));
  CHECK(wrong == 0);
}

TEST_CASE("1.7k the last row of a B with more than 2^31 elements", "[large]") {
  BS_NEEDS(6);
  const Handle handle;
  const int64_t k = 65537, n = 32800;
  for (const bsOrder_t order : {BS_ORDER_ROW, BS_ORDER_COL}) {
    const LastElement a(3, k, BS_R_16F);
    DenseMatrix b(k, n, BS_R_16F, order), c(3, n, BS_R_16F);
    b.set(k - 1, 0, 5), b.set(k - 1, n - 1, 7);
    run_routes(handle, {.a = a, .b = b, .c = c}, [&] {
      CHECK(c.at(2, 0) == 10);
      CHECK(c.at(2, n - 1) == 14);
      CHECK(c.at(1, n - 1) == 0);
    });
  }
}

TEST_CASE("1.7k the last row of a C with more than 2^31 elements", "[large]") {
  BS_NEEDS(8);
  const Handle handle;
  const int64_t m = 65537, n = 32800;
  const LastElement a(m, 2, BS_R_16F);
  DenseMatrix b(2, n, BS_R_16F), c(m, n, BS_R_16F);
  b.set(1, 0, 5), b.set(1, n - 1, 7), c.set(m - 2, n - 1, 9);
  const Options options;
  REQUIRE(run(handle, {.a = a, .b = b, .c = c}, options) == BS_STATUS_SUCCESS);
  CHECK(c.at(m - 1, 0) == 10);
  CHECK(c.at(m - 1, n - 1) == 14);
  CHECK(c.at(m - 2, n - 1) == 0);
}

TEST_CASE("A03 one sample in the last cell of 46341 x 46341", "[large]") {
  BS_NEEDS(2);
  const Handle handle;
  const LastElement c(46341, 46341, BS_R_32F);
  DenseMatrix a(46341, 3, BS_R_32F), b(3, 46341, BS_R_32F);
  for (int64_t i = 0; i < 3; ++i) a.set(46340, i, 2), b.set(i, 46340, 5);
  const int count = run_routes(handle, {.op = Op::sddmm, .a = a, .b = b, .c = c},
                               [&] { CHECK(get(BS_R_32F, c.values.data(), 0) == 30); });
  CHECK(count > 1);
}

}  // namespace
}  // namespace bs::cases
