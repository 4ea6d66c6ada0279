// alpha, beta, and what may and may not meet NaN, on every route.
#include "cases/products.h"
#include "support/backend.h"

#include <functional>

namespace bs::cases {
namespace {

struct Scalars {
  double alpha, beta;
};

// One product a type and format, small but with every route's tails: 37 x 29 times 29 x 17.
void for_each_product(const std::function<void(const Storage&)>& body) {
  for (const bsDataType_t type : kTypes)
    for (const Storage& storage : every_format(type)) {
      CAPTURE(type, storage.format, storage.block_rows);
      body(storage);
    }
}

BACKEND_TEST_CASE("A08 beta 0 writes C whatever it held: NaN, Inf, -Inf", "[scalars]") {
  const Handle handle;
  for_each_product([&](const Storage& storage) {
    const Sparse a(37, 29, random_entries(37, 29, 0.2, 1), storage);
    const Dense b(29, 17, {.type = storage.type}, 2), left(37, 6, {.type = storage.type}, 3),
        right(6, 29, {.type = storage.type}, 4);
    for (const double old : {kNaN, kInf, -kInf}) {
      Dense c(37, 17, {.type = storage.type});
      c.fill([&](int64_t, int64_t) { return old; });
      check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c});
      Sparse sampled(37, 29, random_entries(37, 29, 0.2, 1), storage);
      sampled.fill(old);
      check_everywhere(handle, Sddmm{.a = &left, .b = &right, .c = &sampled});
    }
  });
}

BACKEND_TEST_CASE("A09 beta is applied once", "[scalars]") {
  const Handle handle;
  const Scalars scalars[] = {{1, 0.5}, {0.75, -2}, {0, 3}, {1, 1}, {1, 0}, {-2, 0.25}};
  for_each_product([&](const Storage& storage) {
    const Sparse a(37, 29, random_entries(37, 29, 0.2, 1), storage);
    const Dense b(29, 17, {.type = storage.type}, 2), left(37, 6, {.type = storage.type}, 3),
        right(6, 29, {.type = storage.type}, 4);
    for (const Scalars& s : scalars) {
      CAPTURE(s.alpha, s.beta);
      Dense c(37, 17, {.type = storage.type}, 5);
      check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c, .alpha = s.alpha, .beta = s.beta});
      Sparse sampled(37, 29, random_entries(37, 29, 0.2, 1), storage);
      check_everywhere(handle, Sddmm{.a = &left, .b = &right, .c = &sampled, .alpha = s.alpha, .beta = s.beta});
    }
  });
}

BACKEND_TEST_CASE("A15 alpha 0 reads neither A nor B, and C becomes beta C", "[scalars]") {
  const Handle handle;
  for_each_product([&](const Storage& storage) {
    Sparse a(37, 29, random_entries(37, 29, 0.2, 1), storage);
    Dense b(29, 17, {.type = storage.type}), left(37, 6, {.type = storage.type}), right(6, 29, {.type = storage.type});
    a.fill(kNaN);
    for (Dense* dense : {&b, &left, &right}) dense->fill([](int64_t, int64_t) { return kNaN; });
    for (const double beta : {0.0, 0.5}) {
      Dense c(37, 17, {.type = storage.type});
      c.fill([](int64_t, int64_t) { return 2; });
      check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c, .alpha = 0, .beta = beta});
      Sparse sampled(37, 29, random_entries(37, 29, 0.2, 1), storage);
      check_everywhere(handle, Sddmm{.a = &left, .b = &right, .c = &sampled, .alpha = 0, .beta = beta});
    }
  });
}

BACKEND_TEST_CASE("A15 one row with all entries and a thousand empty rows behind it", "[scalars]") {
  const Handle handle;
  Entries entries;
  for (int64_t j = 0; j < 3000; ++j) entries.push_back({0, j, static_cast<double>(j % 5 - 2)});
  for (const bsFormat_t format : {BS_FORMAT_CSR, BS_FORMAT_CSC})
    for (const bsOperation_t op : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE}) {
      const bool turned = op == BS_OPERATION_TRANSPOSE;
      const Sparse a(turned ? 3000 : 1001, turned ? 1001 : 3000, turned ? transposed(entries) : entries,
                     {.format = format});
      for (const int64_t n : {1, 5}) {
        const Dense b(3000, n, {}, 2);
        Dense c(1001, n, {}, 3);
        check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c, .op_sparse = op, .alpha = 0, .beta = 2});
        check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c, .op_sparse = op});
      }
    }
}

// The product of an identity with B holding `bad` in row 2: which rows of C are not finite.
void check_reach(const Storage& storage, double bad, bsOptions_t options, bool strict) {
  const Handle handle;
  Entries identity;
  for (int64_t i = 0; i < 40; ++i) identity.push_back({i, i, 1});
  const Sparse a(40, 44, identity, storage);
  Dense b(44, 9, {.type = storage.type}, 1), c(40, 9, {.type = storage.type});
  for (int64_t j = 0; j < 9; ++j) b.set(43, j, bad);  // no stored element refers to row 43
  for (int64_t j = 0; j < 9; ++j) b.set(2, j, bad);
  const Spmm product{.sparse = &a, .dense = &b, .c = &c};
  const std::vector<double> wanted = exact(product);
  int strict_routes = 0;
  on_every_route(handle, product.call(), options, c.values, [&](const Route& route) {
    const bool must_isolate = strict || route.isolates;
    strict_routes += must_isolate && !route.name.empty();
    if (must_isolate) CHECK(mismatches(c, wanted) == 0);
    CHECK(!std::isfinite(c.at(2, 4)));
  });
  CHECK(strict_routes > 0);
}

BACKEND_TEST_CASE(
    "A47 what the pattern does not store meets nothing in routes that isolate, and strict admits only those",
    "[scalars]") {
  for (const Storage& storage : every_format())
    for (const double bad : {kNaN, kInf})
      for (const int strict : {0, 1}) {
        CAPTURE(storage.format, storage.block_rows, bad, strict);
        const Options options;
        REQUIRE(bsOptionsSetInt(options, BS_OPTION_STRICT, strict) == BS_STATUS_SUCCESS);
        check_reach(storage, bad, options, strict != 0);
      }
}

BACKEND_TEST_CASE("A47 a stored zero times NaN is NaN", "[scalars]") {
  const Handle handle;
  for (const bsFormat_t format : {BS_FORMAT_CSR, BS_FORMAT_CSC, BS_FORMAT_BSR})
    for (const double bad : {kNaN, kInf}) {
      const Sparse a(3, 4, {{0, 0, 1}, {1, 2, 0.0}, {2, 3, 5}}, {.format = format});
      Dense b(4, 6, {}, 1), c(3, 6, {});
      for (int64_t j = 0; j < 6; ++j) b.set(2, j, bad);
      const Spmm product{.sparse = &a, .dense = &b, .c = &c};
      const Options options;
      on_every_route(handle, product.call(), options, c.values, [&](const Route& route) {
        for (int64_t j = 0; j < 6; ++j) CHECK(std::isnan(c.at(1, j)));
        if (route.isolates) CHECK(mismatches(c, exact(product)) == 0);
      });
    }
}

BACKEND_TEST_CASE("1.7m a gate of 2^-30 is not zero, a negative one is a factor, and 0 skips NaN", "[scalars]") {
  const Handle handle;
  for (const bsDataType_t type : kTypes) {
    Entries entries;
    for (int64_t i = 0; i < 16; ++i)
      for (int64_t j = 0; j < 16; ++j) entries.push_back({i, j, i >= 8 && j >= 8 ? kNaN : 1.0});
    const Sparse a(16, 16, entries, {.format = BS_FORMAT_BSR, .type = type, .block_rows = 8, .block_cols = 8});
    const test::Shared<float> gate{0x1p-30f, 0x1p-30f, -3, 0};
    REQUIRE(bsMatSetGate(a.mat, gate.data(), 0) == BS_STATUS_SUCCESS);
    Dense b(16, 5, {.type = type}), c(16, 5, {.type = type});
    b.fill([](int64_t, int64_t) { return 1024; });
    const Options options;
    const Spmm product{.sparse = &a, .dense = &b, .c = &c};
    on_every_route(handle, product.call(), options, c.values, [&](const Route&) {
      for (int64_t i = 0; i < 16; ++i)
        for (int64_t j = 0; j < 5; ++j) CHECK(c.at(i, j) == (i < 8 ? 0x1p-16 : -24576));
    });
  }
}

}  // namespace
}  // namespace bs::cases
