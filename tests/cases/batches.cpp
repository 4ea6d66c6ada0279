// Batches: patterns of their own, broadcast and padded strides, on every route.
#include "cases/products.h"
#include "support/backend.h"

namespace bs::cases {
namespace {

constexpr double kGap = 777;

BACKEND_TEST_CASE("A27 seeds#38 batches with patterns and entry counts of their own", "[batch]") {
  // A0 is diag(1, 2, 3, 4), A1 a lower triangle of ones; the offsets count on through one index array.
  const Handle handle;
  const test::Shared<int32_t> offsets{0, 1, 2, 3, 4, 4, 5, 7, 10, 14};
  const test::Shared<int32_t> columns{0, 1, 2, 3, 0, 0, 1, 0, 1, 2, 0, 1, 2, 3};
  const test::Shared<float> values{1, 2, 3, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const double by_hand[] = {1, 4, 9, 16, 1, 3, 6, 10};
  for (const bsFormat_t format : {BS_FORMAT_CSR, BS_FORMAT_BSR}) {
    bsMatDescr_t a = nullptr;
    if (format == BS_FORMAT_CSR)
      REQUIRE(bsCreateCsr(&a, 4, 4, 14, offsets.data(), columns.data(), values.data(), BS_INDEX_32I, BS_INDEX_32I, 0,
                          BS_R_32F) == 0);
    else
      REQUIRE(bsCreateBsr(&a, 4, 4, 14, 1, 1, offsets.data(), columns.data(), values.data(), BS_INDEX_32I, BS_INDEX_32I,
                          0, BS_R_32F, BS_ORDER_ROW) == 0);
    REQUIRE(bsMatSetBatch(a, 2, 0, 5, 0) == BS_STATUS_SUCCESS);
    Dense x(4, 1, {}), y(8, 1, {});
    x.fill([](int64_t i, int64_t) { return static_cast<double>(i + 1); });
    bsMatDescr_t results = nullptr;
    REQUIRE(bsCreateDense(&results, 4, 1, 1, y.values.device(), BS_R_32F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
    REQUIRE(bsMatSetBatch(results, 2, 4, 0, 0) == BS_STATUS_SUCCESS);
    const Options options;
    const int accepted =
        on_every_route(handle, {.a = a, .b = x.mat, .c = results}, options, y.values, [&](const Route&) {
          for (int64_t i = 0; i < 8; ++i) CHECK(y.at(i, 0) == by_hand[i]);
        });
    CHECK(accepted > 0);
    bsDestroyMat(results), bsDestroyMat(a);
  }
}

// C[b] = A[b] B[b] sampled everywhere, m = n = 4, k = 4, arrays of ones times a factor a batch.
void check_sampled_batch(int64_t batches, int64_t stride_a, int64_t stride_b, int64_t gap_c) {
  const Handle handle;
  const int64_t stride_c = 16 + gap_c;
  Entries full;
  for (int64_t i = 0; i < 16; ++i) full.push_back({i / 4, i % 4, 1});
  const Sparse pattern(4, 4, full, {});
  const Array left((stride_a * (batches - 1) + 16) * 4), right((stride_b * (batches - 1) + 16) * 4),
      values((stride_c * (batches - 1) + 16) * 4);
  const auto fill = [&](const Array& array, int64_t stride, auto value) {
    for (int64_t b = 0; b < batches; ++b)
      for (int64_t i = 0; i < 16; ++i) put(BS_R_32F, array.data(), b * stride + i, value(b));
  };
  for (int64_t i = 0; i < values.bytes() / 4; ++i) put(BS_R_32F, values.data(), i, kGap);
  fill(left, stride_a, [&](int64_t b) { return stride_a ? static_cast<double>(b + 1) : 1.0; });
  fill(right, stride_b, [&](int64_t b) { return stride_b ? static_cast<double>(b + 1) : 1.0; });
  bsMatDescr_t a = nullptr, b = nullptr;
  REQUIRE(bsCreateDense(&a, 4, 4, 4, left.device(), BS_R_32F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
  REQUIRE(bsCreateDense(&b, 4, 4, 4, right.device(), BS_R_32F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
  REQUIRE(bsMatSetBatch(a, batches, stride_a, 0, 0) == BS_STATUS_SUCCESS);
  REQUIRE(bsMatSetBatch(b, batches, stride_b, 0, 0) == BS_STATUS_SUCCESS);
  REQUIRE(bsMatSetValues(pattern.mat, values.device()) == BS_STATUS_SUCCESS);
  REQUIRE(bsMatSetBatch(pattern.mat, batches, stride_c, 0, 0) == BS_STATUS_SUCCESS);
  const Options options;
  const Call call{.op = Op::sddmm, .a = a, .b = b, .c = pattern.mat};
  const int accepted = on_every_route(handle, call, options, values, [&](const Route&) {
    for (int64_t i = 0; i < values.bytes() / 4; ++i) {
      const int64_t batch = i / stride_c;
      const double factor = static_cast<double>((stride_a ? batch + 1 : 1) * (stride_b ? batch + 1 : 1));
      CHECK(get(BS_R_32F, values.data(), i) == (i % stride_c < 16 ? 4 * factor : kGap));
    }
  });
  CHECK(accepted > 0);
  bsDestroyMat(a), bsDestroyMat(b);
}

BACKEND_TEST_CASE("A28 every batch of a sampled product is computed", "[batch]") {
  check_sampled_batch(2, 16, 0, 0);
  check_sampled_batch(2, 0, 16, 0);
}

BACKEND_TEST_CASE("A29 broadcast and padded strides on each operand", "[batch]") {
  check_sampled_batch(3, 0, 16 + 17, 5);
  check_sampled_batch(3, 16 + 17, 0, 5);
  check_sampled_batch(3, 16 + 3, 16 + 17, 1);
}

BACKEND_TEST_CASE("A01 more batches than 65535", "[batch]") {
  const Handle handle;
  const int64_t batches = 70001;
  const Sparse a(2, 2, {{0, 1, 2}, {1, 0, 3}}, {});
  Dense b(2 * batches, 1, {}, 1), c(2 * batches, 1, {});
  bsMatDescr_t many_b = nullptr, many_c = nullptr;
  REQUIRE(bsCreateDense(&many_b, 2, 1, 1, b.values.device(), BS_R_32F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
  REQUIRE(bsCreateDense(&many_c, 2, 1, 1, c.values.device(), BS_R_32F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
  REQUIRE(bsMatSetBatch(many_b, batches, 2, 0, 0) == BS_STATUS_SUCCESS);
  REQUIRE(bsMatSetBatch(many_c, batches, 2, 0, 0) == BS_STATUS_SUCCESS);
  const Options options;
  on_every_route(handle, {.a = a.mat, .b = many_b, .c = many_c}, options, c.values, [&](const Route&) {
    int64_t wrong = 0;
    for (int64_t i = 0; i < 2 * batches; ++i) wrong += c.at(i, 0) != (i % 2 ? 3 : 2) * b.at(i ^ 1, 0);
    CHECK(wrong == 0);
  });
  bsDestroyMat(many_b), bsDestroyMat(many_c);
}

}  // namespace
}  // namespace bs::cases
