// A ring of stages in shared memory between one thread that starts copies and warps that consume them.
#pragma once

#include "cuda/device/ptx/mbarrier.cuh"

namespace bs::cuda {

template <int kStages>
struct Ring {
  uint64_t full[kStages], empty[kStages];

  // By one thread, before __syncthreads.
  __device__ void init(int producers, int consumers) {
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(&full[s], producers);
      ptx::mbarrier_init(&empty[s], consumers);
    }
  }
};

// Where a producer or a consumer stands; both walk the stages alike.
template <int kStages>
struct RingPlace {
  int stage = 0;
  uint32_t phase = 0;

  __device__ void advance() {
    if (++stage == kStages) {
      stage = 0;
      phase ^= 1;
    }
  }
  __device__ void wait_empty(Ring<kStages>& ring) const { ptx::mbarrier_wait(&ring.empty[stage], phase ^ 1); }
  __device__ void wait_full(Ring<kStages>& ring) const { ptx::mbarrier_wait(&ring.full[stage], phase); }
};

}  // namespace bs::cuda
