// Products by every combination of side, format, op and order against a plain triple loop; batches; epilogues.
#include "api/matrices.h"

namespace {

using namespace bs::test;

struct Case {
  Form form;
  bool sparse_left;
  bsOperation_t op_a, op_b;
  bsOrder_t order_dense, order_c;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Form form : {Form::csr, Form::csc, Form::bsr_row, Form::bsr_col})
    for (const bool left : {true, false})
      for (const bsOperation_t op_a : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE})
        for (const bsOperation_t op_b : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_CONJUGATE_TRANSPOSE})
          for (const bsOrder_t order_dense : {BS_ORDER_ROW, BS_ORDER_COL})
            for (const bsOrder_t order_c : {BS_ORDER_ROW, BS_ORDER_COL})
              cases.push_back({form, left, op_a, op_b, order_dense, order_c});
  return cases;
}

Table product(const Table& a, const Table& b, double alpha, const Table& c, double beta) {
  Table result(a.rows, b.cols);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < b.cols; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < a.cols; ++k) sum += a.at(i, k) * b.at(k, j);
      result.at(i, j) = alpha * sum + beta * c.at(i, j);
    }
  return result;
}

// One call with exactly the workspace it asked for.
bsStatus_t spmm(bsHandle_t handle, const Case& x, float alpha, bsMatDescr_t a, bsMatDescr_t b, float beta,
                bsMatDescr_t c, bsOptions_t options) {
  int64_t bytes = -1;
  const bsStatus_t sized = bsSpMM_bufferSize(handle, x.op_a, x.op_b, &alpha, a, b, &beta, c, BS_R_32F, options, &bytes);
  if (sized != BS_STATUS_SUCCESS) return sized;
  void* workspace = nullptr;
  REQUIRE(bsMalloc(handle, &workspace, bytes) == BS_STATUS_SUCCESS);
  const bsStatus_t status = bsSpMM(handle, x.op_a, x.op_b, &alpha, a, b, &beta, c, BS_R_32F, options, workspace, bytes);
  REQUIRE(bsFree(handle, workspace) == BS_STATUS_SUCCESS);
  return status;
}

void check_equal(Dense& c, const Table& expected) {
  int wrong = 0;
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.cols; ++j) wrong += c.at(i, j) != static_cast<float>(expected.at(i, j));
  CHECK(wrong == 0);
}

// Random operands for a case, and C.
struct Operands {
  Operands(const Case& x, int64_t m, int64_t k, int64_t n, std::mt19937& random)
      : a(x.op_a ? k : m, x.op_a ? m : k), b(x.op_b ? n : k, x.op_b ? k : n), c(random_table(m, n, 1, random)) {
    a = random_table(a.rows, a.cols, x.sparse_left ? 0.3 : 1, random);
    b = random_table(b.rows, b.cols, x.sparse_left ? 1 : 0.3, random);
  }
  Table expected(const Case& x, double alpha, double beta) const {
    return product(under(x.op_a, a), under(x.op_b, b), alpha, c, beta);
  }
  Table a, b, c;
};

}  // namespace

BACKEND_TEST_CASE("bsSpMM multiplies right on every side, format, op and order") {
  const Handle handle;
  std::mt19937 random(1);
  for (const Case& x : all_cases()) {
    CAPTURE(static_cast<int>(x.form), x.sparse_left, x.op_a, x.op_b, x.order_dense, x.order_c);
    const Operands o(x, 7, 10, 5, random);
    const Sparse sparse(x.sparse_left ? o.a : o.b, x.form);
    const Dense dense(x.sparse_left ? o.b : o.a, x.order_dense);
    Dense c(o.c, x.order_c);
    const int64_t gaps = c.gaps();
    const bsMatDescr_t a = x.sparse_left ? sparse.mat : dense.mat, b = x.sparse_left ? dense.mat : sparse.mat;

    REQUIRE(spmm(handle, x, 2, a, b, -0.5f, c.mat, nullptr) == BS_STATUS_SUCCESS);
    check_equal(c, o.expected(x, 2, -0.5));
    CHECK(c.gaps() == gaps);
  }
}

BACKEND_TEST_CASE("bsSpMM with analysis gives what it gives without") {
  const Handle handle;
  std::mt19937 random(2);
  for (const Case& x : all_cases()) {
    CAPTURE(static_cast<int>(x.form), x.sparse_left, x.op_a, x.op_b);
    const Operands o(x, 6, 9, 4, random);
    const Sparse sparse(x.sparse_left ? o.a : o.b, x.form);
    const Dense dense(x.sparse_left ? o.b : o.a, x.order_dense);
    Dense c(o.c, x.order_c);
    const bsAnalyzeFlags_t all = BS_ANALYZE_STATS | BS_ANALYZE_ORDER | BS_ANALYZE_TRANSPOSE | BS_ANALYZE_PACK;
    int64_t bytes = 0;
    REQUIRE(bsMatAnalyze_bufferSize(handle, sparse.mat, all, &bytes) == BS_STATUS_SUCCESS);
    void* buffer = nullptr;
    REQUIRE(bsMalloc(handle, &buffer, bytes) == BS_STATUS_SUCCESS);
    REQUIRE(bsMatAnalyze(handle, sparse.mat, all, buffer, bytes) == BS_STATUS_SUCCESS);

    const bsMatDescr_t a = x.sparse_left ? sparse.mat : dense.mat, b = x.sparse_left ? dense.mat : sparse.mat;
    REQUIRE(spmm(handle, x, 1, a, b, 0, c.mat, nullptr) == BS_STATUS_SUCCESS);
    check_equal(c, o.expected(x, 1, 0));
    REQUIRE(bsFree(handle, buffer) == BS_STATUS_SUCCESS);
  }
}

BACKEND_TEST_CASE("the bias axis and the activation follow the result, whichever side is sparse") {
  const Handle handle;
  std::mt19937 random(3);
  for (const bsAxis_t axis : {BS_AXIS_ROW, BS_AXIS_COL})
    for (const bool left : {true, false}) {
      const Case x{Form::csr, left, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, BS_ORDER_ROW, BS_ORDER_ROW};
      const Operands o(x, 7, 10, 5, random);
      const Sparse sparse(left ? o.a : o.b, x.form);
      const Dense dense(left ? o.b : o.a, x.order_dense);
      Dense c(o.c, x.order_c), before(o.c, x.order_c, 3);
      const Shared<float> bias{1, -2, 3, -4, 5, -6, 7};
      bsOptions_t options = nullptr;
      REQUIRE(bsCreateOptions(&options) == BS_STATUS_SUCCESS);
      REQUIRE(bsOptionsSetBias(options, bias.data(), BS_R_32F, axis, 0) == BS_STATUS_SUCCESS);
      REQUIRE(bsOptionsSetAuxiliary(options, before.mat) == BS_STATUS_SUCCESS);
      REQUIRE(bsOptionsSetInt(options, BS_OPTION_ACTIVATION, BS_ACTIVATION_RELU) == BS_STATUS_SUCCESS);

      const bsMatDescr_t a = left ? sparse.mat : dense.mat, b = left ? dense.mat : sparse.mat;
      REQUIRE(spmm(handle, x, 1, a, b, 1, c.mat, options) == BS_STATUS_SUCCESS);
      Table expected = o.expected(x, 1, 1);
      for (int64_t i = 0; i < 7; ++i)
        for (int64_t j = 0; j < 5; ++j) expected.at(i, j) += bias[axis == BS_AXIS_ROW ? i : j];
      check_equal(before, expected);
      for (double& value : expected.value) value = std::max(value, 0.0);
      check_equal(c, expected);
      bsDestroyOptions(options);
    }
}

BACKEND_TEST_CASE("batches broadcast as inputs and add up in an output of one") {
  const Handle handle;
  std::mt19937 random(4);
  const Case x{Form::csr, true, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, BS_ORDER_ROW, BS_ORDER_ROW};
  const Operands o(x, 4, 6, 3, random);
  const Sparse sparse(o.a, x.form);
  const Dense b(o.b, BS_ORDER_ROW, 0);
  std::vector<float> twice(b.data.begin(), b.data.end());
  for (const float value : b.data) twice.push_back(value * 3);
  const Shared<float> many(twice);
  const int64_t batches = 2;
  REQUIRE(bsMatSetPointers(b.mat, nullptr, nullptr, many.data()) == BS_STATUS_SUCCESS);
  REQUIRE(bsMatSetBatch(b.mat, batches, static_cast<int64_t>(b.data.size()), 0, 0) == BS_STATUS_SUCCESS);

  SECTION("summed") {
    Dense c(o.c, BS_ORDER_ROW, 0);
    REQUIRE(spmm(handle, x, 1, sparse.mat, b.mat, 0, c.mat, nullptr) == BS_STATUS_SUCCESS);
    check_equal(c, o.expected(x, 4, 0));
  }
  SECTION("each by itself") {
    Dense c(o.c, BS_ORDER_ROW, 0);
    const int64_t elements = 4 * 3;
    Shared<float> results(elements * batches, Dense::kGap);
    REQUIRE(bsMatSetPointers(c.mat, nullptr, nullptr, results.data()) == BS_STATUS_SUCCESS);
    REQUIRE(bsMatSetBatch(c.mat, batches, elements, 0, 0) == BS_STATUS_SUCCESS);
    REQUIRE(spmm(handle, x, 1, sparse.mat, b.mat, 0, c.mat, nullptr) == BS_STATUS_SUCCESS);
    const Table expected = o.expected(x, 1, 0);
    for (int64_t i = 0; i < elements; ++i) {
      CHECK(results[i] == static_cast<float>(expected.value[i]));
      CHECK(results[elements + i] == static_cast<float>(3 * expected.value[i]));
    }
    REQUIRE(bsMatSetBatch(c.mat, batches, elements - 1, 0, 0) == BS_STATUS_SUCCESS);
    CHECK(spmm(handle, x, 1, sparse.mat, b.mat, 0, c.mat, nullptr) == BS_STATUS_INVALID_SHAPE);
  }
}

BACKEND_TEST_CASE("bsSpMV is bsSpMM with one column, also with strides") {
  const Handle handle;
  std::mt19937 random(5);
  for (const bsOperation_t op : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE})
    for (const Form form : {Form::csr, Form::csc, Form::bsr_row}) {
      const Case c{form, true, op, BS_OPERATION_NON_TRANSPOSE, BS_ORDER_ROW, BS_ORDER_ROW};
      const Operands o(c, 7, 10, 1, random);
      const Sparse a(o.a, form);
      const Dense x(o.b, BS_ORDER_ROW, 2);
      Dense y(o.c, BS_ORDER_ROW, 1);
      const float alpha = 2, beta = 3;
      int64_t bytes = 0;
      REQUIRE(bsSpMV_bufferSize(handle, op, &alpha, a.mat, x.mat, &beta, y.mat, BS_R_32F, nullptr, &bytes) == 0);
      void* workspace = nullptr;
      REQUIRE(bsMalloc(handle, &workspace, bytes) == 0);
      REQUIRE(bsSpMV(handle, op, &alpha, a.mat, x.mat, &beta, y.mat, BS_R_32F, nullptr, workspace, bytes) == 0);
      check_equal(y, o.expected(c, 2, 3));
      REQUIRE(bsFree(handle, workspace) == 0);
    }
}

BACKEND_TEST_CASE("empty products give beta C or nothing, with NULL arrays") {
  const Handle handle;
  const Case x{Form::csr, true, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, BS_ORDER_ROW, BS_ORDER_ROW};
  const Shared<int32_t> offsets{0, 0, 0, 0, 0};
  const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const struct { int64_t m, k, n; } sizes[] = {{4, 3, 2}, {4, 0, 2}, {4, 3, 0}, {0, 3, 2}, {0, 0, 0}};
  for (const auto& [m, k, n] : sizes) {
    CAPTURE(m, k, n);
    const Shared<float> in(k * n, 1.0f), out(std::vector<float>(values, values + m * n));
    bsMatDescr_t a = nullptr, b = nullptr, c = nullptr;
    REQUIRE(bsCreateCsr(&a, m, k, 0, offsets.data(), nullptr, nullptr, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO,
                        BS_R_32F) == 0);
    REQUIRE(bsCreateDense(&b, k, n, std::max<int64_t>(n, 1), in.data(), BS_R_32F, BS_ORDER_ROW) == 0);
    REQUIRE(bsCreateDense(&c, m, n, std::max<int64_t>(n, 1), out.data(), BS_R_32F, BS_ORDER_ROW) == 0);
    CHECK(spmm(handle, x, 1, a, b, 0.5f, c, nullptr) == BS_STATUS_SUCCESS);
    for (int64_t i = 0; i < m * n; ++i) CHECK(out[i] == values[i] / 2);
    bsDestroyMat(a), bsDestroyMat(b), bsDestroyMat(c);
  }
}
