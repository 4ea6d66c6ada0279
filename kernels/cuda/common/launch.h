// What the runtime answered, as a status.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "model/status.h"

namespace bs::cuda {

// The runtime keeps a failure until somebody asks for it; left there, it would be held against the next call.
inline Status cuda_status(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return kSuccess;
  cudaGetLastError();
  const bsStatus_t code = error == cudaErrorMemoryAllocation ? BS_STATUS_ALLOC_FAILED : BS_STATUS_CUDA_ERROR;
  return fail(code, "%s: %s (%s)", what, cudaGetErrorString(error), cudaGetErrorName(error));
}

// Errors of the launch itself; what happens on the device is seen by the next synchronisation.
inline Status launched(const char* kernel) {
  return cuda_status(cudaGetLastError(), kernel);
}

constexpr int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace bs::cuda
