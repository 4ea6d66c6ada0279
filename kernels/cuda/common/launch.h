// After a launch, and before one: the only two things a kernel file asks the runtime.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "model/status.h"

namespace bs::cuda {

inline Status cuda_status(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return kSuccess;
  return fail(BS_STATUS_CUDA_ERROR, "%s: %s (%s)", what, cudaGetErrorString(error), cudaGetErrorName(error));
}

// Errors of the launch itself; what happens on the device is seen by the next synchronisation.
inline Status launched(const char* kernel) {
  return cuda_status(cudaGetLastError(), kernel);
}

constexpr int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace bs::cuda
