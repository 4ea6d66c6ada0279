// The stored entries of a matrix in the order of their places, for conversion and for finding duplicates.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda/common/radix_sort.h"
#include "model/matrix_view.h"
#include "model/status.h"

namespace bs::cuda {

// A grid over the matrix. The tiles of a BSR matrix may be its own blocks or others.
struct Tiling2D {
  int64_t tile_rows = 1, tile_cols = 1;  // elements
  int64_t row_count = 0, col_count = 0;  // tiles

  static Tiling2D of(const MatrixView& m, int64_t tile_rows, int64_t tile_cols) {
    return {tile_rows, tile_cols, (m.rows + tile_rows - 1) / tile_rows, (m.cols + tile_cols - 1) / tile_cols};
  }
};

// Items are (entry, tile that it meets), entry after entry. At most this many for entries of the matrix's blocks.
int64_t item_count(const MatrixView& m, const Tiling2D& tiles);

// One line an item, sorted by tile row, tile column and item; unused items come last, with row_count as their row. With
// the matrix's own blocks as tiles an item is an entry's position.
struct SortedTiles {
  uint64_t* rows = nullptr;
  uint64_t* cols = nullptr;
  int64_t* items = nullptr;
  int64_t* spare = nullptr;   // as long, for the caller
  char* temporary = nullptr;  // sort_bytes(capacity)
  int64_t count = 0;

  SortedTiles() = default;
  SortedTiles(int64_t capacity, Carver* carver);
};

// `m` is the source of a Conversion: CSR, CSC, BSR or COO. by_columns: its lists are its (block) columns.
Status sort_tiles(const MatrixView& m, bool by_columns, const Tiling2D& tiles, SortedTiles* sorted,
                  cudaStream_t stream);

}  // namespace bs::cuda
