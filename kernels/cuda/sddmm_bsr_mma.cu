// SDDMM into BSR on the tensor cores of sm_80 and newer. The stored columns of a block row, put side by side, are one
// long "run"; a CTA multiplies tile_g consecutive columns of a run (gathered columns of R) with tile_s rows of the
// block row (rows of L that all of them share). Pieces of the run need not respect block borders, so every block size
// that is a multiple of 8 takes the same path, and a row of L serves several small blocks.
//
// What bounds it: (tile_s + tile_g) * 2 bytes out of L2 for 2 tile_s tile_g FLOP of one k. At 8.9 TB/s (H200) that
// allows 570, 455, 253 and 134 TFLOP/s for blocks of 128, 64, 32 and 16; mma.sync itself sustains 600. R is read from
// HBM about once for all CTAs at work, since these run through k side by side.
//
// Shared memory: a ring of stages of 32 k, rows padded by 16 bytes: 82, 77, 92 and 87 KB, so that two CTAs share an SM
// of sm_80 or sm_90 and one fits sm_86 and sm_89. The results go through the same memory, so that they leave in the
// order in which they are stored, 16 bytes at a time, whatever the layout of the blocks.
#include "cuda/common/bias_gradient.h"
#include "cuda/common/launch.h"
#include "cuda/common/pack_dense.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/numeric.cuh"
#include "cuda/device/pieces.cuh"
#include "cuda/device/ptx/cp_async.cuh"
#include "cuda/device/scalars.cuh"
#include "cuda/device/vector_loader.cuh"
#include "cuda/device/warp_tile.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

using Types = TypeList<Half, BFloat16>;

struct Policy {
  int tile_s, tile_g;  // shared rows, gathered columns
  int warps_s, warps_g;
  int stages;
  constexpr int threads() const { return warps_s * warps_g * kWarpSize; }
  constexpr int warp_s() const { return tile_s / warps_s; }
  constexpr int warp_g() const { return tile_g / warps_g; }
};
constexpr Policy kPolicies[] = {
    {.tile_s = 128, .tile_g = 128, .warps_s = 4, .warps_g = 2, .stages = 4},
    {.tile_s = 64, .tile_g = 256, .warps_s = 2, .warps_g = 4, .stages = 3},
    {.tile_s = 32, .tile_g = 256, .warps_s = 1, .warps_g = 8, .stages = 4},
    {.tile_s = 16, .tile_g = 256, .warps_s = 1, .warps_g = 8, .stages = 4},
};
constexpr int kPolicyCount = 4;
constexpr int kTileK = 32;
constexpr int kChunk = 8;   // 16-bit elements of one 16-byte copy
constexpr int kSumPad = 4;  // f32 sums after each row of results: writes of a fragment meet at most two-way conflicts

struct Args {
  SparseRows rows;
  Pieces pieces;
  Vectors l, r;
  int64_t m, n, reduce;
  int k;
  int64_t row_tiles;  // of one block row
  int64_t slots;      // CTAs for one result
  int64_t block_elements;
  int block_rows, block_cols;
  Layout block_layout;
  void* c;
  int64_t c_stride;
  DType c_type;
  bool aligned;  // 16-byte stores are legal
  DeviceScalars<float> scalars;
};

struct Tile {
  int64_t result, block_row;
  int64_t entry;  // that has the first column
  int col;        // of it in its block
  int columns;    // of the run that this tile has; none in the pieces that rows have to spare
  int row_in_block;

  __device__ static Tile of(const Args& x, int64_t result, int64_t unit, int tile_s) {
    const int64_t piece = unit / x.row_tiles, block_row = x.pieces.row_of(x.rows, result, piece);
    const int64_t begin = x.rows.begin(result, block_row), run = (x.rows.end(result, block_row) - begin) * x.block_cols;
    const int64_t run0 = (piece - x.pieces.first(x.rows, result, block_row)) * x.pieces.size;
    return {.result = result,
            .block_row = block_row,
            .entry = begin + run0 / x.block_cols,
            .col = static_cast<int>(run0 % x.block_cols),
            .columns = static_cast<int>(min(max(run - run0, int64_t{0}), static_cast<int64_t>(x.pieces.size))),
            .row_in_block = static_cast<int>(unit % x.row_tiles) * tile_s};
  }
  __device__ int64_t entry_of(const Args& x, int g) const { return entry + (col + g) / x.block_cols; }
  __device__ int col_in_block(const Args& x, int g) const { return (col + g) % x.block_cols; }
  __device__ float gate(const Args& x, int64_t q) const {
    return x.rows.gate ? x.rows.gate[result * x.rows.gate_stride + q] : 1.0f;
  }
  // Column of C, or -1: beyond the run, or gated off and not to be read.
  __device__ int64_t column(const Args& x, int g) const {
    if (g >= columns || gate(x, entry_of(x, g)) == 0) return -1;
    return x.rows.index(result, entry_of(x, g)) * x.block_cols + col_in_block(x, g);
  }
  __device__ int64_t row(const Args& x, int s) const {
    return row_in_block + s < x.block_rows ? block_row * x.block_rows + row_in_block + s : -1;
  }
};

template <int kPolicy, Major kMajorL, Major kMajorR>
struct Memory {
  static constexpr Policy P = kPolicies[kPolicy];
  using Shared = VectorLoader<P.tile_s, kTileK, kMajorL, P.threads()>;
  using Gathered = VectorLoader<P.tile_g, kTileK, kMajorR, P.threads()>;
  static constexpr int kStage = Shared::kElements + Gathered::kElements;
  static constexpr int kRing = P.stages * kStage * 2;
  static constexpr int kSumsByRow = P.tile_s * (P.tile_g + kSumPad) * 4,
                       kSumsByCol = P.tile_g * (P.tile_s + kSumPad) * 4;
  static constexpr int kBytes = std::max(kRing, std::max(kSumsByRow, kSumsByCol));
};

constexpr int64_t steps_of(int64_t k) {
  return (k + kTileK - 1) / kTileK;
}

// A product's way through the summands and k, 32 k at a time.
struct Steps {
  int left, input, k = 0;

  __device__ Steps(const Args& x, int64_t result, bool any)
      : left(any ? static_cast<int>(x.reduce * steps_of(x.k)) : 0), input(static_cast<int>(result)) {}
  __device__ void next(const Args& x) {
    --left;
    k += kTileK;
    if (k >= x.k) k = 0, ++input;
  }
  template <Major kMajor>
  __device__ int64_t offset(const Vectors& v) const {
    return int64_t{input} * v.stride + (kMajor == Major::k ? k : int64_t{k} * v.ld);
  }
};

template <class T, int kPolicy, Major kMajorL, Major kMajorR>
struct Product {
  using M = Memory<kPolicy, kMajorL, kMajorR>;
  static constexpr Policy P = kPolicies[kPolicy];
  WarpTile<T, P.warp_g() / 16, P.warp_s() / 8> sums;
  int warp_s, warp_g;  // this warp's first row and column in the tile

  __device__ Product() {
    const int warp = threadIdx.x / kWarpSize;
    warp_s = warp % P.warps_s * P.warp_s();
    warp_g = warp / P.warps_s * P.warp_g();
  }

  __device__ void add_stage(const uint16_t* stage) {
#pragma unroll
    for (int k = 0; k < kTileK; k += 16)
      sums.template add<kMajorR, M::Gathered::kPitch, kMajorL, M::Shared::kPitch>(stage + M::Shared::kElements, warp_g,
                                                                                  stage, warp_s, k);
  }

  __device__ void add_all(uint16_t* ring, const Args& x, const Tile& t, bool any) {
    const typename M::Shared shared(x.l, [&](int s) { return t.row(x, s); });
    const typename M::Gathered gathered(x.r, [&](int g) { return t.column(x, g); });
    const bool busy = warp_g < t.columns;  // the end of a run leaves warps without columns
    Steps loads(x, t.result, any);
    int steps = loads.left;
    const auto load = [&](int slot) {
      if (loads.left > 0) {
        uint16_t* stage = ring + slot * M::kStage;
        shared.load(stage, loads.offset<kMajorL>(x.l), x.k - loads.k);
        gathered.load(stage + M::Shared::kElements, loads.offset<kMajorR>(x.r), x.k - loads.k);
        loads.next(x);
      }
      ptx::cp_async_commit();  // an empty group keeps the count of groups equal to that of steps
    };
    for (int slot = 0; slot < P.stages - 1; ++slot) load(slot);
    for (int slot = 0; steps > 0; --steps, slot = slot + 1 == P.stages ? 0 : slot + 1) {
      ptx::cp_async_wait<P.stages - 2>();
      __syncthreads();
      load(slot == 0 ? P.stages - 1 : slot - 1);
      if (busy) add_stage(ring + slot * M::kStage);
    }
    ptx::cp_async_wait<0>();
  }

  // Into results[line][in line], lines as the blocks have them.
  __device__ void spread(float* results, Layout layout) const {
    const int lane = threadIdx.x % kWarpSize;
    const int step_s = layout == Layout::row ? P.tile_g + kSumPad : 1,
              step_g = layout == Layout::row ? 1 : P.tile_s + kSumPad;
#pragma unroll
    for (int i = 0; i < P.warp_g() / 16; ++i)
#pragma unroll
      for (int j = 0; j < P.warp_s() / 8; ++j)
#pragma unroll
        for (int e = 0; e < 4; ++e)
          results[(warp_g + i * 16 + e / 2 * 8 + lane / 4) * step_g +
                  (warp_s + j * 8 + lane % 4 * 2 + e % 2) * step_s] = sums.d[i][j][e];
  }
};

// Eight consecutive elements of a block, of which `inside` belong to the matrix; padding becomes zero.
template <class C>
__device__ void store_eight(C* to, const float* sums, float factor, float beta, int inside, bool aligned) {
  struct alignas(16) Eight {
    C element[kChunk];
  } out;
  const float4 low = reinterpret_cast<const float4*>(sums)[0], high = reinterpret_cast<const float4*>(sums)[1];
  const float sum[kChunk] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
  for (int e = 0; e < kChunk; ++e) {
    const float product = factor != 0 ? factor * sum[e] : 0.0f;
    const float old = beta != 0 && e < inside ? beta * widen<float>(to[e]) : 0.0f;
    out.element[e] = narrow<C>(e < inside ? product + old : 0.0f);
  }
  if (aligned) {
    *reinterpret_cast<Eight*>(to) = out;
  } else {
#pragma unroll
    for (int e = 0; e < kChunk; ++e) to[e] = out.element[e];
  }
}

__device__ void store_chunk(const Args& x, const Tile& t, const float* sums, int s, int g, float alpha, float beta) {
  const int row = t.row_in_block + s, col = t.col_in_block(x, g);
  if (g >= t.columns || row >= x.block_rows) return;
  const int64_t entry = t.entry_of(x, g);
  const int64_t rows_left = x.m - t.block_row * x.block_rows - row;
  const int64_t cols_left = x.n - x.rows.index(t.result, entry) * x.block_cols - col;
  const bool row_major = x.block_layout == Layout::row;
  const int64_t left = row_major ? (rows_left > 0 ? cols_left : 0) : (cols_left > 0 ? rows_left : 0);
  const int inside = static_cast<int>(min(max(left, int64_t{0}), int64_t{kChunk}));
  const float gate = t.gate(x, entry), factor = gate != 0 && alpha != 0 ? alpha * gate : 0.0f;
  const int64_t at =
      t.result * x.c_stride + entry * x.block_elements +
      (row_major ? static_cast<int64_t>(row) * x.block_cols + col : static_cast<int64_t>(col) * x.block_rows + row);
  if (x.c_type == DType::f32)
    store_eight(static_cast<float*>(x.c) + at, sums, factor, beta, inside, x.aligned);
  else if (x.c_type == DType::f16)
    store_eight(static_cast<__half*>(x.c) + at, sums, factor, beta, inside, x.aligned);
  else
    store_eight(static_cast<__nv_bfloat16*>(x.c) + at, sums, factor, beta, inside, x.aligned);
}

template <int kPolicy>
__device__ __noinline__ void store_tile(const Args& x, const Tile& t, const float* results, float alpha, float beta) {
  constexpr Policy P = kPolicies[kPolicy];
  const bool row_major = x.block_layout == Layout::row;
  const int line = row_major ? P.tile_g : P.tile_s, pitch = line + kSumPad, across = line / kChunk;
  for (int c = threadIdx.x; c < P.tile_s * P.tile_g / kChunk; c += P.threads()) {
    const int outer = c / across, inner = c % across * kChunk;
    store_chunk(x, t, results + outer * pitch + inner, row_major ? outer : inner, row_major ? inner : outer, alpha,
                beta);
  }
}

template <class T, int kPolicy, Major kMajorL, Major kMajorR>
__global__ void __launch_bounds__(kPolicies[kPolicy].threads(), 2) bsr_mma(const __grid_constant__ Args x) {
  extern __shared__ __align__(16) char memory[];
  const int64_t result = blockIdx.x / x.slots, units = x.pieces.count(x.rows, result) * x.row_tiles;
  const bool any = x.k > 0 && x.scalars.alpha() != 0;
  for (int64_t unit = blockIdx.x % x.slots; unit < units; unit += x.slots) {
    const Tile t = Tile::of(x, result, unit, kPolicies[kPolicy].tile_s);
    if (t.columns == 0) continue;
    Product<T, kPolicy, kMajorL, kMajorR> product;
    product.add_all(reinterpret_cast<uint16_t*>(memory), x, t, any);
    __syncthreads();  // all stages are read
    product.spread(reinterpret_cast<float*>(memory), x.block_layout);
    __syncthreads();
    store_tile<kPolicy>(x, t, reinterpret_cast<const float*>(memory), any ? x.scalars.alpha() : 0.0f, x.scalars.beta());
    __syncthreads();  // before the next tile's loads
  }
}

constexpr int64_t kSmemPerCta = 99 * 1024;  // the largest ring fits, and so does sm_86's limit

bool needs_packing(const SddmmProblem& p) {
  return p.constraints.alignment < 16;
}
int64_t inputs_of(const SddmmProblem& p) {
  return p.batch * p.reduce;
}
int64_t packed_l_bytes(const SddmmProblem& p) {
  return packed_bytes(p.m, p.k, p.l_type, inputs_of(p));
}
int64_t packed_r_bytes(const SddmmProblem& p) {
  return packed_bytes(p.n, p.k, p.r_type, inputs_of(p));
}

int policy_for(const SddmmProblem& p) {
  return p.s.block_rows > 64 ? 0 : p.s.block_rows > 32 ? 1 : p.s.block_rows > 16 ? 2 : 3;
}

Verdict supports(const SddmmProblem& p, const Device& d) {
  BS_REQUIRE(d.compute_capability >= 80);
  BS_REQUIRE(d.smem_per_cta >= kSmemPerCta);
  BS_REQUIRE(p.s.format == Format::bsr);
  BS_REQUIRE(Types::has(p.l_type) && p.r_type == p.l_type);
  BS_REQUIRE(p.s.block_rows % 8 == 0 && p.s.block_cols % 8 == 0);
  BS_REQUIRE(p.k <= INT32_MAX - kTileK && p.reduce <= INT32_MAX / std::max<int64_t>(steps_of(p.k), 1));
  return kAccept;
}

Plan plan(const SddmmProblem& p, const Device& d) {
  const int policy = policy_for(p);
  const Policy& P = kPolicies[policy];
  // Per k and gathered column: 1 + tile_s / tile_g elements out of L2, 2 tile_s FLOP. The shares make the model
  // meet 211, 148, 102 and 55 TFLOP/s for blocks of 128, 64, 32 and 16 at 8192 cubed, 10 % (H200,
  // bench/results/h200-bsr-sweep.csv).
  const double row_tiles = static_cast<double>(ceil_div(p.s.block_rows, P.tile_s));
  const double run = product_of(p.s.entries(), p.s.block_cols) * row_tiles, k = product_of(p.k, p.reduce, p.batch);
  const double l2_us = run * k * 2 * (1 + static_cast<double>(P.tile_s) / P.tile_g) / (d.l2_gbs * 1e3 * 0.4);
  const double mma_us = run * k * 2 * P.tile_s / (d.tensor_tflops * 1e6 * 0.33);
  const double input_bytes = static_cast<double>(p.m + p.n) * k * 2;
  const double result_bytes = product_of(p.s.elements(), p.batch, size_of(p.s.dtype));
  const double memory_rate = d.memory_gbs * 1e3 * 0.7;
  const double extra_us = needs_packing(p) ? 2 * d.launch_us + 2 * input_bytes / memory_rate : 0;
  return {.cost_us = d.launch_us + extra_us + std::max(std::max(l2_us, mma_us), input_bytes / memory_rate) +
                     result_bytes / memory_rate,
          .workspace_bytes = needs_packing(p) ? saturating_add(packed_l_bytes(p), packed_r_bytes(p)) : 0,
          .policy = policy};
}

// Both operands as vectors over k, and which index is contiguous.
struct Inputs {
  Vectors l, r;
  Major l_major, r_major;
};

Status prepare(const SddmmProblem& p, const SddmmOperands& o, const Exec& e, Inputs* inputs) {
  *inputs = {.l = {static_cast<const uint16_t*>(o.l), p.ldl, o.l_stride, p.m},
             .r = {static_cast<const uint16_t*>(o.r), p.ldr, o.r_stride, p.n},
             .l_major = p.l_layout == Layout::row ? Major::k : Major::m,
             .r_major = p.r_layout == Layout::col ? Major::k : Major::m};
  if (!needs_packing(p)) return kSuccess;
  PackedDense l, r;
  BS_TRY(pack_dense(DenseSource::rows_of_l(p, o), e.workspace, e, &l));
  BS_TRY(pack_dense(DenseSource::columns_of_r(p, o), static_cast<char*>(e.workspace) + packed_l_bytes(p), e, &r));
  *inputs = {.l = {static_cast<const uint16_t*>(l.data), l.ld, l.stride, p.m},
             .r = {static_cast<const uint16_t*>(r.data), r.ld, r.stride, p.n},
             .l_major = Major::k,
             .r_major = Major::k};
  return kSuccess;
}

template <class T, int kPolicy, Major kMajorL, Major kMajorR>
Status launch_as(Args x, const SddmmProblem& p, const SddmmOperands& o, const Exec& e) {
  constexpr Policy P = kPolicies[kPolicy];
  // Structures that count through one common index array divide its capacity; a CTA whose units end early takes others.
  const bool divided = o.s.stored.offset_stride > 0 && o.s.stored.index_stride == 0;
  x.pieces = {.rows = p.s.block_row_count(), .width = x.block_cols, .size = P.tile_g};
  x.row_tiles = ceil_div(p.s.block_rows, P.tile_s);
  x.slots = std::min(x.pieces.bound(divided ? ceil_div(p.s.nnz, p.batch) : p.s.nnz) * x.row_tiles, INT32_MAX / p.batch);
  if (x.slots == 0) return fail(BS_STATUS_NOT_SUPPORTED, "a batch of %lld results", static_cast<long long>(p.batch));
  const auto kernel = bsr_mma<T, kPolicy, kMajorL, kMajorR>;
  constexpr int kBytes = Memory<kPolicy, kMajorL, kMajorR>::kBytes;
  static_assert(kBytes <= kSmemPerCta, "fits the smallest machine");
  BS_TRY(
      cuda_status(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes), "shared memory"));
  kernel<<<static_cast<unsigned>(x.slots * p.batch), P.threads(), kBytes, static_cast<cudaStream_t>(e.stream)>>>(x);
  return launched("sddmm_bsr_mma");
}

template <class T, int kPolicy>
Status launch_policy(const Args& x, const Inputs& inputs, const SddmmProblem& p, const SddmmOperands& o,
                     const Exec& e) {
  if (inputs.l_major == Major::k)
    return inputs.r_major == Major::k ? launch_as<T, kPolicy, Major::k, Major::k>(x, p, o, e)
                                      : launch_as<T, kPolicy, Major::k, Major::m>(x, p, o, e);
  return inputs.r_major == Major::k ? launch_as<T, kPolicy, Major::m, Major::k>(x, p, o, e)
                                    : launch_as<T, kPolicy, Major::m, Major::m>(x, p, o, e);
}

Status launch(const SddmmProblem& p, const Plan& plan, const SddmmOperands& o, const Exec& e) {
  BS_TRY(add_bias_gradient(p, o, e));
  if (p.batch == 0 || p.s.nnz == 0 || p.s.block_row_count() == 0) return kSuccess;
  Inputs inputs;
  BS_TRY(prepare(p, o, e, &inputs));
  const Args x{.rows = SparseRows::from(p.s, o.s),
               .pieces = {},
               .l = inputs.l,
               .r = inputs.r,

               .m = p.m,
               .n = p.n,
               .reduce = p.reduce,
               .k = static_cast<int>(p.k),
               .row_tiles = 1,
               .slots = 1,
               .block_elements = p.s.block_rows * p.s.block_cols,
               .block_rows = static_cast<int>(p.s.block_rows),
               .block_cols = static_cast<int>(p.s.block_cols),
               .block_layout = p.s.block_layout,
               .c = o.c,
               .c_stride = o.c_stride,
               .c_type = p.s.dtype,
               .aligned = p.constraints.block_alignment >= 16,
               .scalars = DeviceScalars<float>::from(p, o.scalars)};
  Status status = kSuccess;
  Types::with(p.l_type, [&]<class T>() {
    with_index<kPolicyCount>(plan.policy,
                             [&]<int I>() { status = launch_policy<on_device_t<T>, I>(x, inputs, p, o, e); });
  });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SDDMM_KERNEL(cuda, bsr_mma)
