// One thread an item: for the many short steps of structure functions.
#pragma once

#include "cuda/common/launch.h"

namespace bs::cuda {

inline constexpr int kItemThreads = 256;

template <class Body>
__global__ void __launch_bounds__(kItemThreads) run_items(int64_t count, Body body) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kItemThreads + threadIdx.x;
  if (i < count) body(i);
}

// body(i) for 0 <= i < count on the device; nothing for 0. `body` is a struct with a __device__ operator().
template <class Body>
Status for_items(int64_t count, const char* what, cudaStream_t stream, const Body& body) {
  if (count == 0) return kSuccess;
  run_items<<<static_cast<unsigned>(ceil_div(count, kItemThreads)), kItemThreads, 0, stream>>>(count, body);
  return launched(what);
}

// The first place of [low, high) whose value is not below `value`, else high.
template <class T>
__device__ int64_t lower_bound(const T* ascending, int64_t low, int64_t high, T value) {
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (ascending[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace bs::cuda
