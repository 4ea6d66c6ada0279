/* The calls of docs/from_cusparse.md in their order: C = A B with a preprocessed A, then A's values from a sampled
 * product. */
#include <bsparse.h>
#include <stdio.h>

#define TRY(call) \
  if ((call) != BS_STATUS_SUCCESS) return fprintf(stderr, "%s\n", bsGetLastErrorMessage()), 1

int main(void) {
  const int32_t offsets[] = {0, 2, 3}, columns[] = {0, 2, 3};
  const float values[] = {1, 2, 3}, b[] = {1, 2, 3, 4, 5, 6, 7, 8};
  float c[4], sampled[3], one = 1, zero = 0;
  const bsOperation_t N = BS_OPERATION_NON_TRANSPOSE, T = BS_OPERATION_TRANSPOSE;
  bsHandle_t handle;
  bsMatDescr_t A, B, C, S;
  int64_t bytes, needed;
  void *analysis, *workspace;

  TRY(bsCreateOn(&handle, BS_BACKEND_CPU, 0));

  TRY(bsCreateConstCsr(&A, 2, 4, 3, offsets, columns, values, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO,
                       BS_R_32F));
  TRY(bsCreateConstDense(&B, 4, 2, 2, b, BS_R_32F, BS_ORDER_ROW));
  TRY(bsCreateDense(&C, 2, 2, 2, c, BS_R_32F, BS_ORDER_ROW));

  TRY(bsMatAnalyze_bufferSize(handle, A, BS_ANALYZE_STATS | BS_ANALYZE_ORDER, &bytes));
  TRY(bsMalloc(handle, &analysis, bytes));
  TRY(bsMatAnalyze(handle, A, BS_ANALYZE_STATS | BS_ANALYZE_ORDER, analysis, bytes));

  TRY(bsSpMM_bufferSize(handle, N, N, &one, A, B, &zero, C, BS_R_32F, NULL, &needed));
  TRY(bsMalloc(handle, &workspace, needed));
  TRY(bsSpMM(handle, N, N, &one, A, B, &zero, C, BS_R_32F, NULL, workspace, needed));
  TRY(bsFree(handle, workspace));
  printf("[%g %g; %g %g]\n", c[0], c[1], c[2], c[3]);

  TRY(bsCreateConstCsr(&S, 2, 4, 3, offsets, columns, NULL, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_32F));
  TRY(bsMatSetValues(S, sampled));
  TRY(bsSDDMM_bufferSize(handle, N, T, &one, C, B, &zero, S, BS_R_32F, NULL, &needed));
  TRY(bsMalloc(handle, &workspace, needed));
  TRY(bsSDDMM(handle, N, T, &one, C, B, &zero, S, BS_R_32F, NULL, workspace, needed));
  TRY(bsFree(handle, workspace));
  printf("[%g %g %g]\n", sampled[0], sampled[1], sampled[2]);

  TRY(bsDestroyMat(A));
  TRY(bsDestroyMat(B));
  TRY(bsDestroyMat(C));
  TRY(bsDestroyMat(S));
  TRY(bsFree(handle, analysis));
  TRY(bsDestroy(handle));
  return !(c[0] == 11 && c[1] == 14 && c[2] == 21 && c[3] == 24 && sampled[0] == 39 && sampled[1] == 139 &&
           sampled[2] == 339);
}
