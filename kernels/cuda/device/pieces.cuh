// (Block) rows cut into pieces of equal size, without a pass over the structure and without the host knowing it:
// balanced work for results that lie in the order of the entries.
#pragma once

#include "cuda/device/arch.cuh"
#include "cuda/device/sparse.cuh"

namespace bs::cuda {

// The last i in [0, count) with first(i) <= value, for a rising `first` with first(0) <= value. By a whole warp, 32
// probes at a time: three steps of latency for 32768 rows where bisection takes fifteen.
template <class First>
__device__ int64_t warp_search(int64_t count, int64_t value, First&& first) {
  const int lane = threadIdx.x % kWarpSize;
  int64_t low = 0, span = count;  // the answer lies in [low, low + span)
  while (span > 1) {
    const int64_t step = (span + kWarpSize - 1) / kWarpSize;
    const bool below = lane * step < span && first(low + lane * step) <= value;
    const int64_t skipped = (__popc(__ballot_sync(kFullWarp, below)) - 1) * step;
    low += skipped;
    span = min(step, span - skipped);
  }
  return low;
}

// Unit u belongs to the last row r with first(r) <= u and is its piece u - first(r). With x columns before a row and y
// in it, first grows by floor((x + y) / size) - floor(x / size) + 1 >= ceil(y / size): every row has room for all its
// pieces, and at most one unit a row is empty.
struct Pieces {
  int64_t rows;  // (block) rows
  int width;     // columns of an entry
  int size;      // columns of a piece

  constexpr int64_t bound(int64_t entries) const { return entries * width / size + rows; }
  __device__ int64_t first(const SparseRows& s, int64_t result, int64_t row) const {
    return (s.begin(result, row) - s.begin(result, 0)) * width / size + row;
  }
  __device__ int64_t count(const SparseRows& s, int64_t result) const { return first(s, result, rows); }
  // Called by whole warps.
  __device__ int64_t row_of(const SparseRows& s, int64_t result, int64_t unit) const {
    return warp_search(rows, unit, [&](int64_t row) { return first(s, result, row); });
  }
};

}  // namespace bs::cuda
