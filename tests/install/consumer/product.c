/* C = A B with the CSR matrix A = [1 2; 0 3] and B = [1 10; 100 1000], on the CPU. Exit status 0 if C is right. */
#include <bsparse.h>
#include <stdio.h>

static int check(bsStatus_t status) {
  if (status != BS_STATUS_SUCCESS) printf("%s: %s\n", bsStatusName(status), bsGetLastErrorMessage());
  return status == BS_STATUS_SUCCESS;
}

static int multiply(bsHandle_t handle, bsMatDescr_t a, bsMatDescr_t b, bsMatDescr_t c) {
  const float alpha = 1, beta = 0;
  int64_t bytes = 0;
  void* workspace = NULL;
  int ok = check(bsSpMM_bufferSize(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &alpha, a, b, &beta,
                                   c, BS_R_32F, NULL, &bytes)) &&
           check(bsMalloc(handle, &workspace, bytes)) &&
           check(bsSpMM(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &alpha, a, b, &beta, c,
                        BS_R_32F, NULL, workspace, bytes));
  return check(bsFree(handle, workspace)) && ok;
}

int main(void) {
  int32_t offsets[] = {0, 2, 3}, columns[] = {0, 1, 1};
  float values[] = {1, 2, 3}, right[] = {1, 10, 100, 1000}, result[4] = {0, 0, 0, 0};
  const float expected[] = {201, 2010, 300, 3000};
  bsHandle_t handle = NULL;
  bsMatDescr_t a = NULL, b = NULL, c = NULL;
  int32_t version = 0;
  int i, ok = check(bsGetVersion(&version)) && version == BSPARSE_VERSION &&
              check(bsCreateOn(&handle, BS_BACKEND_CPU, 0)) &&
              check(bsCreateCsr(&a, 2, 2, 3, offsets, columns, values, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO,
                                BS_R_32F)) &&
              check(bsCreateDense(&b, 2, 2, 2, right, BS_R_32F, BS_ORDER_ROW)) &&
              check(bsCreateDense(&c, 2, 2, 2, result, BS_R_32F, BS_ORDER_ROW)) && multiply(handle, a, b, c);
  for (i = 0; i < 4; ++i) ok = ok && result[i] == expected[i];
  ok = check(bsDestroyMat(a)) && check(bsDestroyMat(b)) && check(bsDestroyMat(c)) && check(bsDestroy(handle)) && ok;
  puts(ok ? "right" : "wrong");
  return !ok;
}
