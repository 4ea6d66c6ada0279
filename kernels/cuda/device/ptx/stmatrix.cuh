// stmatrix (PTX ISA, "Warp Level Matrix Instructions"; sm_90): four 8 x 8 matrices of 16-bit elements from the fragment
// order of mma to shared memory. Lane l gives the address of row l % 8 of matrix l / 8.
#pragma once

#include <cstdint>

#include "cuda/device/ptx/cp_async.cuh"

namespace bs::cuda::ptx {

__device__ __forceinline__ void stmatrix_x4(void* row, const uint32_t (&r)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(row)), "r"(r[0]),
               "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
}
__device__ __forceinline__ void stmatrix_x4_trans(void* row, const uint32_t (&r)[4]) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(row)),
               "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
               : "memory");
}

}  // namespace bs::cuda::ptx
