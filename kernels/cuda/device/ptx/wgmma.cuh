// wgmma m64nNk16 with both operands in shared memory and f32 sums (PTX ISA, "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions"; sm_90a). N clocks / 2 from N = 64 on; a wide one costs the issuing warps less.
// Lane l of warp w holds row 16 w + l / 4 and the one eight below: d[4 g], d[4 g + 1] at columns 8 g + 2 (l % 4) and
// the next of the first, d[4 g + 2], d[4 g + 3] of the second.
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

#define BS_SUMS_8(o)                                                                                          \
  "+f"(d[o]), "+f"(d[o + 1]), "+f"(d[o + 2]), "+f"(d[o + 3]), "+f"(d[o + 4]), "+f"(d[o + 5]), "+f"(d[o + 6]), \
      "+f"(d[o + 7])
#define BS_SUMS_32(o) BS_SUMS_8(o), BS_SUMS_8(o + 8), BS_SUMS_8(o + 16), BS_SUMS_8(o + 24)
#define BS_WGMMA_64(type)                                                                                        \
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32." type "." type                                       \
               " {"                                                                                              \
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, " \
               "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"                                           \
               "}, %32, %33, 1, 1, 1, %34, %35;"                                                                 \
               : BS_SUMS_32(0)                                                                                   \
               : "l"(a), "l"(b), "n"(kTransposeA), "n"(kTransposeB))
#define BS_WGMMA_128(type)                                                                                       \
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32." type "." type                                      \
               " {"                                                                                              \
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, " \
               "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, " \
               "%40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, " \
               "%59, %60, %61, %62, %63"                                                                         \
               "}, %64, %65, 1, 1, 1, %66, %67;"                                                                 \
               : BS_SUMS_32(0), BS_SUMS_32(32)                                                                   \
               : "l"(a), "l"(b), "n"(kTransposeA), "n"(kTransposeB))
#define BS_WGMMA_256(type)                                                                                           \
  asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32." type "." type                                          \
               " {"                                                                                                  \
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, "     \
               "%21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, "     \
               "%40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, "     \
               "%59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, "     \
               "%78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, "     \
               "%97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, " \
               "%114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"                  \
               "}, %128, %129, 1, 1, 1, %130, %131;"                                                                 \
               : BS_SUMS_32(0), BS_SUMS_32(32), BS_SUMS_32(64), BS_SUMS_32(96)                                       \
               : "l"(a), "l"(b), "n"(kTransposeA), "n"(kTransposeB))

// d += a b. Transposed: the rows of A or the columns of B are contiguous ("MN-major").
template <class T, int kN, int kTransposeA, int kTransposeB>
__device__ __forceinline__ void wgmma_k16(float (&d)[kN / 2], uint64_t a, uint64_t b) {
  static_assert(std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>, "16-bit inputs");
  static_assert(kN == 64 || kN == 128 || kN == 256, "the widths that are written out");
  constexpr bool kHalf = std::is_same_v<T, __half>;
  if constexpr (kN == 64 && kHalf) BS_WGMMA_64("f16");
  if constexpr (kN == 64 && !kHalf) BS_WGMMA_64("bf16");
  if constexpr (kN == 128 && kHalf) BS_WGMMA_128("f16");
  if constexpr (kN == 128 && !kHalf) BS_WGMMA_128("bf16");
  if constexpr (kN == 256 && kHalf) BS_WGMMA_256("f16");
  if constexpr (kN == 256 && !kHalf) BS_WGMMA_256("bf16");
}

#undef BS_WGMMA_64
#undef BS_WGMMA_128
#undef BS_WGMMA_256
#undef BS_SUMS_32
#undef BS_SUMS_8

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
