// Order, repetition, base and width of indices.
#include "cases/products.h"
#include "support/backend.h"

#include <algorithm>

namespace bs::cases {
namespace {

void check_products(const Sparse& sparse) {
  const Handle handle;
  const bsDataType_t type = sparse.storage.type;
  const Dense b(sparse.cols, 33, {.type = type}, 1), below(sparse.rows, 5, {.type = type}, 2);
  Dense c(sparse.rows, 33, {.type = type}), d(sparse.cols, 5, {.type = type}, 3);
  check_everywhere(handle, Spmm{.sparse = &sparse, .dense = &b, .c = &c});
  check_everywhere(handle,
                   Spmm{.sparse = &sparse, .dense = &below, .c = &d, .op_sparse = BS_OPERATION_TRANSPOSE, .beta = 1});
}

void check_sampled(Sparse* sparse) {
  const Handle handle;
  const Dense left(sparse->rows, 17, {.type = sparse->storage.type}, 4),
      right(17, sparse->cols, {.type = sparse->storage.type}, 5);
  check_everywhere(handle, Sddmm{.a = &left, .b = &right, .c = sparse, .beta = 1});
}

BACKEND_TEST_CASE("A32 indices in any order inside their rows", "[indices]") {
  Entries entries = random_entries(257, 129, 0.2, 1);
  std::reverse(entries.begin(), entries.end());
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& x, const Entry& y) {
    return x.row % 2 == 0 && x.row == y.row && x.col < y.col;  // even rows ascend
  });
  for (const Storage& storage : every_format()) {
    Sparse sparse(257, 129, entries, storage);
    check_products(sparse);
    check_sampled(&sparse);
  }
}

BACKEND_TEST_CASE("A33 A34 entries with equal indices add, and each of them is sampled", "[indices]") {
  Entries entries = random_entries(20, 15, 0.3, 2);
  for (int64_t copy = 0; copy < 3; ++copy) entries.push_back({2, 0, 1.0 + static_cast<double>(copy)});
  const Entries again = random_entries(20, 15, 0.1, 3);
  entries.insert(entries.end(), again.begin(), again.end());
  for (const Storage& storage : every_format()) {
    Sparse sparse(20, 15, entries, storage);
    check_products(sparse);
    check_sampled(&sparse);
  }
}

BACKEND_TEST_CASE("A33 A34 repeated entries by hand: 1 + 3 at (0, 1), 4 + 3 + 2 + 1 in a column", "[indices]") {
  const Handle handle;
  const Options options;
  for (const bsFormat_t format : {BS_FORMAT_CSR, BS_FORMAT_CSC}) {
    const Sparse a(2, 2, {{0, 1, 1}, {0, 1, 3}}, {.format = format});
    const Sparse x(6, 1, {{2, 0, 4}, {2, 0, 3}, {2, 0, 2}, {2, 0, 1}}, {.format = format});
    Dense b(2, 1, {}), c(2, 1, {}), one(1, 1, {}), y(6, 1, {});
    b.fill([](int64_t i, int64_t) { return 5.0 + static_cast<double>(i); });
    one.set(0, 0, 1);
    on_every_route(handle, Spmm{.sparse = &a, .dense = &b, .c = &c}.call(), options, c.values, [&](const Route&) {
      CHECK(c.at(0, 0) == 4 * 6);
      CHECK(c.at(1, 0) == 0);
    });
    on_every_route(handle, Spmm{.sparse = &x, .dense = &one, .c = &y}.call(), options, y.values, [&](const Route&) {
      for (int64_t i = 0; i < 6; ++i) CHECK(y.at(i, 0) == (i == 2 ? 10 : 0));
    });
  }
}

BACKEND_TEST_CASE("A35 base 1 gives what base 0 gives, with even and odd rows, 32- and 64-bit indices", "[indices]") {
  for (const int64_t m : {4, 5})
    for (Storage storage : every_format())
      for (const bsIndexBase_t base : {BS_INDEX_BASE_ZERO, BS_INDEX_BASE_ONE})
        for (const bsIndexType_t offset : {BS_INDEX_32I, BS_INDEX_64I})
          for (const bsIndexType_t index : {BS_INDEX_32I, BS_INDEX_64I}) {
            storage.base = base, storage.offset_type = offset, storage.index_type = index;
            CAPTURE(m, storage.format, storage.block_rows, base, offset, index);
            Sparse sparse(m, 3, random_entries(m, 3, 0.6, 1), storage);
            check_products(sparse);
            check_sampled(&sparse);
          }
}

BACKEND_TEST_CASE("seeds#10 16-bit values with columns beyond 32767 and 65535, odd rows", "[indices]") {
  for (const bsDataType_t type : {BS_R_16F, BS_R_16BF})
    for (const bsFormat_t format : {BS_FORMAT_CSR, BS_FORMAT_CSC}) {
      Entries entries;
      for (int64_t i = 0; i < 3; ++i)
        for (int64_t j = i; j < 70001; j += 5000) entries.push_back({i, j + (j + i < 70000 ? i : 0), 1.0});
      Sparse sparse(3, 70001, entries, {.format = format, .type = type});
      check_products(sparse);
      check_sampled(&sparse);
    }
}

}  // namespace
}  // namespace bs::cases
