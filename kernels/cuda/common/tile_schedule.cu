// One CTA passes over the rows: about 1.5 ns a row, little beside what a row's tiles cost.
#include "cuda/common/tile_schedule.h"

#include "cuda/common/launch.h"
#include "cuda/device/arch.cuh"

namespace bs::cuda {
namespace {

constexpr int kThreads = 1024;
constexpr int kWarps = kThreads / kWarpSize;

// Counts of full pieces and of ends of rows: summed together, one in each half.
using Counts = unsigned long long;
constexpr int kEnds = 32;
__device__ int64_t full_of(Counts c) {
  return static_cast<int64_t>(c & 0xffffffffu);
}
__device__ int64_t ends_of(Counts c) {
  return static_cast<int64_t>(c >> kEnds);
}

// The sum over the threads before this one; *total becomes that over all.
__device__ Counts sum_before(Counts mine, Counts* total) {
  __shared__ Counts of_warp[kWarps];
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  Counts sum = mine;
  for (int step = 1; step < kWarpSize; step *= 2) {
    const Counts other = __shfl_up_sync(kFullWarp, sum, step);
    if (lane >= step) sum += other;
  }
  __syncthreads();  // the sums of the call before have been read
  if (lane == kWarpSize - 1) of_warp[warp] = sum;
  __syncthreads();
  Counts before = 0, all = 0;
  for (int w = 0; w < kWarps; ++w) {
    if (w < warp) before += of_warp[w];
    all += of_warp[w];
  }
  *total = all;
  return before + sum - mine;
}

__device__ void plan_units(const TileListing& x, Counts total, TileSchedule* schedule) {
  schedule->full = full_of(total);
  schedule->pieces = full_of(total) + ends_of(total);
  const int64_t tiles = schedule->pieces * x.row_tiles * x.results, rest = tiles % x.ctas;
  const bool splits = rest > 0 && rest <= min(x.ctas / 2, kMaxSplitTiles) && x.max_parts > 1;
  schedule->next = 0;
  schedule->parts = splits ? static_cast<int32_t>(min(x.ctas / rest, static_cast<int64_t>(x.max_parts))) : 1;
  schedule->whole = splits ? tiles - rest : tiles;
  schedule->units = schedule->whole + (splits ? rest * schedule->parts : 0);
}

// Full pieces from the front of the list, ends of rows from its back.
__global__ void __launch_bounds__(kThreads)
    list_rows(SparseRows rows, TileListing x, TileSchedule* schedule, ListedTile* list) {
  Counts before = 0;
  for (int64_t row0 = 0; row0 < x.rows; row0 += kThreads) {
    const int64_t row = row0 + threadIdx.x;
    const int64_t run = row < x.rows ? (rows.end(0, row) - rows.begin(0, row)) * x.width : 0, full = run / x.size;
    const bool has_end = run % x.size != 0;
    Counts total;
    const Counts place = before + sum_before(static_cast<Counts>(full) | static_cast<Counts>(has_end) << kEnds, &total);
    for (int64_t piece = 0; piece < full; ++piece)
      list[full_of(place) + piece] = {static_cast<int32_t>(row), static_cast<int32_t>(piece)};
    if (has_end) list[x.capacity - 1 - ends_of(place)] = {static_cast<int32_t>(row), static_cast<int32_t>(full)};
    before += total;
  }
  for (int i = threadIdx.x; i < 2 * kMaxSplitTiles; i += kThreads) schedule->arrived[i] = 0;
  if (threadIdx.x == 0) plan_units(x, before, schedule);
}

}  // namespace

Status list_tiles(const SparseRows& rows, const TileListing& listing, void* memory, const Exec& exec) {
  list_rows<<<1, kThreads, 0, static_cast<cudaStream_t>(exec.stream)>>>(
      rows, listing, static_cast<TileSchedule*>(memory), listing.list(memory));
  return launched("tile schedule");
}

}  // namespace bs::cuda
