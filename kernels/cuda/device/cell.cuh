// What wgmma and the copy engine exchange: a cell of 64 lines of one operand by kStep of the inner dimension k, as one
// box brings it. Major::k: 64 rows of kStep elements; Major::m (also for columns): kStep rows of 64 elements. Rows are
// swizzled over their 128 (or 64) bytes.
#pragma once

#include <cstdint>

#include "cuda/device/ptx/bulk_tensor.cuh"

#include "cuda/device/ptx/wgmma.cuh"
#include "cuda/device/warp_tile.cuh"

namespace bs::cuda {

inline constexpr int kCellLines = 64;
inline constexpr int kWarpgroup = 128;  // threads

template <int kStep>
struct alignas(1024) Cell {
  static_assert(kStep == 32 || kStep == 64, "the swizzles that are described");
  static constexpr int kBytes = kCellLines * kStep * 2;
  uint16_t element[kCellLines * kStep];
};

// The k16 slice number 0 of cells that lie one after the other, in the form of the matrix descriptor (PTX ISA, "Shared
// Memory Matrix Layout"): address and strides in units of 16 bytes. The next slice of a K-major cell is 32 bytes on, of
// an MN-major one 16 rows.
template <int kStep, Major kMajor>
__device__ __forceinline__ uint64_t cell_descriptor(const Cell<kStep>& cells) {
  constexpr bool kWide = kMajor == Major::m || kStep == 64;   // rows of 128 bytes
  constexpr uint64_t kSwizzle = kWide ? 1 : 2;                // 128B, 64B
  constexpr uint64_t kEightRows = (kWide ? 1024 : 512) / 16;  // from one group of eight rows to the next
  constexpr uint64_t kNextCell = kMajor == Major::m ? sizeof(Cell<kStep>) / 16 : 1;  // K-major cells go on in rows
  return ptx::shared_address(&cells) / 16 | kNextCell << 16 | kEightRows << 32 | kSwizzle << 62;
}
template <Major kMajor>
inline constexpr uint64_t kSliceStep = (kMajor == Major::k ? 32 : 16 * 128) / 16;

// Neighbouring cells that one box brings, from `line` of the operand and `k` of the inner dimension on. See TensorBox.
template <int kStep, Major kMajor>
__device__ __forceinline__ void load_cells(Cell<kStep>* cells, const CUtensorMap& map, uint64_t* full, int line, int k,
                                           int input, bool in_groups) {
  if constexpr (kMajor == Major::k)
    ptx::load_box(cells, &map, full, k, line, 0, input);
  else
    ptx::load_box(cells, &map, full, in_groups ? 0 : line, k, in_groups ? line / kCellLines : 0, input);
}

// Zeros from inner index `valid` on, by a warpgroup: what pads a block may be anything, and NaN times a zero is NaN.
template <int kStep, Major kMajor>
__device__ void clip_cell(Cell<kStep>* cell, int valid) {
  for (int i = threadIdx.x % kWarpgroup; i < kCellLines * kStep; i += kWarpgroup) {
    if constexpr (kMajor == Major::m) {
      if (i / kCellLines >= valid) cell->element[i] = 0;
    } else {
      const int row = i / kStep, k = i % kStep, turned = (kStep == 64 ? row : row / 2 % 4) % 8;
      if (k >= valid) cell->element[row * kStep + (k / 8 ^ turned) * 8 + k % 8] = 0;
    }
  }
  ptx::fence_async_proxy();
}

// Waits for the threads of the same warpgroup. Barrier 0 is __syncthreads'.
__device__ __forceinline__ void warpgroup_sync() {
  asm volatile("bar.sync %0, 128;" ::"r"(1 + static_cast<int>(threadIdx.x) / kWarpgroup) : "memory");
}

}  // namespace bs::cuda
