// wgmma m64n64k16 with both operands in shared memory and f32 sums (PTX ISA, "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions"; sm_90a). N = 64 is the narrowest full-rate shape: 32 clocks, as long as A takes
// out of shared memory. Lane l of warp w holds row 16 w + l / 4 and the one eight below: d[4 g], d[4 g + 1] at columns
// 8 g + 2 (l % 4) and the next of the first, d[4 g + 2], d[4 g + 3] of the second.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

namespace bs::cuda::ptx {

__device__ __forceinline__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int kPending>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}

#define BS_SUMS(d, o)                                                                                         \
  "+f"(d[o]), "+f"(d[o + 1]), "+f"(d[o + 2]), "+f"(d[o + 3]), "+f"(d[o + 4]), "+f"(d[o + 5]), "+f"(d[o + 6]), \
      "+f"(d[o + 7])
#define BS_WGMMA_N64(type)                                                                                            \
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32." type "." type     \
               " {"                                                                                                   \
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
               "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, p, 1, 1, %35, %36; }"                    \
               : BS_SUMS(d, 0), BS_SUMS(d, 8), BS_SUMS(d, 16), BS_SUMS(d, 24)                                         \
               : "l"(a), "l"(b), "r"(accumulate), "n"(kTransposeA), "n"(kTransposeB))

// d = a b + (accumulate ? d : 0). Transposed: the rows of A or the columns of B are contiguous ("MN-major").
template <class T, int kTransposeA, int kTransposeB>
__device__ __forceinline__ void wgmma_m64n64k16(float (&d)[32], uint64_t a, uint64_t b, int accumulate) {
  static_assert(std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>, "16-bit inputs");
  if constexpr (std::is_same_v<T, __half>)
    BS_WGMMA_N64("f16");
  else
    BS_WGMMA_N64("bf16");
}

#undef BS_WGMMA_N64
#undef BS_SUMS

// Registers move from the warpgroup that copies to those that multiply.
template <int kRegisters>
__device__ __forceinline__ void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ __forceinline__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

}  // namespace bs::cuda::ptx
