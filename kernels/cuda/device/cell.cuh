// What wgmma and the copy engine exchange: a cell of 64 lines of one operand by kWidth of the inner dimension k. Boxes
// bring it, kBoxes of them, 64 / kBoxes lines each. Major::k: rows of kWidth elements, 64 of them. Major::m (also for
// columns): for each box kWidth rows of its lines. Rows are swizzled over their 128, 64 or 32 bytes.
#pragma once

#include <cstdint>

#include "cuda/device/ptx/bulk_tensor.cuh"
#include "cuda/device/ptx/wgmma.cuh"
#include "cuda/device/warp_tile.cuh"

namespace bs::cuda {

inline constexpr int kCellLines = 64;
inline constexpr int kWarpgroup = 128;  // threads

template <int kWidth>
struct alignas(1024) Cell {
  static_assert(kWidth == 16 || kWidth == 32 || kWidth == 64, "the swizzles that are described");
  static constexpr int kBytes = kCellLines * kWidth * 2;
  uint16_t element[kCellLines * kWidth];
};

template <int kWidth, Major kMajor, int kBoxes = 1>
struct CellLayout {
  static constexpr Major kMajorness = kMajor;
  static constexpr int kLines = kCellLines / kBoxes;                 // of a box
  static constexpr int kRow = kMajor == Major::k ? kWidth : kLines;  // elements
  static constexpr int kRowBytes = kRow * 2;
  static constexpr int kBoxElements = kLines * kWidth;
  static_assert(kRowBytes == 128 || kRowBytes == 64 || kRowBytes == 32);

  // k16 slice number 0 in the form of the matrix descriptor (PTX ISA, "Shared Memory Matrix Layout"): address and
  // strides in units of 16 bytes. Cells that lie one after the other make a wider operand.
  __device__ static __forceinline__ uint64_t descriptor(const Cell<kWidth>& cells) {
    constexpr uint64_t kSwizzle = kRowBytes == 128 ? 1 : kRowBytes == 64 ? 2 : 3;
    constexpr uint64_t kEightRows = 8 * kRowBytes / 16;
    constexpr uint64_t kNextLines = kMajor == Major::m ? kBoxElements * 2 / 16 : 1;  // K-major rows simply go on
    return ptx::shared_address(&cells) / 16 | kNextLines << 16 | kEightRows << 32 | kSwizzle << 62;
  }
  static constexpr uint64_t kSliceStep = (kMajor == Major::k ? 32 : 16 * kRowBytes) / 16;

  // Element of a line.
  __device__ static int place(int line, int k) {
    const int box = line / kLines, in_box = line % kLines;
    const int row = kMajor == Major::k ? in_box : k, at = kMajor == Major::k ? k : in_box;
    return box * kBoxElements + row * kRow + (at / 8 ^ row / (128 / kRowBytes) % (kRowBytes / 16)) * 8 + at % 8;
  }

  // Zeros from inner index `valid` on, by a warpgroup: what pads a block may be anything, and NaN times a zero is NaN.
  __device__ static void clip(Cell<kWidth>* cell, int valid) {
    for (int i = threadIdx.x % kWarpgroup; i < kCellLines * kWidth; i += kWarpgroup)
      if (i % kWidth >= valid) cell->element[place(i / kWidth, i % kWidth)] = 0;
    ptx::fence_async_proxy();
  }
};

// Waits for the threads of the same warpgroup. Barrier 0 is __syncthreads'.
__device__ __forceinline__ void warpgroup_sync() {
  asm volatile("bar.sync %0, 128;" ::"r"(1 + static_cast<int>(threadIdx.x) / kWarpgroup) : "memory");
}

}  // namespace bs::cuda
