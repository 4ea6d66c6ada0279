// ldmatrix (PTX ISA, "Warp Level Matrix Instructions"; sm_75): 8 x 8 matrices of 16-bit elements from shared memory in
// the fragment order of mma. Lane l gives the address of row l % 8 of matrix l / 8.
#pragma once

#include <cstdint>

#include "cuda/device/ptx/cp_async.cuh"

namespace bs::cuda::ptx {

__device__ __forceinline__ void ldmatrix_x4(uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row)));
}
__device__ __forceinline__ void ldmatrix_x4_trans(uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row)));
}

}  // namespace bs::cuda::ptx
