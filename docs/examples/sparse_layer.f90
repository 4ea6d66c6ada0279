! A sparse layer in double precision, solved by gradient descent: find the stored values of W for which W X = Y.
! Each step is one product and one sampled product: R = W X - Y, then W = W - rate R X^T at the structure of W.
program sparse_layer
  use bsparse
  implicit none
  integer(c_int64_t), parameter :: outputs = 3, inputs = 4, samples = 6, entries = 5
  type(bsHandle_t) :: handle
  type(bsMatDescr_t) :: W, X, R
  ! Row i has the entries from offsets(i) to offsets(i + 1) - 1; everything counts from 1.
  integer(c_int32_t), target :: offsets(outputs + 1) = [1, 3, 4, 6], columns(entries) = [1, 3, 4, 2, 3]
  real(c_double), target :: weights(entries) = 0, x_values(inputs, samples), residual(outputs, samples)
  real(c_double) :: wanted(entries) = [2d0, -1d0, 0.5d0, 3d0, 1d0], y(outputs, samples)
  integer :: i, j, p, step

  x_values = reshape([(cos(0.7d0 * i * i), i = 1, int(inputs * samples))], [int(inputs), int(samples)])
  y = 0
  do j = 1, int(samples)
    do i = 1, int(outputs)
      do p = offsets(i), offsets(i + 1) - 1
        y(i, j) = y(i, j) + wanted(p) * x_values(columns(p), j)
      end do
    end do
  end do

  call try(bsCreateOn(handle, BS_BACKEND_CPU, 0))
  call try(bsCreateCsr(W, outputs, inputs, entries, c_loc(offsets), c_loc(columns), c_loc(weights), BS_INDEX_32I, &
                       BS_INDEX_32I, BS_INDEX_BASE_ONE, BS_R_64F))
  call try(bsCreateDense(X, inputs, samples, inputs, c_loc(x_values), BS_R_64F, BS_ORDER_COL))
  call try(bsCreateDense(R, outputs, samples, outputs, c_loc(residual), BS_R_64F, BS_ORDER_COL))

  do step = 1, 400
    residual = y
    call product(1d0, -1d0)
    call weight_step(-0.2d0)
  end do
  print "(a, es8.1, a, 5f7.3)", "largest error ", maxval(abs(weights - wanted)), ", weights", weights
  if (maxval(abs(weights - wanted)) > 1d-10) error stop "not solved"

  call try(bsDestroyMat(W))
  call try(bsDestroyMat(X))
  call try(bsDestroyMat(R))
  call try(bsDestroy(handle))

contains

  subroutine try(status)
    integer(bsStatus_t), intent(in) :: status
    if (status == BS_STATUS_SUCCESS) return
    print "(3a)", bsString(bsStatusName(status)), ": ", bsLastError()
    error stop
  end subroutine

  ! R = alpha W X + beta R
  subroutine product(alpha, beta)
    real(c_double), target, intent(in) :: alpha, beta
    type(c_ptr) :: workspace
    integer(c_int64_t) :: bytes
    call try(bsSpMM_bufferSize(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, c_loc(alpha), W, X, &
                               c_loc(beta), R, BS_R_64F, bsOptions_t(), bytes))
    call try(bsMalloc(handle, workspace, bytes))
    call try(bsSpMM(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, c_loc(alpha), W, X, c_loc(beta), &
                    R, BS_R_64F, bsOptions_t(), workspace, bytes))
    call try(bsFree(handle, workspace))
  end subroutine

  ! W = W + alpha R X^T, where W has entries
  subroutine weight_step(alpha)
    real(c_double), target, intent(in) :: alpha
    real(c_double), target :: one
    type(c_ptr) :: workspace
    integer(c_int64_t) :: bytes
    one = 1
    call try(bsSDDMM_bufferSize(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE, c_loc(alpha), R, X, &
                                c_loc(one), W, BS_R_64F, bsOptions_t(), bytes))
    call try(bsMalloc(handle, workspace, bytes))
    call try(bsSDDMM(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE, c_loc(alpha), R, X, c_loc(one), W, &
                     BS_R_64F, bsOptions_t(), workspace, bytes))
    call try(bsFree(handle, workspace))
  end subroutine
end program
