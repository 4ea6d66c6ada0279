// Sums of a tile's rows in strips as high as the registers hold, for rows whose left side is dense in places.
#pragma once

#include "cpu/common/tiles.h"

namespace bs::cpu {

inline constexpr int64_t kSegmentDepth = 64;  // rows of a panel of B that stay in the first-level cache for all strips

// Where the elements of op(S) lie: (i, d) of a segment at a[i * row_step + d * depth_step].
struct Steps {
  int64_t row, depth;
};

// Adds rows x depth elements of op(S) to rows [first, first + rows) of the tile, strip after strip of near-equal
// height.
template <class T>
void multiply_strips(const TypedMicrokernels<T>& simd, const Tile<T>& tile, int64_t first, int64_t rows,
                     const Segment<T>* segments, int64_t count, const Steps& steps) {
  const int64_t strips = (rows + kBlockRows - 1) / kBlockRows;
  for (int64_t strip = 0; strip < strips; ++strip) {
    const int64_t begin = rows * strip / strips, end = rows * (strip + 1) / strips;
    simd.block({.sums = tile.sums + (first + begin) * tile.ld,
                .sums_ld = tile.ld,
                .segments = segments,
                .count = count,
                .first_row = begin,
                .row_step = steps.row,
                .depth_step = steps.depth,
                .dense = static_cast<const T*>(tile.panel.dense),
                .ld = tile.panel.ld,
                .rows = static_cast<int>(end - begin),
                .vectors = tile.panel.vectors});
  }
}

}  // namespace bs::cpu
