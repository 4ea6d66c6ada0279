// Empty operands, through every route: what has no entries still writes beta C.
#include "cases/products.h"
#include "support/backend.h"

namespace bs::cases {
namespace {

// NaN where the old content must not be read.
void fill_old(Dense* c, double beta) {
  c->fill([&](int64_t i, int64_t j) { return beta == 0 ? kNaN : static_cast<double>(2 * i - j); });
}

void check_product_of_size(const Storage& storage, int64_t m, int64_t k, int64_t n, const Entries& entries) {
  const Handle handle;
  for (const bool left : {true, false})
    for (const bsOperation_t op : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE})
      for (const double beta : {0.0, 0.5, 1.0}) {
        CAPTURE(storage.format, storage.block_rows, left, op, beta, m, k, n);
        const Entries oriented = left == (op == BS_OPERATION_NON_TRANSPOSE) ? entries : transposed(entries);
        const bool turned = left != (op == BS_OPERATION_NON_TRANSPOSE);
        const Sparse sparse(turned ? k : m, turned ? m : k, oriented, storage);
        const Dense dense(left ? k : n, left ? n : k, {.type = storage.type}, 1);
        Dense c(left ? m : n, left ? n : m, {.type = storage.type});
        fill_old(&c, beta);
        check_everywhere(
            handle, {.sparse = &sparse, .dense = &dense, .c = &c, .sparse_left = left, .op_sparse = op, .beta = beta});
      }
}

struct Case {
  const char* name;
  int64_t m, k, n;
};

const Case kCases[] = {
    {"A10 nnz 0 with NULL arrays writes y", 1, 1, 1},
    {"A10 nnz 0 with NULL arrays writes C, 1.7e a layout without blocks is legal", 33, 20, 7},
    {"A11 an m x 0 matrix gives beta C", 4, 0, 3},
    {"A11 a 0 x k matrix gives nothing", 0, 4, 3},
    {"A13 a product with no columns writes nothing", 10, 10, 0},
};

[[maybe_unused]] const bool registered = [] {
  for (const Case& c : kCases)
    test::add_test(c.name, "[empty][backend]", [&c] {
      if (!test::backend_missing().empty()) BS_SKIP(test::backend_missing());
      for (const Storage& storage : every_format()) check_product_of_size(storage, c.m, c.k, c.n, {});
    });
  return true;
}();

BACKEND_TEST_CASE("A13 a product with no columns of a matrix with entries writes nothing", "[empty]") {
  for (const Storage& storage : every_format())
    check_product_of_size(storage, 10, 10, 0, random_entries(10, 10, 0.1, 3));
}

BACKEND_TEST_CASE("A14 a sampled product without entries is a success, and the next one is right", "[empty]") {
  const Handle handle;
  for (Storage storage : every_format(BS_R_16F)) {
    const Dense a(64, 16, {.type = BS_R_16F}, 1), b(16, 64, {.type = BS_R_16F}, 2);
    Sparse none(64, 64, {}, storage), some(64, 64, random_entries(64, 64, 0.1, 3), storage);
    check_everywhere(handle, Sddmm{.a = &a, .b = &b, .c = &none});
    check_everywhere(handle, Sddmm{.a = &a, .b = &b, .c = &some, .beta = 1});
  }
}

BACKEND_TEST_CASE("A11 a sampled product without an inner extent is beta C", "[empty]") {
  const Handle handle;
  for (const Storage& storage : every_format())
    for (const double beta : {0.0, 0.5}) {
      const Dense a(9, 0, {}), b(0, 11, {});
      Sparse c(9, 11, random_entries(9, 11, 0.4, 4), storage);
      if (beta == 0) c.fill(kNaN);
      check_everywhere(handle, Sddmm{.a = &a, .b = &b, .c = &c, .beta = beta});
    }
}

BACKEND_TEST_CASE("A42 empty block rows give beta C, at the start, inside and at the end", "[empty]") {
  const Handle handle;
  for (const int64_t block : {1, 8, 16, 32})
    for (const double beta : {0.0, 1.0}) {
      Entries entries;
      for (const Entry& e : random_entries(8 * block, 4 * block, 0.5, 5))
        if (e.row / block != 0 && e.row / block != 3 && e.row / block != 7) entries.push_back(e);
      const Sparse a(8 * block, 4 * block, entries,
                     {.format = block == 1 ? BS_FORMAT_CSR : BS_FORMAT_BSR, .block_rows = block, .block_cols = block});
      const Dense b(4 * block, 20, {}, 6);
      Dense c(8 * block, 20, {});
      fill_old(&c, beta);
      check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c, .beta = beta});
    }
}

}  // namespace
}  // namespace bs::cases
