// Strides, orders, alignment, widths: column j of a product depends on nothing but A and column j of B.
#include "cases/products.h"
#include "support/backend.h"

#include <map>

namespace bs::cases {
namespace {

BACKEND_TEST_CASE("A06 column 0 is the same bits for every number of columns", "[layout]") {
  const Handle handle;
  test::Random random(1);
  Entries entries;
  for (int64_t i = 0; i < 15; ++i)
    for (int64_t j = 0; j < 15; ++j)
      if (random.chance(0.4)) entries.push_back({i, j, random.symmetric()});
  for (const Storage& storage : every_format()) {
    const Sparse a(15, 15, entries, storage);
    std::map<std::string, std::vector<double>> first;
    for (int64_t n = 1; n <= 64; ++n) {
      Dense b(15, n, {}), c(15, n, {});
      b.fill([](int64_t i, int64_t j) { return std::sin(static_cast<double>(1 + i + 17 * j)); });
      const Options options;  // without the option a route may add in an order that depends on n
      REQUIRE(bsOptionsSetInt(options, BS_OPTION_DETERMINISTIC, 1) == BS_STATUS_SUCCESS);
      const Spmm product{.sparse = &a, .dense = &b, .c = &c};
      on_every_route(handle, product.call(), options, c.values, [&](const Route& route) {
        // The choice may change with n, ours and the one inside cuBLAS.
        if (route.name.empty() || route.name == "cuda/spmm_dense_cublas") return;
        std::vector<double> column;
        for (int64_t i = 0; i < 15; ++i) column.push_back(c.at(i, 0));
        const auto [known, is_new] = first.try_emplace(route.name, column);
        CAPTURE(n, storage.format, storage.block_rows);
        CHECK((is_new || known->second == column));
      });
    }
  }
}

BACKEND_TEST_CASE("A07 any number of columns, on a matrix whose rows are mostly empty", "[layout]") {
  const Handle handle;
  test::Random random(7);
  Entries entries;
  for (int64_t p = 0; p < 1478; ++p)
    entries.push_back({random.below(6258), random.below(6258), small_integer(&random)});
  const Sparse a(6258, 6258, entries, {});
  for (const int64_t n : {1, 3, 7, 33, 143, 255, 257}) {
    const Dense b(6258, n, {}, 2);
    Dense c(6258, n, {});
    const Spmm product{.sparse = &a, .dense = &b, .c = &c};
    const std::vector<double> wanted = exact(product);
    const Options options;
    int accepted = 0;
    for (const Route& route : routes_of(handle, product.call(), options)) {
      if (!route.accepted || route.name == "cpu/spmm_dense_gemm") continue;  // 2 * 6258^2 n operations
      CAPTURE(n, route.name);
      REQUIRE(bsOptionsSetRoute(options, route.name.empty() ? nullptr : route.name.c_str()) == BS_STATUS_SUCCESS);
      CHECK(run(handle, product.call(), options) == BS_STATUS_SUCCESS);
      CHECK(mismatches(c, wanted) == 0);
      ++accepted;
    }
    CHECK(accepted > 1);
  }
}

// The bits of C by every route, with arrays at the start of a page (aligned to everything) or at its end (to nothing
// but the element, as none has a length of a multiple of 16 bytes).
std::map<std::string, std::vector<char>> bits(const Storage& storage, Place place, int64_t gap) {
  const Handle handle;
  Storage placed = storage;
  placed.place = place;
  Entries entries = random_entries(23, 21, 0.35, 1);
  for (Entry& e : entries) e.value += 0.3;
  const Sparse a(23, 21, entries, placed);
  Dense b(21, 19, {.type = storage.type, .gap = gap, .place = place});
  Dense c(23, 19, {.type = storage.type, .gap = gap, .place = place});
  b.fill([](int64_t i, int64_t j) { return std::cos(static_cast<double>(i + 5 * j)); });
  std::map<std::string, std::vector<char>> results;
  const Options options;
  const Call call = Spmm{.sparse = &a, .dense = &b, .c = &c}.call();
  on_every_route(handle, call, options, c.values, [&](const Route& route) {
    results[route.name] = c.values.read();
    CHECK(c.gaps_intact());
  });
  return results;
}

BACKEND_TEST_CASE("A16 arrays aligned to their element and no more give the bits of aligned ones", "[layout]") {
  for (const bsDataType_t type : kTypes)
    for (const Storage& storage : every_format(type))
      for (const int64_t gap : {0, 1, 2}) {
        CAPTURE(type, storage.format, storage.block_rows, gap);
        const auto aligned = bits(storage, Place::at_start, gap), shifted = bits(storage, Place::at_end, gap);
        CHECK(aligned.size() > 1);
        for (const auto& [route, result] : aligned)
          if (!route.empty() && shifted.count(route)) CHECK(shifted.at(route) == result);
      }
}

BACKEND_TEST_CASE("A17 no array is read past its end, for every number of entries", "[layout]") {
  const Handle handle;
  for (const bsDataType_t type : kTypes)
    for (const bsIndexType_t index : {BS_INDEX_32I, BS_INDEX_64I})
      for (const int64_t nnz : {1, 31, 33, 255, 257})
        for (const bsFormat_t format : {BS_FORMAT_CSR, BS_FORMAT_CSC})
          for (const bsOperation_t op : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE})
            for (const int64_t n : {1, 3, 16}) {
              CAPTURE(type, index, nnz, format, op, n);
              test::Random random(static_cast<uint64_t>(nnz));
              Entries entries;
              for (int64_t p = 0; p < nnz; ++p)
                entries.push_back({random.below(11), random.below(13), small_integer(&random)});
              const Sparse a(11, 13, entries, {.format = format, .type = type, .index_type = index});
              const bool turned = op == BS_OPERATION_TRANSPOSE;
              const Dense b(turned ? 11 : 13, n, {.type = type}, 2);
              Dense c(turned ? 13 : 11, n, {.type = type});
              check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c, .op_sparse = op});
            }
}

BACKEND_TEST_CASE("A18 the bytes between the lines of C stay, with few columns and uneven rows", "[layout]") {
  const Handle handle;
  Entries entries = random_entries(200, 100, 0.02, 1);
  for (int64_t j = 0; j < 100; ++j) entries.push_back({17, j, 1}), entries.push_back({199, j, -1});
  for (const bsOrder_t order : {BS_ORDER_ROW, BS_ORDER_COL})
    for (const bsDataType_t type : {BS_R_32F, BS_R_16BF}) {
      const Sparse a(200, 100, entries, {.type = type});
      const Dense b(100, 3, {.type = type, .gap = 5}, 2);
      Dense c(200, 3, {.type = type, .order = order, .gap = 5});
      check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c});
    }
}

BACKEND_TEST_CASE("A21 seeds#14 seeds#19 sampled products of slices, every extent different", "[layout]") {
  const Handle handle;
  for (const Storage& storage : every_format())
    for (const bsOrder_t order_a : {BS_ORDER_ROW, BS_ORDER_COL})
      for (const bsOrder_t order_b : {BS_ORDER_ROW, BS_ORDER_COL})
        for (const int64_t slice : {0, 1}) {
          const int64_t ga = slice * ((order_a == BS_ORDER_ROW ? 11 : 5) + 3);
          const int64_t gb = slice * ((order_b == BS_ORDER_ROW ? 7 : 11) + 3);
          const Dense a(5, 11, {.order = order_a, .gap = ga}, 1), b(11, 7, {.order = order_b, .gap = gb}, 2);
          Sparse c(5, 7, random_entries(5, 7, 0.6, 3), storage);
          check_everywhere(handle, Sddmm{.a = &a, .b = &b, .c = &c, .beta = -1});
        }
}

BACKEND_TEST_CASE("A22 ld beyond the extent on B and C independently", "[layout]") {
  const Handle handle;
  for (const Storage& storage : every_format())
    for (const bool left : {true, false})
      for (const bsOrder_t order_b : {BS_ORDER_ROW, BS_ORDER_COL})
        for (const bsOrder_t order_c : {BS_ORDER_ROW, BS_ORDER_COL})
          for (const auto& [gap_b, gap_c] : {std::pair<int64_t, int64_t>{4, 0}, {0, 4}, {9, 3}}) {
            CAPTURE(storage.format, storage.block_rows, left, order_b, order_c, gap_b, gap_c);
            const Sparse a(left ? 14 : 9, left ? 9 : 14, random_entries(left ? 14 : 9, left ? 9 : 14, 0.3, 1), storage);
            const Dense b(left ? 9 : 4, left ? 4 : 9, {.order = order_b, .gap = gap_b}, 2);
            Dense c(left ? 14 : 4, left ? 4 : 14, {.order = order_c, .gap = gap_c}, 3);
            check_everywhere(handle,
                             Spmm{.sparse = &a, .dense = &b, .c = &c, .sparse_left = left, .alpha = 2, .beta = 1});
          }
}

BACKEND_TEST_CASE("A25 CSC is not transposed twice: 3 x 5, unsymmetric", "[layout]") {
  const Handle handle;
  const Entries entries{{0, 0, 1}, {2, 0, 2}, {1, 1, 3}, {0, 3, 4}, {1, 3, 5}, {2, 4, 6}};
  const Sparse a(3, 5, entries, {.format = BS_FORMAT_CSC});
  const Dense right(5, 2, {}, 1), below(3, 2, {}, 2);
  Dense y(3, 2, {}), x(5, 2, {});
  check_everywhere(handle, Spmm{.sparse = &a, .dense = &right, .c = &y});
  check_everywhere(handle, Spmm{.sparse = &a, .dense = &below, .c = &x, .op_sparse = BS_OPERATION_TRANSPOSE});
}

BACKEND_TEST_CASE("A26 for real types the conjugate transpose is the transpose, bit for bit", "[layout]") {
  const Handle handle;
  Entries entries = random_entries(7, 4, 0.6, 1);
  for (Entry& e : entries) e.value *= 0.3;
  for (const Storage& storage : every_format()) {
    const Sparse a(7, 4, entries, storage);
    const Dense b(7, 5, {}, 2);
    Dense c(4, 5, {});
    const Options options;
    std::map<std::string, std::vector<char>> transposed_bits;
    Spmm product{.sparse = &a, .dense = &b, .c = &c, .op_sparse = BS_OPERATION_TRANSPOSE};
    on_every_route(handle, product.call(), options, c.values,
                   [&](const Route& route) { transposed_bits[route.name] = c.values.read(); });
    product.op_sparse = BS_OPERATION_CONJUGATE_TRANSPOSE;
    on_every_route(handle, product.call(), options, c.values,
                   [&](const Route& route) { CHECK(transposed_bits.at(route.name) == c.values.read()); });
  }
}

BACKEND_TEST_CASE("seeds#1 the layout is an argument: the same numbers by rows and by columns are different matrices",
                  "[layout]") {
  const Handle handle;
  const Sparse a(2, 2, {{0, 0, 1}, {1, 1, 1}}, {});
  Dense b(2, 2, {.order = BS_ORDER_COL}), c(2, 2, {.order = BS_ORDER_ROW});
  for (int64_t i = 0; i < 4; ++i) put(BS_R_32F, b.values.data(), i, static_cast<double>(i));
  REQUIRE(b.at(0, 1) == 2);
  check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c});
}

}  // namespace
}  // namespace bs::cases
