// Two handles in two threads that share descriptors: the same results as alone.
#include "support/catch.h"

#include <numeric>
#include <thread>
#include <vector>

#include "bsparse.h"

namespace {

constexpr int64_t kSize = 96;

struct Shared {
  std::vector<int64_t> offsets, columns;
  std::vector<float> values, right;
  bsMatDescr_t a = nullptr, b = nullptr;

  Shared() : offsets{0}, right(kSize * kSize) {
    for (int64_t i = 0; i < kSize; ++i) {
      for (int64_t j = i % 5; j < kSize; j += 5) columns.push_back(j), values.push_back(static_cast<float>(i - j) / 7);
      offsets.push_back(static_cast<int64_t>(columns.size()));
    }
    std::iota(right.begin(), right.end(), -4000.0f);
    const int64_t nnz = static_cast<int64_t>(values.size());
    bsCreateCsr(&a, kSize, kSize, nnz, offsets.data(), columns.data(), values.data(), BS_INDEX_64I, BS_INDEX_64I,
                BS_INDEX_BASE_ZERO, BS_R_32F);
    bsCreateDense(&b, kSize, kSize, kSize, right.data(), BS_R_32F, BS_ORDER_ROW);
  }
  ~Shared() { bsDestroyMat(a), bsDestroyMat(b); }
};

// Products by a handle of its own; empty if anything failed.
std::vector<float> products(const Shared& shared, int times) {
  std::vector<float> result(kSize * kSize);
  const float alpha = 1, beta = 0;
  bsHandle_t handle = nullptr;
  bsMatDescr_t c = nullptr;
  void* workspace = nullptr;
  int64_t bytes = 0;
  bool ok = !bsCreateOn(&handle, BS_BACKEND_CPU, 0) &&
            !bsCreateDense(&c, kSize, kSize, kSize, result.data(), BS_R_32F, BS_ORDER_ROW) &&
            !bsSpMM_bufferSize(handle, 1, 0, &alpha, shared.a, shared.b, &beta, c, BS_R_32F, nullptr, &bytes) &&
            !bsMalloc(handle, &workspace, bytes);
  for (int i = 0; i < times && ok; ++i)
    ok = !bsSpMM(handle, 1, 0, &alpha, shared.a, shared.b, &beta, c, BS_R_32F, nullptr, workspace, bytes);
  ok = !bsFree(handle, workspace) && !bsDestroyMat(c) && !bsDestroy(handle) && ok;
  return ok ? result : std::vector<float>{};
}

TEST_CASE("two handles in two threads share descriptors and give what one gives") {
  const Shared shared;
  const std::vector<float> alone = products(shared, 1);
  std::vector<float> first, second;

  std::thread one([&] { first = products(shared, 50); });
  std::thread two([&] { second = products(shared, 50); });
  one.join(), two.join();

  REQUIRE(!alone.empty());
  CHECK(first == alone);
  CHECK(second == alone);
}

}  // namespace
