// Sums over parts of k, each by a warpgroup of its own: whoever ends last adds all parts, in order, so that the result
// does not depend on who that is.
#pragma once

#include "cuda/device/warpgroup_tile.cuh"

namespace bs::cuda {

// One warpgroup's share of a tile that is summed in parts.
struct SplitSums {
  float4* memory;    // of the first part
  int64_t stride;    // to the next one
  int32_t* arrived;  // parts that are in memory
  int part, parts;
};

// False: another part ends later and has the whole sum. `told` is in shared memory, this warpgroup's own.
template <class T, int kColumns>
__device__ __forceinline__ bool merge_parts(WarpgroupTile<T, kColumns>& sums, const SplitSums& split, int cells,
                                            bool* told) {
  constexpr int kVectors = 8;  // of a cell of columns, a thread
  const int thread = threadIdx.x % kWarpgroup;
  float4* mine = split.memory + split.part * split.stride + thread;
#pragma unroll
  for (int v = 0; v < kColumns * kVectors; ++v)
    if (v / kVectors < cells)
      mine[v * kWarpgroup] = {sums.d[v * 4], sums.d[v * 4 + 1], sums.d[v * 4 + 2], sums.d[v * 4 + 3]};
  __threadfence();
  warpgroup_sync();
  if (thread == 0) *told = atomicAdd(split.arrived, 1) == split.parts - 1;
  warpgroup_sync();
  if (!*told) return false;
  __threadfence();
  sums.clear();
#pragma unroll 1
  for (int p = 0; p < split.parts; ++p) {
    const float4* from = split.memory + p * split.stride + thread;
#pragma unroll
    for (int v = 0; v < kColumns * kVectors; ++v) {
      if (v / kVectors >= cells) continue;
      const float4 add = __ldcg(from + v * kWarpgroup);
      sums.d[v * 4] += add.x, sums.d[v * 4 + 1] += add.y, sums.d[v * 4 + 2] += add.z, sums.d[v * 4 + 3] += add.w;
    }
  }
  return true;
}

}  // namespace bs::cuda
