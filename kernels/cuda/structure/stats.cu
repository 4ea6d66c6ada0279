// BS_ANALYZE_STATS. Everything is counted in integers with atomics, so the order in which threads come does not matter;
// quotients and roots are left to the host (engine/pattern_counts.h).
#include <bit>

#include "cuda/device/items.cuh"
#include "cuda/device/warp.cuh"
#include "cuda/structure/stored_rows.cuh"
#include "cuda/structure/structure.h"
#include "engine/carver.h"
#include "engine/pattern_counts.h"
#include "model/saturate.h"

namespace bs::cuda {
namespace {

using Count = unsigned long long;  // the 64-bit type that atomics take

constexpr int kQuantiles = 2;  // median and 95 %

struct Totals {
  Count longest, shortage;  // shortage: nnz less the shortest length
  Count length, empty;
  Count squares_low, squares_high;  // of the lengths: lower 32 bits, and what is above them
  Count seen_columns, occupied[4], unsorted;
  Count rank[kQuantiles];  // among the lists whose upper digits are known
  Count known[kQuantiles];
};

constexpr int kDigitBits = 11;  // lengths below 2048, by far the most, have one digit
constexpr int kDigits = 1 << kDigitBits;

struct Scratch {
  Totals* totals;
  Count* histogram;  // kQuantiles x kDigits
  uint32_t* seen;    // a bit a column, structure after structure
  int64_t seen_words, bytes;

  Scratch(const MatrixView& m, void* start) {
    Carver carver(start);
    totals = carver.take<Totals>(1);
    histogram = carver.take<Count>(kQuantiles * kDigits);
    seen_words = ceil_div(m.list_extent(), 32);
    seen = carver.take<uint32_t>(saturating_mul(seen_words, m.structures()));
    bytes = carver.bytes();
  }
};

struct Lists {  // of all structures
  SparseRows rows;
  int64_t lists, count, nnz;
  __device__ int64_t length(int64_t i) const {
    return rows.end(i / lists, i % lists) - rows.begin(i / lists, i % lists);
  }
};

struct SetRanks {
  Totals* totals;
  int64_t lists;
  __device__ void operator()(int64_t) const {
    totals->rank[0] = static_cast<Count>(median_rank(lists));
    totals->rank[1] = static_cast<Count>(p95_rank(lists));
  }
};

__device__ void add_by_warp(Count* total, Count value) {
  value = warp_sum(value);
  if (threadIdx.x % kWarpSize == 0 && value != 0) atomicAdd(total, value);
}

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads) measure_lengths(Lists lists, Totals* totals) {
  Count longest = 0, shortage = 0, sum = 0, empty = 0, low = 0, high = 0;
  const int64_t step = static_cast<int64_t>(gridDim.x) * kThreads;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < lists.count; i += step) {
    const Count length = static_cast<Count>(lists.length(i)), square = length * length;
    longest = max(longest, length);
    shortage = max(shortage, static_cast<Count>(lists.nnz) - length);
    sum += length;
    empty += length == 0;
    low += square & 0xffffffffu;
    high += (square >> 32) + (__umul64hi(length, length) << 32);
  }
  longest = warp_max(longest);
  shortage = warp_max(shortage);
  if (threadIdx.x % kWarpSize == 0) {
    atomicMax(&totals->longest, longest);
    atomicMax(&totals->shortage, shortage);
  }
  add_by_warp(&totals->length, sum);
  add_by_warp(&totals->empty, empty);
  add_by_warp(&totals->squares_low, low);
  add_by_warp(&totals->squares_high, high);
}

// How often each value of a digit occurs among the lengths that agree with what is known of a quantile.
__global__ void __launch_bounds__(kThreads)
    count_digits(Lists lists, int shift, const Totals* totals, Count* histogram) {
  __shared__ unsigned counts[kQuantiles * kDigits];
  for (int d = threadIdx.x; d < kQuantiles * kDigits; d += kThreads) counts[d] = 0;
  __syncthreads();
  const int64_t step = static_cast<int64_t>(gridDim.x) * kThreads;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < lists.count; i += step) {
    const Count digits = static_cast<Count>(lists.length(i)) >> shift;
    for (int t = 0; t < kQuantiles; ++t)
      if (digits >> kDigitBits == totals->known[t]) atomicAdd(&counts[t * kDigits + (digits & (kDigits - 1))], 1u);
  }
  __syncthreads();
  for (int d = threadIdx.x; d < kQuantiles * kDigits; d += kThreads)
    if (counts[d] != 0) atomicAdd(&histogram[d], static_cast<Count>(counts[d]));
}

// The next digit of each quantile, one warp each: the lane whose digits hold the rank finds it. Empties the histogram.
__global__ void __launch_bounds__(kQuantiles* kWarpSize) pick_digit(Totals* totals, Count* histogram) {
  constexpr int kEach = kDigits / kWarpSize;
  const int t = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  Count* const mine = histogram + t * kDigits + lane * kEach;
  Count sum = 0;
  for (int d = 0; d < kEach; ++d) sum += mine[d];
  Count end = sum;  // of this lane's ranks
  for (int step = 1; step < kWarpSize; step *= 2) {
    const Count before = __shfl_up_sync(kFullWarp, end, step);
    if (lane >= step) end += before;
  }
  const Count wanted = totals->rank[t];
  __syncwarp();
  if (wanted >= end - sum && wanted < end) {
    Count rank = wanted - (end - sum);
    int digit = 0;
    while (rank >= mine[digit]) rank -= mine[digit++];
    totals->rank[t] = rank;
    totals->known[t] = totals->known[t] << kDigitBits | static_cast<Count>(lane * kEach + digit);
  }
  for (int d = 0; d < kEach; ++d) mine[d] = 0;
}

// Indices are visited by groups of 8 rows of the smallest tiles, a range of columns at a time, with a mark a tile; the
// marks of larger tiles follow from those.
constexpr int kIndexThreads = 512, kTileRows = 8, kRangeTiles = 32768, kWords = kRangeTiles / 32;
constexpr int kMaxGroup = kTileRows * 8;  // lists: 8 a tile, one for BSR

struct Tiles {
  int shift;  // of the smallest tile's edge
  int64_t lists, extent, groups, structures;
  uint32_t* seen;
  int64_t seen_words;

  static Tiles of(const MatrixView& m, const Scratch& scratch) {
    const int shift = Tiling(m).shift[0];
    return {.shift = shift,
            .lists = m.lists(),
            .extent = m.list_extent(),
            .groups = ceil_div(m.lists(), int64_t{kTileRows} << shift),
            .structures = m.structures(),
            .seen = scratch.seen,
            .seen_words = scratch.seen_words};
  }
};

struct Found {  // by one thread
  Count seen_columns = 0, occupied[4] = {}, unsorted = 0;
};

// Whether the bit was clear until now.
__device__ bool set_bit(uint32_t* words, int64_t bit) {
  volatile uint32_t* const word = words + (bit >> 5);
  const uint32_t mask = 1u << (bit & 31);
  return !(*word & mask) && !(atomicOr(words + (bit >> 5), mask) & mask);
}

struct Range {
  int64_t structure, first, width;  // columns
};

__device__ void visit_range(const SparseRows& rows, const Tiles& tiles, const Range& range, const int64_t* starts,
                            int count, uint32_t (*marks)[kWords], Found* found) {
  int list = 0;
  for (int64_t q = starts[0] + threadIdx.x; q < starts[count]; q += kIndexThreads) {
    while (q >= starts[list + 1]) ++list;
    const int64_t column = rows.index(range.structure, q);
    if (range.first == 0 && q > starts[list] && column <= rows.index(range.structure, q - 1)) found->unsorted = 1;
    const int64_t place = column - range.first;
    if (place < 0 || place >= range.width) continue;
    found->seen_columns += set_bit(tiles.seen + range.structure * tiles.seen_words, column);
    set_bit(marks[list >> tiles.shift], place >> tiles.shift);
  }
}

// A word of marks for each row of tiles: counts them, then merges four tiles into one of twice the edge, whose mark
// stands where the first one's stood.
template <int kLevel>
__device__ __forceinline__ void count_level(uint32_t (&row)[kTileRows], Found* found) {
  constexpr int kRows = kTileRows >> kLevel;
#pragma unroll
  for (int r = 0; r < kRows; ++r) found->occupied[kLevel] += __popc(row[r]);
  if constexpr (kLevel < 3) {
    constexpr uint32_t kFirsts = kLevel == 0 ? 0x55555555u : kLevel == 1 ? 0x11111111u : 0x01010101u;
#pragma unroll
    for (int r = 0; r < kRows / 2; ++r) {
      const uint32_t both = row[2 * r] | row[2 * r + 1];
      row[r] = (both | both >> (1 << kLevel)) & kFirsts;
    }
    count_level<kLevel + 1>(row, found);
  }
}

__device__ void clear(uint32_t (*marks)[kWords]) {
  for (int w = threadIdx.x; w < kWords; w += kIndexThreads)
#pragma unroll
    for (int r = 0; r < kTileRows; ++r) marks[r][w] = 0;
}

__device__ void count_tiles(uint32_t (*marks)[kWords], Found* found) {
  for (int w = threadIdx.x; w < kWords; w += kIndexThreads) {
    uint32_t row[kTileRows];
#pragma unroll
    for (int r = 0; r < kTileRows; ++r) row[r] = marks[r][w];
    count_level<0>(row, found);
  }
}

__global__ void __launch_bounds__(kIndexThreads) visit_indices(SparseRows rows, Tiles tiles, Totals* totals) {
  __shared__ uint32_t marks[kTileRows][kWords];
  __shared__ int64_t starts[kMaxGroup + 1];
  const int64_t group_lists = int64_t{kTileRows} << tiles.shift, range_columns = int64_t{kRangeTiles} << tiles.shift;
  Found found;
  for (int64_t g = blockIdx.x; g < tiles.groups * tiles.structures; g += gridDim.x) {
    const int64_t structure = g / tiles.groups, list = g % tiles.groups * group_lists;
    const int count = static_cast<int>(min(group_lists, tiles.lists - list));
    __syncthreads();
    if (threadIdx.x <= count) starts[threadIdx.x] = rows.begin(structure, list + threadIdx.x);
    __syncthreads();
    if (starts[0] == starts[count]) continue;
    for (int64_t first = 0; first < tiles.extent; first += range_columns) {
      clear(marks);
      __syncthreads();
      const Range range{structure, first, min(range_columns, tiles.extent - first)};
      visit_range(rows, tiles, range, starts, count, marks, &found);
      __syncthreads();
      count_tiles(marks, &found);
      __syncthreads();
    }
  }
  add_by_warp(&totals->seen_columns, found.seen_columns);
  add_by_warp(&totals->unsorted, found.unsorted);
#pragma unroll
  for (int level = 0; level < 4; ++level) add_by_warp(&totals->occupied[level], found.occupied[level]);
}

Status enqueue_lengths(const Lists& lists, const Scratch& scratch, cudaStream_t stream) {
  const auto grid = static_cast<unsigned>(std::min<int64_t>(ceil_div(lists.count, kThreads), 1024));
  BS_TRY(for_items(1, "stats: ranks", stream, SetRanks{scratch.totals, lists.count}));
  measure_lengths<<<grid, kThreads, 0, stream>>>(lists, scratch.totals);
  BS_TRY(launched("stats: lengths"));
  const int bits = std::bit_width(static_cast<uint64_t>(lists.nnz));
  for (int pass = (bits + kDigitBits - 1) / kDigitBits; pass-- > 0;) {
    count_digits<<<grid, kThreads, 0, stream>>>(lists, pass * kDigitBits, scratch.totals, scratch.histogram);
    BS_TRY(launched("stats: digits"));
    pick_digit<<<1, kQuantiles * kWarpSize, 0, stream>>>(scratch.totals, scratch.histogram);
    BS_TRY(launched("stats: quantiles"));
  }
  return kSuccess;
}

Status enqueue(const MatrixView& m, const Scratch& scratch, cudaStream_t stream) {
  BS_TRY(cuda_status(cudaMemsetAsync(scratch.totals, 0, static_cast<size_t>(scratch.bytes), stream), "stats: clear"));
  const SparseRows rows = stored_rows(m);
  const Lists lists{.rows = rows, .lists = m.lists(), .count = m.lists() * m.structures(), .nnz = m.nnz};
  if (lists.count == 0) return kSuccess;
  BS_TRY(enqueue_lengths(lists, scratch, stream));
  const Tiles tiles = Tiles::of(m, scratch);
  const auto grid = static_cast<unsigned>(std::min<int64_t>(tiles.groups * tiles.structures, int64_t{1} << 16));
  visit_indices<<<grid, kIndexThreads, 0, stream>>>(rows, tiles, scratch.totals);
  return launched("stats: indices");
}

// Exact until the division: the sum of the squared distances from the mean is (n sum x^2 - (sum x)^2) / n.
double squared_distances(const Totals& totals, int64_t lists) {
  using Wide = unsigned __int128;
  const Wide squares = (static_cast<Wide>(totals.squares_high) << 32) + totals.squares_low;
  const Wide scaled = squares * static_cast<Wide>(lists) - static_cast<Wide>(totals.length) * totals.length;
  return static_cast<double>(scaled) / static_cast<double>(lists);
}

PatternCounts counts_of(const MatrixView& m, const Totals& totals) {
  const auto number = [](Count value) { return static_cast<int64_t>(value); };
  PatternCounts counts;
  counts.sorted = totals.unsorted == 0;
  counts.seen_columns = number(totals.seen_columns);
  for (int t = 0; t < 4; ++t) counts.occupied[t] = number(totals.occupied[t]);
  const int64_t lists = m.lists() * m.structures();
  if (lists == 0) return counts;
  counts.min = m.nnz - number(totals.shortage);
  counts.median = number(totals.known[0]);
  counts.p95 = number(totals.known[1]);
  counts.max = number(totals.longest);
  counts.total = number(totals.length);
  counts.empty = number(totals.empty);
  counts.squares = squared_distances(totals, lists);
  return counts;
}

}  // namespace

int64_t stats_scratch_bytes(const MatrixView& m) {
  return Scratch(m, nullptr).bytes;
}

Status compute_stats(const MatrixView& m, void* start, SparsityStats* stats, const Exec& exec) {
  const Scratch scratch(m, start);
  auto* stream = static_cast<cudaStream_t>(exec.stream);
  BS_TRY(enqueue(m, scratch, stream));
  Totals totals;
  BS_TRY(cuda_status(cudaMemcpyAsync(&totals, scratch.totals, sizeof totals, cudaMemcpyDeviceToHost, stream),
                     "stats: copy"));
  BS_TRY(cuda_status(cudaStreamSynchronize(stream), "stats"));
  *stats = stats_of(m, counts_of(m, totals));
  return kSuccess;
}

}  // namespace bs::cuda
