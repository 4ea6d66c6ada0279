! A Fortran program on include/bsparse.f90: column-major operands, indices counted from 1, absent arguments, strings.
program smoke
  use bsparse
  implicit none
  type(bsHandle_t) :: handle
  type(bsMatDescr_t) :: S, D, C
  type(c_ptr) :: workspace, had, given
  integer(c_int64_t) :: bytes, nnz
  integer(c_int32_t) :: supported
  ! S = [1 0 2 0; 0 0 0 3], D = columns (1,3,5,7) and (2,4,6,8), S D = [11 14; 21 24].
  integer(c_int32_t), target :: offsets(3) = [1, 3, 4], columns(3) = [1, 3, 4]
  real(c_double), target :: values(3) = [1d0, 2d0, 3d0]
  real(c_double), target :: dense(4, 2) = reshape([1d0, 3d0, 5d0, 7d0, 2d0, 4d0, 6d0, 8d0], [4, 2])
  real(c_double), target :: got(2, 2) = 0d0, alpha = 1d0, beta = 0d0

  call check(bsCreateOn(handle, BS_BACKEND_CPU, 0) == BS_STATUS_SUCCESS, "create")
  call check(bsCreateCsr(S, 2_c_int64_t, 4_c_int64_t, 3_c_int64_t, c_loc(offsets), c_loc(columns), c_loc(values), &
                         BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ONE, BS_R_64F) == BS_STATUS_SUCCESS, "CSR")
  call check(bsCreateDense(D, 4_c_int64_t, 2_c_int64_t, 4_c_int64_t, c_loc(dense), BS_R_64F, BS_ORDER_COL) &
             == BS_STATUS_SUCCESS, "dense D")
  call check(bsCreateDense(C, 2_c_int64_t, 2_c_int64_t, 2_c_int64_t, c_loc(got), BS_R_64F, BS_ORDER_COL) &
             == BS_STATUS_SUCCESS, "dense C")

  call check(bsMatGetSize(S, nnz=nnz) == BS_STATUS_SUCCESS .and. nnz == 3, "arguments that may be NULL may be absent")
  call check(bsMatGetPointers(S, values=had) == BS_STATUS_SUCCESS, "pointers")
  given = c_loc(values)
  call check(c_associated(had, given), "the values are where they were")
  call check(bsHasFeature("cpu" // c_null_char, supported) == BS_STATUS_SUCCESS .and. supported == 1, "a C string")

  call multiply(BS_OPERATION_NON_TRANSPOSE, S, D)
  call check(all(got == reshape([11d0, 21d0, 14d0, 24d0], [2, 2])), "C = S D")
  call multiply(BS_OPERATION_TRANSPOSE, D, S)
  call check(all(got == reshape([11d0, 14d0, 21d0, 24d0], [2, 2])), "C = D^T S^T")

  call check(bsDestroyMat(C) == BS_STATUS_SUCCESS, "destroy C")
  call check(bsCreateDense(C, -1_c_int64_t, 2_c_int64_t, 2_c_int64_t, c_loc(got), BS_R_64F, BS_ORDER_COL) &
             == BS_STATUS_INVALID_SIZE, "rows -1 is refused")
  call check(.not. c_associated(C%pointer), "a failing create gives NULL")
  call check(bsLastError() == "bsCreateDense: rows is -1, must be >= 0", "the message names function and argument")

  call check(bsDestroyMat(S) == BS_STATUS_SUCCESS .and. bsDestroyMat(D) == BS_STATUS_SUCCESS, "destroy S and D")
  call check(bsDestroy(handle) == BS_STATUS_SUCCESS, "destroy the handle")

contains

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    print *, "FAILED: ", what, " (last error: ", bsLastError(), ")"
    stop 1
  end subroutine

  subroutine multiply(op, A, B)
    integer(bsOperation_t), intent(in) :: op
    type(bsMatDescr_t), intent(in) :: A, B
    call check(bsSpMM_bufferSize(handle, op, op, c_loc(alpha), A, B, c_loc(beta), C, BS_R_64F, bsOptions_t(), bytes) &
               == BS_STATUS_SUCCESS, "buffer size")
    call check(bsMalloc(handle, workspace, bytes) == BS_STATUS_SUCCESS, "workspace")
    call check(bsSpMM(handle, op, op, c_loc(alpha), A, B, c_loc(beta), C, BS_R_64F, bsOptions_t(), workspace, bytes) &
               == BS_STATUS_SUCCESS, "multiply")
    call check(bsFree(handle, workspace) == BS_STATUS_SUCCESS, "free")
  end subroutine
end program
