// Sums of a warpgroup: 64 rows by 64 kColumns columns, and their way to memory.
#pragma once

#include "cuda/device/cell.cuh"
#include "cuda/device/epilogue.cuh"
#include "cuda/device/ptx/stmatrix.cuh"

namespace bs::cuda {

// Two halves of a register; the first is the lower.
template <class T>
__device__ __forceinline__ uint32_t pack_pair(float first, float second) {
  if constexpr (std::is_same_v<T, __half>) {
    const __half2 pair = __floats2half2_rn(first, second);
    return reinterpret_cast<const uint32_t&>(pair);
  } else {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(first, second);
    return reinterpret_cast<const uint32_t&>(pair);
  }
}

template <class T, int kColumns>
struct WarpgroupTile {
  float d[kColumns * 32];

  __device__ void clear() {
#pragma unroll
    for (int e = 0; e < kColumns * 32; ++e) d[e] = 0;
  }

  // A cell of 64 rows times kColumns cells of 64 columns. Starts the products; commit and wait are the caller's.
  template <class LayoutA, class LayoutB, int kWidth>
  __device__ __forceinline__ void multiply(const Cell<kWidth>& a, const Cell<kWidth>& b) {
    const uint64_t rows = LayoutA::descriptor(a), columns = LayoutB::descriptor(b);
#pragma unroll
    for (int k = 0; k < kWidth / 16; ++k)
      ptx::wgmma_k16<T, kColumns * 64, LayoutA::kMajorness == Major::m, LayoutB::kMajorness == Major::m>(
          d, rows + k * LayoutA::kSliceStep, columns + k * LayoutB::kSliceStep);
  }

  // Columns 64 j to 64 j + 63, times alpha and rounded, as a box: of rows, or of columns for a column-major result.
  __device__ void stage(int j, float alpha, Layout layout, Cell<64>* box) const {
    const int warp = threadIdx.x % kWarpgroup / 32, lane = threadIdx.x % 32, matrix = lane / 8, r = lane % 8;
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      uint32_t pairs[4];
#pragma unroll
      for (int p = 0; p < 4; ++p)
        pairs[p] = pack_pair<T>(alpha * d[j * 32 + s * 8 + p * 2], alpha * d[j * 32 + s * 8 + p * 2 + 1]);
      const int row = warp * 16 + matrix % 2 * 8, column = s * 16 + matrix / 2 * 8;
      if (layout == Layout::row)
        ptx::stmatrix_x4(&box->element[(row + r) * 64 + (column / 8 ^ r) * 8], pairs);
      else
        ptx::stmatrix_x4_trans(&box->element[(column + r) * 64 + (row / 8 ^ r) * 8], pairs);
    }
  }

  // Columns 64 j to 64 j + 63 as f32. A pair's place is turned by its row, so that neither writes by fragments nor
  // reads along rows meet in one bank.
  __device__ void stage_sums(int j, float2* pairs) const {
    const int row = threadIdx.x % kWarpgroup / 32 * 16 + threadIdx.x % 32 / 4;
#pragma unroll
    for (int c = 0; c < kColumns; ++c)
      if (c == j)
#pragma unroll
        for (int e = 0; e < 32; e += 2)
          pairs[pair_place(row + e / 2 % 2 * 8, e / 4 * 4 + threadIdx.x % 4)] = {d[c * 32 + e], d[c * 32 + e + 1]};
  }
  // Of columns 2 p and 2 p + 1 of a row.
  __device__ static int pair_place(int row, int p) {
    return row * 32 + (p ^ row % 8 * 4);
  }
};

}  // namespace bs::cuda
