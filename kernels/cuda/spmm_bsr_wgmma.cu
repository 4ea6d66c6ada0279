// Block-sparse SpMM at Hopper's rate, for blocks of 16 rows and more: TMA brings, wgmma multiplies. A CTA stays on its
// SM and takes tiles (a slice of one block row, or a few neighbouring block rows; a strip of columns) from a counter.
// Its third warpgroup feeds the others: warp 1 takes tiles and lists their blocks, warp 0 starts the copies of a stage
// each into a ring; two warpgroups multiply, and store their part of the result while the ring fills for the next tile.
// Nothing makes the two wait for each other but the ring, so one stores while the other has the tensor cores.
//
// Blocks lower than the 64 rows of wgmma: 2 or 4 neighbouring block rows make a cell and walk the union of their
// columns; where one has no block the copy engine writes zeros (a box outside of the matrix reads nothing). A panel of
// B serves all of them, and what is multiplied in vain costs less than loading it again.
//
// What bounds it: bytes out of L2. With I useful FLOP a byte, min(8.9 I, 820 / (1 + 15 / I)) TFLOP/s on an H200. A
// block of 128 by 256 columns has I = 85, one of 64 by 512 has 57; at 10 % two block rows of 32 have 32, four of 16
// have 18.
#include <cmath>

#include "cuda/common/launch.h"
#include "cuda/common/pack_dense.h"
#include "cuda/common/tensor_map.h"
#include "cuda/common/transposed_index.h"
#include "cuda/device/block_lists.cuh"
#include "cuda/device/epilogue.cuh"
#include "cuda/device/ring.cuh"
#include "cuda/device/sparse.cuh"
#include "cuda/device/warpgroup_tile.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"
#include "model/saturate.h"

namespace bs::cuda {
namespace {

using Types = TypeList<Half, BFloat16>;

struct Policy {
  int groups_m, groups_n;  // warpgroups that multiply, 64 rows each
  int columns;             // cells of 64 columns a warpgroup
  int merge;               // block rows of a cell
  int width, widths;       // of a stage: columns of op(S) side by side, and how many such slices, each from one block
  int stages;
  double l2_share;  // of the L2 rate, measured: a block of 16 rows is four boxes of 512 bytes
  // Results of a warpgroup on their way out; two also hold 64 columns of f32.
  static constexpr int staging_cells() { return 2; }
  constexpr int cells_a() const { return groups_m; }
  constexpr int cells_b() const { return groups_n * columns; }
  constexpr int tile_m() const { return 64 * groups_m; }
  constexpr int tile_n() const { return 64 * cells_b(); }
  constexpr int step() const { return width * widths; }
};
// Two warpgroups each: 384 threads leave 168 registers a thread at launch, which setmaxnreg turns into 40 and 232.
constexpr Policy kPolicies[] = {
    {.groups_m = 2, .groups_n = 1, .columns = 4, .merge = 1, .width = 64, .widths = 1, .stages = 4, .l2_share = 1},
    {.groups_m = 2, .groups_n = 1, .columns = 2, .merge = 1, .width = 64, .widths = 1, .stages = 6, .l2_share = 1},
    {.groups_m = 1, .groups_n = 2, .columns = 4, .merge = 1, .width = 32, .widths = 1, .stages = 5, .l2_share = 1},
    {.groups_m = 1, .groups_n = 2, .columns = 2, .merge = 1, .width = 64, .widths = 1, .stages = 4, .l2_share = 1},
    {.groups_m = 1, .groups_n = 2, .columns = 1, .merge = 1, .width = 64, .widths = 1, .stages = 6, .l2_share = 1},
    {.groups_m = 1, .groups_n = 2, .columns = 4, .merge = 2, .width = 32, .widths = 1, .stages = 5, .l2_share = 1},
    {.groups_m = 1, .groups_n = 2, .columns = 4, .merge = 4, .width = 16, .widths = 2, .stages = 5, .l2_share = 0.8},
};
constexpr int kPolicyCount = 7;
constexpr int64_t kPanelBytes = 16 << 20;  // of B in use at a time; beyond 32 MB L2 slows down
constexpr int kConsumers = 2;              // warpgroups
constexpr int kThreads = (kConsumers + 1) * kWarpgroup;
constexpr int kQueue = 3;  // tiles known ahead
constexpr int kLists = 3;  // lists of blocks known ahead

struct Args {
  SparseRows rows;
  unsigned long long* next;  // tile beyond those that the grid begins with; null where it begins with all
  int64_t units;
  int64_t n, k, reduce, m;
  int64_t strip_group;
  int64_t row_tiles, tile_rows, strips;  // tiles of one block row; block rows, merged ones as one; strips of columns
  int64_t block_rows;                    // of op(S)
  int block_m, block_k;
  int absent;                    // the position of no block: outside of the values
  int cells_b;                   // that one box brings
  bool groups_b;                 // the boxes of a row-major B: runs of 64 columns
  bool shared_b, shared_values;  // one for all inputs
  bool ragged;                   // the last block column ends beyond k
  bool boxes;                    // the result may be stored by the copy engine
};

// A tile, as the taker describes it to the others.
struct Tile {
  int64_t result, tile_row, column;
  int row_in_block;
  bool exists, empty;  // exists: not the end of all
};

struct Stage {
  int valid;  // columns of op(S) that exist
  bool last;  // of its tile
};

template <int kPolicy>
struct Shared {
  static constexpr Policy P = kPolicies[kPolicy];
  Cell<P.width> a[P.stages][P.widths][P.cells_a()];
  Cell<P.width> b[P.stages][P.widths][P.cells_b()];
  Cell<64> staging[kConsumers][P.staging_cells()];
  Ring<P.stages> ring;
  Ring<kQueue> queue;
  Ring<kLists> lists;
  Stage stage[P.stages];
  Tile tile[kQueue];
  BlockList<P.merge> list[kLists];
};

// Tile number `unit`: strips of a group run fastest, then rows, longest first. A group's share of B stays in L2 while
// all rows pass, and the tiles of a row that are worked on together take its blocks out of memory once.
template <int kPolicy>
__device__ Tile tile_of(const Args& x, int64_t unit) {
  constexpr Policy P = kPolicies[kPolicy];
  const int64_t rows = x.tile_rows * x.row_tiles, in_result = unit % (rows * x.strips);
  const int64_t first_strip = in_result / (rows * x.strip_group) * x.strip_group;
  const int64_t strips = min(x.strip_group, x.strips - first_strip), in_group = in_result - first_strip * rows;
  const int64_t row_tile = in_group / strips, ordered = row_tile / x.row_tiles;
  return {.result = unit / (rows * x.strips),
          .tile_row = P.merge == 1 && x.rows.order ? x.rows.order[ordered] : ordered,
          .column = (first_strip + in_group % strips) * P.tile_n(),
          .row_in_block = static_cast<int>(row_tile % x.row_tiles) * P.tile_m(),
          .exists = true};
}

// Warp 0 of the producers: takes tiles and writes down their blocks, as far ahead as there is room.
template <int kPolicy>
__device__ void list_tiles(Shared<kPolicy>& shared, const Args& x, bool nothing) {
  constexpr Policy P = kPolicies[kPolicy];
  const int lane = threadIdx.x % kWarpSize;
  RingPlace<kQueue> tiles;
  RingPlace<kLists> lists;
  for (int64_t unit = blockIdx.x;;) {
    Tile t{.exists = false};
    int64_t left = 0;  // entries of the tile
    if (unit < x.units) {
      t = tile_of<kPolicy>(x, unit);
      for (int64_t r = 0; r < x.reduce && !nothing; ++r)
        left += entries_of<P.merge>(x.rows, t.result + r, t.tile_row, x.block_rows);
      t.empty = left == 0;
    }
    tiles.wait_empty(shared.queue);
    if (lane == 0) {
      shared.tile[tiles.stage] = t;
      ptx::mbarrier_arrive(&shared.queue.full[tiles.stage]);
    }
    tiles.advance();
    if (!t.exists) return;
    for (int64_t r = 0; left > 0; ++r)
      list_blocks<P.merge>(x.rows, t.result + r, t.tile_row, x.block_rows, x.absent, shared.list, shared.lists, lists,
                           left);
    if (!x.next)
      unit = x.units;
    else if (lane == 0)
      unit = gridDim.x + static_cast<int64_t>(atomicAdd(x.next, 1ull));
    unit = __shfl_sync(kFullWarp, unit, 0);
  }
}

// The next tile of the queue, for every thread of a role; they give the place back together.
template <int kPolicy>
__device__ Tile next_tile(Shared<kPolicy>& shared, RingPlace<kQueue>& place) {
  place.wait_full(shared.queue);
  const Tile t = shared.tile[place.stage];
  ptx::mbarrier_arrive(&shared.queue.empty[place.stage]);
  place.advance();
  return t;
}

struct Maps {
  CUtensorMap a, b, c;
};

// Starts the copies of one operand, all of B or a slice of A: a single thread is the bound where boxes are small. All
// loaders walk the same tiles, lists and stages.
template <int kPolicy>
struct Loader {
  static constexpr Policy P = kPolicies[kPolicy];
  using List = BlockList<P.merge>;
  Shared<kPolicy>& shared;
  const CUtensorMap& map;
  const Args& x;
  RingPlace<P.stages> place;

  // load(stage, list, e, k, tile): entries e to e + widths - 1 of the list, columns k to k + width - 1 of their blocks.
  template <class Load>
  __device__ __forceinline__ void run(int bytes, Load&& load) {
    RingPlace<kQueue> tiles;
    RingPlace<kLists> lists;
    for (;;) {
      const Tile t = next_tile(shared, tiles);
      if (!t.exists) return;
      for (bool more = !t.empty; more; lists.advance()) {
        lists.wait_full(shared.lists);
        const List& list = shared.list[lists.stage];
        more = !list.last;
        for (int e = 0; e < list.count; e += P.widths)
          for (int k = 0; k < x.block_k; k += P.width, place.advance()) {
            place.wait_empty(shared.ring);
            ptx::mbarrier_arrive_expect(&shared.ring.full[place.stage], bytes);
            load(list, e, k, t);
          }
        ptx::mbarrier_arrive(&shared.lists.empty[lists.stage]);
      }
    }
  }
  __device__ uint64_t* full() { return &shared.ring.full[place.stage]; }

  // Columns of the stage that exist, if the last block column is cut off by the edge: it is the last slice that is
  // there.
  __device__ int valid_of(const List& list, int e, int k) const {
    const int last = min(e + P.widths, list.count) - 1;
    return (last - e) * P.width + min(P.width, static_cast<int>(x.k) - list.column[last] * x.block_k - k);
  }

  template <Major kMajor>
  __device__ void run_b() {
    const uint64_t keep = ptx::evict_last();
    run(P.widths * P.cells_b() * Cell<P.width>::kBytes, [&](const List& list, int e, int k, const Tile& t) {
      shared.stage[place.stage] = {.valid = x.ragged ? valid_of(list, e, k) : P.step(),
                                   .last = list.last && e + P.widths >= list.count && k + P.width >= x.block_k};
      const int input = x.shared_b ? 0 : list.input, column = static_cast<int>(t.column);
#pragma unroll
      for (int s = 0; s < P.widths; ++s) {
        const bool exists = s == 0 || e + s < list.count;
        const int at = exists ? list.column[e + s] * x.block_k + k : static_cast<int>(x.k);
#pragma unroll 1
        for (int c = 0; c < P.cells_b(); c += x.cells_b) {
          const int first = column + c * kCellLines, run = first / kCellLines;
          auto* to = &shared.b[place.stage][s][c];
          if constexpr (kMajor == Major::k)
            ptx::load_box(to, &map, full(), at, first, 0, input, keep);
          else
            ptx::load_box(to, &map, full(), x.groups_b ? 0 : first, at, x.groups_b ? run : 0, input, keep);
        }
      }
    });
  }

  // Slice s. A block that is not there is a box outside of the values.
  template <Major kMajor>
  __device__ void run_a(int s) {
    using A = CellLayout<P.width, kMajor, P.merge>;
    run(P.cells_a() * Cell<P.width>::kBytes, [&](const List& list, int e, int k, const Tile& t) {
      const bool exists = s == 0 || e + s < list.count;
      const int input = x.shared_values ? 0 : list.input;
#pragma unroll
      for (int g = 0; g < P.merge; ++g) {
        const int position = exists ? list.position[e + s][g] : x.absent;
        auto* to = shared.a[place.stage][s][0].element + g * A::kBoxElements;
        if constexpr (kMajor == Major::k)
          ptx::load_box(to, &map, full(), k, position * x.block_m + t.row_in_block, 0, input);
        else  // in runs of 64 rows, unless blocks are lower
          ptx::load_box(to, &map, full(), 0, position * x.block_k + k, t.row_in_block / kCellLines, input);
      }
    });
  }
};

template <class T, int kPolicy, Major kMajorA, Major kMajorB>
__device__ void multiply_tile(WarpgroupTile<T, kPolicies[kPolicy].columns>& sums, Shared<kPolicy>& shared,
                              RingPlace<kPolicies[kPolicy].stages>& place) {
  constexpr Policy P = kPolicies[kPolicy];
  using LayoutA = CellLayout<P.width, kMajorA, P.merge>;
  using LayoutB = CellLayout<P.width, kMajorB>;
  const int group = threadIdx.x / kWarpgroup, row = group % P.groups_m, column = group / P.groups_m * P.columns;
  int held = -1;  // stage of the step before, whose products are still running
  const auto release = [&] {
    if (held >= 0 && threadIdx.x % kWarpSize == 0) ptx::mbarrier_arrive(&shared.ring.empty[held]);
  };
  for (bool last = false; !last; place.advance()) {
    const int stage = place.stage;
    place.wait_full(shared.ring);
    const Stage info = shared.stage[stage];
    if (info.valid < P.step()) {
      for (int s = 0; s < P.widths; ++s) LayoutA::clip(&shared.a[stage][s][row], info.valid - s * P.width);
      warpgroup_sync();
    }
    ptx::wgmma_fence();
#pragma unroll
    for (int s = 0; s < P.widths; ++s)
      sums.template multiply<LayoutA, LayoutB>(shared.a[stage][s][row], shared.b[stage][s][column]);
    ptx::wgmma_commit();
    ptx::wgmma_wait<1>();
    release();
    held = stage;
    last = info.last;
  }
  ptx::wgmma_wait<0>();
  release();
}

// By boxes, two cells at a time.
template <class T, int kColumns>
__device__ void store_boxes(const WarpgroupTile<T, kColumns>& sums, Cell<64>* staging, const CUtensorMap& map,
                            Layout layout, float alpha, int row, int column, int result) {
  const bool elected = threadIdx.x % kWarpgroup == 0;
#pragma unroll
  for (int j = 0; j < kColumns; ++j) {
    if (j % 2 == 0) {
      if (elected) ptx::bulk_wait_read();
      warpgroup_sync();
    }
    sums.stage(j, alpha, layout, &staging[j % 2]);
    ptx::fence_async_proxy();
    warpgroup_sync();
    if (!elected) continue;
    const int first = column + j * 64;
    ptx::store_box(&map, &staging[j % 2], layout == Layout::row ? first : row, layout == Layout::row ? row : first, 0,
                   result);
    ptx::bulk_commit();
  }
}

// Every other result: through f32 in shared memory, 64 columns at a time, by the general end of SpMM kernels.
template <class T, int kColumns>
__device__ void store_sums(const WarpgroupTile<T, kColumns>& sums, Cell<64>* staging, const Epilogue<float>& epilogue,
                           const Args& x, int64_t row0, int64_t column0, int64_t result) {
  static_assert(2 * sizeof *staging == 64 * 64 * sizeof(float));
  auto* pairs = reinterpret_cast<float2*>(staging);
#pragma unroll 1
  for (int j = 0; j < kColumns && column0 + j * 64 < x.n; ++j) {
    warpgroup_sync();  // the columns before are still being read
    sums.stage_sums(j, pairs);
    warpgroup_sync();
#pragma unroll 1
    for (int i = threadIdx.x % kWarpgroup; i < 64 * 32; i += kWarpgroup) {
      const bool rows = epilogue.c_layout == Layout::row;
      const int row = rows ? i / 32 : i % 64, pair = rows ? i % 32 : i / 64;
      if (row0 + row >= x.m) continue;
      const float2 sum = pairs[sums.pair_place(row, pair)];
      epilogue.store_pair_here(result, row0 + row, column0 + j * 64 + pair * 2, x.n, sum.x, sum.y);
    }
  }
}

template <class T, int kPolicy, Major kMajorA, Major kMajorB>
__device__ void consume(Shared<kPolicy>& shared, const Maps& maps, const Args& x, const Epilogue<float>& epilogue) {
  constexpr Policy P = kPolicies[kPolicy];
  const int group = threadIdx.x / kWarpgroup;
  const float alpha = epilogue.scalars.alpha();
  const bool boxes = x.boxes && epilogue.scalars.beta() == 0;
  RingPlace<P.stages> place;
  RingPlace<kQueue> tiles;
  for (;;) {
    WarpgroupTile<T, P.columns> sums;
    sums.clear();  // not by the first product: ptxas would keep (and spill) the old sums around the loop for it
    const Tile t = next_tile(shared, tiles);
    if (!t.exists) break;
    if (!t.empty) multiply_tile<T, kPolicy, kMajorA, kMajorB>(sums, shared, place);
    const int64_t row0 = t.tile_row * (x.block_m * P.merge) + t.row_in_block + group % P.groups_m * 64;
    const int64_t column0 = t.column + group / P.groups_m * P.columns * 64;
    if (boxes)
      store_boxes(sums, shared.staging[group], maps.c, epilogue.c_layout, alpha, static_cast<int>(row0),
                  static_cast<int>(column0), static_cast<int>(t.result));
    else
      store_sums(sums, shared.staging[group], epilogue, x, row0, column0, t.result);
  }
  ptx::bulk_wait_read();
}

template <class T, int kPolicy, Major kMajorA, Major kMajorB>
__global__ void __launch_bounds__(kThreads, 1)
    bsr_wgmma(const __grid_constant__ Maps maps, Args x, Epilogue<float> epilogue) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) char memory[];
  auto& shared = *reinterpret_cast<Shared<kPolicy>*>(memory);
  if (threadIdx.x == 0) {
    constexpr int kLoaders = 1 + kPolicies[kPolicy].widths;
    shared.ring.init(kLoaders, kConsumers * kWarpgroup / kWarpSize);
    shared.queue.init(1, kConsumers * kWarpgroup + kLoaders);
    shared.lists.init(1, kLoaders);
    ptx::mbarrier_init_fence();
  }
  __syncthreads();
  if (threadIdx.x / kWarpgroup == kConsumers) {
    ptx::give_registers<40>();
    const int warp = threadIdx.x / kWarpSize % 4;
    if (warp == 0) {
      list_tiles(shared, x, epilogue.scalars.alpha() == 0);
    } else if (threadIdx.x % kWarpSize == 0) {
      if (warp == 1) Loader<kPolicy>{shared, maps.b, x}.template run_b<kMajorB>();
      if (warp >= 2 && warp - 2 < kPolicies[kPolicy].widths)
        Loader<kPolicy>{shared, maps.a, x}.template run_a<kMajorA>(warp - 2);
    }
  } else {
    ptx::take_registers<232>();
    consume<T, kPolicy, kMajorA, kMajorB>(shared, maps, x, epilogue);
  }
#endif
}

int64_t block_m(const SparseShape& s) {
  return s.transposed ? s.block_cols : s.block_rows;
}
int64_t block_k(const SparseShape& s) {
  return s.transposed ? s.block_rows : s.block_cols;
}
bool needs_packing(const SpmmProblem& p) {
  return p.constraints.alignment < 16;
}

bool fits(const Policy& policy, const SpmmProblem& p) {
  if (block_k(p.s) % policy.width != 0 || (policy.step() > policy.width && block_k(p.s) != policy.width)) return false;
  return policy.merge == 1 ? block_m(p.s) % policy.tile_m() == 0 : block_m(p.s) * policy.merge == 64;
}

bool fits_one(const SpmmProblem& p) {
  for (const Policy& policy : kPolicies)
    if (fits(policy, p)) return true;
  return false;
}

Verdict supports(const SpmmProblem& p, const Device& d) {
  BS_REQUIRE(d.compute_capability == 90);
  BS_REQUIRE(p.s.format == Format::bsr);
  BS_REQUIRE(Types::has(p.s.dtype) && p.b_type == p.s.dtype);
  BS_REQUIRE(fits_one(p));
  BS_REQUIRE(block_m(p.s) >= 64 || p.s.stats.sorted);  // unions are made of strictly rising lists
  BS_REQUIRE(p.constraints.block_alignment == 16);
  BS_REQUIRE(!p.s.gated);  // a gate times a 16-bit value does not fit 16 bits
  BS_REQUIRE(p.m < INT32_MAX - 65536 && p.n < INT32_MAX - 65536 && p.k < INT32_MAX - 65536);  // box coordinates
  BS_REQUIRE(saturating_mul(saturating_add(p.s.nnz, 1), std::max(block_m(p.s), block_k(p.s))) < INT32_MAX);
  BS_REQUIRE(p.m > 0 && p.n > 0 && p.k > 0 && p.s.nnz > 0 && p.reduce > 0);
  return kAccept;
}

int64_t tile_rows_of(const SpmmProblem& p, const Policy& policy) {
  return ceil_div(ceil_div(p.m, block_m(p.s)), policy.merge);
}
int64_t row_tiles_of(const SpmmProblem& p, const Policy& policy) {
  return policy.merge == 1 ? block_m(p.s) / policy.tile_m() : 1;
}
int64_t units_of(const SpmmProblem& p, const Policy& policy) {
  return tile_rows_of(p, policy) * row_tiles_of(p, policy) * ceil_div(p.n, policy.tile_n()) * p.batch;
}

// Columns of op(S) that a tile walks, mean: those of a block row, or of the union of a few whose patterns are
// independent.
double columns_of(const SpmmProblem& p, const Policy& policy) {
  const auto block_columns = static_cast<double>(ceil_div(p.k, block_k(p.s)));
  const double density = std::min(
      1.0, static_cast<double>(p.s.entries()) / (static_cast<double>(ceil_div(p.m, block_m(p.s))) * block_columns));
  return block_columns * (1 - std::pow(1 - density, policy.merge)) * product_of(block_k(p.s), p.reduce);
}

// Microseconds of all tiles, a wave of them at a time.
double product_us(const SpmmProblem& p, const Device& d, const Policy& policy) {
  // A column of the tile: bytes out of L2 (an SM's share), products (an SM's share), and a tile's fixed time: first
  // copies, store of the result. Within 10 % of what an H200 takes for 8192 cubed, blocks of 16 to 128, 10 to 50 %
  // (bench/results/h200-bsr-sweep.csv).
  const double sms = d.sms;
  const double l2_us = 2.0 * (policy.tile_m() + policy.tile_n()) / (d.l2_gbs * 1e3 * policy.l2_share / sms);
  const double mma_us = 2.0 * policy.tile_m() * policy.tile_n() / (d.tensor_tflops * 1e6 * 0.84 / sms);
  const double tile_us = columns_of(p, policy) * std::max(l2_us, mma_us) + 3.0;
  return std::max(1.0, static_cast<double>(units_of(p, policy)) / sms) * tile_us;
}

int policy_for(const SpmmProblem& p, const Device& d) {
  int best = -1;
  double best_us = 0;
  for (int i = 0; i < kPolicyCount; ++i) {
    if (!fits(kPolicies[i], p)) continue;
    const double us = product_us(p, d, kPolicies[i]);
    if (best < 0 || us < best_us) best = i, best_us = us;
  }
  return best;
}

Plan plan(const SpmmProblem& p, const Device& d) {
  const int policy = policy_for(p, d);
  const int64_t inputs = p.batch * p.reduce;
  const double memory_us = 1 / (d.memory_gbs * 1e3 * 0.8);  // a byte
  const double bytes = 2.0 * (product_of(p.s.elements(), inputs) + product_of(p.k, p.n, inputs)) +
                       product_of(p.m, p.n, p.batch, size_of(p.c_type));
  const double extra_us = (needs_packing(p) ? d.launch_us + 4.0 * product_of(p.k, p.n, inputs) * memory_us : 0) +
                          (p.s.transposed && !p.s.has_transpose ? 8 * d.launch_us : 0);
  return {.cost_us = 2 * d.launch_us + extra_us + std::max(product_us(p, d, kPolicies[policy]), bytes * memory_us),
          .workspace_bytes = saturating_add(256, transposed_index_bytes(p.s, inputs),
                                            needs_packing(p) ? packed_bytes(p.k, p.n, p.b_type, inputs) : 0),
          .policy = policy};
}

// Boxes of as many cells as one may have: 256 lines, and for lines of B that hold whole runs of 64, four runs.
int cells_in_box(const SpmmProblem& p, const Policy& policy, Layout b_layout) {
  return b_layout == Layout::row && p.n % kCellLines != 0 ? 1 : std::min(policy.cells_b(), 4);
}

Status make_maps(const SpmmProblem& p, const SpmmOperands& o, const PackedDense& b, Layout b_layout, bool k_major,
                 const Policy& policy, bool boxes, Maps* maps) {
  const int64_t bm = block_m(p.s), bk = block_k(p.s), inputs = p.batch * p.reduce;
  const bool rows_of_b = b_layout == Layout::row;
  const int cells_b = cells_in_box(p, policy, b_layout);
  const int lines = policy.merge == 1 ? policy.tile_m() : static_cast<int>(bm);  // of a box of A
  BS_TRY(make_tensor_map({.data = o.s.values,
                          .length = k_major ? bk : bm,
                          .lines = p.s.nnz * (k_major ? bm : bk),
                          .line_stride = k_major ? bk : bm,
                          .inputs = inputs,
                          .input_stride = o.s.value_stride,
                          .box_length = k_major ? policy.width : std::min(lines, kCellLines),
                          .box_lines = k_major ? lines : policy.width,
                          .box_groups = k_major || policy.merge > 1 ? 0 : policy.cells_a()},
                         &maps->a));
  BS_TRY(make_tensor_map({.data = b.data,
                          .length = rows_of_b ? p.n : p.k,
                          .lines = rows_of_b ? p.k : p.n,
                          .line_stride = b.ld,
                          .inputs = inputs,
                          .input_stride = b.stride,
                          .box_length = rows_of_b ? kCellLines : policy.width,
                          .box_lines = rows_of_b ? policy.width : cells_b * kCellLines,
                          .box_groups = rows_of_b && cells_b > 1 ? cells_b : 0},
                         &maps->b));
  if (!boxes) return kSuccess;
  const bool rows_of_c = p.c_layout == Layout::row;
  return make_tensor_map({.data = o.c,
                          .length = rows_of_c ? p.n : p.m,
                          .lines = rows_of_c ? p.m : p.n,
                          .line_stride = p.ldc,
                          .inputs = p.batch,
                          .input_stride = o.c_stride},
                         &maps->c);
}

template <class T, int kPolicy, Major kMajorA, Major kMajorB>
Status launch_as(const Maps& maps, const Args& x, const Epilogue<float>& epilogue, const Exec& e) {
  const auto kernel = bsr_wgmma<T, kPolicy, kMajorA, kMajorB>;
  constexpr int kBytes = sizeof(Shared<kPolicy>);
  static_assert(kBytes <= 227 * 1024, "what an SM has");
  BS_TRY(
      cuda_status(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes), "shared memory"));
  const auto ctas = static_cast<unsigned>(std::min<int64_t>(x.units, e.device->sms));
  kernel<<<ctas, kThreads, kBytes, static_cast<cudaStream_t>(e.stream)>>>(maps, x, epilogue);
  return launched("spmm_bsr_wgmma");
}

Status launch(const SpmmProblem& p, const Plan& plan, const SpmmOperands& given, const Exec& e) {
  const Policy& policy = kPolicies[plan.policy];
  SpmmOperands o = given;
  const int64_t inputs = p.batch * p.reduce;
  auto* counter = static_cast<unsigned long long*>(e.workspace);
  char* memory = static_cast<char*>(e.workspace) + 256;
  BS_TRY(ensure_transposed_index(p.s, inputs, memory, e, &o.s));
  PackedDense b{.data = o.b, .ld = p.ldb, .stride = o.b_stride};
  if (needs_packing(p))
    BS_TRY(pack_dense(DenseSource::b_of(p, o), memory + transposed_index_bytes(p.s, inputs), e, &b));
  const Layout b_layout = needs_packing(p) ? Layout::row : p.b_layout;
  const bool k_major = (p.s.block_layout == Layout::row) != p.s.transposed;
  const Args x{.rows = SparseRows::from(p.s, o.s),
               .next = units_of(p, policy) > e.device->sms ? counter : nullptr,
               .units = units_of(p, policy),
               .n = p.n,
               .k = p.k,
               .reduce = p.reduce,
               .m = p.m,
               .strip_group = std::max<int64_t>(1, kPanelBytes / (p.k * policy.tile_n() * 2)),
               .row_tiles = row_tiles_of(p, policy),
               .tile_rows = tile_rows_of(p, policy),
               .strips = ceil_div(p.n, policy.tile_n()),
               .block_rows = ceil_div(p.m, block_m(p.s)),
               .block_m = static_cast<int>(block_m(p.s)),
               .block_k = static_cast<int>(block_k(p.s)),
               .absent = static_cast<int>(p.s.nnz),
               .cells_b = cells_in_box(p, policy, b_layout),
               .groups_b = cells_in_box(p, policy, b_layout) > 1,
               .shared_b = b.stride == 0,
               .shared_values = o.s.value_stride == 0,
               .ragged = p.k % block_k(p.s) != 0,
               .boxes = p.activation == Activation::none && p.bias == Axis::none && !p.auxiliary &&
                        p.c_type == p.s.dtype && p.constraints.alignment == 16};
  Maps maps{};
  BS_TRY(make_maps(p, o, b, b_layout, k_major, policy, x.boxes, &maps));
  if (x.next)
    BS_TRY(cuda_status(cudaMemsetAsync(counter, 0, sizeof *counter, static_cast<cudaStream_t>(e.stream)), "counter"));
  const auto epilogue = Epilogue<float>::from(p, o);
  Status status = kSuccess;
  Types::with(p.s.dtype, [&]<class T>() {
    with_index<kPolicyCount>(plan.policy, [&]<int I>() {
      with_index<4>((k_major ? 0 : 2) + (b_layout == Layout::row ? 1 : 0), [&]<int J>() {
        constexpr Major kA = J / 2 ? Major::m : Major::k, kB = J % 2 ? Major::m : Major::k;
        status = launch_as<on_device_t<T>, I, kA, kB>(maps, x, epilogue, e);
      });
    });
  });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SPMM_KERNEL(cuda, bsr_wgmma)
