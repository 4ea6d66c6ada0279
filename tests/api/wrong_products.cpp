// What products refuse, each with its status and a message that names the argument.
#include "api/matrices.h"

#include <cstring>
#include <functional>
#include <string>

namespace {

using namespace bs::test;

// The arguments of one bsSpMM that is right: A 4 x 6 CSR, B 6 x 3, C 4 x 3. Each test breaks one thing.
struct Call {
  Call()
      : random(1),
        a(random_table(4, 6, 0.5, random), Form::csr),
        b(random_table(6, 3, 1, random), BS_ORDER_ROW),
        c(Table(4, 3), BS_ORDER_ROW),
        handle_value(handle),
        mat_a(a.mat),
        mat_b(b.mat),
        mat_c(c.mat) {
    REQUIRE(bsCreateOptions(&options) == BS_STATUS_SUCCESS);
    REQUIRE(bsMalloc(handle, &space, bytes) == BS_STATUS_SUCCESS);
    workspace = space;
  }
  ~Call() {
    bsDestroyOptions(options);
    bsDestroyMat(extra);
    bsFree(handle, space);
  }
  bsStatus_t run() {
    return bsSpMM(handle_value, op_a, op_b, alpha, mat_a, mat_b, beta, mat_c, compute, options, workspace, bytes);
  }
  void dense(bsMatDescr_t* slot, int64_t rows, int64_t cols, void* values, bsDataType_t type = BS_R_32F) {
    REQUIRE(bsCreateDense(&extra, rows, cols, cols, values, type, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
    *slot = extra;
  }

  std::mt19937 random;
  Handle handle;
  Sparse a;
  Dense b, c;
  float one = 1, zero = 0;
  std::vector<float> memory = std::vector<float>(4096, 1.0f);
  bsHandle_t handle_value;
  bsOperation_t op_a = BS_OPERATION_NON_TRANSPOSE, op_b = BS_OPERATION_NON_TRANSPOSE;
  const void *alpha = &one, *beta = &zero;
  bsMatDescr_t mat_a, mat_b, mat_c, extra = nullptr;
  bsDataType_t compute = BS_R_32F;
  bsOptions_t options = nullptr;
  int64_t bytes = 1 << 16;  // enough for any route at this size
  void *space = nullptr, *workspace = nullptr;
};

struct Wrong {
  const char* message;
  bsStatus_t status;
  std::function<void(Call&)> spoil;
};

const Wrong kWrong[] = {
    {"bsSpMM: handle is NULL", BS_STATUS_INVALID_HANDLE, [](Call& c) { c.handle_value = nullptr; }},
    {"opA is 7", BS_STATUS_INVALID_VALUE, [](Call& c) { c.op_a = 7; }},
    {"opB is -1", BS_STATUS_INVALID_VALUE, [](Call& c) { c.op_b = -1; }},
    {"alpha is NULL", BS_STATUS_INVALID_POINTER, [](Call& c) { c.alpha = nullptr; }},
    {"A is NULL", BS_STATUS_INVALID_HANDLE, [](Call& c) { c.mat_a = nullptr; }},
    {"B is not a matrix", BS_STATUS_INVALID_HANDLE,
     [](Call& c) { c.mat_b = reinterpret_cast<bsMatDescr_t>(c.options); }},
    {"beta is NULL", BS_STATUS_INVALID_POINTER, [](Call& c) { c.beta = nullptr; }},
    {"C is NULL", BS_STATUS_INVALID_HANDLE, [](Call& c) { c.mat_c = nullptr; }},
    {"compute is f64, must be f32", BS_STATUS_INVALID_TYPE, [](Call& c) { c.compute = BS_R_64F; }},
    {"compute is 5", BS_STATUS_INVALID_TYPE, [](Call& c) { c.compute = 5; }},
    {"A and B are sparse", BS_STATUS_INVALID_SHAPE, [](Call& c) { c.mat_b = c.mat_a; }},
    {"A and B are dense", BS_STATUS_INVALID_SHAPE, [](Call& c) { c.mat_a = c.mat_b; }},
    {"C is sparse", BS_STATUS_INVALID_SHAPE, [](Call& c) { c.mat_c = c.mat_a; }},
    {"B has 5 rows, A has 6 columns", BS_STATUS_INVALID_SHAPE,
     [](Call& c) { c.dense(&c.mat_b, 5, 3, c.memory.data()); }},
    {"B has 6 rows, op(A) has 4 columns", BS_STATUS_INVALID_SHAPE, [](Call& c) { c.op_a = BS_OPERATION_TRANSPOSE; }},
    {"C has 5 rows, A has 4 rows", BS_STATUS_INVALID_SHAPE, [](Call& c) { c.dense(&c.mat_c, 5, 3, c.memory.data()); }},
    {"C has 2 columns, B has 3 columns", BS_STATUS_INVALID_SHAPE,
     [](Call& c) { c.dense(&c.mat_c, 4, 2, c.memory.data()); }},
    {"A is f32 and C is f64", BS_STATUS_INVALID_TYPE,
     [](Call& c) { c.dense(&c.mat_c, 4, 3, c.memory.data(), BS_R_64F); }},
    {"C is a batch of 3, the inputs of 2", BS_STATUS_INVALID_SHAPE,
     [](Call& c) {
       REQUIRE(bsMatSetBatch(c.mat_b, 2, 0, 0, 0) == 0);
       REQUIRE(bsMatSetBatch(c.mat_c, 3, 100, 0, 0) == 0);
     }},
    {"value stride of 0, must be >=", BS_STATUS_INVALID_SHAPE,
     [](Call& c) { REQUIRE(bsMatSetBatch(c.mat_c, 2, 0, 0, 0) == 0); }},
    {"B is NULL", BS_STATUS_INVALID_POINTER, [](Call& c) { c.dense(&c.mat_b, 6, 3, nullptr); }},
    {"A offsets is NULL", BS_STATUS_INVALID_POINTER,
     [](Call& c) { REQUIRE(bsMatSetPointers(c.mat_a, nullptr, c.a.indices.data(), c.a.values.data()) == 0); }},
    {"A values is NULL", BS_STATUS_INVALID_POINTER,
     [](Call& c) { REQUIRE(bsMatSetPointers(c.mat_a, c.a.offsets.data(), c.a.indices.data(), nullptr) == 0); }},
    {"C overlaps B", BS_STATUS_INVALID_ALIAS, [](Call& c) { c.dense(&c.mat_c, 4, 3, c.b.data.data() + 3); }},
    {"C overlaps A indices", BS_STATUS_INVALID_ALIAS, [](Call& c) { c.dense(&c.mat_c, 4, 3, c.a.indices.data()); }},
    {"bytes is -1", BS_STATUS_INVALID_SIZE, [](Call& c) { c.bytes = -1; }},
    {"workspace is NULL, bytes is 64", BS_STATUS_INVALID_POINTER, [](Call& c) { c.workspace = nullptr, c.bytes = 64; }},
    {"workspace overlaps A values", BS_STATUS_INVALID_ALIAS,
     [](Call& c) { REQUIRE(bsMatSetValues(c.mat_a, c.workspace) == 0); }},
    {"is not aligned to 256 bytes", BS_STATUS_INVALID_POINTER,
     [](Call& c) {
       c.workspace = static_cast<char*>(c.space) + 8;
       c.bytes = 64;
     }},
    {"bias gradient goes with bsSDDMM only", BS_STATUS_NOT_SUPPORTED,
     [](Call& c) { REQUIRE(bsOptionsSetBiasGradient(c.options, c.memory.data(), BS_R_32F, BS_AXIS_ROW) == 0); }},
    {"options: bias is bf16, must be f32", BS_STATUS_INVALID_TYPE,
     [](Call& c) { REQUIRE(bsOptionsSetBias(c.options, c.memory.data(), BS_R_16BF, BS_AXIS_ROW, 0) == 0); }},
    {"C overlaps options: bias", BS_STATUS_INVALID_ALIAS,
     [](Call& c) { REQUIRE(bsOptionsSetBias(c.options, c.c.data.data(), BS_R_32F, BS_AXIS_ROW, 0) == 0); }},
    {"options: auxiliary is 6 x 3", BS_STATUS_INVALID_SHAPE,
     [](Call& c) { REQUIRE(bsOptionsSetAuxiliary(c.options, c.b.mat) == 0); }},
    {"options: auxiliary overlaps C", BS_STATUS_INVALID_ALIAS,
     [](Call& c) { REQUIRE(bsOptionsSetAuxiliary(c.options, c.c.mat) == 0); }},
    {"cpu/sddmm_reference is not a route of spmm", BS_STATUS_NOT_SUPPORTED,
     [](Call& c) { REQUIRE(bsOptionsSetRoute(c.options, "cpu/sddmm_reference") == 0); }},
};

}  // namespace

BACKEND_TEST_CASE("bsSpMM refuses wrong arguments by name and writes nothing") {
  {
    Call right;
    REQUIRE(right.run() == BS_STATUS_SUCCESS);
  }
  for (const Wrong& wrong : kWrong) {
    Call call;
    wrong.spoil(call);
    const Shared<float> before = call.c.data;
    CAPTURE(wrong.message);
    CHECK(call.run() == wrong.status);
    CHECK_THAT(bsGetLastErrorMessage(), bs::test::contains(wrong.message));
    CHECK(call.c.data == before);
  }
}

TEST_CASE("too small a workspace is told with both sizes") {
  Call call;
  call.op_a = BS_OPERATION_TRANSPOSE;  // without analysis the index is built in the workspace
  std::vector<float> in(4 * 3, 1.0f), out(6 * 3, 7.0f);
  bsMatDescr_t b = nullptr, c = nullptr;
  REQUIRE(bsCreateDense(&b, 4, 3, 3, in.data(), BS_R_32F, BS_ORDER_ROW) == 0);
  REQUIRE(bsCreateDense(&c, 6, 3, 3, out.data(), BS_R_32F, BS_ORDER_ROW) == 0);
  call.mat_b = b, call.mat_c = c, call.bytes = 0;
  CHECK(call.run() == BS_STATUS_INSUFFICIENT_WORKSPACE);
  CHECK_THAT(bsGetLastErrorMessage(), bs::test::contains("bytes of workspace, got 0"));
  CHECK(out == std::vector<float>(6 * 3, 7.0f));
  bsDestroyMat(b), bsDestroyMat(c);
}

BACKEND_TEST_CASE("B and C may interleave in one array") {
  Call call;
  REQUIRE(call.run() == BS_STATUS_SUCCESS);
  Shared<float> both(6 * 7, -1.0f);  // lines of 7: three columns of B, a gap, three of C
  for (int64_t i = 0; i < 6; ++i)
    for (int64_t j = 0; j < 3; ++j) both[i * 7 + j] = call.b.at(i, j);
  bsMatDescr_t b = nullptr, c = nullptr;
  REQUIRE(bsCreateDense(&b, 6, 3, 7, both.data(), BS_R_32F, BS_ORDER_ROW) == 0);
  REQUIRE(bsCreateDense(&c, 4, 3, 7, both.data() + 4, BS_R_32F, BS_ORDER_ROW) == 0);
  call.mat_b = b, call.mat_c = c;
  REQUIRE(call.run() == BS_STATUS_SUCCESS);
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 3; ++j) CHECK(both[i * 7 + 4 + j] == call.c.at(i, j));
  bsDestroyMat(b), bsDestroyMat(c);
}
