/* A C99 program that knows the library by its header alone. Small matrices, numbers worked out by hand. */
#include <bsparse.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

static void check(int condition, const char* what) {
  if (!condition) {
    printf("FAILED: %s (last error: %s)\n", what, bsGetLastErrorMessage());
    ++failures;
  }
}

static void check_ok(bsStatus_t status, const char* what) {
  if (status != BS_STATUS_SUCCESS) printf("%s: ", bsStatusName(status));
  check(status == BS_STATUS_SUCCESS, what);
}
#define OK(call) check_ok((call), #call)

static void check_numbers(const float* got, const float* want, int64_t count, const char* what) {
  int64_t i;
  for (i = 0; i < count; ++i) {
    if (fabsf(got[i] - want[i]) > 1e-5f)
      printf("%s: [%d] is %g, not %g\n", what, (int)i, (double)got[i], (double)want[i]);
    check(fabsf(got[i] - want[i]) <= 1e-5f, what);
  }
}

/* Device memory with a copy of host data. */
static void* upload(bsHandle_t handle, const void* data, int64_t bytes) {
  void* device = NULL;
  OK(bsMalloc(handle, &device, bytes));
  if (device) OK(bsMemcpy(handle, device, data, bytes));
  return device;
}

static void spmm(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, bsConstMatDescr_t A, bsConstMatDescr_t B,
                 bsMatDescr_t C, bsConstOptions_t options) {
  const float alpha = 1.0f, beta = 0.0f;
  int64_t bytes = -1;
  void* workspace = NULL;
  OK(bsSpMM_bufferSize(handle, opA, opB, &alpha, A, B, &beta, C, BS_R_32F, options, &bytes));
  check(bytes >= 0, "bsSpMM_bufferSize wrote the bytes");
  OK(bsMalloc(handle, &workspace, bytes));
  OK(bsSpMM(handle, opA, opB, &alpha, A, B, &beta, C, BS_R_32F, options, workspace, bytes));
  OK(bsFree(handle, workspace));
}

/* S = [1 0 2 0; 0 0 0 3] (2 x 4), its dense factor D (4 x 2, rows 1..8) and S D = [11 14; 21 24]. */
static const int32_t kOffsets[] = {0, 2, 3}, kColumns[] = {0, 2, 3};
static const float kValues[] = {1, 2, 3};
static const float kDense[] = {1, 2, 3, 4, 5, 6, 7, 8};

typedef struct {
  bsHandle_t handle;
  void *offsets, *columns, *values, *dense, *result;
  bsMatDescr_t csr, D, C; /* 2 x 4, 4 x 2, 2 x 2 */
} Fixture;

static void set_up(Fixture* f, bsHandle_t handle) {
  const float poison[4] = {NAN, NAN, NAN, NAN};
  memset(f, 0, sizeof *f);
  f->handle = handle;
  f->offsets = upload(handle, kOffsets, sizeof kOffsets);
  f->columns = upload(handle, kColumns, sizeof kColumns);
  f->values = upload(handle, kValues, sizeof kValues);
  f->dense = upload(handle, kDense, sizeof kDense);
  f->result = upload(handle, poison, sizeof poison);
  OK(bsCreateCsr(&f->csr, 2, 4, 3, f->offsets, f->columns, f->values, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO,
                 BS_R_32F));
  OK(bsCreateDense(&f->D, 4, 2, 2, f->dense, BS_R_32F, BS_ORDER_ROW));
  OK(bsCreateDense(&f->C, 2, 2, 2, f->result, BS_R_32F, BS_ORDER_ROW));
}

static void expect_result(const Fixture* f, const float* want, const char* what) {
  float got[4] = {0};
  OK(bsMemcpy(f->handle, got, f->result, sizeof got));
  check_numbers(got, want, 4, what);
}

static void tear_down(Fixture* f) {
  OK(bsDestroyMat(f->csr));
  OK(bsDestroyMat(f->D));
  OK(bsDestroyMat(f->C));
  OK(bsFree(f->handle, f->offsets));
  OK(bsFree(f->handle, f->columns));
  OK(bsFree(f->handle, f->values));
  OK(bsFree(f->handle, f->dense));
  OK(bsFree(f->handle, f->result));
}

static void test_sparse_on_either_side(Fixture* f) {
  const float left[4] = {11, 14, 21, 24}, right[4] = {11, 21, 14, 24};
  spmm(f->handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, f->csr, f->D, f->C, NULL);
  expect_result(f, left, "C = S D");
  /* D^T S^T is the transpose of S D. */
  spmm(f->handle, BS_OPERATION_TRANSPOSE, BS_OPERATION_TRANSPOSE, f->D, f->csr, f->C, NULL);
  expect_result(f, right, "C = D^T S^T");
}

static void test_bsr(Fixture* f) {
  /* S as 2 x 2 blocks, stored row by row: block column 0 holds [1 0; 0 0], block column 1 [2 0; 0 3]. */
  const int32_t offsets[] = {0, 2}, columns[] = {0, 1};
  const float values[] = {1, 0, 0, 0, 2, 0, 0, 3}, want[4] = {11, 14, 21, 24};
  void* o = upload(f->handle, offsets, sizeof offsets);
  void* c = upload(f->handle, columns, sizeof columns);
  void* v = upload(f->handle, values, sizeof values);
  bsMatDescr_t bsr = NULL;
  int64_t rows = 0, cols = 0, blocks = 0;
  OK(bsCreateBsr(&bsr, 2, 4, 2, 2, 2, o, c, v, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_32F, BS_ORDER_ROW));
  OK(bsMatGetSize(bsr, &rows, &cols, &blocks));
  check(rows == 2 && cols == 4 && blocks == 2, "bsMatGetSize of a BSR matrix counts elements, elements, blocks");
  spmm(f->handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, bsr, f->D, f->C, NULL);
  expect_result(f, want, "C = S D, S in BSR");
  spmm(f->handle, BS_OPERATION_TRANSPOSE, BS_OPERATION_TRANSPOSE, f->D, bsr, f->C, NULL);
  {
    const float transposed[4] = {11, 21, 14, 24};
    expect_result(f, transposed, "C = D^T S^T, S in BSR");
  }
  OK(bsDestroyMat(bsr));
  OK(bsFree(f->handle, o));
  OK(bsFree(f->handle, c));
  OK(bsFree(f->handle, v));
}

static void test_options(Fixture* f) {
  const float bias[2] = {-12, 1}, want[4] = {0, 2, 22, 25}; /* relu([11 14; 21 24] + [-12; 1] by rows) */
  void* b = upload(f->handle, bias, sizeof bias);
  bsOptions_t options = NULL;
  OK(bsCreateOptions(&options));
  OK(bsOptionsSetInt(options, BS_OPTION_ACTIVATION, BS_ACTIVATION_RELU));
  OK(bsOptionsSetBias(options, b, BS_R_32F, BS_AXIS_ROW, 0));
  spmm(f->handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, f->csr, f->D, f->C, options);
  expect_result(f, want, "C = relu(S D + bias)");
  OK(bsDestroyOptions(options));
  OK(bsFree(f->handle, b));
}

static void test_sddmm(Fixture* f) {
  /* A = [1 2; 3 4], B = D^T: A B sampled at S = (1*1+2*2, 1*5+2*6, 3*7+4*8) = (5, 17, 53). */
  const float factor[4] = {1, 2, 3, 4}, want[3] = {5 + 10, 17 + 20, 53 + 30}, alpha = 1.0f, beta = 10.0f;
  float got[3] = {0};
  void* a = upload(f->handle, factor, sizeof factor);
  void* workspace = NULL;
  bsMatDescr_t A = NULL;
  int64_t bytes = -1;
  OK(bsCreateDense(&A, 2, 2, 2, a, BS_R_32F, BS_ORDER_ROW));
  OK(bsSDDMM_bufferSize(f->handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE, &alpha, A, f->D, &beta, f->csr,
                        BS_R_32F, NULL, &bytes));
  OK(bsMalloc(f->handle, &workspace, bytes));
  OK(bsSDDMM(f->handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE, &alpha, A, f->D, &beta, f->csr, BS_R_32F,
             NULL, workspace, bytes));
  OK(bsMemcpy(f->handle, got, f->values, sizeof got));
  check_numbers(got, want, 3, "SDDMM with beta 10");
  OK(bsMemcpy(f->handle, f->values, kValues, sizeof kValues));
  OK(bsFree(f->handle, workspace));
  OK(bsDestroyMat(A));
  OK(bsFree(f->handle, a));
}

static void test_spmv(Fixture* f) {
  const float want[4] = {11, 0, 21, 0}, zeros[4] = {0}, alpha = 1.0f, beta = 0.0f;
  bsMatDescr_t x = NULL, y = NULL;
  void* workspace = NULL;
  int64_t bytes = -1;
  OK(bsMemcpy(f->handle, f->result, zeros, sizeof zeros));
  /* Column 0 of D and of C: vectors with stride 2. */
  OK(bsCreateDense(&x, 4, 1, 2, f->dense, BS_R_32F, BS_ORDER_ROW));
  OK(bsCreateDense(&y, 2, 1, 2, f->result, BS_R_32F, BS_ORDER_ROW));
  OK(bsSpMV_bufferSize(f->handle, BS_OPERATION_NON_TRANSPOSE, &alpha, f->csr, x, &beta, y, BS_R_32F, NULL, &bytes));
  OK(bsMalloc(f->handle, &workspace, bytes));
  OK(bsSpMV(f->handle, BS_OPERATION_NON_TRANSPOSE, &alpha, f->csr, x, &beta, y, BS_R_32F, NULL, workspace, bytes));
  expect_result(f, want, "y = S x with stride 2, the elements between untouched");
  OK(bsFree(f->handle, workspace));
  OK(bsDestroyMat(x));
  OK(bsDestroyMat(y));
}

static void test_conversion(Fixture* f) {
  const float dense[8] = {1, 0, 2, 0, 0, 0, 0, 3};
  int32_t offsets[3] = {-1, -1, -1}, columns[3] = {-1, -1, -1};
  float values[3] = {0};
  int64_t bytes = -1, nnz = -1;
  void* d = upload(f->handle, dense, sizeof dense);
  void *workspace = NULL, *o = NULL, *c = NULL, *v = NULL;
  bsMatDescr_t source = NULL, csr = NULL;
  OK(bsMalloc(f->handle, &o, sizeof offsets));
  OK(bsCreateDense(&source, 2, 4, 4, d, BS_R_32F, BS_ORDER_ROW));
  OK(bsCreateCsr(&csr, 2, 4, 0, o, NULL, NULL, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_32F));
  OK(bsConvert_bufferSize(f->handle, BS_OPERATION_NON_TRANSPOSE, source, csr, &bytes));
  OK(bsMalloc(f->handle, &workspace, bytes));
  OK(bsConvert_count(f->handle, BS_OPERATION_NON_TRANSPOSE, source, csr, workspace, bytes));
  OK(bsMatGetSize(csr, NULL, NULL, &nnz));
  check(nnz == 3, "bsConvert_count finds 3 entries");
  OK(bsMalloc(f->handle, &c, 3 * (int64_t)sizeof(int32_t)));
  OK(bsMalloc(f->handle, &v, 3 * (int64_t)sizeof(float)));
  OK(bsMatSetPointers(csr, o, c, v));
  OK(bsConvert_fill(f->handle, BS_OPERATION_NON_TRANSPOSE, source, csr, workspace, bytes));
  OK(bsMemcpy(f->handle, offsets, o, sizeof offsets));
  OK(bsMemcpy(f->handle, columns, c, sizeof columns));
  OK(bsMemcpy(f->handle, values, v, sizeof values));
  check(memcmp(offsets, kOffsets, sizeof offsets) == 0, "offsets of dense -> CSR");
  check(memcmp(columns, kColumns, sizeof columns) == 0, "columns of dense -> CSR");
  check_numbers(values, kValues, 3, "values of dense -> CSR");
  OK(bsDestroyMat(source));
  OK(bsDestroyMat(csr));
  OK(bsFree(f->handle, workspace));
  OK(bsFree(f->handle, d));
  OK(bsFree(f->handle, o));
  OK(bsFree(f->handle, c));
  OK(bsFree(f->handle, v));
}

static void test_analysis(Fixture* f) {
  const float want[4] = {11, 14, 21, 24};
  const bsAnalyzeFlags_t flags = BS_ANALYZE_STATS | BS_ANALYZE_ORDER | BS_ANALYZE_TRANSPOSE;
  bsAnalyzeFlags_t in_force = -1;
  bsContent_t finding = -1;
  int64_t bytes = -1;
  double longest = -1, density = -1;
  void* buffer = NULL;
  OK(bsMatCheck(f->handle, f->csr, &finding, NULL));
  check(finding == BS_CONTENT_OK, "the contents are in order");
  OK(bsMatAnalyze_bufferSize(f->handle, f->csr, flags, &bytes));
  OK(bsMalloc(f->handle, &buffer, bytes));
  OK(bsMatAnalyze(f->handle, f->csr, flags, buffer, bytes));
  OK(bsMatGetAnalysis(f->csr, &in_force));
  check(in_force == flags, "the analysis is in force");
  OK(bsMatGetStat(f->csr, BS_STAT_ROW_LENGTH_MAX, &longest));
  OK(bsMatGetStat(f->csr, BS_STAT_DENSITY, &density));
  check(longest == 2.0, "the longest row has 2 entries");
  check(density == 0.375, "3 of 8 elements are stored");
  spmm(f->handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, f->csr, f->D, f->C, NULL);
  expect_result(f, want, "C = S D after analysis");
  OK(bsMatStructureChanged(f->csr));
  OK(bsMatGetAnalysis(f->csr, &in_force));
  check(in_force == 0, "bsMatStructureChanged drops the analysis");
  OK(bsFree(f->handle, buffer));
}

static void test_explain(Fixture* f) {
  const float alpha = 1.0f, beta = 0.0f;
  const char *route = NULL, *text = NULL;
  int64_t count = 0, i, chosen = 0;
  bsReport_t report = NULL;
  OK(bsSpMM_explain(f->handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &alpha, f->csr, f->D, &beta,
                    f->C, BS_R_32F, NULL, NULL, &report));
  OK(bsReportGetCount(report, &count));
  check(count >= 1, "explain lists candidates");
  for (i = 0; i < count; ++i) {
    int32_t is_chosen = -1;
    OK(bsReportGet(report, i, BS_REPORT_CHOSEN, &is_chosen, sizeof is_chosen));
    OK(bsReportGet(report, i, BS_REPORT_ROUTE, &route, sizeof route));
    check(route != NULL && route[0] != '\0', "a candidate has a name");
    chosen += is_chosen;
  }
  check(chosen == 1, "exactly one candidate is chosen");
  OK(bsReportGetText(report, &text));
  check(text != NULL && route != NULL && strstr(text, route) != NULL, "the text lists the last candidate");
  OK(bsDestroyReport(report));
}

static void test_refusals(Fixture* f) {
  const float alpha = 1.0f, beta = 0.0f;
  bsMatDescr_t mat = f->csr; /* anything but NULL */
  check(bsCreateCsr(&mat, -1, 4, 3, NULL, NULL, NULL, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_32F) ==
            BS_STATUS_INVALID_SIZE,
        "rows -1 is refused");
  check(mat == NULL, "a failing Create sets its handle to NULL");
  check(strcmp(bsGetLastErrorMessage(), "bsCreateCsr: rows is -1, must be >= 0") == 0, "the message of the manual");
  check(bsSpMM(f->handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &alpha, f->D, f->csr, &beta, f->C,
               BS_R_32F, NULL, NULL, 0) == BS_STATUS_INVALID_SHAPE,
        "4 x 2 times 2 x 4 into 2 x 2 is refused");
  check(strncmp(bsGetLastErrorMessage(), "bsSpMM: ", 8) == 0, "the message names the function");
}

int main(void) {
  bsHandle_t handle = NULL;
  int32_t version = 0;
  Fixture fixture;
  OK(bsGetVersion(&version));
  check(version == BSPARSE_VERSION, "header and library have one version");
  OK(bsCreateOn(&handle, BS_BACKEND_CPU, 0));
  if (handle == NULL) return 1;
  set_up(&fixture, handle);
  test_sparse_on_either_side(&fixture);
  test_bsr(&fixture);
  test_options(&fixture);
  test_sddmm(&fixture);
  test_spmv(&fixture);
  test_conversion(&fixture);
  test_analysis(&fixture);
  test_explain(&fixture);
  test_refusals(&fixture);
  tear_down(&fixture);
  OK(bsDestroy(handle));
  if (failures) printf("%d checks failed\n", failures);
  return failures != 0;
}
