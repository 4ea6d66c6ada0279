// BS_ANALYZE_STATS: what the choice of a kernel and bsMatGetStats know of a pattern.
#include <algorithm>
#include <cmath>

#include "cpu/structure/carver.h"
#include "cpu/structure/radix.h"
#include "cpu/structure/stored.h"
#include "cpu/structure/structure.h"

namespace bs::cpu {
namespace {

int64_t divide_up(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

// Edges of the occupancy's tiles as powers of two, in lists and list indices: a BSR matrix has its blocks, others have
// 8 to 64.
struct Tiling {
  int count = 4;
  int shift[4] = {3, 4, 5, 6};
  explicit Tiling(const MatrixView& m) {
    if (m.format == BS_FORMAT_BSR) count = 1, shift[0] = 0;
  }
  int64_t rows(const MatrixView& m, int t) const { return divide_up(m.lists(), int64_t{1} << shift[t]); }
  int64_t cols(const MatrixView& m, int t) const { return divide_up(m.list_extent(), int64_t{1} << shift[t]); }
};

struct StatsScratch {
  uint8_t* seen;      // per column: has an entry in this structure
  int64_t* marks[4];  // per column of tiles: the last row of tiles that had an entry there
  int64_t bytes;
};

StatsScratch stats_scratch(const MatrixView& m, void* start) {
  const Tiling tiling(m);
  Carver carver(start);
  StatsScratch scratch{};
  scratch.seen = carver.take<uint8_t>(m.list_extent());
  for (int t = 0; t < tiling.count; ++t) scratch.marks[t] = carver.take<int64_t>(tiling.cols(m, t));
  scratch.bytes = carver.bytes();
  return scratch;
}

struct Lengths {
  int64_t min = INT64_MAX, max = 0, total = 0, empty = 0;
  double squares = 0;  // of the distances from the mean
};

Lengths measure_lengths(const MatrixView& m, int64_t lists) {
  Lengths lengths;
  for_each_list(m, [&](const SparseRows& rows, int64_t, int64_t list) {
    const int64_t length = rows.end(list) - rows.begin(list);
    lengths.min = std::min(lengths.min, length);
    lengths.max = std::max(lengths.max, length);
    lengths.total += length;
    lengths.empty += length == 0;
  });
  const double mean = static_cast<double>(lengths.total) / static_cast<double>(lists);
  for_each_list(m, [&](const SparseRows& rows, int64_t, int64_t list) {
    const double distance = static_cast<double>(rows.end(list) - rows.begin(list)) - mean;
    lengths.squares += distance * distance;
  });
  return lengths;
}

// The length of this rank (0 is the shortest), digit by digit from the top: linear, and no array of lengths is needed.
int64_t length_of_rank(const MatrixView& m, int64_t longest, int64_t rank) {
  int64_t known = 0;
  for (int pass = digits_of(longest); pass-- > 0;) {
    const int shift = pass * kDigitBits;
    int64_t counts[kDigits] = {};
    for_each_list(m, [&](const SparseRows& rows, int64_t, int64_t list) {
      const int64_t digits = (rows.end(list) - rows.begin(list)) >> shift;
      if (digits >> kDigitBits == known) ++counts[digits & (kDigits - 1)];
    });
    int64_t digit = 0;
    while (rank >= counts[digit]) rank -= counts[digit++];
    known = known << kDigitBits | digit;
  }
  return known;
}

// One pass over the indices. The lists of a row of tiles are visited together, so one mark a column of tiles tells new
// ones.
class IndexPass {
 public:
  IndexPass(const MatrixView& m, const StatsScratch& scratch) : m_(m), scratch_(scratch), tiling_(m) {
    for (int t = 0; t < tiling_.count; ++t) std::fill_n(scratch.marks[t], tiling_.cols(m, t), -1);
  }

  void run() {
    for_each_list(m_, [&](const SparseRows& rows, int64_t structure, int64_t list) {
      if (list == 0) std::fill_n(scratch_.seen, m_.list_extent(), uint8_t{0});
      int64_t previous = -1;
      for (int64_t q = rows.begin(list); q < rows.end(list); ++q) {
        const int64_t column = rows.index(q);
        sorted &= column > previous;
        previous = column;
        visit(structure, list, column);
      }
    });
  }

  bool sorted = true;
  int64_t seen_columns = 0;  // over all structures
  int64_t occupied[4] = {};

 private:
  void visit(int64_t structure, int64_t list, int64_t column) {
    seen_columns += !scratch_.seen[column];
    scratch_.seen[column] = 1;
    for (int t = 0; t < tiling_.count; ++t) {
      const int64_t tile_row = structure * tiling_.rows(m_, t) + (list >> tiling_.shift[t]);
      int64_t& mark = scratch_.marks[t][column >> tiling_.shift[t]];
      occupied[t] += mark != tile_row;
      mark = tile_row;
    }
  }

  const MatrixView& m_;
  const StatsScratch& scratch_;
  const Tiling tiling_;
};

int64_t rounded(double value) {
  return std::llround(value);
}

void add_lengths(const MatrixView& m, int64_t structures, SparsityStats* stats) {
  const int64_t lists = m.lists() * structures;
  if (lists == 0) return;
  const Lengths lengths = measure_lengths(m, lists);
  const double count = static_cast<double>(lists), copies = static_cast<double>(structures);
  stats->nnz = rounded(static_cast<double>(lengths.total) / copies);
  stats->row_length_min = lengths.min;
  stats->row_length_median = length_of_rank(m, lengths.max, (lists - 1) / 2);
  stats->row_length_p95 = length_of_rank(m, lengths.max, lists - 1 - lists / 20);  // nearest rank: ceil(0.95 lists)
  stats->row_length_max = lengths.max;
  stats->row_length_mean_milli = rounded(1e3 * static_cast<double>(lengths.total) / count);
  stats->row_length_stddev_milli = rounded(1e3 * std::sqrt(lengths.squares / count));
  stats->empty_rows = rounded(static_cast<double>(lengths.empty) / copies);
}

void add_indices(const MatrixView& m, int64_t structures, const StatsScratch& scratch, SparsityStats* stats) {
  IndexPass pass(m, scratch);
  pass.run();
  const double copies = static_cast<double>(structures);
  const Tiling tiling(m);
  for (int t = 0; t < 4; ++t) {
    const int size = std::min(t, tiling.count - 1);
    const double tiles = static_cast<double>(tiling.rows(m, size)) * static_cast<double>(tiling.cols(m, size)) * copies;
    stats->occupancy_ppm[t] = tiles > 0 ? rounded(1e6 * static_cast<double>(pass.occupied[size]) / tiles) : 0;
  }
  const double seen = structures > 0 ? static_cast<double>(pass.seen_columns) / copies : 0;
  stats->empty_cols = m.list_extent() - rounded(seen);
  stats->sorted = pass.sorted;
}

}  // namespace

int64_t stats_scratch_bytes(const MatrixView& m) {
  return stats_scratch(m, nullptr).bytes;
}

SparsityStats compute_stats(const MatrixView& m, void* scratch) {
  const int64_t structures = m.structures();
  SparsityStats stats;
  stats.known = 1;
  add_lengths(m, structures, &stats);
  add_indices(m, structures, stats_scratch(m, scratch), &stats);
  return stats;
}

}  // namespace bs::cpu
