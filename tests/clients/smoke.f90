! A Fortran program that knows the library by the interfaces below alone: column-major operands, indices counted from 1.
module bsparse_smoke_interfaces
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int32_t), parameter :: BS_STATUS_SUCCESS = 0, BS_STATUS_INVALID_SIZE = 12
  integer(c_int32_t), parameter :: BS_BACKEND_CPU = 1
  integer(c_int32_t), parameter :: BS_R_64F = 1
  integer(c_int32_t), parameter :: BS_INDEX_32I = 2, BS_INDEX_BASE_ONE = 1
  integer(c_int32_t), parameter :: BS_OPERATION_NON_TRANSPOSE = 0, BS_OPERATION_TRANSPOSE = 1
  integer(c_int32_t), parameter :: BS_ORDER_COL = 1

  interface
    function bsCreateOn(handle, backend, device) bind(C, name="bsCreateOn") result(status)
      import :: c_ptr, c_int32_t
      type(c_ptr), intent(out) :: handle
      integer(c_int32_t), value :: backend, device
      integer(c_int32_t) :: status
    end function

    function bsDestroy(handle) bind(C, name="bsDestroy") result(status)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: handle
      integer(c_int32_t) :: status
    end function

    function bsCreateCsr(mat, rows, cols, nnz, rowOffsets, colIndices, values, offsetType, indexType, base, valueType) &
        bind(C, name="bsCreateCsr") result(status)
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), intent(out) :: mat
      integer(c_int64_t), value :: rows, cols, nnz
      type(c_ptr), value :: rowOffsets, colIndices, values
      integer(c_int32_t), value :: offsetType, indexType, base, valueType
      integer(c_int32_t) :: status
    end function

    function bsCreateDense(mat, rows, cols, ld, values, valueType, order) bind(C, name="bsCreateDense") result(status)
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), intent(out) :: mat
      integer(c_int64_t), value :: rows, cols, ld
      type(c_ptr), value :: values
      integer(c_int32_t), value :: valueType, order
      integer(c_int32_t) :: status
    end function

    function bsDestroyMat(mat) bind(C, name="bsDestroyMat") result(status)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: mat
      integer(c_int32_t) :: status
    end function

    function bsMalloc(handle, pointer, bytes) bind(C, name="bsMalloc") result(status)
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: handle
      type(c_ptr), intent(out) :: pointer
      integer(c_int64_t), value :: bytes
      integer(c_int32_t) :: status
    end function

    function bsFree(handle, pointer) bind(C, name="bsFree") result(status)
      import :: c_ptr, c_int32_t
      type(c_ptr), value :: handle, pointer
      integer(c_int32_t) :: status
    end function

    function bsSpMM_bufferSize(handle, opA, opB, alpha, A, B, beta, C, compute, options, bytes) &
        bind(C, name="bsSpMM_bufferSize") result(status)
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: handle, alpha, A, B, beta, C, options
      integer(c_int32_t), value :: opA, opB, compute
      integer(c_int64_t), intent(out) :: bytes
      integer(c_int32_t) :: status
    end function

    function bsSpMM(handle, opA, opB, alpha, A, B, beta, C, compute, options, workspace, bytes) &
        bind(C, name="bsSpMM") result(status)
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: handle, alpha, A, B, beta, C, options, workspace
      integer(c_int32_t), value :: opA, opB, compute
      integer(c_int64_t), value :: bytes
      integer(c_int32_t) :: status
    end function

    function bsGetLastErrorMessage() bind(C, name="bsGetLastErrorMessage") result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function

    function c_strlen(text) bind(C, name="strlen") result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  function last_error() result(text)
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    type(c_ptr) :: address
    integer :: i
    address = bsGetLastErrorMessage()
    call c_f_pointer(address, characters, [c_strlen(address)])
    allocate (character(len=size(characters)) :: text)
    do i = 1, size(characters)
      text(i:i) = characters(i)
    end do
  end function

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    if (condition) return
    print *, "FAILED: ", what, " (last error: ", last_error(), ")"
    stop 1
  end subroutine
end module

program smoke
  use bsparse_smoke_interfaces
  implicit none
  type(c_ptr) :: handle, S, D, C, workspace
  integer(c_int64_t) :: bytes
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

  call multiply(BS_OPERATION_NON_TRANSPOSE, S, D)
  call check(all(got == reshape([11d0, 21d0, 14d0, 24d0], [2, 2])), "C = S D")
  call multiply(BS_OPERATION_TRANSPOSE, D, S)
  call check(all(got == reshape([11d0, 14d0, 21d0, 24d0], [2, 2])), "C = D^T S^T")

  call check(bsDestroyMat(C) == BS_STATUS_SUCCESS, "destroy C")
  call check(bsCreateDense(C, -1_c_int64_t, 2_c_int64_t, 2_c_int64_t, c_loc(got), BS_R_64F, BS_ORDER_COL) &
             == BS_STATUS_INVALID_SIZE, "rows -1 is refused")
  call check(.not. c_associated(C), "a failing create gives NULL")
  call check(last_error() == "bsCreateDense: rows is -1, must be >= 0", "the message names function and argument")

  call check(bsDestroyMat(S) == BS_STATUS_SUCCESS .and. bsDestroyMat(D) == BS_STATUS_SUCCESS, "destroy S and D")
  call check(bsDestroy(handle) == BS_STATUS_SUCCESS, "destroy the handle")

contains

  subroutine multiply(op, A, B)
    integer(c_int32_t), intent(in) :: op
    type(c_ptr), intent(in) :: A, B
    call check(bsSpMM_bufferSize(handle, op, op, c_loc(alpha), A, B, c_loc(beta), C, BS_R_64F, c_null_ptr, bytes) &
               == BS_STATUS_SUCCESS, "buffer size")
    call check(bsMalloc(handle, workspace, bytes) == BS_STATUS_SUCCESS, "workspace")
    call check(bsSpMM(handle, op, op, c_loc(alpha), A, B, c_loc(beta), C, BS_R_64F, c_null_ptr, workspace, bytes) &
               == BS_STATUS_SUCCESS, "multiply")
    call check(bsFree(handle, workspace) == BS_STATUS_SUCCESS, "free")
  end subroutine
end program
