// Across the lanes of a warp.
#pragma once

#include "cuda/device/arch.cuh"

namespace bs::cuda {

// The sum over all lanes, in every lane, added in the same order every time.
template <class T>
__device__ __forceinline__ T warp_sum(T value) {
#pragma unroll
  for (int step = kWarpSize / 2; step > 0; step /= 2) value += __shfl_xor_sync(kFullWarp, value, step);
  return value;
}

template <class T>
__device__ __forceinline__ T warp_max(T value) {
#pragma unroll
  for (int step = kWarpSize / 2; step > 0; step /= 2) value = max(value, __shfl_xor_sync(kFullWarp, value, step));
  return value;
}

}  // namespace bs::cuda
