// From what a backend counts of a pattern to its statistics.
#pragma once

#include <cstdint>

#include "model/matrix_view.h"

namespace bs {

// Edges of the occupancy's tiles as powers of two, in lists and list indices: a BSR matrix has its blocks, others have
// 8 to 64.
struct Tiling {
  int count = 4;
  int shift[4] = {3, 4, 5, 6};
  explicit Tiling(const MatrixView& m) {
    if (m.format == BS_FORMAT_BSR) count = 1, shift[0] = 0;
  }
  int64_t rows(const MatrixView& m, int t) const { return tiles(m.lists(), t); }
  int64_t cols(const MatrixView& m, int t) const { return tiles(m.list_extent(), t); }

 private:
  int64_t tiles(int64_t extent, int t) const { return (extent + (int64_t{1} << shift[t]) - 1) >> shift[t]; }
};

// Over all structures.
struct PatternCounts {
  int64_t min = 0, median = 0, p95 = 0, max = 0;  // of the lists' lengths
  int64_t total = 0, empty = 0;
  double squares = 0;        // of the lengths' distances from their mean
  int64_t seen_columns = 0;  // columns with an entry
  int64_t occupied[4] = {};  // tiles with an entry
  bool sorted = true;
};

// Ranks of the quantiles among `lists` lengths, 0 being the shortest.
constexpr int64_t median_rank(int64_t lists) {
  return (lists - 1) / 2;
}
constexpr int64_t p95_rank(int64_t lists) {
  return lists - 1 - lists / 20;
}  // nearest rank: ceil(0.95 lists)

SparsityStats stats_of(const MatrixView& m, const PatternCounts& counts);

}  // namespace bs
