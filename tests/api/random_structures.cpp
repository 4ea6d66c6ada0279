// Conversions and gate gradients of random matrices, against plain tables.
#include <cstdlib>

#include "api/random_target.h"

namespace {

using namespace bs::test;

constexpr uint64_t kCases = 300;

uint64_t cases() {
  const char* many = std::getenv("BSPARSE_RANDOM_CASES");
  return many ? std::strtoull(many, nullptr, 10) : kCases;
}

class Handle {
 public:
  Handle() { ok(bsCreateOn(&handle_, backend(), 0)); }
  ~Handle() { bsDestroy(handle_); }
  Handle(const Handle&) = delete;
  operator bsHandle_t() const { return handle_; }

 private:
  bsHandle_t handle_ = nullptr;
};

bsDataType_t any_type(Random& random) {
  return random.of({BS_R_32F, BS_R_64F, BS_R_16F, BS_R_16BF});
}
int64_t any_extent(Random& random) {
  return random.chance(0.05) ? 0 : 1 + random.below(40);
}

void check_conversion(bsHandle_t handle, Described& source, const std::vector<double>& table, Random& random) {
  const bsOperation_t op = random.of({BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE});
  Target target(op ? source.cols : source.rows, op ? source.rows : source.cols, source.type, random);
  bsContent_t content = BS_CONTENT_OK;
  target.count(handle, op, source.mat, random);
  ok(target.fill(handle, op, source.mat));
  ok(bsMatCheck(handle, target.mat, &content, nullptr));
  CHECK(content != BS_CONTENT_UNSORTED);
  const std::vector<double> got = target.table();
  for (int64_t i = 0; i < target.rows; ++i)
    for (int64_t j = 0; j < target.cols; ++j) {
      const double want = table[op ? j * source.cols + i : i * source.cols + j];
      if (same(got[i * target.cols + j], want)) continue;
      INFO("(" << i << ", " << j << ") is " << got[i * target.cols + j] << ", must be " << want);
      CHECK(false);
      return;
    }
}

}  // namespace

BACKEND_TEST_CASE("conversions of random matrices keep every element") {
  const Handle handle;
  for (uint64_t seed = 1; seed <= cases(); ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const int64_t rows = any_extent(random), cols = any_extent(random);
    if (random.chance(0.3)) {
      RandomDense source(rows, cols, any_type(random), 1, false, random);
      source.give();
      std::vector<double> table(rows * cols);
      for (int64_t i = 0; i < rows * cols; ++i) table[i] = source.at(0, i / cols, i % cols);
      check_conversion(handle, source, table, random);
    } else {
      RandomSparse source(random.of({BS_FORMAT_CSR, BS_FORMAT_CSC, BS_FORMAT_BSR}), rows, cols, any_type(random), 1,
                          false, random);
      source.give();
      check_conversion(handle, source, source.table(), random);
    }
  }
}

BACKEND_TEST_CASE("gate gradients of random matrices are sums over their blocks") {
  const Handle handle;
  for (uint64_t seed = 1; seed <= cases(); ++seed) {
    INFO("seed " << seed);
    Random random(seed), again(0);
    const int64_t rows = any_extent(random), cols = any_extent(random), batch = random.of({0, 1, 1, 2, 3});
    const bool wide = random.chance(0.2);
    const auto type = [&] { return wide ? BS_R_64F : random.of({BS_R_32F, BS_R_16F, BS_R_16BF}); };
    const bsDataType_t types[] = {type(), type()};
    again = random;
    RandomSparse w(BS_FORMAT_BSR, rows, cols, types[0], batch, true, random);
    RandomSparse dw(BS_FORMAT_BSR, rows, cols, types[1], batch, true, again);  // of the same structure
    for (const Stored& x : dw.stored)
      if (x.inside) dw.values.set(x.place, small_number(random));
    w.give(), dw.give();
    const int64_t stride = w.nnz + random.below(3);
    Array gradient(batch && w.nnz ? (batch - 1) * stride + w.nnz : 0, BS_R_32F, random);
    gradient.fill(kNaN);
    std::vector<double> want(gradient.count(), kNaN);
    for (size_t e = 0; e < w.stored.size(); ++e) {
      const Stored &x = w.stored[e], &y = dw.stored[e];
      double& sum = want[x.batch * stride + x.entry];
      if (std::isnan(sum)) sum = 0;
      if (x.inside) sum += w.values[x.place] * dw.values[y.place];
    }
    ok(bsBlockGateGrad(handle, w.mat, dw.mat, static_cast<float*>(gradient.get()), stride));
    for (int64_t i = 0; i < gradient.count(); ++i)
      if (!same(gradient[i], want[i])) {
        INFO("gradient[" << i << "] is " << gradient[i] << ", must be " << want[i]);
        CHECK(false);
        break;
      }
  }
}
