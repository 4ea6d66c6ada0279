! From Fortran: the module of the installed tree, and an object of the library.
program product
  use bsparse
  implicit none
  type(bsHandle_t) :: handle
  integer(c_int32_t) :: version
  if (bsGetVersion(version) /= BS_STATUS_SUCCESS .or. version /= BSPARSE_VERSION) error stop "version"
  if (bsCreateOn(handle, BS_BACKEND_CPU, 7) /= BS_STATUS_INVALID_SIZE) error stop "device 7 was accepted"
  if (bsLastError() /= "bsCreateOn: device is 7, must be 0 on the CPU backend") error stop "message"
  if (bsCreateOn(handle, BS_BACKEND_CPU, 0) /= BS_STATUS_SUCCESS) error stop "create"
  if (bsDestroy(handle) /= BS_STATUS_SUCCESS) error stop "destroy"
end program
