// The blocks of a block row, or of a few neighbouring ones side by side, written down in shared memory by one warp,
// ahead of the thread that starts their copies.
#pragma once

#include "cuda/device/arch.cuh"
#include "cuda/device/ring.cuh"
#include "cuda/device/sparse.cuh"

namespace bs::cuda {

// Block columns, each with its block of every block row.
template <int kRows>
struct BlockList {
  int count;
  int input;
  bool last;  // of its tile
  int column[kWarpSize];
  int position[kWarpSize][kRows];
};

// Stored blocks of block rows kRows * tile_row and the kRows - 1 after it.
template <int kRows>
__device__ int64_t entries_of(const SparseRows& rows, int64_t input, int64_t tile_row, int64_t block_rows) {
  const int64_t first = tile_row * kRows, end = min(first + kRows, block_rows);
  return rows.begin(input, end) - rows.begin(input, first);
}

// Hands the list that the warp has filled over, and says what is left of the tile.
template <int kRows, int kLists>
__device__ void finish_list(BlockList<kRows>& list, Ring<kLists>& ring, RingPlace<kLists>& place, int count,
                            int64_t input, int64_t& left, int entries) {
  left -= entries;
  __syncwarp();
  if (threadIdx.x % kWarpSize == 0) {
    list.count = count;
    list.input = static_cast<int>(input);
    list.last = left <= 0;
    ptx::mbarrier_arrive(&ring.full[place.stage]);
  }
  place.advance();
}

// One block row, in stored order.
template <int kLists>
__device__ void list_row(const SparseRows& rows, int64_t input, int64_t row, BlockList<1>* lists, Ring<kLists>& ring,
                         RingPlace<kLists>& place, int64_t& left) {
  const int lane = threadIdx.x % kWarpSize;
  const int64_t end = rows.end(input, row);
  for (int64_t q0 = rows.begin(input, row); q0 < end; q0 += kWarpSize) {
    const int count = static_cast<int>(min(static_cast<int64_t>(kWarpSize), end - q0));
    int position = 0, column = 0;
    if (lane < count) {
      position = static_cast<int>(rows.position(input, q0 + lane));
      column = static_cast<int>(rows.index(input, q0 + lane));
    }
    place.wait_empty(ring);
    BlockList<1>& list = lists[place.stage];
    list.position[lane][0] = position;
    list.column[lane] = column;
    finish_list(list, ring, place, count, input, left, count);
  }
}

// The union of several block rows with rising columns: every lane holds the next entries of its row, 32 / kRows a row.
// All columns up to the smallest one at which a row's window ends are complete; a column's place is the number of
// different ones before it.
template <int kRows, int kLists>
__device__ void list_union(const SparseRows& rows, int64_t input, int64_t first_row, int64_t block_rows, int absent,
                           BlockList<kRows>* lists, Ring<kLists>& ring, RingPlace<kLists>& place, int64_t& left) {
  constexpr int kWindow = kWarpSize / kRows;
  const int lane = threadIdx.x % kWarpSize, of_row = lane / kWindow;
  const int64_t row = first_row + of_row;
  int64_t q = row < block_rows ? rows.begin(input, row) : 0;
  const int64_t end = row < block_rows ? rows.end(input, row) : 0;
  for (;;) {
    const int64_t at = q + lane % kWindow;
    const int column = at < end ? static_cast<int>(rows.index(input, at)) : INT_MAX;
    if (!__any_sync(kFullWarp, column != INT_MAX)) return;
    // A row with entries beyond its window is known up to the window's last column.
    const bool ends_window = lane % kWindow == kWindow - 1 && at + 1 < end;
    const int limit = __reduce_min_sync(kFullWarp, ends_window ? column : INT_MAX - 1);
    const bool taken = column <= limit;
    const unsigned same = __match_any_sync(kFullWarp, taken ? column : -1 - lane);
    const bool first = taken && __ffs(same) - 1 == lane;
    const unsigned firsts = __ballot_sync(kFullWarp, first);
    int place_of = 0;
    for (int j = 0; j < kWarpSize; ++j) place_of += __shfl_sync(kFullWarp, column, j) < column && (firsts >> j & 1);
    const int position = taken ? static_cast<int>(rows.position(input, at)) : absent;
    place.wait_empty(ring);
    BlockList<kRows>& list = lists[place.stage];
#pragma unroll
    for (int g = 0; g < kRows; ++g) list.position[lane][g] = absent;
    __syncwarp();
    if (taken) list.position[place_of][of_row] = position;
    if (first) list.column[place_of] = column;
    const unsigned taken_lanes = __ballot_sync(kFullWarp, taken);
    constexpr unsigned kOneRow = kRows == 1 ? kFullWarp : (1u << kWindow) - 1;
    q += __popc(taken_lanes >> (of_row * kWindow) & kOneRow);
    finish_list(list, ring, place, __popc(firsts), input, left, __popc(taken_lanes));
  }
}

template <int kRows, int kLists>
__device__ void list_blocks(const SparseRows& rows, int64_t input, int64_t tile_row, int64_t block_rows, int absent,
                            BlockList<kRows>* lists, Ring<kLists>& ring, RingPlace<kLists>& place, int64_t& left) {
  if constexpr (kRows == 1)
    list_row(rows, input, tile_row, lists, ring, place, left);
  else
    list_union(rows, input, tile_row * kRows, block_rows, absent, lists, ring, place, left);
}

}  // namespace bs::cuda
