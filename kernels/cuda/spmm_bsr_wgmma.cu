// Block-sparse SpMM at Hopper's rate, for blocks of 64 rows and more: TMA brings, wgmma multiplies. A CTA stays on its
// SM and takes tiles (a slice of one block row, a strip of columns) from a counter. Its third warpgroup feeds the
// others: warp 1 takes tiles, warp 0 walks their blocks and starts the copies of one step each (kStep of the inner
// dimension) into a ring; two warpgroups multiply, and store their part of the result while the ring fills for the next
// tile. Nothing makes the two wait for each other but the ring, so one stores while the other has the tensor cores.
//
// What bounds it: bytes out of L2. With I FLOP a byte, min(8.9 I, 820 / (1 + 15 / I)) TFLOP/s on an H200: a block of
// 128 by 256 columns has I = 85, one of 64 by 512 has 57.
#include "cuda/common/launch.h"
#include "cuda/common/pack_dense.h"
#include "cuda/common/tensor_map.h"
#include "cuda/common/transposed_index.h"
#include "cuda/device/epilogue.cuh"
#include "cuda/device/ring.cuh"
#include "cuda/device/sparse.cuh"
#include "cuda/device/warpgroup_tile.cuh"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

using Types = TypeList<Half, BFloat16>;

struct Policy {
  int groups_m, groups_n;  // warpgroups that multiply, 64 rows each
  int columns;             // cells of 64 columns a warpgroup
  int step;                // of the inner dimension
  int stages;
  constexpr int cells_a() const { return groups_m; }
  constexpr int cells_b() const { return groups_n * columns; }
  constexpr int tile_m() const { return 64 * groups_m; }
  constexpr int tile_n() const { return 64 * cells_b(); }
  constexpr int stage_bytes() const { return (cells_a() + cells_b()) * kCellLines * step * 2; }
};
// Two warpgroups each: 384 threads leave 168 registers a thread at launch, which setmaxnreg turns into 24 and 240.
constexpr Policy kPolicies[] = {
    {.groups_m = 2, .groups_n = 1, .columns = 4, .step = 64, .stages = 4},
    {.groups_m = 2, .groups_n = 1, .columns = 2, .step = 64, .stages = 6},
    {.groups_m = 1, .groups_n = 2, .columns = 4, .step = 32, .stages = 5},
    {.groups_m = 1, .groups_n = 2, .columns = 2, .step = 64, .stages = 4},
    {.groups_m = 1, .groups_n = 2, .columns = 1, .step = 64, .stages = 6},
};
constexpr int kPolicyCount = 5;
constexpr int64_t kPanelBytes = 16 << 20;  // of B in use at a time; beyond 32 MB L2 slows down
constexpr int kConsumers = 2;              // warpgroups
constexpr int kThreads = (kConsumers + 1) * kWarpgroup;
constexpr int kQueue = 3;         // tiles known ahead
constexpr int kStagingCells = 2;  // of results, a warpgroup

struct Args {
  SparseRows rows;
  unsigned long long* next;  // tile beyond those that the grid begins with; null where it begins with all
  int64_t units;
  int64_t n, k, reduce, m;
  int64_t strip_group;
  int64_t row_tiles, block_rows, strips;  // tiles of one block row; of op(S); of columns
  int block_m, block_k;
  int cells_b;                   // that one box brings
  bool groups_b;                 // the boxes of a row-major B: runs of 64 columns
  bool shared_b, shared_values;  // one for all inputs
  bool ragged;                   // the last block column ends beyond k
  bool boxes;                    // the result may be stored by the copy engine
};

// A tile, as the taker describes it to the others. steps < 0: there are no more.
struct Tile {
  int64_t result, block_row, column;
  int64_t steps;
  int row_in_block;
};

template <int kPolicy>
struct Shared {
  static constexpr Policy P = kPolicies[kPolicy];
  Cell<P.step> a[P.stages][P.cells_a()];
  Cell<P.step> b[P.stages][P.cells_b()];
  Cell<64> staging[kConsumers][kStagingCells];
  Ring<P.stages> ring;
  Ring<kQueue> queue;
  Tile tile[kQueue];
  int valid[P.stages];  // inner indices of the step that exist
};

// Tile number `unit`: strips of a group run fastest, then rows, longest first. A group's share of B stays in L2 while
// all rows pass, and the tiles of a row that are worked on together take its blocks out of memory once.
template <int kPolicy>
__device__ Tile tile_of(const Args& x, int64_t unit) {
  constexpr Policy P = kPolicies[kPolicy];
  const int64_t rows = x.block_rows * x.row_tiles, in_result = unit % (rows * x.strips);
  const int64_t first_strip = in_result / (rows * x.strip_group) * x.strip_group;
  const int64_t strips = min(x.strip_group, x.strips - first_strip), in_group = in_result - first_strip * rows;
  const int64_t row_tile = in_group / strips, ordered = row_tile / x.row_tiles;
  return {.result = unit / (rows * x.strips),
          .block_row = x.rows.order ? x.rows.order[ordered] : ordered,
          .column = (first_strip + in_group % strips) * P.tile_n(),
          .steps = 0,
          .row_in_block = static_cast<int>(row_tile % x.row_tiles) * P.tile_m()};
}

// Warp 1 of the producers.
template <int kPolicy>
__device__ void take_tiles(Shared<kPolicy>& shared, const Args& x, bool empty) {
  constexpr Policy P = kPolicies[kPolicy];
  RingPlace<kQueue> place;
  for (int64_t unit = blockIdx.x;; place.advance()) {
    Tile t{.steps = -1};
    if (unit < x.units) {
      t = tile_of<kPolicy>(x, unit);
      for (int64_t r = 0; r < x.reduce && !empty; ++r)
        t.steps +=
            (x.rows.end(t.result + r, t.block_row) - x.rows.begin(t.result + r, t.block_row)) * (x.block_k / P.step);
    }
    place.wait_empty(shared.queue);
    shared.tile[place.stage] = t;
    ptx::mbarrier_arrive(&shared.queue.full[place.stage]);
    if (unit >= x.units) return;
    unit = x.next ? gridDim.x + static_cast<int64_t>(atomicAdd(x.next, 1ull)) : x.units;
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

// One block: block_k / step stages.
template <int kPolicy, Major kMajorA, Major kMajorB>
__device__ __forceinline__ void load_block(Shared<kPolicy>& shared, RingPlace<kPolicies[kPolicy].stages>& place,
                                           const Maps& maps, const Args& x, const Tile& t, int position, int column,
                                           int input) {
  constexpr Policy P = kPolicies[kPolicy];
  const int values = x.shared_values ? 0 : input, b = x.shared_b ? 0 : input, column0 = static_cast<int>(t.column);
  const int row = t.row_in_block + (kMajorA == Major::k ? position * x.block_m : 0);
  int k_of_a = kMajorA == Major::k ? 0 : position * x.block_k, k_of_b = column * x.block_k;
  for (int k = 0; k < x.block_k; k += P.step, k_of_a += P.step, k_of_b += P.step, place.advance()) {
    const int stage = place.stage;
    place.wait_empty(shared.ring);
    uint64_t* full = &shared.ring.full[stage];
    if (x.ragged) shared.valid[stage] = static_cast<int>(x.k) - k_of_b;
    ptx::mbarrier_arrive_expect(full, P.stage_bytes());
    load_cells<P.step, kMajorA>(shared.a[stage], maps.a, full, row, k_of_a, values, true);
#pragma unroll 1
    for (int c = 0; c < P.cells_b(); c += x.cells_b)
      load_cells<P.step, kMajorB>(&shared.b[stage][c], maps.b, full, column0 + c * kCellLines, k_of_b, b, x.groups_b);
  }
}

// Warp 0 of the producers: its lanes read the list of blocks 32 at a time, lane 0 starts the copies.
template <int kPolicy, Major kMajorA, Major kMajorB>
__device__ void load_tiles(Shared<kPolicy>& shared, const Maps& maps, const Args& x) {
  constexpr Policy P = kPolicies[kPolicy];
  const int lane = threadIdx.x % kWarpSize;
  RingPlace<P.stages> place;
  RingPlace<kQueue> tiles;
  for (;;) {
    const Tile t = next_tile(shared, tiles);
    if (t.steps < 0) return;
    for (int64_t r = 0; r < x.reduce && t.steps > 0; ++r) {
      const int64_t input = t.result + r, end = x.rows.end(input, t.block_row);
      for (int64_t q0 = x.rows.begin(input, t.block_row); q0 < end; q0 += kWarpSize) {
        const int count = static_cast<int>(min(static_cast<int64_t>(kWarpSize), end - q0));
        const int position = lane < count ? static_cast<int>(x.rows.position(input, q0 + lane)) : 0;
        const int column = lane < count ? static_cast<int>(x.rows.index(input, q0 + lane)) : 0;
        for (int e = 0; e < count; ++e) {
          const int at = __shfl_sync(kFullWarp, position, e), to = __shfl_sync(kFullWarp, column, e);
          if (lane == 0)
            load_block<kPolicy, kMajorA, kMajorB>(shared, place, maps, x, t, at, to, static_cast<int>(input));
        }
      }
    }
  }
}

template <class T, int kPolicy, Major kMajorA, Major kMajorB>
__device__ void multiply_tile(WarpgroupTile<T, kPolicies[kPolicy].columns>& sums, Shared<kPolicy>& shared,
                              RingPlace<kPolicies[kPolicy].stages>& place, const Args& x, int64_t steps) {
  constexpr Policy P = kPolicies[kPolicy];
  const int group = threadIdx.x / kWarpgroup;
  const bool releases = threadIdx.x % kWarpSize == 0;
  int before = -1;  // stage of the step before this one
  for (int64_t s = 0; s < steps; ++s, place.advance()) {
    const int stage = place.stage;
    place.wait_full(shared.ring);
    Cell<P.step>& a = shared.a[stage][group % P.groups_m];
    if (x.ragged && shared.valid[stage] < P.step) {
      clip_cell<P.step, kMajorA>(&a, shared.valid[stage]);
      warpgroup_sync();
    }
    ptx::wgmma_fence();
    sums.template multiply<kMajorA, kMajorB>(a, &shared.b[stage][group / P.groups_m * P.columns], s > 0);
    ptx::wgmma_commit();
    ptx::wgmma_wait<1>();
    if (before >= 0 && releases) ptx::mbarrier_arrive(&shared.ring.empty[before]);
    before = stage;
  }
  ptx::wgmma_wait<0>();
  if (before >= 0 && releases) ptx::mbarrier_arrive(&shared.ring.empty[before]);
}

// By boxes, kStagingCells at a time, while the next ones are being staged.
template <class T, int kColumns>
__device__ void store_boxes(const WarpgroupTile<T, kColumns>& sums, Cell<64>* staging, const CUtensorMap& map,
                            Layout layout, float alpha, int row, int column, int result) {
  const bool elected = threadIdx.x % kWarpgroup == 0;
#pragma unroll
  for (int j = 0; j < kColumns; ++j) {
    if (j % kStagingCells == 0) {
      if (elected) ptx::bulk_wait_read();
      warpgroup_sync();
    }
    sums.stage(j, alpha, layout, &staging[j % kStagingCells]);
    ptx::fence_async_proxy();
    warpgroup_sync();
    if (!elected) continue;
    const int first = column + j * 64;
    ptx::store_box(&map, &staging[j % kStagingCells], layout == Layout::row ? first : row,
                   layout == Layout::row ? row : first, 0, result);
    ptx::bulk_commit();
  }
}

// Every other result: through f32 in shared memory, 64 columns at a time, by the general end of SpMM kernels.
template <class T, int kColumns>
__device__ void store_sums(const WarpgroupTile<T, kColumns>& sums, Cell<64>* staging, const Epilogue<float>& epilogue,
                           const Args& x, int64_t row0, int64_t column0, int64_t result) {
  static_assert(kStagingCells * sizeof *staging == 64 * 64 * sizeof(float));
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
      epilogue.store_pair(result, row0 + row, column0 + j * 64 + pair * 2, x.n, sum.x, sum.y);
    }
  }
}

template <class T, int kPolicy, Major kMajorA, Major kMajorB>
__device__ void consume(Shared<kPolicy>& shared, const Maps& maps, const Args& x, const Epilogue<float>& epilogue) {
  constexpr Policy P = kPolicies[kPolicy];
  const int group = threadIdx.x / kWarpgroup;
  const float alpha = epilogue.scalars.alpha();
  const bool boxes = x.boxes && epilogue.scalars.beta() == 0;
  WarpgroupTile<T, P.columns> sums;
  RingPlace<P.stages> place;
  RingPlace<kQueue> tiles;
  for (;;) {
    const Tile t = next_tile(shared, tiles);
    if (t.steps < 0) break;
    if (t.steps == 0) sums.clear();
    multiply_tile<T, kPolicy, kMajorA, kMajorB>(sums, shared, place, x, t.steps);
    const int64_t row0 = t.block_row * x.block_m + t.row_in_block + group % P.groups_m * 64;
    const int64_t column0 = t.column + group / P.groups_m * P.columns * 64;
    if (boxes) {
      store_boxes(sums, shared.staging[group], maps.c, epilogue.c_layout, alpha, static_cast<int>(row0),
                  static_cast<int>(column0), static_cast<int>(t.result));
    } else {
      store_sums(sums, shared.staging[group], epilogue, x, row0, column0, t.result);
    }
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
    shared.ring.init(1, kConsumers * kWarpgroup / kWarpSize);
    shared.queue.init(1, kConsumers * kWarpgroup + kWarpSize);
    ptx::mbarrier_init_fence();
  }
  __syncthreads();
  if (threadIdx.x / kWarpgroup == kConsumers) {
    ptx::give_registers<24>();
    const int warp = threadIdx.x / kWarpSize % 4;
    if (warp == 0) load_tiles<kPolicy, kMajorA, kMajorB>(shared, maps, x);
    if (warp == 1 && threadIdx.x % kWarpSize == 0) take_tiles(shared, x, epilogue.scalars.alpha() == 0);
  } else {
    ptx::take_registers<240>();
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
  return block_m(p.s) % policy.tile_m() == 0 && block_k(p.s) % policy.step == 0;
}

Verdict supports(const SpmmProblem& p, const Device& d) {
  BS_REQUIRE(d.compute_capability == 90);
  BS_REQUIRE(p.s.format == Format::bsr);
  BS_REQUIRE(Types::has(p.s.dtype) && p.b_type == p.s.dtype);
  BS_REQUIRE(block_m(p.s) % 64 == 0 && block_k(p.s) % 32 == 0);
  BS_REQUIRE(block_k(p.s) % 64 == 0 || p.n > 128);
  BS_REQUIRE(p.constraints.block_alignment == 16);
  BS_REQUIRE(!p.s.gated);  // a gate times a 16-bit value does not fit 16 bits
  BS_REQUIRE(p.m < INT32_MAX - 65536 && p.n < INT32_MAX - 65536 && p.k < INT32_MAX - 65536);  // box coordinates
  BS_REQUIRE(p.s.nnz * std::max(block_m(p.s), block_k(p.s)) < INT32_MAX);
  BS_REQUIRE(p.m > 0 && p.n > 0 && p.k > 0 && p.s.nnz > 0 && p.reduce > 0);
  return kAccept;
}

int64_t units_of(const SpmmProblem& p, const Policy& policy) {
  return ceil_div(p.m, block_m(p.s)) * (block_m(p.s) / policy.tile_m()) * ceil_div(p.n, policy.tile_n()) * p.batch;
}

// Microseconds of all tiles, a wave of them at a time.
double product_us(const SpmmProblem& p, const Device& d, const Policy& policy) {
  const auto units = static_cast<double>(units_of(p, policy));
  const double columns =
      static_cast<double>(p.s.entries() * block_k(p.s) * p.reduce) / static_cast<double>(ceil_div(p.m, block_m(p.s)));
  // A column of the tile: bytes out of L2 (an SM's share), products (an SM's share), and a tile's fixed time: list,
  // first copies, store of the result.
  const double sms = d.sms;
  const double l2_us = 2.0 * (policy.tile_m() + policy.tile_n()) / (d.l2_gbs * 1e3 * 0.9 / sms);
  const double mma_us = 2.0 * policy.tile_m() * policy.tile_n() / (d.tensor_tflops * 1e6 * 0.85 / sms);
  const double tile_us = columns * std::max(l2_us, mma_us) + 1.0;
  return std::max(1.0, units / sms) * tile_us;
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
  const double bytes = 2.0 * static_cast<double>(p.s.elements() * inputs + p.k * p.n * inputs) +
                       static_cast<double>(p.m * p.n * p.batch * size_of(p.c_type));
  const double extra_us =
      (needs_packing(p) ? d.launch_us + 4.0 * static_cast<double>(p.k * p.n * inputs) * memory_us : 0) +
      (p.s.transposed && !p.s.has_transpose ? 8 * d.launch_us : 0);
  return {.cost_us = 2 * d.launch_us + extra_us + std::max(product_us(p, d, kPolicies[policy]), bytes * memory_us),
          .workspace_bytes = 256 + transposed_index_bytes(p.s, inputs) +
                             (needs_packing(p) ? packed_bytes(p.k, p.n, p.b_type, inputs) : 0),
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
  BS_TRY(make_tensor_map({.data = o.s.values,
                          .length = k_major ? bk : bm,
                          .lines = p.s.nnz * (k_major ? bm : bk),
                          .line_stride = k_major ? bk : bm,
                          .inputs = inputs,
                          .input_stride = o.s.value_stride,
                          .box_length = k_major ? policy.step : kCellLines,
                          .box_lines = k_major ? policy.tile_m() : policy.step,
                          .box_groups = k_major ? 0 : policy.cells_a()},
                         &maps->a));
  BS_TRY(make_tensor_map({.data = b.data,
                          .length = rows_of_b ? p.n : p.k,
                          .lines = rows_of_b ? p.k : p.n,
                          .line_stride = b.ld,
                          .inputs = inputs,
                          .input_stride = b.stride,
                          .box_length = rows_of_b ? kCellLines : policy.step,
                          .box_lines = rows_of_b ? policy.step : cells_b * kCellLines,
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
               .row_tiles = block_m(p.s) / policy.tile_m(),
               .block_rows = ceil_div(p.m, block_m(p.s)),
               .strips = ceil_div(p.n, policy.tile_n()),
               .block_m = static_cast<int>(block_m(p.s)),
               .block_k = static_cast<int>(block_k(p.s)),
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
