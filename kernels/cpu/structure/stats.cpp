// BS_ANALYZE_STATS: what the choice of a kernel and bsMatGetStat know of a pattern.
#include <algorithm>

#include "cpu/structure/radix.h"
#include "cpu/structure/stored.h"
#include "cpu/structure/structure.h"
#include "engine/carver.h"
#include "engine/pattern_counts.h"

namespace bs::cpu {
namespace {

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

void measure_lengths(const MatrixView& m, int64_t lists, PatternCounts* counts) {
  counts->min = INT64_MAX;
  for_each_list(m, [&](const SparseRows& rows, int64_t, int64_t list) {
    const int64_t length = rows.end(list) - rows.begin(list);
    counts->min = std::min(counts->min, length);
    counts->max = std::max(counts->max, length);
    counts->total += length;
    counts->empty += length == 0;
  });
  const double mean = static_cast<double>(counts->total) / static_cast<double>(lists);
  for_each_list(m, [&](const SparseRows& rows, int64_t, int64_t list) {
    const double distance = static_cast<double>(rows.end(list) - rows.begin(list)) - mean;
    counts->squares += distance * distance;
  });
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
  IndexPass(const MatrixView& m, const StatsScratch& scratch, PatternCounts* counts)
      : m_(m), scratch_(scratch), counts_(*counts), tiling_(m) {
    for (int t = 0; t < tiling_.count; ++t) std::fill_n(scratch.marks[t], tiling_.cols(m, t), -1);
  }

  void run() {
    for_each_list(m_, [&](const SparseRows& rows, int64_t structure, int64_t list) {
      if (list == 0) std::fill_n(scratch_.seen, m_.list_extent(), uint8_t{0});
      int64_t previous = -1;
      for (int64_t q = rows.begin(list); q < rows.end(list); ++q) {
        const int64_t column = rows.index(q);
        counts_.sorted &= column > previous;
        previous = column;
        visit(structure, list, column);
      }
    });
  }

 private:
  void visit(int64_t structure, int64_t list, int64_t column) {
    counts_.seen_columns += !scratch_.seen[column];
    scratch_.seen[column] = 1;
    for (int t = 0; t < tiling_.count; ++t) {
      const int64_t tile_row = structure * tiling_.rows(m_, t) + (list >> tiling_.shift[t]);
      int64_t& mark = scratch_.marks[t][column >> tiling_.shift[t]];
      counts_.occupied[t] += mark != tile_row;
      mark = tile_row;
    }
  }

  const MatrixView& m_;
  const StatsScratch& scratch_;
  PatternCounts& counts_;
  const Tiling tiling_;
};

}  // namespace

int64_t stats_scratch_bytes(const MatrixView& m) {
  return stats_scratch(m, nullptr).bytes;
}

SparsityStats compute_stats(const MatrixView& m, void* scratch) {
  PatternCounts counts;
  if (const int64_t lists = m.lists() * m.structures(); lists > 0) {
    measure_lengths(m, lists, &counts);
    counts.median = length_of_rank(m, counts.max, median_rank(lists));
    counts.p95 = length_of_rank(m, counts.max, p95_rank(lists));
  }
  IndexPass(m, stats_scratch(m, scratch), &counts).run();
  return stats_of(m, counts);
}

}  // namespace bs::cpu
