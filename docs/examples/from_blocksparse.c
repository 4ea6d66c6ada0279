/* The calls of docs/from_blocksparse.md: Y = X W, its gradients over two time steps, gates. Blocks of 2, layout [1 0; 1
 * 1]. */
#include <bsparse.h>
#include <stdio.h>

#define TRY(call) \
  if ((call) != BS_STATUS_SUCCESS) return fprintf(stderr, "%s\n", bsGetLastErrorMessage()), 1

typedef bsOperation_t Op;
static const Op N = BS_OPERATION_NON_TRANSPOSE, T = BS_OPERATION_TRANSPOSE;
static const float one = 1, zero = 0;

/* C = op(A) op(B), sampled where C is sparse. */
static int product(bsHandle_t handle, Op opA, Op opB, bsMatDescr_t A, bsMatDescr_t B, bsMatDescr_t C) {
  int64_t bytes;
  void* workspace;
  bsFormat_t format;
  TRY(bsMatGetFormat(C, &format));
  if (format == BS_FORMAT_DENSE) {
    TRY(bsSpMM_bufferSize(handle, opA, opB, &one, A, B, &zero, C, BS_R_32F, NULL, &bytes));
    TRY(bsMalloc(handle, &workspace, bytes));
    TRY(bsSpMM(handle, opA, opB, &one, A, B, &zero, C, BS_R_32F, NULL, workspace, bytes));
  } else {
    TRY(bsSDDMM_bufferSize(handle, opA, opB, &one, A, B, &zero, C, BS_R_32F, NULL, &bytes));
    TRY(bsMalloc(handle, &workspace, bytes));
    TRY(bsSDDMM(handle, opA, opB, &one, A, B, &zero, C, BS_R_32F, NULL, workspace, bytes));
  }
  TRY(bsFree(handle, workspace));
  return 0;
}

/* Two time steps of 3 samples, one behind the other. */
static int steps(bsMatDescr_t* mat, float* values) {
  TRY(bsCreateDense(mat, 3, 4, 4, values, BS_R_32F, BS_ORDER_ROW));
  TRY(bsMatSetBatch(*mat, 2, 12, 0, 0));
  return 0;
}

static int weights(bsMatDescr_t* mat, float* values) {
  static const int32_t offsets[] = {0, 1, 3}, columns[] = {0, 0, 1};
  TRY(bsCreateConstBsr(mat, 4, 4, 3, 2, 2, offsets, columns, NULL, BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO,
                       BS_R_32F, BS_ORDER_ROW));
  TRY(bsMatSetValues(*mat, values));
  return 0;
}

int main(void) {
  static float x[24], y[24], dx[24], w[12], dw[12], gate[] = {1, 0, 0.5f}, dgate[3];
  bsHandle_t handle;
  bsMatDescr_t W, dW, X, Y, dX, dY;
  int i;

  for (i = 0; i < 24; ++i) x[i] = 1;
  for (i = 0; i < 12; ++i) w[i] = (float)(i / 4 + 1);
  TRY(bsCreateOn(&handle, BS_BACKEND_CPU, 0));
  if (weights(&W, w) || weights(&dW, dw) || steps(&X, x) || steps(&Y, y) || steps(&dX, dx)) return 1;
  dY = Y;

  TRY(bsMatSetGate(W, gate, 0));
  if (product(handle, N, N, X, W, Y)) return 1;   /* fprop */
  if (product(handle, N, T, dY, W, dX)) return 1; /* bprop */
  if (product(handle, T, N, X, dY, dW)) return 1; /* updat, summed over the steps */
  TRY(bsBlockGateGrad(handle, W, dW, dgate, 0));
  printf("y %g %g, dx %g %g, dw %g %g %g, dgate %g %g %g\n", y[0], y[2], dx[0], dx[2], dw[0], dw[4], dw[8], dgate[0],
         dgate[1], dgate[2]);

  TRY(bsDestroyMat(W));
  TRY(bsDestroyMat(dW));
  TRY(bsDestroyMat(X));
  TRY(bsDestroyMat(Y));
  TRY(bsDestroyMat(dX));
  TRY(bsDestroy(handle));
  return !(y[0] == 2 && y[2] == 3 && dx[0] == 4 && dx[2] == 9 && dw[0] == 12 && dw[4] == 12 && dw[8] == 18 &&
           dgate[0] == 48 && dgate[1] == 96 && dgate[2] == 216);
}
