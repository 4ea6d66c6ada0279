// Two dense operands somewhere in one array: refused where they share an element, accepted where they have equal ld,
// order and batch stride and share none.
#include <set>

#include "api/random_matrices.h"

namespace {

using namespace bs::test;

struct Window {
  int64_t rows, cols, ld, start, batch, stride;
  bsOrder_t order;

  int64_t lines() const { return order == BS_ORDER_ROW ? rows : cols; }
  int64_t length() const { return order == BS_ORDER_ROW ? cols : rows; }
  std::set<int64_t> elements() const {
    std::set<int64_t> all;
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t i = 0; i < lines(); ++i)
        for (int64_t j = 0; j < length(); ++j) all.insert(start + b * stride + i * ld + j);
    return all;
  }
  bsMatDescr_t descriptor(float* array) const {
    bsMatDescr_t mat = nullptr;
    ok(bsCreateDense(&mat, rows, cols, ld, array + start, BS_R_32F, order));
    ok(bsMatSetBatch(mat, batch, stride, 0, 0));
    return mat;
  }
};

// The result of a product needs batches that follow each other; its input may have them anywhere.
Window any_window(int64_t rows, int64_t cols, int64_t batch, bool output, Random& random) {
  Window w{rows, cols, 0, random.below(60), batch, 0, random.of({BS_ORDER_ROW, BS_ORDER_COL})};
  w.ld = w.length() + random.below(10);
  const int64_t extent = (w.lines() - 1) * w.ld + w.length();
  w.stride = output ? extent + random.below(20) : random.below(40);
  return w;
}

bool share(const Window& x, const Window& y) {
  const std::set<int64_t> all = x.elements();
  for (const int64_t e : y.elements())
    if (all.count(e)) return true;
  return false;
}
bool alike(const Window& x, const Window& y) {
  return x.order == y.order && x.ld == y.ld && (x.stride == y.stride || x.batch == 1 || y.batch == 1);
}

bsStatus_t multiply(bsHandle_t handle, const Window& b, const Window& c, float* array) {
  const float one = 1, zero = 0;
  const Shared<int32_t> offsets(c.rows + 1, 0);  // nothing stored
  int64_t bytes = 0;
  void* workspace = nullptr;
  bsMatDescr_t a = nullptr;
  const bsMatDescr_t mat_b = b.descriptor(array), mat_c = c.descriptor(array);
  ok(bsCreateConstCsr(&a, c.rows, b.rows, 0, offsets.data(), nullptr, nullptr, BS_INDEX_32I, BS_INDEX_32I,
                      BS_INDEX_BASE_ZERO, BS_R_32F));
  ok(bsSpMM_bufferSize(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &one, a, mat_b, &zero, mat_c,
                       BS_R_32F, nullptr, &bytes));
  ok(bsMalloc(handle, &workspace, bytes));
  const bsStatus_t status = bsSpMM(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &one, a, mat_b,
                                   &zero, mat_c, BS_R_32F, nullptr, workspace, bytes);
  ok(bsFree(handle, workspace));
  for (const bsMatDescr_t mat : {a, mat_b, mat_c}) ok(bsDestroyMat(mat));
  return status;
}

}  // namespace

BACKEND_TEST_CASE("operands in one array are refused where they share an element, and not where they interleave") {
  bsHandle_t handle = nullptr;
  ok(bsCreateOn(&handle, backend(), 0));
  const Shared<float> array(2000);
  int shared = 0, interleaved = 0;
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    Random random(seed);
    const int64_t batch = random.of({1, 1, 2, 3}), n = 1 + random.below(5);
    Window b = any_window(1 + random.below(5), n, batch, false, random);
    const Window c = any_window(1 + random.below(5), n, batch, true, random);
    if (random.chance(0.6)) b.order = c.order, b.ld = c.ld, b.stride = c.stride;
    if (b.ld < b.length()) continue;
    const bsStatus_t status = multiply(handle, b, c, array.data());
    INFO("seed " << seed);
    CHECK((status == BS_STATUS_SUCCESS || status == BS_STATUS_INVALID_ALIAS));
    if (share(b, c)) {
      ++shared;
      CHECK(status == BS_STATUS_INVALID_ALIAS);
    } else if (alike(b, c)) {
      ++interleaved;
      CHECK(status == BS_STATUS_SUCCESS);
    }
  }
  CHECK((shared > 500 && interleaved > 500));
  ok(bsDestroy(handle));
}
