// SDDMM into BSR at Hopper's rate, for blocks of 64 rows and columns and multiples: TMA brings, wgmma multiplies. The
// stored columns of a block row, put side by side, are one long run; a tile is up to 256 columns of it, so several
// blocks, times the rows of L that they share. A CTA stays on its SM and takes tiles. Its third warpgroup feeds the
// others: warp 1 finds tiles, one thread of warp 0 starts the copies of kStep of the inner dimension a stage into a
// ring; two warpgroups multiply, and store their part of the result while the ring fills for the next tile.
//
// What bounds it: bytes out of L2. With I FLOP a byte, min(8.9 I, 820 / (1 + 15 / I)) TFLOP/s on an H200: 128 rows by
// 256 columns have I = 85, 64 by 256 have 51. All CTAs run through k side by side, so what they share comes from memory
// about once. With a small k the stores bound it: blocks leave through the copy engine while the next tile is
// multiplied.
#include <algorithm>

#include "cuda/common/bias_gradient.h"
#include "cuda/common/launch.h"
#include "cuda/common/pack_dense.h"
#include "cuda/common/tensor_map.h"
#include "cuda/device/block_store.cuh"
#include "cuda/device/run_tiles.cuh"
#include "cuda/device/split_sums.cuh"
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
  int stages;
  int ahead;    // steps whose products still run while the next one's are started
  int staging;  // cells of results on their way out, a warpgroup
  constexpr int cells_r() const { return groups_n * columns; }
  constexpr int tile_m() const { return 64 * groups_m; }
  constexpr int tile_n() const { return 64 * cells_r(); }
};
// Two warpgroups each: 384 threads leave 168 registers a thread at launch, which setmaxnreg turns into 56 and 224.
constexpr Policy kPolicies[] = {
    {.groups_m = 2, .groups_n = 1, .columns = 4, .stages = 3, .ahead = 1, .staging = 4},
    {.groups_m = 1, .groups_n = 2, .columns = 2, .stages = 4, .ahead = 0, .staging = 4},
    {.groups_m = 1, .groups_n = 2, .columns = 4, .stages = 2, .ahead = 0, .staging = 4},
};
constexpr int kPolicyCount = 3;
constexpr int kStep = 64;
constexpr int kConsumers = 2;  // warpgroups
constexpr int kThreads = (kConsumers + 1) * kWarpgroup;
constexpr int kListedSteps = 16;  // from which tiles are long enough to be listed and taken from a counter
constexpr int kPartSteps = 8;     // at least, of a tile that is summed in parts

struct Args {
  RunTiles tiles;
  BlockStore store;
  float4* sums;               // of parts
  int k, input_steps, steps;  // steps of one input, of all
  int cells_l, cells_r;       // that one box brings
  bool shared_l, shared_r;    // one for all inputs
  bool boxes;                 // the result may be stored by the copy engine
};

template <int kPolicy>
struct Shared {
  static constexpr Policy P = kPolicies[kPolicy];
  Cell<kStep> l[P.stages][P.groups_m];
  Cell<kStep> r[P.stages][P.cells_r()];
  Cell<64> staging[kConsumers][P.staging];
  Ring<P.stages> ring;
  TileQueue queue;
  bool ends_last[kConsumers];
};

struct Maps {
  CUtensorMap l, r, c;
};

// Neighbouring cells that one box brings, from `line` of an operand and `k` on. See TensorBox.
template <Major kMajor>
__device__ __forceinline__ void load_cells(Cell<kStep>* cells, const CUtensorMap& map, uint64_t* full, int line, int k,
                                           int input, bool in_groups) {
  if constexpr (kMajor == Major::k)
    ptx::load_box(cells, &map, full, k, line, 0, input);
  else
    ptx::load_box(cells, &map, full, in_groups ? 0 : line, k, in_groups ? line / kCellLines : 0, input);
}

// One thread of warp 0 of the producers.
template <int kPolicy, Major kMajorL, Major kMajorR>
__device__ void load_tiles(Shared<kPolicy>& shared, const Maps& maps, const Args& x) {
  constexpr Policy P = kPolicies[kPolicy];
  RingPlace<P.stages> place;
  for (RingPlace<kTileQueue> tiles;; tiles.advance()) {
    tiles.wait_full(shared.queue.ring);
    const RunTile& t = shared.queue.tile[tiles.stage];
    const int cells = t.cells, row = t.row, bytes = (P.groups_m + cells) * static_cast<int>(sizeof(Cell<kStep>));
    if (cells < 0) return;
    int input = t.result + t.share.first_step / x.input_steps, k = t.share.first_step % x.input_steps * kStep;
    for (int s = t.share.steps; s > 0; --s, place.advance()) {
      const int stage = place.stage, of_l = x.shared_l ? 0 : input, of_r = x.shared_r ? 0 : input;
      place.wait_empty(shared.ring);
      uint64_t* full = &shared.ring.full[stage];
      ptx::mbarrier_arrive_expect(full, bytes);
#pragma unroll 1
      for (int c = 0; c < P.groups_m; c += x.cells_l)
        load_cells<kMajorL>(&shared.l[stage][c], maps.l, full, row + c * kCellLines, k, of_l, x.cells_l > 1);
#pragma unroll 1
      for (int c = 0; c < cells; c += x.cells_r)
        load_cells<kMajorR>(&shared.r[stage][c], maps.r, full, t.cell[c].column, k, of_r, x.cells_r > 1);
      k += kStep;
      if (k >= x.k) k = 0, ++input;
    }
    ptx::mbarrier_arrive(&shared.queue.ring.empty[tiles.stage]);
  }
}

// kUsed of this warpgroup's cells of columns, wide enough for those that the tile has; the others give sums that are
// not stored. With none it only lets the stages pass.
template <int kUsed, Major kMajorL, Major kMajorR, class T, int kPolicy>
__device__ __forceinline__ void multiply_tile(WarpgroupTile<T, kPolicies[kPolicy].columns>& sums,
                                              Shared<kPolicy>& shared, RingPlace<kPolicies[kPolicy].stages>& place,
                                              int steps) {
  constexpr Policy P = kPolicies[kPolicy];
  constexpr bool kHolds = kUsed > 0 && P.ahead > 0;
  const int group = threadIdx.x / kWarpgroup;
  int held = -1;  // stage of the step before, whose products are still running
  const auto release = [&](int stage) {
    if (stage >= 0 && threadIdx.x % kWarpSize == 0) ptx::mbarrier_arrive(&shared.ring.empty[stage]);
  };
  for (int s = 0; s < steps; ++s, place.advance()) {
    const int stage = place.stage;
    place.wait_full(shared.ring);
    if constexpr (kUsed > 0) {
      ptx::wgmma_fence();
      sums.template multiply<CellLayout<kStep, kMajorL>, CellLayout<kStep, kMajorR>, kUsed>(
          shared.l[stage][group % P.groups_m], shared.r[stage][group / P.groups_m * P.columns]);
      ptx::wgmma_commit();
      ptx::wgmma_wait<P.ahead>();
    }
    release(kHolds ? held : stage);
    held = kHolds ? stage : -1;
  }
  if constexpr (kHolds) ptx::wgmma_wait<0>();
  release(held);
}

// A warpgroup's part of a tile: its first row, its cells of columns.
struct Part {
  const RunTile& tile;
  int row, first, cells;
};

// By boxes, which leave while the next ones are staged and the next tile is multiplied. A box holds a cell, of f32
// (kWide) half of one. `slot` is where the next one is staged.
template <bool kWide, class T, int kColumns, int kStaging>
__device__ __forceinline__ void store_boxes(const WarpgroupTile<T, kColumns>& sums, Cell<64> (&staging)[kStaging],
                                            int* slot, const CUtensorMap& map, const Part& part,
                                            const BlockStore& store, float alpha) {
  constexpr int kBoxes = kWide ? 2 : 1;  // of a cell
  const bool elected = threadIdx.x % kWarpgroup == 0, rows = kWide || store.layout == Layout::row;
  const int i = part.tile.row_in_block + part.row;
#pragma unroll
  for (int b = 0; b < kColumns * kBoxes; ++b) {
    const int j = b / kBoxes;
    if (j >= part.cells) break;
    if (elected) ptx::bulk_wait_read<kStaging - 1>();
    warpgroup_sync();
    Cell<64>* box = &staging[*slot];
    *slot = (*slot + 1) % kStaging;
    if constexpr (kWide)
      sums.stage_wide(j, b % 2, alpha, box);
    else
      sums.stage(j, alpha, store.layout, box);
    ptx::fence_async_proxy();
    warpgroup_sync();
    if (!elected) continue;
    const CellPlace& to = part.tile.cell[part.first + j];
    ptx::store_box(&map, box, rows ? kBoxes * to.column_in_block + b % kBoxes * 64 : i,
                   rows ? to.entry * store.block_rows + i : to.entry * store.block_cols + to.column_in_block, 0,
                   part.tile.result);
    ptx::bulk_commit();
  }
}

// Every other result: through f32 in shared memory, a cell at a time.
template <class T, int kColumns>
__device__ __forceinline__ void store_sums(const WarpgroupTile<T, kColumns>& sums, Cell<64>* staging, const Args& x,
                                           const Part& part, float alpha, float beta) {
  auto* pairs = reinterpret_cast<float2*>(staging);  // two cells' worth
  const bool rows = x.store.layout == Layout::row;
#pragma unroll 1
  for (int j = 0; j < part.cells; ++j) {
    warpgroup_sync();  // the cell before is still being read
    sums.stage_sums(j, pairs);
    warpgroup_sync();
    const CellPlace& to = part.tile.cell[part.first + j];
    const float gate =
        x.tiles.rows.gate ? x.tiles.rows.gate[part.tile.result * x.tiles.rows.gate_stride + to.entry] : 1.0f;
    const float factor = gate != 0 && alpha != 0 ? alpha * gate : 0.0f;
#pragma unroll 1
    for (int i = threadIdx.x % kWarpgroup; i < 64 * 64 / kEight; i += kWarpgroup) {
      const int line = i / kEight, along = i % kEight * kEight;
      const int row = rows ? line : along, column = rows ? along : line;
      float eight[kEight];
#pragma unroll
      for (int e = 0; e < kEight; ++e) {
        const int r = rows ? row : row + e, c = rows ? column + e : column;
        const float2 pair = pairs[sums.pair_place(r, c / 2)];
        eight[e] = c % 2 ? pair.y : pair.x;
      }
      x.store.store_eight(part.tile.result, to.entry, part.tile.row_in_block + part.row + row,
                          to.column_in_block + column, part.tile.row + part.row + row, to.column + column, eight,
                          factor, beta);
    }
  }
}

// Of a tile that is summed in parts, only the last to end has them.
template <int kPolicy, class T>
__device__ __forceinline__ bool has_whole_sums(WarpgroupTile<T, kPolicies[kPolicy].columns>& sums, const Args& x,
                                               const Part& part, bool* ends_last) {
  constexpr int kPart = 64 * 64 * kPolicies[kPolicy].columns / 4;  // vectors of a warpgroup
  const TileShare& share = part.tile.share;
  if (share.parts == 1) return true;
  const int group = threadIdx.x / kWarpgroup;
  const SplitSums split{
      .memory = x.sums + (static_cast<int64_t>(share.split) * share.parts * kConsumers + group) * kPart,
      .stride = kConsumers * kPart,
      .arrived = &x.tiles.schedule->arrived[share.split * kConsumers + group],
      .part = share.part,
      .parts = share.parts};
  return merge_parts(sums, split, part.cells, ends_last);
}

template <class T, int kPolicy, Major kMajorL, Major kMajorR>
__device__ void consume(Shared<kPolicy>& shared, const Maps& maps, const Args& x, float alpha) {
  constexpr Policy P = kPolicies[kPolicy];
  const int group = threadIdx.x / kWarpgroup;
  const float beta = x.store.scalars.beta();
  const bool boxes = x.boxes && beta == 0 && isfinite(alpha), wide = x.store.c_type == DType::f32;
  int slot = 0;
  WarpgroupTile<T, P.columns> sums;
  RingPlace<P.stages> place;
  for (RingPlace<kTileQueue> tiles;; tiles.advance()) {
    tiles.wait_full(shared.queue.ring);
    const RunTile& t = shared.queue.tile[tiles.stage];
    if (t.cells < 0) break;
    const int first = group / P.groups_m * P.columns, steps = t.share.steps;
    const Part part{
        .tile = t, .row = group % P.groups_m * 64, .first = first, .cells = min(t.cells - first, P.columns)};
    sums.clear();
    if (part.cells > P.columns / 2)
      multiply_tile<P.columns, kMajorL, kMajorR>(sums, shared, place, steps);
    else if (part.cells > 0)
      multiply_tile<P.columns / 2, kMajorL, kMajorR>(sums, shared, place, steps);
    else
      multiply_tile<0, kMajorL, kMajorR>(sums, shared, place, steps);
    if (part.cells > 0 && has_whole_sums<kPolicy>(sums, x, part, &shared.ends_last[group])) {
      if (boxes && wide)
        store_boxes<true>(sums, shared.staging[group], &slot, maps.c, part, x.store, alpha);
      else if (boxes)
        store_boxes<false>(sums, shared.staging[group], &slot, maps.c, part, x.store, alpha);
      else
        store_sums(sums, shared.staging[group], x, part, alpha, beta);
    }
    __syncwarp();
    if (threadIdx.x % kWarpSize == 0) ptx::mbarrier_arrive(&shared.queue.ring.empty[tiles.stage]);
  }
  ptx::bulk_wait_read();
}

template <class T, int kPolicy, Major kMajorL, Major kMajorR>
__global__ void __launch_bounds__(kThreads, 1)
    bsr_wgmma(const __grid_constant__ Maps maps, const __grid_constant__ Args x) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  constexpr int kWarps = kConsumers * kWarpgroup / kWarpSize;
  extern __shared__ __align__(1024) char memory[];
  auto& shared = *reinterpret_cast<Shared<kPolicy>*>(memory);
  if (threadIdx.x == 0) {
    shared.ring.init(1, kWarps);
    shared.queue.ring.init(1, kWarps + 1);
    ptx::mbarrier_init_fence();
  }
  __syncthreads();
  const float alpha = x.store.scalars.alpha();
  if (threadIdx.x / kWarpgroup == kConsumers) {
    ptx::give_registers<56>();
    const int warp = threadIdx.x / kWarpSize % 4;
    if (warp == 0 && threadIdx.x % kWarpSize == 0) load_tiles<kPolicy, kMajorL, kMajorR>(shared, maps, x);
    if (warp == 1) {
      TileFinder<kPolicies[kPolicy].tile_m(), kPolicies[kPolicy].tile_n()> finder{x.tiles, shared.queue,
                                                                                  alpha == 0 ? 0 : x.steps};
      finder.find_all();
    }
  } else {
    ptx::take_registers<224>();
    consume<T, kPolicy, kMajorL, kMajorR>(shared, maps, x, alpha);
  }
#endif
}

bool needs_packing(const SddmmProblem& p) {
  return p.constraints.alignment < 16;
}
int64_t inputs_of(const SddmmProblem& p) {
  return p.batch * p.reduce;
}
int64_t packed_l_bytes(const SddmmProblem& p) {
  return needs_packing(p) ? packed_bytes(p.m, p.k, p.l_type, inputs_of(p)) : 0;
}
int64_t packed_r_bytes(const SddmmProblem& p) {
  return needs_packing(p) ? packed_bytes(p.n, p.k, p.r_type, inputs_of(p)) : 0;
}
int64_t steps_of(const SddmmProblem& p) {
  return ceil_div(p.k, kStep) * p.reduce;
}
bool lists_tiles(const SddmmProblem& p) {
  return steps_of(p) >= kListedSteps && (p.batch == 1 || !p.s.own_structure);
}
int policy_for(const SddmmProblem& p) {
  if (p.s.block_rows % 128 == 0) return 0;
  return lists_tiles(p) ? 2 : 1;
}

// Of the structure of one result.
Pieces pieces_of(const SddmmProblem& p) {
  return {.rows = p.s.block_row_count(),
          .width = static_cast<int>(p.s.block_cols),
          .size = kPolicies[policy_for(p)].tile_n()};
}
TileListing listing_of(const SddmmProblem& p, const Device& d) {
  const Pieces pieces = pieces_of(p);
  return {.rows = pieces.rows,
          .results = p.batch,
          .capacity = pieces.bound(p.s.nnz),
          .width = pieces.width,
          .size = pieces.size,
          .row_tiles = static_cast<int>(p.s.block_rows / kPolicies[policy_for(p)].tile_m()),
          .ctas = d.sms,
          .max_parts = static_cast<int>(std::clamp<int64_t>(steps_of(p) / kPartSteps, 1, kMaxParts))};
}
int64_t schedule_bytes(const SddmmProblem& p, const Device& d) {
  return lists_tiles(p) ? listing_of(p, d).bytes() : 0;
}
// Parts in work at the same time.
int64_t sums_bytes(const SddmmProblem& p, const Device& d) {
  const Policy& policy = kPolicies[policy_for(p)];
  return lists_tiles(p) ? d.sms * policy.tile_m() * policy.tile_n() * 4 : 0;
}

Verdict supports(const SddmmProblem& p, const Device& d) {
  BS_REQUIRE(d.compute_capability == 90);
  BS_REQUIRE(p.s.format == Format::bsr);
  BS_REQUIRE(Types::has(p.l_type) && p.r_type == p.l_type);
  BS_REQUIRE(p.s.dtype != DType::f64);
  BS_REQUIRE(p.s.block_rows % 64 == 0 && p.s.block_cols % 64 == 0);
  BS_REQUIRE(p.m < INT32_MAX - 65536 && p.n < INT32_MAX - 65536 && p.k < INT32_MAX - 65536);  // box coordinates
  BS_REQUIRE(saturating_mul(p.s.nnz, std::max(p.s.block_rows, p.s.block_cols)) < INT32_MAX);
  BS_REQUIRE(pieces_of(p).bound(p.s.nnz) * p.s.block_rows < INT32_MAX);
  BS_REQUIRE(inputs_of(p) < INT32_MAX && steps_of(p) < INT32_MAX / kMaxParts);
  BS_REQUIRE(p.m > 0 && p.n > 0 && p.k > 0 && p.s.nnz > 0 && p.batch > 0 && p.reduce > 0);
  return kAccept;
}

Plan plan(const SddmmProblem& p, const Device& d) {
  const int policy = policy_for(p);
  const Policy& P = kPolicies[policy];
  // A step of a tile: bytes out of L2 (an SM's share), products (an SM's share).
  const double sms = d.sms;
  const double tiles = product_of(p.s.elements(), p.batch) / (P.tile_m() * P.tile_n()) +
                       0.3 * product_of(p.s.block_row_count(), p.batch);
  const double l2_us = 2.0 * kStep * (P.tile_m() + P.tile_n()) / (d.l2_gbs * 1e3 * 0.9 / sms);
  const double mma_us = 2.0 * kStep * P.tile_m() * P.tile_n() / (d.tensor_tflops * 1e6 * 0.9 / sms);
  const double tile_us = static_cast<double>(steps_of(p)) * std::max(l2_us, mma_us) + 1.0;
  const double input_bytes = product_of(p.m + p.n, p.k, inputs_of(p)) * 2;
  const double result_bytes = product_of(p.s.elements(), p.batch, size_of(p.s.dtype));
  const double memory_rate = d.memory_gbs * 1e3 * 0.8;
  const double extra_us = needs_packing(p) ? 2 * d.launch_us + 2 * input_bytes / memory_rate : 0;
  return {
      .cost_us = 2 * d.launch_us + extra_us +
                 std::max(std::max(1.0, tiles / sms) * tile_us, (input_bytes + result_bytes) / memory_rate),
      .workspace_bytes = saturating_add(schedule_bytes(p, d), sums_bytes(p, d), packed_l_bytes(p), packed_r_bytes(p)),
      .policy = policy};
}

// A dense operand as vectors over k.
struct Operand {
  const void* data;
  int64_t count, ld, stride;
  Major major;
  int cells;  // that one box brings

  Status map(const SddmmProblem& p, CUtensorMap* map) const {
    const bool k_major = major == Major::k;
    return make_tensor_map({.data = data,
                            .length = k_major ? p.k : count,
                            .lines = k_major ? count : p.k,
                            .line_stride = ld,
                            .inputs = inputs_of(p),
                            .input_stride = stride,
                            .box_length = 64,
                            .box_lines = k_major ? cells * kCellLines : kStep,
                            .box_groups = !k_major && cells > 1 ? cells : 0},
                           map);
  }
};

struct Inputs {
  Operand l, r;
};

// Boxes of several cells take what lies side by side: 64 columns at a time of lines that hold whole runs of them.
void choose_boxes(const SddmmProblem& p, const Policy& policy, Inputs* inputs) {
  const int64_t width = p.s.block_cols;
  const int cells_r = std::min(policy.cells_r(), width % 256 == 0 ? 4 : width % 128 == 0 ? 2 : 1);
  const auto whole = [](const Operand& o) { return o.major == Major::k || o.count % kCellLines == 0; };
  inputs->l.cells = whole(inputs->l) ? policy.groups_m : 1;
  inputs->r.cells = whole(inputs->r) ? cells_r : 1;
}

Status prepare(const SddmmProblem& p, const SddmmOperands& o, void* workspace, const Exec& e, Inputs* inputs) {
  *inputs = {.l = {o.l, p.m, p.ldl, o.l_stride, p.l_layout == Layout::row ? Major::k : Major::m, 1},
             .r = {o.r, p.n, p.ldr, o.r_stride, p.r_layout == Layout::col ? Major::k : Major::m, 1}};
  if (!needs_packing(p)) return kSuccess;
  PackedDense l, r;
  BS_TRY(pack_dense(DenseSource::rows_of_l(p, o), workspace, e, &l));
  BS_TRY(pack_dense(DenseSource::columns_of_r(p, o), static_cast<char*>(workspace) + packed_l_bytes(p), e, &r));
  *inputs = {.l = {l.data, p.m, l.ld, l.stride, Major::k, 1}, .r = {r.data, p.n, r.ld, r.stride, Major::k, 1}};
  return kSuccess;
}

Status make_maps(const SddmmProblem& p, const SddmmOperands& o, const Inputs& inputs, bool boxes, Maps* maps) {
  BS_TRY(inputs.l.map(p, &maps->l));
  BS_TRY(inputs.r.map(p, &maps->r));
  if (!boxes) return kSuccess;
  const bool rows = p.s.block_layout == Layout::row;
  const int64_t wide = size_of(p.s.dtype) / 2;  // f32 counts as two elements of 16 bits
  const int64_t length = wide * (rows ? p.s.block_cols : p.s.block_rows);
  return make_tensor_map({.data = o.c,
                          .length = length,
                          .lines = p.s.nnz * (rows ? p.s.block_rows : p.s.block_cols),
                          .line_stride = length,
                          .inputs = p.batch,
                          .input_stride = wide * o.c_stride},
                         &maps->c);
}

template <class T, int kPolicy, Major kMajorL, Major kMajorR>
Status launch_as(const Maps& maps, const Args& x, const Exec& e) {
  const auto kernel = bsr_wgmma<T, kPolicy, kMajorL, kMajorR>;
  constexpr int kBytes = sizeof(Shared<kPolicy>);
  static_assert(kBytes <= 227 * 1024, "what an SM has");
  BS_TRY(
      cuda_status(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes), "shared memory"));
  kernel<<<static_cast<unsigned>(e.device->sms), kThreads, kBytes, static_cast<cudaStream_t>(e.stream)>>>(maps, x);
  return launched("sddmm_bsr_wgmma");
}

// Structures that count through one common index array divide its capacity; a result with more pieces than its share
// gives some of them to each unit.
int64_t slots_of(const SddmmProblem& p, const SddmmOperands& o) {
  const bool divided = o.s.stored.offset_stride > 0 && o.s.stored.index_stride == 0;
  return pieces_of(p).bound(divided ? ceil_div(p.s.nnz, p.batch) : p.s.nnz) *
         (p.s.block_rows / kPolicies[policy_for(p)].tile_m());
}

RunTiles tiles_of(const SddmmProblem& p, const SddmmOperands& o, const Policy& policy) {
  return {.rows = SparseRows::from(p.s, o.s),
          .schedule = nullptr,
          .list = nullptr,
          .list_capacity = 0,
          .block_row_count = p.s.block_row_count(),
          .block_rows = static_cast<int>(p.s.block_rows),
          .block_cols = static_cast<int>(p.s.block_cols),
          .slots = static_cast<int>(slots_of(p, o)),
          .results = static_cast<int>(p.batch),
          .row_tiles = static_cast<int>(p.s.block_rows / policy.tile_m())};
}

Args args_of(const SddmmProblem& p, const SddmmOperands& o, const Policy& policy, const Inputs& inputs) {
  return {.tiles = tiles_of(p, o, policy),
          .store = BlockStore::from(p, o),
          .sums = nullptr,
          .k = static_cast<int>(p.k),
          .input_steps = static_cast<int>(ceil_div(p.k, kStep)),
          .steps = static_cast<int>(steps_of(p)),
          .cells_l = inputs.l.cells,
          .cells_r = inputs.r.cells,
          .shared_l = inputs.l.stride == 0,
          .shared_r = inputs.r.stride == 0,
          .boxes = p.constraints.block_alignment == 16 && !p.s.gated &&
                   (p.s.dtype == p.l_type || (p.s.dtype == DType::f32 && p.s.block_layout == Layout::row))};
}

Status add_schedule(const SddmmProblem& p, char* memory, const Exec& e, Args* x) {
  if (!lists_tiles(p)) return kSuccess;
  const TileListing listing = listing_of(p, *e.device);
  BS_TRY(list_tiles(x->tiles.rows, listing, memory, e));
  x->tiles.schedule = reinterpret_cast<TileSchedule*>(memory);
  x->tiles.list = listing.list(memory);
  x->tiles.list_capacity = listing.capacity;
  x->sums = reinterpret_cast<float4*>(memory + listing.bytes());
  return kSuccess;
}

Status launch(const SddmmProblem& p, const Plan& plan, const SddmmOperands& o, const Exec& e) {
  BS_TRY(add_bias_gradient(p, o, e));
  const Policy& policy = kPolicies[plan.policy];
  auto* memory = static_cast<char*>(e.workspace);
  Inputs inputs;
  BS_TRY(prepare(p, o, memory + schedule_bytes(p, *e.device) + sums_bytes(p, *e.device), e, &inputs));
  choose_boxes(p, policy, &inputs);
  Args x = args_of(p, o, policy, inputs);
  BS_TRY(add_schedule(p, memory, e, &x));
  Maps maps{};
  BS_TRY(make_maps(p, o, inputs, x.boxes, &maps));
  Status status = kSuccess;
  Types::with(p.l_type, [&]<class T>() {
    with_index<kPolicyCount>(plan.policy, [&]<int I>() {
      with_index<4>((inputs.l.major == Major::k ? 0 : 2) + (inputs.r.major == Major::k ? 0 : 1), [&]<int J>() {
        constexpr Major kL = J / 2 ? Major::m : Major::k, kR = J % 2 ? Major::m : Major::k;
        status = launch_as<on_device_t<T>, I, kL, kR>(maps, x, e);
      });
    });
  });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SDDMM_KERNEL(cuda, bsr_wgmma)
