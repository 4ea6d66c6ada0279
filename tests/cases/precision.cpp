// How far results may be from the exact ones.
#include "cases/products.h"
#include "support/backend.h"

#include <functional>

namespace bs::cases {
namespace {

// Largest of |C - exact| over every route, relative to the sum of the absolute values of the terms.
void check_error(const Spmm& product, const Spmm& magnitudes, double rounding, double sum_error) {
  const Handle handle;
  const Options options;
  const std::vector<double> wanted = exact(product), size = exact(magnitudes);
  const Dense& c = *product.c;
  const int accepted = on_every_route(handle, product.call(), options, c.values, [&](const Route&) {
    double worst = 0;
    for (int64_t i = 0; i < c.rows; ++i)
      for (int64_t j = 0; j < c.cols; ++j) {
        const size_t at = static_cast<size_t>(i * c.cols + j);
        const double error = std::abs(c.at(i, j) - wanted[at]);
        worst = std::max(worst, error - rounding * std::abs(wanted[at]) - sum_error * size[at]);
      }
    CHECK(worst <= 0);
  });
  CHECK(accepted > 0);
}

// Values of full precision, not integers; and their absolute values.
void check_random(int64_t m, int64_t k, int64_t n, const Storage& storage, double density, double rounding,
                  double sum_error) {
  test::Random random(1);
  Entries entries, absolute;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < k; ++j)
      if (random.chance(density)) entries.push_back({i, j, rounded(storage.type, random.symmetric())});
  for (const Entry& e : entries) absolute.push_back({e.row, e.col, std::abs(e.value)});
  const Sparse a(m, k, entries, storage), sizes(m, k, absolute, storage);
  Dense b(k, n, {.type = storage.type}), b_size(k, n, {.type = storage.type}), c(m, n, {.type = storage.type});
  b.fill([&](int64_t, int64_t) { return random.symmetric(); });
  b_size.fill([&](int64_t i, int64_t j) { return std::abs(b.at(i, j)); });
  check_error({.sparse = &a, .dense = &b, .c = &c}, {.sparse = &sizes, .dense = &b_size, .c = &c}, rounding, sum_error);
}

BACKEND_TEST_CASE("A45 seeds#34 16-bit products are sums in f32, rounded once", "[precision]") {
  for (const bsDataType_t type : {BS_R_16BF, BS_R_16F}) {
    const double rounding = type == BS_R_16BF ? 0x1p-8 : 0x1p-11;
    for (const int64_t block : {1, 8})
      check_random(128, 1024, 32,
                   {.format = block == 1 ? BS_FORMAT_CSR : BS_FORMAT_BSR,
                    .type = type,
                    .block_rows = block,
                    .block_cols = block},
                   0.125, 1.01 * rounding, 1024 * 0x1p-24);
  }
}

BACKEND_TEST_CASE("A45 a long sum of ones does not stop where 16 bits end", "[precision]") {
  const Handle handle;
  for (const bsDataType_t type : {BS_R_16BF, BS_R_16F}) {
    Entries ones;
    for (int64_t j = 0; j < 8192; ++j) ones.push_back({0, j, 1});
    const Sparse a(1, 8192, ones, {.type = type});
    Dense b(8192, 3, {.type = type}), c(1, 3, {.type = type});
    b.fill([](int64_t, int64_t) { return 1; });
    check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c});
  }
}

BACKEND_TEST_CASE("A46 f32 is f32 and f64 is f64, on every route", "[precision]") {
  for (const int64_t size : {2, 32})
    for (const Storage& storage : every_format(BS_R_32F))
      check_random(size, size, size, storage, 1, 0x1p-24, static_cast<double>(size) * 0x1p-24);
  for (const Storage& storage : every_format(BS_R_64F)) check_random(32, 32, 32, storage, 1, 0x1p-53, 32 * 0x1p-53);
}

}  // namespace
}  // namespace bs::cases
