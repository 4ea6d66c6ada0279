// Matrix descriptors: the limits of their sizes, what can be read back, what each format refuses.
#include "support/catch.h"

#include <functional>
#include <string>

#include "bsparse.h"

namespace {

constexpr int64_t k2e31 = int64_t{1} << 31, k2e62 = int64_t{1} << 62;

struct Case {
  const char* what;
  bsStatus_t expected;
  std::function<bsStatus_t(bsMatDescr_t*)> create;
};

std::function<bsStatus_t(bsMatDescr_t*)> dense(int64_t rows, int64_t cols, int64_t ld, bsOrder_t order,
                                               bsDataType_t type = BS_R_32F, void* values = nullptr) {
  return [=](bsMatDescr_t* mat) { return bsCreateDense(mat, rows, cols, ld, values, type, order); };
}
std::function<bsStatus_t(bsMatDescr_t*)> csr(int64_t rows, int64_t cols, int64_t nnz, bsIndexType_t offsets,
                                             bsIndexType_t indices, bsIndexBase_t base = BS_INDEX_BASE_ZERO) {
  return [=](bsMatDescr_t* mat) {
    return bsCreateCsr(mat, rows, cols, nnz, nullptr, nullptr, nullptr, offsets, indices, base, BS_R_32F);
  };
}
std::function<bsStatus_t(bsMatDescr_t*)> bsr(int64_t rows, int64_t cols, int64_t nnzb, int64_t block_rows,
                                             int64_t block_cols, bsIndexType_t type) {
  return [=](bsMatDescr_t* mat) {
    return bsCreateBsr(mat, rows, cols, nnzb, block_rows, block_cols, nullptr, nullptr, nullptr, type, type,
                       BS_INDEX_BASE_ZERO, BS_R_16BF, BS_ORDER_ROW);
  };
}

void* const kOdd = reinterpret_cast<void*>(0x1002);  // aligned for 16-bit elements only

const Case kCases[] = {
    {"dense, empty", BS_STATUS_SUCCESS, dense(0, 0, 1, BS_ORDER_ROW)},
    {"dense, ld 0", BS_STATUS_INVALID_SIZE, dense(0, 0, 0, BS_ORDER_ROW)},
    {"dense, ld below cols", BS_STATUS_INVALID_SIZE, dense(2, 3, 2, BS_ORDER_ROW)},
    {"dense, ld of rows", BS_STATUS_SUCCESS, dense(2, 3, 2, BS_ORDER_COL)},
    {"dense, wide and without rows", BS_STATUS_SUCCESS, dense(0, k2e62, k2e62, BS_ORDER_ROW)},
    {"dense, elements overflow", BS_STATUS_INVALID_SIZE, dense(4, 4, k2e62, BS_ORDER_ROW)},
    {"dense, bytes overflow", BS_STATUS_INVALID_SIZE, dense(k2e31, k2e31, k2e31, BS_ORDER_ROW)},
    {"dense, f32 at an odd address", BS_STATUS_INVALID_POINTER, dense(2, 2, 2, BS_ORDER_ROW, BS_R_32F, kOdd)},
    {"dense, f16 at the same", BS_STATUS_SUCCESS, dense(2, 2, 2, BS_ORDER_ROW, BS_R_16F, kOdd)},
    {"dense, unknown type", BS_STATUS_INVALID_TYPE, dense(2, 2, 2, BS_ORDER_ROW, 5)},
    {"dense, unknown order", BS_STATUS_INVALID_VALUE, dense(2, 2, 2, 0)},
    {"CSR, most entries of 32-bit offsets", BS_STATUS_SUCCESS, csr(4, 4, k2e31 - 1, BS_INDEX_32I, BS_INDEX_32I)},
    {"CSR, one less from base one", BS_STATUS_INVALID_SIZE,
     csr(4, 4, k2e31 - 1, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ONE)},
    {"CSR, 64-bit offsets hold more", BS_STATUS_SUCCESS, csr(4, 4, k2e31, BS_INDEX_64I, BS_INDEX_32I)},
    {"CSR, too many columns", BS_STATUS_INVALID_SIZE, csr(4, k2e31, 4, BS_INDEX_64I, BS_INDEX_32I)},
    {"CSR, too many rows", BS_STATUS_INVALID_SIZE, csr(k2e31, 4, 4, BS_INDEX_64I, BS_INDEX_32I)},
    {"CSR, offsets not addressable", BS_STATUS_INVALID_SIZE, csr(INT64_MAX, 4, 4, BS_INDEX_64I, BS_INDEX_64I)},
    {"CSR, values not addressable", BS_STATUS_INVALID_SIZE, csr(4, 4, k2e62, BS_INDEX_64I, BS_INDEX_64I)},
    {"CSR, negative", BS_STATUS_INVALID_SIZE, csr(4, 4, -1, BS_INDEX_64I, BS_INDEX_64I)},
    {"CSR, unknown offset type", BS_STATUS_INVALID_VALUE, csr(4, 4, 4, 1, BS_INDEX_64I)},
    {"CSR, unknown base", BS_STATUS_INVALID_VALUE, csr(4, 4, 4, BS_INDEX_32I, BS_INDEX_32I, 2)},
    {"BSR, more rows than a 32-bit index, fewer blocks", BS_STATUS_SUCCESS, bsr(k2e31, k2e31, 4, 32, 32, BS_INDEX_32I)},
    {"BSR, too many blocks", BS_STATUS_INVALID_SIZE, bsr(k2e31 * 32, 4, 4, 32, 32, BS_INDEX_32I)},
    {"BSR, block of 0", BS_STATUS_INVALID_SIZE, bsr(8, 8, 4, 0, 4, BS_INDEX_32I)},
    {"BSR, largest block", BS_STATUS_SUCCESS, bsr(8, 8, 4, 65536, 65536, BS_INDEX_32I)},
    {"BSR, block too large", BS_STATUS_INVALID_SIZE, bsr(8, 8, 4, 4, 65537, BS_INDEX_32I)},
    {"BSR, rounding up overflows", BS_STATUS_INVALID_SIZE, bsr(INT64_MAX, 8, 4, 65536, 4, BS_INDEX_64I)},
    {"BSR, values not addressable", BS_STATUS_INVALID_SIZE, bsr(8, 8, k2e31, 65536, 65536, BS_INDEX_64I)},
};

}  // namespace

TEST_CASE("a descriptor is made exactly where its sizes and choices are possible") {
  for (const Case& test : kCases) {
    CAPTURE(test.what);
    bsMatDescr_t mat = reinterpret_cast<bsMatDescr_t>(8);

    CHECK(test.create(&mat) == test.expected);

    CHECK((mat != nullptr) == (test.expected == BS_STATUS_SUCCESS));
    CHECK(bsDestroyMat(mat) == BS_STATUS_SUCCESS);
  }
}

TEST_CASE("what a BSR descriptor was given can be read back") {
  bsMatDescr_t mat = nullptr;
  int32_t offsets[4], indices[5];
  double values[5 * 6];
  float gate[5];
  REQUIRE(bsCreateBsr(&mat, 5, 7, 5, 2, 3, offsets, indices, values, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ONE,
                      BS_R_64F, BS_ORDER_COL) == BS_STATUS_SUCCESS);
  REQUIRE(bsMatSetGate(mat, gate, 5) == BS_STATUS_SUCCESS);
  REQUIRE(bsMatSetBatch(mat, 3, 30, 4, 5) == BS_STATUS_SUCCESS);

  int64_t rows, cols, nnz, block_rows, block_cols, count, strides[3], gate_stride;
  bsOrder_t order;
  void* arrays[3];
  const float* read_gate;
  bsIndexBase_t base;
  CHECK(bsMatGetSize(mat, &rows, &cols, &nnz) == BS_STATUS_SUCCESS);
  CHECK((rows == 5 && cols == 7 && nnz == 5));
  CHECK(bsMatGetBlocks(mat, &block_rows, &block_cols, &order) == BS_STATUS_SUCCESS);
  CHECK((block_rows == 2 && block_cols == 3 && order == BS_ORDER_COL));
  CHECK(bsMatGetPointers(mat, &arrays[0], &arrays[1], &arrays[2]) == BS_STATUS_SUCCESS);
  CHECK((arrays[0] == offsets && arrays[1] == indices && arrays[2] == values));
  CHECK(bsMatGetBatch(mat, &count, &strides[0], &strides[1], &strides[2]) == BS_STATUS_SUCCESS);
  CHECK((count == 3 && strides[0] == 30 && strides[1] == 4 && strides[2] == 5));
  CHECK(bsMatGetGate(mat, &read_gate, &gate_stride) == BS_STATUS_SUCCESS);
  CHECK((read_gate == gate && gate_stride == 5));
  CHECK(bsMatGetIndexing(mat, nullptr, nullptr, &base) == BS_STATUS_SUCCESS);
  CHECK(base == BS_INDEX_BASE_ONE);
  CHECK(bsMatGetDense(mat, nullptr, nullptr) == BS_STATUS_INVALID_SHAPE);
  CHECK(bsDestroyMat(mat) == BS_STATUS_SUCCESS);
}

TEST_CASE("a dense descriptor refuses what only sparse ones have") {
  bsMatDescr_t mat = nullptr;
  float values[6] = {};
  REQUIRE(bsCreateDense(&mat, 2, 3, 3, values, BS_R_32F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);

  CHECK(bsMatGetIndexing(mat, nullptr, nullptr, nullptr) == BS_STATUS_INVALID_SHAPE);
  CHECK(bsMatGetBlocks(mat, nullptr, nullptr, nullptr) == BS_STATUS_INVALID_SHAPE);
  CHECK(bsMatSetGate(mat, values, 0) == BS_STATUS_INVALID_SHAPE);
  CHECK(bsMatSetPointers(mat, values, nullptr, values) == BS_STATUS_INVALID_POINTER);
  CHECK(bsMatSetPointers(mat, nullptr, nullptr, reinterpret_cast<char*>(values) + 1) == BS_STATUS_INVALID_POINTER);
  CHECK(bsMatSetBatch(mat, 2, 6, 1, 0) == BS_STATUS_INVALID_SIZE);
  CHECK(bsMatSetBatch(mat, k2e31, k2e31, 0, 0) == BS_STATUS_INVALID_SIZE);
  CHECK(bsMatSetBatch(mat, -1, 0, 0, 0) == BS_STATUS_INVALID_SIZE);

  int64_t count = 0;
  CHECK(bsMatGetBatch(mat, &count, nullptr, nullptr, nullptr) == BS_STATUS_SUCCESS);
  CHECK(count == 1);
  CHECK(bsDestroyMat(mat) == BS_STATUS_SUCCESS);
}

TEST_CASE("arrays given as const are handed out as const only") {
  const int32_t offsets[] = {0, 1, 2}, indices[] = {0, 1};
  const float values[] = {1, 2};
  float own_values[2] = {};
  bsMatDescr_t mat = nullptr;
  void* array = nullptr;
  const void* arrays[3] = {};
  REQUIRE(bsCreateConstCsr(&mat, 2, 2, 2, offsets, indices, values, BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_32F) == 0);

  CHECK(bsMatGetConstPointers(mat, &arrays[0], &arrays[1], &arrays[2]) == BS_STATUS_SUCCESS);
  CHECK((arrays[0] == offsets && arrays[1] == indices && arrays[2] == values));
  CHECK(bsMatGetPointers(mat, nullptr, nullptr, &array) == BS_STATUS_INVALID_POINTER);
  CHECK(bsMatGetPointers(mat, nullptr, nullptr, nullptr) == BS_STATUS_SUCCESS);

  CHECK(bsMatSetValues(mat, own_values) == BS_STATUS_SUCCESS);  // the structure stays read-only
  CHECK(bsMatGetPointers(mat, nullptr, nullptr, &array) == BS_STATUS_SUCCESS);
  CHECK(array == own_values);
  CHECK(bsMatGetPointers(mat, &array, nullptr, nullptr) == BS_STATUS_INVALID_POINTER);
  CHECK(bsMatSetConstValues(mat, values) == BS_STATUS_SUCCESS);
  CHECK(bsMatGetPointers(mat, nullptr, nullptr, &array) == BS_STATUS_INVALID_POINTER);
  CHECK(bsDestroyMat(mat) == BS_STATUS_SUCCESS);
}

TEST_CASE("a result over a structure of const is written, one over values of const is refused") {
  const int32_t offsets[] = {0, 1, 2}, indices[] = {0, 1};
  const float left[] = {1, 2, 3, 4}, right[] = {5, 6, 7, 8}, one = 1, zero = 0;
  float products[2] = {-1, -1};
  bsHandle_t handle = nullptr;
  bsMatDescr_t a = nullptr, b = nullptr, c = nullptr;
  REQUIRE(bsCreateOn(&handle, BS_BACKEND_CPU, 0) == BS_STATUS_SUCCESS);
  REQUIRE(bsCreateConstDense(&a, 2, 2, 2, left, BS_R_32F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
  REQUIRE(bsCreateConstDense(&b, 2, 2, 2, right, BS_R_32F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
  REQUIRE(bsCreateConstCsr(&c, 2, 2, 2, offsets, indices, nullptr, BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_32F) == 0);
  alignas(BSPARSE_WORKSPACE_ALIGNMENT) char workspace[4096];
  const auto multiply = [&] {
    return bsSDDMM(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &one, a, b, &zero, c, BS_R_32F,
                   nullptr, workspace, sizeof workspace);
  };

  REQUIRE(bsMatSetConstValues(c, products) == BS_STATUS_SUCCESS);
  CHECK(multiply() == BS_STATUS_INVALID_POINTER);
  CHECK(std::string(bsGetLastErrorMessage()) == "bsSDDMM: C values: given as const, cannot be written");
  CHECK(products[0] == -1);
  REQUIRE(bsMatSetValues(c, products) == BS_STATUS_SUCCESS);
  CHECK(multiply() == BS_STATUS_SUCCESS);
  CHECK((products[0] == 1 * 5 + 2 * 7 && products[1] == 3 * 6 + 4 * 8));

  for (bsMatDescr_t mat : {a, b, c}) CHECK(bsDestroyMat(mat) == BS_STATUS_SUCCESS);
  CHECK(bsDestroy(handle) == BS_STATUS_SUCCESS);
}

TEST_CASE("options keep what they were given and refuse what is not an option") {
  bsOptions_t options = nullptr;
  float bias[4];
  int64_t number = -1;
  const char* route = "";
  const void* read_bias = nullptr;
  bsDataType_t type;
  bsAxis_t axis;
  REQUIRE(bsCreateOptions(&options) == BS_STATUS_SUCCESS);

  CHECK(bsOptionsSetInt(options, BS_OPTION_ACTIVATION, BS_ACTIVATION_SILU) == BS_STATUS_SUCCESS);
  CHECK(bsOptionsSetInt(options, BS_OPTION_ACTIVATION, 5) == BS_STATUS_INVALID_VALUE);
  CHECK(bsOptionsGetInt(options, BS_OPTION_ACTIVATION, &number) == BS_STATUS_SUCCESS);
  CHECK(number == BS_ACTIVATION_SILU);
  CHECK(bsOptionsSetInt(options, BS_OPTION_STRICT, 2) == BS_STATUS_INVALID_VALUE);
  CHECK(bsOptionsSetInt(options, 99, 0) == BS_STATUS_INVALID_VALUE);
  CHECK(bsOptionsSetRoute(options, "cpu/spmm_reference") == BS_STATUS_SUCCESS);
  CHECK(bsOptionsSetRoute(options, "cpu/spmm_referenc") == BS_STATUS_INVALID_VALUE);
  CHECK(bsOptionsGetRoute(options, &route) == BS_STATUS_SUCCESS);
  CHECK(std::string(route) == "cpu/spmm_reference");
  CHECK(bsOptionsSetBias(options, bias, BS_R_32F, BS_AXIS_COL, 4) == BS_STATUS_SUCCESS);
  CHECK(bsOptionsSetBias(options, bias, BS_R_32F, 0, 4) == BS_STATUS_INVALID_VALUE);
  CHECK(bsOptionsSetBias(options, bias, BS_R_32F, BS_AXIS_ROW, -1) == BS_STATUS_INVALID_SIZE);
  CHECK(bsOptionsGetBias(options, &read_bias, &type, &axis, &number) == BS_STATUS_SUCCESS);
  CHECK((read_bias == bias && type == BS_R_32F && axis == BS_AXIS_COL && number == 4));
  CHECK(bsDestroyOptions(options) == BS_STATUS_SUCCESS);
}
