// Sampled products into every format, by every op and order, against a plain triple loop; what they do to analysis.
#include "api/matrices.h"

namespace {

using namespace bs::test;

bsStatus_t sddmm(bsHandle_t handle, bsOperation_t op_a, bsOperation_t op_b, float alpha, bsMatDescr_t a, bsMatDescr_t b,
                 float beta, bsMatDescr_t c, bsOptions_t options = nullptr) {
  int64_t bytes = -1;
  const bsStatus_t sized = bsSDDMM_bufferSize(handle, op_a, op_b, &alpha, a, b, &beta, c, BS_R_32F, options, &bytes);
  if (sized != BS_STATUS_SUCCESS) return sized;
  void* workspace = nullptr;
  REQUIRE(bsMalloc(handle, &workspace, bytes) == BS_STATUS_SUCCESS);
  const bsStatus_t status = bsSDDMM(handle, op_a, op_b, &alpha, a, b, &beta, c, BS_R_32F, options, workspace, bytes);
  REQUIRE(bsFree(handle, workspace) == BS_STATUS_SUCCESS);
  return status;
}

int64_t mismatches(const Table& a, const Table& b, double alpha, const Table& before, double beta, const Table& after) {
  int64_t wrong = 0;
  for (int64_t i = 0; i < after.rows; ++i)
    for (int64_t j = 0; j < after.cols; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < a.cols; ++k) sum += a.at(i, k) * b.at(k, j);
      wrong += after.is_stored(i, j) && after.at(i, j) != alpha * sum + beta * before.at(i, j);
    }
  return wrong;
}

}  // namespace

BACKEND_TEST_CASE("bsSDDMM samples right in every format, op and order") {
  const Handle handle;
  std::mt19937 random(1);
  for (const Form form : {Form::csr, Form::csc, Form::bsr_row, Form::bsr_col})
    for (const bsOperation_t op_a : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE})
      for (const bsOperation_t op_b : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE})
        for (const bsOrder_t order_a : {BS_ORDER_ROW, BS_ORDER_COL})
          for (const bsOrder_t order_b : {BS_ORDER_ROW, BS_ORDER_COL}) {
            CAPTURE(static_cast<int>(form), op_a, op_b, order_a, order_b);
            const Table a = random_table(op_a ? 9 : 7, op_a ? 7 : 9, 1, random);
            const Table b = random_table(op_b ? 8 : 9, op_b ? 9 : 8, 1, random);
            const Sparse c(random_table(7, 8, 0.3, random), form);
            const Dense dense_a(a, order_a), dense_b(b, order_b);
            const Table before = c.table();

            REQUIRE(sddmm(handle, op_a, op_b, 2, dense_a.mat, dense_b.mat, -1, c.mat) == BS_STATUS_SUCCESS);
            CHECK(mismatches(under(op_a, a), under(op_b, b), 2, before, -1, c.table()) == 0);
          }
}

BACKEND_TEST_CASE("the bias gradient runs along the axis the caller means, also for CSC") {
  const Handle handle;
  std::mt19937 random(2);
  const Table a = random_table(4, 6, 1, random), b = random_table(6, 5, 1, random);
  const Dense dense_a(a, BS_ORDER_ROW), dense_b(b, BS_ORDER_ROW);
  for (const Form form : {Form::csr, Form::csc, Form::bsr_row})
    for (const bsAxis_t axis : {BS_AXIS_ROW, BS_AXIS_COL}) {
      const Sparse c(random_table(4, 5, 0.5, random), form);
      const Shared<float> gradient(axis == BS_AXIS_ROW ? 4 : 5, 77.0f);
      Shared<float> expected(gradient.size(), 0.0f);
      for (int64_t k = 0; k < 6; ++k)
        for (size_t i = 0; i < expected.size(); ++i)
          expected[i] += static_cast<float>(axis == BS_AXIS_ROW ? a.at(i, k) : b.at(k, i));
      bsOptions_t options = nullptr;
      REQUIRE(bsCreateOptions(&options) == BS_STATUS_SUCCESS);
      REQUIRE(bsOptionsSetBiasGradient(options, gradient.data(), BS_R_32F, axis) == BS_STATUS_SUCCESS);
      REQUIRE(sddmm(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, 1, dense_a.mat, dense_b.mat, 0,
                    c.mat, options) == BS_STATUS_SUCCESS);
      CHECK(gradient == expected);
      bsDestroyOptions(options);
    }
}

BACKEND_TEST_CASE("a result written into a packed matrix must be packed anew before it is read") {
  const Handle handle;
  std::mt19937 random(3);
  const Dense a(random_table(4, 6, 1, random), BS_ORDER_ROW), b(random_table(6, 5, 1, random), BS_ORDER_ROW);
  const Sparse w(random_table(4, 5, 0.5, random), Form::csr);
  const Dense x(random_table(5, 2, 1, random), BS_ORDER_ROW);
  Dense y(Table(4, 2), BS_ORDER_ROW);
  int64_t bytes = 0;
  void* buffer = nullptr;
  REQUIRE(bsMatAnalyze_bufferSize(handle, w.mat, BS_ANALYZE_PACK, &bytes) == 0);
  REQUIRE(bsMalloc(handle, &buffer, bytes) == 0);
  REQUIRE(bsMatAnalyze(handle, w.mat, BS_ANALYZE_PACK, buffer, bytes) == 0);
  const float one = 1, zero = 0;
  int64_t space = 0;
  void* workspace = nullptr;
  REQUIRE(bsSpMM_bufferSize(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &one, w.mat, x.mat, &zero,
                            y.mat, BS_R_32F, nullptr, &space) == 0);
  REQUIRE(bsMalloc(handle, &workspace, space) == 0);
  const auto multiply = [&] {
    return bsSpMM(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &one, w.mat, x.mat, &zero, y.mat,
                  BS_R_32F, nullptr, workspace, space);
  };
  REQUIRE(multiply() == BS_STATUS_SUCCESS);

  REQUIRE(sddmm(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, 1, a.mat, b.mat, 0, w.mat) == 0);

  CHECK(multiply() == BS_STATUS_STALE_ANALYSIS);
  REQUIRE(bsMatValuesChanged(handle, w.mat) == BS_STATUS_SUCCESS);
  CHECK(multiply() == BS_STATUS_SUCCESS);
  REQUIRE(bsFree(handle, workspace) == 0);
  REQUIRE(bsFree(handle, buffer) == 0);
}

BACKEND_TEST_CASE("the gradient of gates is the sum over each block, without its padding") {
  const Handle handle;
  std::mt19937 random(4);
  const Table pattern = random_table(5, 7, 0.3, random);
  const Sparse w(pattern, Form::bsr_row), dw(pattern, Form::bsr_row);
  const Shared<float> gradient(w.indices.size(), 77.0f);
  REQUIRE(bsBlockGateGrad(handle, w.mat, dw.mat, gradient.data(), 0) == BS_STATUS_SUCCESS);
  const Table t = w.table();
  size_t q = 0;
  for (int64_t r = 0; r < 3; ++r)
    for (; q < static_cast<size_t>(w.offsets[r + 1]) - 1; ++q) {
      double sum = 0;
      for (int64_t i = 2 * r; i < std::min<int64_t>(2 * r + 2, 5); ++i)
        for (int64_t j = 3 * (w.indices[q] - 1); j < std::min<int64_t>(3 * w.indices[q], 7); ++j)
          sum += t.at(i, j) * t.at(i, j);
      CHECK(gradient[q] == static_cast<float>(sum));
    }
  CHECK(q == gradient.size());
}
