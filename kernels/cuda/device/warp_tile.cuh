// A warp's share of a product on tensor cores: 16-bit operands in shared memory, f32 sums in registers.
#pragma once

#include <cstdint>

#include "cuda/device/arch.cuh"
#include "cuda/device/ptx/ldmatrix.cuh"
#include "cuda/device/ptx/mma.cuh"

namespace bs::cuda {

// Which index of an operand is contiguous: that of the sum (k), or its own (m; n of the right operand).
enum class Major { k, m };

// Rows row to row + 15 of A, k to k + 15. kPitch: elements from one contiguous line to the next.
template <Major kMajor, int kPitch>
__device__ __forceinline__ void load_left(uint32_t (&r)[4], const uint16_t* a, int row, int k) {
  const int in_matrix = threadIdx.x % 8, matrix = threadIdx.x % kWarpSize / 8;
  if constexpr (kMajor == Major::k)
    ptx::ldmatrix_x4(r, a + (row + in_matrix + matrix % 2 * 8) * kPitch + k + matrix / 2 * 8);
  else
    ptx::ldmatrix_x4_trans(r, a + (k + in_matrix + matrix / 2 * 8) * kPitch + row + matrix % 2 * 8);
}

// Columns col to col + 15 of B: two fragments of eight columns.
template <Major kMajor, int kPitch>
__device__ __forceinline__ void load_right(uint32_t (&r)[4], const uint16_t* b, int col, int k) {
  const int in_matrix = threadIdx.x % 8, matrix = threadIdx.x % kWarpSize / 8;
  if constexpr (kMajor == Major::k)
    ptx::ldmatrix_x4(r, b + (col + in_matrix + matrix / 2 * 8) * kPitch + k + matrix % 2 * 8);
  else
    ptx::ldmatrix_x4_trans(r, b + (k + in_matrix + matrix % 2 * 8) * kPitch + col + matrix / 2 * 8);
}

// 16 kM rows by 8 kN columns. Lane l holds of each 16 x 8 fragment d[0], d[1] at row l / 4, columns 2 (l % 4) and the
// next; d[2], d[3] eight rows below.
template <class T, int kM, int kN>
struct WarpTile {
  static_assert(kM >= 1 && kN % 2 == 0, "a warp owns whole fragments, B in pairs");
  float d[kM][kN][4] = {};

  // Adds the products over k to k + 15 of the rows and columns from (row, col) on.
  template <Major kMajorA, int kPitchA, Major kMajorB, int kPitchB>
  __device__ __forceinline__ void add(const uint16_t* a, int row, const uint16_t* b, int col, int k) {
    uint32_t left[kM][4];
#pragma unroll
    for (int i = 0; i < kM; ++i) load_left<kMajorA, kPitchA>(left[i], a, row + i * 16, k);
#pragma unroll
    for (int j = 0; j < kN; j += 2) {
      uint32_t right[4];
      load_right<kMajorB, kPitchB>(right, b, col + j * 8, k);
#pragma unroll
      for (int i = 0; i < kM; ++i) {
        ptx::mma_m16n8k16<T>(d[i][j], left[i], right[0], right[1]);
        ptx::mma_m16n8k16<T>(d[i][j + 1], left[i], right[2], right[3]);
      }
    }
  }
};

}  // namespace bs::cuda
