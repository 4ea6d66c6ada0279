// The structure functions of the CUDA backend.
#include "cuda/structure/structure.h"

#include <cuda_runtime_api.h>

namespace bs::cuda {
namespace {

__global__ void probe() {}

}  // namespace

bool kernels_load() {
  cudaFuncAttributes attributes{};
  const bool loads = cudaFuncGetAttributes(&attributes, probe) == cudaSuccess;
  if (!loads) cudaGetLastError();
  return loads;
}

const StructureFunctions& structure_functions() {
  static constexpr StructureFunctions functions{};
  return functions;
}

}  // namespace bs::cuda
