// A list, made on the device, of the tiles of a result that lies in a sparse structure: for kernels whose CTAs stay and
// take tiles from a counter. Short tiles come last, and those beyond the last round that fills the machine are cut into
// parts of their sum, so that all CTAs end at about the same time.
#pragma once

#include <cstdint>

#include "cuda/device/sparse.cuh"
#include "model/operands.h"
#include "model/status.h"

namespace bs::cuda {

inline constexpr int kMaxSplitTiles = 256;
inline constexpr int kMaxParts = 8;  // of a tile: the last of them to end adds up all

struct ListedTile {
  int32_t row, piece;  // block row; which part of its run
};

// In device memory, the list behind it.
struct TileSchedule {
  unsigned long long next;  // unit to take, counted from the size of the grid
  int64_t full;             // pieces of full length
  int64_t pieces;           // of one result
  int64_t whole, units;     // units that are whole tiles; with the parts of the tiles after those
  int32_t parts;
  int32_t arrived[2 * kMaxSplitTiles];  // parts that have been summed, for each tile and each half of it
};

// What the list is made of. Results share the structure.
struct TileListing {
  int64_t rows = 0, results = 0;
  int64_t capacity = 0;     // pieces that the structure may have
  int width = 0, size = 0;  // columns of an entry, of a piece
  int row_tiles = 1;        // tiles beside each other in a block row's height
  int ctas = 0;
  int max_parts = 1;

  ListedTile* list(void* memory) const { return reinterpret_cast<ListedTile*>(static_cast<TileSchedule*>(memory) + 1); }
  int64_t bytes() const {
    return (static_cast<int64_t>(sizeof(TileSchedule)) + capacity * static_cast<int64_t>(sizeof(ListedTile)) + 255) /
           256 * 256;
  }
};

Status list_tiles(const SparseRows& rows, const TileListing& listing, void* memory, const Exec& exec);

}  // namespace bs::cuda
