// Blocks: sizes, shapes, edges, counts, and one table worked out by hand.
#include "cases/products.h"
#include "support/backend.h"

namespace bs::cases {
namespace {

struct Blocks {
  int64_t rows, cols;
};

Storage bsr(int64_t rows, int64_t cols, bsDataType_t type = BS_R_32F, bsOrder_t order = BS_ORDER_ROW) {
  return {.format = BS_FORMAT_BSR, .type = type, .block_rows = rows, .block_cols = cols, .block_order = order};
}

// All elements of a random choice of blocks.
Entries block_entries(int64_t rows, int64_t cols, const Blocks& block, double density, uint64_t seed) {
  test::Random random(seed);
  Entries entries;
  for (int64_t r = 0; r < rows; r += block.rows)
    for (int64_t c = 0; c < cols; c += block.cols) {
      if (!random.chance(density)) continue;
      for (int64_t i = r; i < std::min(r + block.rows, rows); ++i)
        for (int64_t j = c; j < std::min(c + block.cols, cols); ++j) entries.push_back({i, j, small_integer(&random)});
    }
  return entries;
}

// Forward product, both transposed ones and the sampled one: what training a layer m x k with n samples needs.
void check_layer(int64_t m, int64_t k, int64_t n, const Blocks& block, bsDataType_t type, bsOrder_t order) {
  const Handle handle;
  const Entries entries = block_entries(m, k, block, 0.5, static_cast<uint64_t>(m + 3 * k + 7 * n));
  const Storage storage = bsr(block.rows, block.cols, type, order);
  CAPTURE(m, k, n, block.rows, block.cols, type, order);
  Sparse w(m, k, entries, storage);
  const Dense x(k, n, {.type = type}, 1), dy(m, n, {.type = type}, 2), left(n, m, {.type = type}, 3);
  Dense y(m, n, {.type = type}), dx(k, n, {.type = type}, 4), out(n, k, {.type = type});
  check_everywhere(handle, Spmm{.sparse = &w, .dense = &x, .c = &y});
  check_everywhere(
      handle, Spmm{.sparse = &w, .dense = &dy, .c = &dx, .op_sparse = BS_OPERATION_TRANSPOSE, .alpha = 2, .beta = 1});
  check_everywhere(handle, Spmm{.sparse = &w, .dense = &left, .c = &out, .sparse_left = false});
  check_everywhere(handle, Sddmm{.a = &dy, .b = &x, .c = &w, .op_b = BS_OPERATION_TRANSPOSE, .beta = 1});
}

BACKEND_TEST_CASE("A23 a block of ones into a column-major C", "[blocks]") {
  const Handle handle;
  Entries ones;
  for (int64_t i = 0; i < 256; ++i) ones.push_back({i / 16, i % 16, 1});
  for (const int64_t gap : {0, 8}) {
    const Sparse a(16, 16, ones, bsr(16, 16, BS_R_16F));
    Dense b(16, 16, {.type = BS_R_16F}), c(16, 16, {.type = BS_R_16F, .order = BS_ORDER_COL, .gap = gap});
    b.fill([](int64_t, int64_t) { return 1; });
    check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c});
    REQUIRE(run(handle, Spmm{.sparse = &a, .dense = &b, .c = &c}.call(), nullptr) == BS_STATUS_SUCCESS);
    CHECK(c.at(3, 11) == 16);
  }
}

BACKEND_TEST_CASE("A38 seeds#32 every route of 256 x 256 ones times k / 65536 gives 127.5 in the corner", "[blocks]") {
  const Handle handle;
  Entries ones;
  for (int64_t i = 0; i < 65536; ++i) ones.push_back({i / 256, i % 256, 1});
  const Sparse a(256, 256, ones, bsr(16, 16));
  Dense b(256, 256, {}), c(256, 256, {});
  b.fill([](int64_t i, int64_t j) { return static_cast<double>(256 * i + j) / 65536; });
  const Options options;
  const int accepted = on_every_route(handle, Spmm{.sparse = &a, .dense = &b, .c = &c}.call(), options, c.values,
                                      [&](const Route&) { CHECK(std::abs(c.at(0, 0) - 127.5) < 1e-4); });
  CHECK(accepted > 1);
}

BACKEND_TEST_CASE("A39 seeds#26 any inner extent with blocks of 16", "[blocks]") {
  for (const int64_t k : {16, 48, 40, 7, 8, 31})
    for (const bsDataType_t type : {BS_R_32F, BS_R_16F, BS_R_16BF})
      check_layer(32, k, 32, {16, 16}, type, BS_ORDER_ROW);
}

BACKEND_TEST_CASE("A39 the inner extent of a sampled product is any number", "[blocks]") {
  const Handle handle;
  for (const int64_t k : {1, 7, 8, 16, 40, 48})
    for (const bsDataType_t type : kTypes) {
      const Dense a(32, k, {.type = type}, 1), b(32, k, {.type = type}, 2);
      Sparse c(32, 32, block_entries(32, 32, {16, 16}, 0.7, 3), bsr(16, 16, type));
      check_everywhere(handle, Sddmm{.a = &a, .b = &b, .c = &c, .op_b = BS_OPERATION_TRANSPOSE});
    }
}

BACKEND_TEST_CASE("A40 sparse times dense and dense times sparse with a layout that is not square", "[blocks]") {
  const Handle handle;
  const Entries all = block_entries(128, 64, {32, 32}, 1, 1);
  const Sparse w(128, 64, all, bsr(32, 32));
  const Dense q(64, 128, {}, 2), x(64, 24, {}, 3);
  Dense left(64, 64, {}), right(128, 24, {});
  check_everywhere(handle, Spmm{.sparse = &w, .dense = &q, .c = &left, .sparse_left = false});
  check_everywhere(handle, Spmm{.sparse = &w, .dense = &x, .c = &right});
}

BACKEND_TEST_CASE("A43 seeds#41 seeds#22 one column, one row, and one more or less than a block", "[blocks]") {
  for (const int64_t n : {1, 2})
    for (const int64_t block : {8, 16, 32})
      for (const bsDataType_t type : {BS_R_32F, BS_R_16BF}) check_layer(16, 16, n, {block, block}, type, BS_ORDER_ROW);
  for (const int64_t m : {1, 15, 16, 17, 33})
    for (const int64_t k : {1, 15, 17}) check_layer(m, k, 5, {16, 16}, BS_R_32F, BS_ORDER_ROW);
}

BACKEND_TEST_CASE("A44 seeds#20 seeds#23 blocks of any shape, stored by rows or columns", "[blocks]") {
  const Blocks shapes[] = {{3, 5}, {1, 16}, {16, 1}, {8, 32}, {1, 1}, {2, 2}, {4, 4}, {5, 5}, {7, 64}, {128, 128}};
  for (const Blocks& block : shapes)
    for (const bsOrder_t order : {BS_ORDER_ROW, BS_ORDER_COL}) check_layer(37, 70, 9, block, BS_R_32F, order);
}

BACKEND_TEST_CASE("seeds#25 seeds#29 the last blocks may stick out, by all but one row or column", "[blocks]") {
  for (const int64_t block : {8, 32, 64, 128})
    check_layer(block + 1, 2 * block - 1, 11, {block, block}, BS_R_16BF, BS_ORDER_ROW);
}

BACKEND_TEST_CASE("1.7a guarded C with a skewed layout and N at the edges of a tile", "[blocks]") {
  const Handle handle;
  Entries entries = block_entries(64, 320, {32, 32}, 0.1, 1);
  for (int64_t i = 0; i < 32; ++i)
    for (int64_t j = 0; j < 320; ++j) entries.push_back({i, j, 1});  // one block row with every block
  const Sparse w(64, 320, entries, bsr(32, 32));
  for (const int64_t n : {1, 3, 63, 64, 65})
    for (const bsOrder_t order : {BS_ORDER_ROW, BS_ORDER_COL}) {
      const Dense x(320, n, {.order = order}, 2);
      Dense y(64, n, {.order = order, .gap = 7}, 3);
      check_everywhere(handle, Spmm{.sparse = &w, .dense = &x, .c = &y, .beta = 1});
    }
}

BACKEND_TEST_CASE("1.7b 1.7c one descriptor with many N, odd ones too, in any order of calls", "[blocks]") {
  const Handle handle;
  const Sparse w(48, 64, block_entries(48, 64, {16, 16}, 0.5, 1), bsr(16, 16, BS_R_16F));
  for (const int64_t n : {100, 3, 64, 1, 257, 5, 64}) {
    const Dense x(64, n, {.type = BS_R_16F}, static_cast<uint64_t>(n));
    Dense y(48, n, {.type = BS_R_16F});
    check_everywhere(handle, Spmm{.sparse = &w, .dense = &x, .c = &y});
  }
}

BACKEND_TEST_CASE("1.7p 1.7q very wide and very tall block matrices", "[blocks]") {
  const Handle handle;
  Entries entries;
  const int64_t wide = 8 * 70000;
  for (int64_t block = 0; block < 70000; block += 70) entries.push_back({block % 8, 8 * block + block % 5, 1});
  for (const bool tall : {false, true}) {
    const Sparse w(tall ? wide : 8, tall ? 8 : wide, tall ? transposed(entries) : entries, bsr(8, 8));
    const Dense x(tall ? 8 : wide, 2, {}, 1);
    Dense y(tall ? wide : 8, 2, {});
    check_everywhere(handle, Spmm{.sparse = &w, .dense = &x, .c = &y});
  }
}

// Two block rows of the 7 x 8 matrix, blocks 4 x 4 by rows: (0, 1) with 1..16, (1, 0) with 17..32, whose last row lies
// outside. B is the column of its row numbers, 0 to 7.
BACKEND_TEST_CASE("A37 blocks and their edge against sums worked out by hand", "[blocks]") {
  const Handle handle;
  Entries entries;
  for (int64_t e = 0; e < 16; ++e) entries.push_back({e / 4, 4 + e % 4, static_cast<double>(1 + e)});
  for (int64_t e = 0; e < 12; ++e) entries.push_back({4 + e / 4, e % 4, static_cast<double>(17 + e)});
  const double by_hand[] = {1 * 4 + 2 * 5 + 3 * 6 + 4 * 7,     5 * 4 + 6 * 5 + 7 * 6 + 8 * 7,
                            9 * 4 + 10 * 5 + 11 * 6 + 12 * 7,  13 * 4 + 14 * 5 + 15 * 6 + 16 * 7,
                            17 * 0 + 18 * 1 + 19 * 2 + 20 * 3, 21 * 0 + 22 * 1 + 23 * 2 + 24 * 3,
                            25 * 0 + 26 * 1 + 27 * 2 + 28 * 3};
  for (const bsOrder_t order : {BS_ORDER_ROW, BS_ORDER_COL}) {
    const Sparse a(7, 8, entries, bsr(4, 4, BS_R_32F, order));
    Dense b(8, 1, {}), c(7, 1, {});
    b.fill([](int64_t i, int64_t) { return static_cast<double>(i); });
    const Options options;
    on_every_route(handle, Spmm{.sparse = &a, .dense = &b, .c = &c}.call(), options, c.values, [&](const Route&) {
      for (int64_t i = 0; i < 7; ++i) CHECK(c.at(i, 0) == by_hand[i]);
    });
  }
}

}  // namespace
}  // namespace bs::cases
