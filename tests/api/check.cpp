// bsMatCheck: findings, their places and sentences.
#include <string>

#include "support/backend.h"

namespace {

struct Checked {
  bsStatus_t status;
  bsContent_t finding = -1;
  int64_t position = -1;
  std::string message;
};

// Takes the descriptor over.
Checked check(bsMatDescr_t mat) {
  bsHandle_t handle = nullptr;
  REQUIRE(bsCreateOn(&handle, bs::test::backend(), 0) == BS_STATUS_SUCCESS);
  Checked result;
  result.status = bsMatCheck(handle, mat, &result.finding, &result.position);
  if (result.status != BS_STATUS_SUCCESS) result.message = bsGetLastErrorMessage();
  bsDestroyMat(mat);
  bsDestroy(handle);
  return result;
}

void require_legal(const Checked& result, bsContent_t finding, int64_t position) {
  CHECK(result.status == BS_STATUS_SUCCESS);
  CHECK(result.finding == finding);
  CHECK(result.position == position);
}

void require_error(const Checked& result, bsContent_t finding, int64_t position, const char* text) {
  CHECK(result.status == BS_STATUS_INVALID_CONTENT);
  CHECK(result.finding == finding);
  CHECK(result.position == position);
  CHECK(result.message == std::string("bsMatCheck: ") + text);
}

using Ints = bs::test::Shared<int32_t>;

bsMatDescr_t csr(int64_t rows, int64_t cols, Ints& offsets, Ints& columns, bsIndexBase_t base = BS_INDEX_BASE_ZERO) {
  bsMatDescr_t mat = nullptr;
  REQUIRE(bsCreateCsr(&mat, rows, cols, static_cast<int64_t>(columns.size()), offsets.data(), columns.data(), nullptr,
                      BS_INDEX_32I, BS_INDEX_32I, base, BS_R_32F) == BS_STATUS_SUCCESS);
  return mat;
}

}  // namespace

BACKEND_TEST_CASE("check: a sorted matrix is as it should be, with gaps at both ends too") {
  Ints offsets{1, 3, 3}, columns{-5, 0, 2, 99};

  require_legal(check(csr(2, 3, offsets, columns)), BS_CONTENT_OK, 0);
}

BACKEND_TEST_CASE("check: offsets outside the entries") {
  Ints columns{0, 1}, low{0, 1, 3}, high{1, 4, 3};

  require_error(check(csr(2, 3, low, columns, BS_INDEX_BASE_ONE)), BS_CONTENT_OFFSET_RANGE, 0,
                "row 0: offset 0 is not in [1, 3] (base 1, nnz 2)");
  require_error(check(csr(2, 3, high, columns, BS_INDEX_BASE_ONE)), BS_CONTENT_OFFSET_RANGE, 1,
                "row 1: offset 4 is not in [1, 3] (base 1, nnz 2)");
}

BACKEND_TEST_CASE("check: decreasing offsets, of a row and of the end") {
  Ints columns{0, 1, 2}, inner{0, 2, 1, 3}, last{0, 2, 3, 2};

  require_error(check(csr(3, 3, inner, columns)), BS_CONTENT_OFFSET_DECREASING, 2,
                "row 2: offset 1 is below offset 2 of the row before");
  require_error(check(csr(3, 3, last, columns)), BS_CONTENT_OFFSET_DECREASING, 3,
                "end of row 2: offset 2 is below offset 3 of its start");
}

BACKEND_TEST_CASE("check: columns outside the matrix, with the base they are stored in") {
  Ints offsets{0, 1, 2}, high{0, 9001}, low{0, -1}, from_one{1, 2, 3}, stored{4096, 4097};

  require_error(check(csr(2, 4096, offsets, high)), BS_CONTENT_INDEX_RANGE, 1, "row 1: column 9001 >= cols 4096");
  require_error(check(csr(2, 4096, offsets, low)), BS_CONTENT_INDEX_RANGE, 1, "row 1: column -1 < 0");
  require_error(check(csr(2, 4096, from_one, stored, BS_INDEX_BASE_ONE)), BS_CONTENT_INDEX_RANGE, 1,
                "row 1: column 4096 >= cols 4096 (stored as 4097, base 1)");
}

BACKEND_TEST_CASE("check: an offset is reported before an index, an index before what is legal") {
  Ints columns{1, 0, 7, 7}, decreasing{0, 3, 2}, right{0, 2, 4};

  CHECK(check(csr(2, 3, decreasing, columns)).finding == BS_CONTENT_OFFSET_DECREASING);
  CHECK(check(csr(2, 3, right, columns)).finding == BS_CONTENT_INDEX_RANGE);
}

BACKEND_TEST_CASE("check: unsorted rows and duplicates are legal, and duplicates are found in unsorted rows") {
  Ints offsets{0, 1, 4}, unsorted{0, 2, 3, 1}, duplicate{0, 1, 1, 3}, both{0, 3, 1, 3};

  require_legal(check(csr(2, 4, offsets, unsorted)), BS_CONTENT_UNSORTED, 3);
  require_legal(check(csr(2, 4, offsets, duplicate)), BS_CONTENT_DUPLICATE, 2);
  require_legal(check(csr(2, 4, offsets, both)), BS_CONTENT_DUPLICATE, 3);
}

BACKEND_TEST_CASE("check: CSC speaks of columns first") {
  Ints offsets{0, 4}, duplicates{2, 2, 2, 2}, outside{0, 1, 6, 2};
  bsMatDescr_t repeated = nullptr, wrong = nullptr;
  bsCreateCsc(&repeated, 6, 1, 4, offsets.data(), duplicates.data(), nullptr, BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_32F);
  bsCreateCsc(&wrong, 6, 1, 4, offsets.data(), outside.data(), nullptr, BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_32F);

  require_legal(check(repeated), BS_CONTENT_DUPLICATE, 1);
  require_error(check(wrong), BS_CONTENT_INDEX_RANGE, 2, "column 0: row 6 >= rows 6");
}

BACKEND_TEST_CASE("check: COO is looked at entry by entry") {
  Ints rows{0, 2, 1}, columns{0, 0, 1}, high_rows{0, 3, 1}, twice_rows{1, 0, 1}, twice_columns{1, 0, 1};
  const auto coo = [](Ints& r, Ints& c) {
    bsMatDescr_t mat = nullptr;
    bsCreateCoo(&mat, 3, 2, 3, r.data(), c.data(), nullptr, BS_INDEX_32I, 0, BS_R_32F);
    return mat;
  };

  require_legal(check(coo(rows, columns)), BS_CONTENT_UNSORTED, 2);
  require_legal(check(coo(twice_rows, twice_columns)), BS_CONTENT_DUPLICATE, 2);
  require_error(check(coo(high_rows, columns)), BS_CONTENT_INDEX_RANGE, 1, "entry 1: row 3 >= rows 3");
}

BACKEND_TEST_CASE("check: block columns are counted in blocks, and the batch is named") {
  Ints offsets{0, 1, 0, 1}, columns{0, 5};
  bsMatDescr_t mat = nullptr;
  bsCreateBsr(&mat, 3, 20, 1, 4, 4, offsets.data(), columns.data(), nullptr, BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_16BF,
              BS_ORDER_ROW);
  REQUIRE(bsMatSetBatch(mat, 2, 16, 2, 1) == BS_STATUS_SUCCESS);

  require_error(check(mat), BS_CONTENT_INDEX_RANGE, 1, "batch 1: block row 0: block column 5 >= block columns 5");
}

BACKEND_TEST_CASE("check: every row is looked at, also beyond 2^24") {
  const int64_t rows = 16777217;
  Ints offsets(static_cast<size_t>(rows) + 1), columns(static_cast<size_t>(rows));
  for (size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<int32_t>(i);
  columns.back() = 8;

  require_error(check(csr(rows, 8, offsets, columns)), BS_CONTENT_INDEX_RANGE, rows - 1,
                "row 16777216: column 8 >= cols 8");
}
