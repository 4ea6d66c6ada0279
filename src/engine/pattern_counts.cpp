// Statistics are means over the structures, as integers.
#include "engine/pattern_counts.h"

#include <algorithm>
#include <cmath>

#include "engine/stored.h"

namespace bs {
namespace {

int64_t rounded(double value) {
  return std::llround(value);
}

void add_lengths(const PatternCounts& counts, int64_t lists, double copies, SparsityStats* stats) {
  if (lists == 0) return;
  const double count = static_cast<double>(lists);
  stats->nnz = rounded(static_cast<double>(counts.total) / copies);
  stats->row_length_min = counts.min;
  stats->row_length_median = counts.median;
  stats->row_length_p95 = counts.p95;
  stats->row_length_max = counts.max;
  stats->row_length_mean_milli = rounded(1e3 * static_cast<double>(counts.total) / count);
  stats->row_length_stddev_milli = rounded(1e3 * std::sqrt(counts.squares / count));
  stats->empty_rows = rounded(static_cast<double>(counts.empty) / copies);
}

}  // namespace

SparsityStats stats_of(const MatrixView& m, const PatternCounts& counts) {
  const int64_t structures = m.structures();
  const double copies = static_cast<double>(structures);
  SparsityStats stats;
  stats.known = 1;
  add_lengths(counts, m.lists() * structures, copies, &stats);
  const Tiling tiling(m);
  for (int t = 0; t < 4; ++t) {
    const int size = std::min(t, tiling.count - 1);
    const double tiles = static_cast<double>(tiling.rows(m, size)) * static_cast<double>(tiling.cols(m, size)) * copies;
    stats.occupancy_ppm[t] = tiles > 0 ? rounded(1e6 * static_cast<double>(counts.occupied[size]) / tiles) : 0;
  }
  const double seen = structures > 0 ? static_cast<double>(counts.seen_columns) / copies : 0;
  stats.empty_cols = m.list_extent() - rounded(seen);
  stats.sorted = counts.sorted;
  return stats;
}

}  // namespace bs
