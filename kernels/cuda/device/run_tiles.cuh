// The stored columns of a block row, put side by side, are one long run. Tiles of results in BSR are parts of runs:
// found by one warp of a CTA that stays on its SM, and handed to its other warps through a queue.
#pragma once

#include "cuda/common/tile_schedule.h"
#include "cuda/device/cell.cuh"
#include "cuda/device/pieces.cuh"
#include "cuda/device/ring.cuh"

namespace bs::cuda {

inline constexpr int kMaxTileCells = 8;
inline constexpr int kTileQueue = 4;  // tiles known ahead

struct CellPlace {
  int entry, column_in_block, column;  // the block; where these 64 columns begin there, and in the matrix
};

// Of the steps of a tile, those that one CTA sums: all, or one of several parts.
struct TileShare {
  int first_step, steps;
  int split, part, parts;  // split: number of the tile among those that have parts
};

// cells < 0: there are no more.
struct RunTile {
  int result, cells;
  int row, row_in_block;  // of the matrix, of the block: the first
  TileShare share;
  CellPlace cell[kMaxTileCells];
};

// In shared memory.
struct TileQueue {
  Ring<kTileQueue> ring;
  RunTile tile[kTileQueue];
};

// Passed to kernels by value.
struct RunTiles {
  SparseRows rows;
  TileSchedule* schedule;  // null: tiles are pieces as they come, every grid-th is a CTA's
  const ListedTile* list;
  int64_t list_capacity;
  int64_t block_row_count;
  int block_rows, block_cols;
  int slots, results;  // slots: room for tiles, of one result
  int row_tiles;       // of one block row
};

// By a whole warp, for tiles of kTileM rows and kTileN columns that take `steps` steps each.
template <int kTileM, int kTileN>
struct TileFinder {
  static_assert(kTileN / kCellLines <= kMaxTileCells, "a tile has room for them");
  const RunTiles& x;
  TileQueue& queue;
  int steps;
  RingPlace<kTileQueue> place = {};

  __device__ void find_all() {
    if (x.schedule)
      find_listed();
    else
      find_pieces();
    place.wait_empty(queue.ring);
    if (!elected()) return;
    queue.tile[place.stage].cells = -1;
    ptx::mbarrier_arrive(&queue.ring.full[place.stage]);
  }

 private:
  __device__ bool elected() const { return threadIdx.x % kWarpSize == 0; }

  // A lane describes a cell.
  __device__ void announce(int result, int row, int piece, int row_tile, const TileShare& share) {
    const int64_t first = x.rows.begin(result, row);
    const int begin = piece * kTileN, lane = threadIdx.x % kWarpSize;
    const int run = static_cast<int>(x.rows.end(result, row) - first) * x.block_cols;
    const int cells = min(run - begin, kTileN) / kCellLines;
    if (cells <= 0) return;  // a piece that the row has to spare
    place.wait_empty(queue.ring);
    RunTile& t = queue.tile[place.stage];
    if (lane < cells) {
      const int in_run = begin + lane * kCellLines, in_block = in_run % x.block_cols;
      const int64_t entry = first + in_run / x.block_cols;
      t.cell[lane] = {.entry = static_cast<int>(entry),
                      .column_in_block = in_block,
                      .column = static_cast<int>(x.rows.index(result, entry)) * x.block_cols + in_block};
    }
    if (lane == 0) {
      t.result = result, t.cells = cells;
      t.row_in_block = row_tile * kTileM, t.row = row * x.block_rows + t.row_in_block;
      t.share = share;
    }
    __syncwarp();
    if (elected()) ptx::mbarrier_arrive(&queue.ring.full[place.stage]);
    place.advance();
  }

  // Pieces::first in 32 bits: one tile after another is looked up, and short tiles leave little time for it.
  __device__ int first_piece(int result, int64_t row, int64_t begin0) const {
    const int before = static_cast<int>(x.rows.begin(result, row) - begin0) * x.block_cols;
    return before / kTileN + static_cast<int>(row);
  }

  __device__ void find_pieces() {
    const TileShare share{.first_step = 0, .steps = steps, .split = 0, .part = 0, .parts = 1};
    int result = 0;
    for (int slot = blockIdx.x;; slot += gridDim.x) {
      for (; slot >= x.slots; slot -= x.slots) ++result;
      if (result >= x.results) return;
      const int64_t begin0 = x.rows.begin(result, 0);
      const int tiles = first_piece(result, x.block_row_count, begin0) * x.row_tiles;
      for (int tile = slot; tile < tiles; tile += x.slots) {
        const int piece = tile / x.row_tiles;
        const auto row = static_cast<int>(
            warp_search(x.block_row_count, piece, [&](int64_t row) { return first_piece(result, row, begin0); }));
        announce(result, row, piece - first_piece(result, row, begin0), tile % x.row_tiles, share);
      }
    }
  }

  __device__ int64_t next_listed() const {
    unsigned long long taken = 0;
    if (elected()) taken = atomicAdd(&x.schedule->next, 1ull);
    return gridDim.x + static_cast<int64_t>(__shfl_sync(kFullWarp, taken, 0));
  }

  __device__ void find_listed() {
    const TileSchedule& s = *x.schedule;
    for (int64_t unit = blockIdx.x; unit < s.units; unit = next_listed()) {
      const bool whole = unit < s.whole;
      const int parts = whole ? 1 : s.parts, beyond = whole ? 0 : static_cast<int>(unit - s.whole);
      const int split = beyond / parts, part = beyond % parts, first = part * steps / parts;
      const int64_t tile = whole ? unit : s.whole + split, of_result = s.pieces * x.row_tiles;
      const int64_t piece = tile % of_result / x.row_tiles;
      const ListedTile listed = x.list[piece < s.full ? piece : x.list_capacity - 1 - (piece - s.full)];
      announce(static_cast<int>(tile / of_result), listed.row, listed.piece, static_cast<int>(tile % x.row_tiles),
               {.first_step = first,
                .steps = (part + 1) * steps / parts - first,
                .split = split,
                .part = part,
                .parts = parts});
    }
  }
};

}  // namespace bs::cuda
