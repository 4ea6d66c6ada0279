/* Multiplies a small CSR matrix by a dense one; prints the product and the routes that were considered. */
#include <bsparse.h>
#include <stdio.h>

#define TRY(call) \
  if ((call) != BS_STATUS_SUCCESS) return fprintf(stderr, "%s\n", bsGetLastErrorMessage()), 1

int main(void) {
  int32_t offsets[] = {0, 2, 3}, columns[] = {0, 2, 3};
  float values[] = {1, 2, 3}, b[] = {1, 2, 3, 4, 5, 6, 7, 8}, c[4], one = 1, zero = 0;
  bsHandle_t handle; /* bsCreate would take a GPU if there is one; the arrays would then have to be in its memory */
  bsMatDescr_t A, B, C;
  bsReport_t report;
  const char* text;
  int64_t bytes;
  void* workspace;

  TRY(bsCreateOn(&handle, BS_BACKEND_CPU, 0));
  TRY(bsCreateCsr(&A, 2, 4, 3, offsets, columns, values, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_32F));
  TRY(bsCreateDense(&B, 4, 2, 2, b, BS_R_32F, BS_ORDER_ROW));
  TRY(bsCreateDense(&C, 2, 2, 2, c, BS_R_32F, BS_ORDER_ROW));

  TRY(bsSpMM_bufferSize(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &one, A, B, &zero, C, BS_R_32F,
                        NULL, &bytes));
  TRY(bsMalloc(handle, &workspace, bytes));
  TRY(bsSpMM(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &one, A, B, &zero, C, BS_R_32F, NULL,
             workspace, bytes));
  printf("[%g %g; %g %g]\n", (double)c[0], (double)c[1], (double)c[2], (double)c[3]); /* [11 14; 21 24] */

  TRY(bsSpMM_explain(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &one, A, B, &zero, C, BS_R_32F,
                     NULL, NULL, &report));
  TRY(bsReportGetText(report, &text));
  puts(text);

  TRY(bsDestroyReport(report));
  TRY(bsFree(handle, workspace));
  TRY(bsDestroyMat(A));
  TRY(bsDestroyMat(B));
  TRY(bsDestroyMat(C));
  TRY(bsDestroy(handle));
  return 0;
}
