// bsMatAnalyze and bsMatGetStat, with statistics computed by hand.
#include "support/backend.h"

namespace {

using Ints = bs::test::Shared<int32_t>;

// A handle and a matrix with analysis in a buffer of exactly the size asked for.
struct Analyzed {
  bsHandle_t handle = nullptr;
  bsMatDescr_t mat;
  void* buffer = nullptr;

  Analyzed(bsMatDescr_t m, bsAnalyzeFlags_t flags) : mat(m) {
    REQUIRE(bsCreateOn(&handle, bs::test::backend(), 0) == BS_STATUS_SUCCESS);
    int64_t bytes = -1;
    REQUIRE(bsMatAnalyze_bufferSize(handle, mat, flags, &bytes) == BS_STATUS_SUCCESS);
    REQUIRE(bsMalloc(handle, &buffer, bytes) == BS_STATUS_SUCCESS);
    REQUIRE(bsMatAnalyze(handle, mat, flags, buffer, bytes) == BS_STATUS_SUCCESS);
  }
  ~Analyzed() {
    bsFree(handle, buffer);
    bsDestroyMat(mat);
    bsDestroy(handle);
  }
  Analyzed(const Analyzed&) = delete;

  double stat(bsStat_t which) const {
    double value = -1;
    CHECK(bsMatGetStat(mat, which, &value) == BS_STATUS_SUCCESS);
    return value;
  }
};

// Rows of lengths 0, 1, 1, 3 and 5 in 16 columns. Tiles of 8 x 8: one row of two; both have entries.
struct Hand {
  Ints offsets{0, 0, 1, 2, 5, 10}, columns{3, 3, 1, 2, 4, 0, 1, 2, 3, 9};
};

bsMatDescr_t csr(const Ints& offsets, const Ints& columns, int64_t cols) {
  bsMatDescr_t mat = nullptr;
  bsCreateConstCsr(&mat, static_cast<int64_t>(offsets.size()) - 1, cols, static_cast<int64_t>(columns.size()),
                   offsets.data(), columns.data(), nullptr, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_32F);
  return mat;
}

}  // namespace

BACKEND_TEST_CASE("analyze: statistics of row lengths") {
  const Hand hand;
  const Analyzed a(csr(hand.offsets, hand.columns, 16), BS_ANALYZE_STATS);

  CHECK(a.stat(BS_STAT_NNZ) == 10);
  CHECK(a.stat(BS_STAT_DENSITY) == 10.0 / 80);
  CHECK(a.stat(BS_STAT_ROW_LENGTH_MEAN) == 2);
  CHECK(a.stat(BS_STAT_ROW_LENGTH_STDDEV) == Approx(1.789));  // sqrt((4 + 1 + 1 + 1 + 9) / 5)
  CHECK(a.stat(BS_STAT_ROW_LENGTH_MIN) == 0);
  CHECK(a.stat(BS_STAT_ROW_LENGTH_MEDIAN) == 1);
  CHECK(a.stat(BS_STAT_ROW_LENGTH_P95) == 5);
  CHECK(a.stat(BS_STAT_ROW_LENGTH_MAX) == 5);
  CHECK(a.stat(BS_STAT_EMPTY_ROWS) == 1);
  CHECK(a.stat(BS_STAT_EMPTY_COLS) == 10);  // 0 to 4 and 9 have entries
  CHECK(a.stat(BS_STAT_SORTED) == 1);
}

BACKEND_TEST_CASE("analyze: occupancy of tiles, whatever the order of the entries") {
  // 16 x 24: 2 x 3 tiles of 8, entries in tiles (0, 2), (0, 0) and (1, 2), the first of them twice.
  const Ints offsets{0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4}, columns{20, 0, 23, 16};
  const Analyzed a(csr(offsets, columns, 24), BS_ANALYZE_STATS);

  CHECK(a.stat(BS_STAT_OCCUPANCY_8) == 0.5);
  CHECK(a.stat(BS_STAT_OCCUPANCY_16) == 1);
  CHECK(a.stat(BS_STAT_OCCUPANCY_64) == 1);
  CHECK(a.stat(BS_STAT_SORTED) == 0);
}

BACKEND_TEST_CASE("analyze: rows are columns for CSC and block rows for BSR") {
  Ints offsets{0, 2, 2, 3}, indices{0, 1, 1};
  bsMatDescr_t csc = nullptr, bsr = nullptr;
  bsCreateCsc(&csc, 4, 3, 3, offsets.data(), indices.data(), nullptr, BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_64F);
  bsCreateBsr(&bsr, 11, 7, 3, 4, 4, offsets.data(), indices.data(), nullptr, BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_16F,
              BS_ORDER_COL);
  const Analyzed columns(csc, BS_ANALYZE_STATS), blocks(bsr, BS_ANALYZE_STATS);

  CHECK(columns.stat(BS_STAT_ROW_LENGTH_MEAN) == 1);
  CHECK(columns.stat(BS_STAT_EMPTY_ROWS) == 1);
  CHECK(columns.stat(BS_STAT_EMPTY_COLS) == 2);
  CHECK(blocks.stat(BS_STAT_EMPTY_ROWS) == 1);
  CHECK(blocks.stat(BS_STAT_EMPTY_COLS) == 0);
  CHECK(blocks.stat(BS_STAT_OCCUPANCY_32) == 0.5);  // 3 of 3 x 2 blocks
  CHECK(blocks.stat(BS_STAT_DENSITY) == Approx(48.0 / 77));
}

BACKEND_TEST_CASE("analyze: batches with offsets of their own are averaged") {
  // The second batch begins with the third offset; both count through one index array.
  const Ints offsets{0, 1, 2, 2, 6, 6}, columns{0, 1, 0, 1, 2, 3};
  bsMatDescr_t mat = nullptr;
  bsCreateConstCsr(&mat, 2, 4, 6, offsets.data(), columns.data(), nullptr, BS_INDEX_32I, BS_INDEX_32I,
                   BS_INDEX_BASE_ZERO, BS_R_32F);
  REQUIRE(bsMatSetBatch(mat, 2, 0, 3, 0) == BS_STATUS_SUCCESS);
  const Analyzed a(mat, BS_ANALYZE_STATS);

  CHECK(a.stat(BS_STAT_NNZ) == 3);
  CHECK(a.stat(BS_STAT_ROW_LENGTH_MEAN) == 1.5);
  CHECK(a.stat(BS_STAT_ROW_LENGTH_MAX) == 4);
  CHECK(a.stat(BS_STAT_EMPTY_COLS) == 1);  // 2 and 0
}

BACKEND_TEST_CASE("analyze: empty matrices have statistics") {
  const Ints no_rows{0}, two_rows{0, 0, 0}, no_columns;
  const Analyzed none(csr(no_rows, no_columns, 0),
                      BS_ANALYZE_STATS | BS_ANALYZE_ORDER | BS_ANALYZE_TRANSPOSE | BS_ANALYZE_PACK);
  const Analyzed hollow(csr(two_rows, no_columns, 3), BS_ANALYZE_STATS | BS_ANALYZE_ORDER | BS_ANALYZE_TRANSPOSE);

  CHECK(none.stat(BS_STAT_NNZ) == 0);
  CHECK(none.stat(BS_STAT_DENSITY) == 0);
  CHECK(hollow.stat(BS_STAT_EMPTY_ROWS) == 2);
  CHECK(hollow.stat(BS_STAT_EMPTY_COLS) == 3);
  CHECK(hollow.stat(BS_STAT_OCCUPANCY_8) == 0);
}

BACKEND_TEST_CASE("analyze: what changes the structure drops the statistics") {
  const Hand hand;
  const Analyzed a(csr(hand.offsets, hand.columns, 16), BS_ANALYZE_STATS);
  double value = -1;

  CHECK(bsMatGetStat(a.mat, 99, &value) == BS_STATUS_INVALID_VALUE);
  CHECK(bsMatStructureChanged(a.mat) == BS_STATUS_SUCCESS);
  CHECK(bsMatGetStat(a.mat, BS_STAT_NNZ, &value) == BS_STATUS_STALE_ANALYSIS);
  CHECK(value == -1);
}
