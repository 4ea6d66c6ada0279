/* The calls of docs/from_sputnik.md: a product with bias and ReLU, and a sampled product with a row-major right side.
 */
#include <bsparse.h>
#include <stdio.h>

#define TRY(call) \
  if ((call) != BS_STATUS_SUCCESS) return fprintf(stderr, "%s\n", bsGetLastErrorMessage()), 1

/* One product with its workspace. */
static int spmm(bsHandle_t handle, bsMatDescr_t A, bsMatDescr_t B, bsMatDescr_t C, bsOptions_t options) {
  const bsOperation_t N = BS_OPERATION_NON_TRANSPOSE;
  const float one = 1, zero = 0;
  int64_t bytes;
  void* workspace;
  TRY(bsSpMM_bufferSize(handle, N, N, &one, A, B, &zero, C, BS_R_32F, options, &bytes));
  TRY(bsMalloc(handle, &workspace, bytes));
  TRY(bsSpMM(handle, N, N, &one, A, B, &zero, C, BS_R_32F, options, workspace, bytes));
  TRY(bsFree(handle, workspace));
  return 0;
}

/* mask = lhs rhs^T at mask's entries. */
static int sddmm(bsHandle_t handle, bsMatDescr_t lhs, bsMatDescr_t rhs, bsMatDescr_t mask) {
  const bsOperation_t N = BS_OPERATION_NON_TRANSPOSE, T = BS_OPERATION_TRANSPOSE;
  const float one = 1, zero = 0;
  int64_t bytes;
  void* workspace;
  TRY(bsSDDMM_bufferSize(handle, N, T, &one, lhs, rhs, &zero, mask, BS_R_32F, NULL, &bytes));
  TRY(bsMalloc(handle, &workspace, bytes));
  TRY(bsSDDMM(handle, N, T, &one, lhs, rhs, &zero, mask, BS_R_32F, NULL, workspace, bytes));
  TRY(bsFree(handle, workspace));
  return 0;
}

int main(void) {
  const int32_t offsets[] = {0, 2, 3}, columns[] = {0, 2, 3};
  const float values[] = {1, 2, 3}, bias[] = {-12, 1}, b[] = {1, 2, 3, 4, 5, 6, 7, 8}, l[] = {1, 2, 3, 4};
  float c[4], out[3];
  bsHandle_t handle;
  bsMatDescr_t A, B, C, L, mask;
  bsOptions_t options;

  TRY(bsCreateOn(&handle, BS_BACKEND_CPU, 0));
  TRY(bsCreateConstCsr(&A, 2, 4, 3, offsets, columns, values, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO,
                       BS_R_32F));
  TRY(bsCreateConstDense(&B, 4, 2, 2, b, BS_R_32F, BS_ORDER_ROW));
  TRY(bsCreateDense(&C, 2, 2, 2, c, BS_R_32F, BS_ORDER_ROW));

  TRY(bsCreateOptions(&options));
  TRY(bsOptionsSetBias(options, bias, BS_R_32F, BS_AXIS_ROW, 0));
  TRY(bsOptionsSetInt(options, BS_OPTION_ACTIVATION, BS_ACTIVATION_RELU));
  if (spmm(handle, A, B, C, options)) return 1;
  printf("[%g %g; %g %g]\n", c[0], c[1], c[2], c[3]);

  TRY(bsCreateConstDense(&L, 2, 2, 2, l, BS_R_32F, BS_ORDER_ROW));
  TRY(bsCreateConstCsr(&mask, 2, 4, 3, offsets, columns, NULL, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO,
                       BS_R_32F));
  TRY(bsMatSetValues(mask, out));
  if (sddmm(handle, L, B, mask)) return 1;
  printf("[%g %g %g]\n", out[0], out[1], out[2]);

  TRY(bsDestroyOptions(options));
  TRY(bsDestroyMat(A));
  TRY(bsDestroyMat(B));
  TRY(bsDestroyMat(C));
  TRY(bsDestroyMat(L));
  TRY(bsDestroyMat(mask));
  TRY(bsDestroy(handle));
  return !(c[0] == 0 && c[1] == 2 && c[2] == 22 && c[3] == 25 && out[0] == 5 && out[1] == 17 && out[2] == 53);
}
