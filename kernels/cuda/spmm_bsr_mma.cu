// Block-sparse SpMM on the tensor cores of sm_80 and newer: a CTA owns tile_m rows of one block row and tile_n columns.
// The blocks of the row, put side by side, are one long K dimension ("run"): step s covers columns 32 s to 32 s + 31 of
// the run, wherever block borders lie, so every block size that is a multiple of 8 takes the same path. A and the rows
// of B that its columns refer to come by cp.async in a ring of stages; what lies beyond an edge is filled with zeros in
// both, so padding is never multiplied and NaN in it goes nowhere.
#include <bit>

#include "cuda/common/launch.h"
#include "cuda/common/pack_dense.h"
#include "cuda/common/transposed_index.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/epilogue.cuh"
#include "cuda/device/ptx/cp_async.cuh"
#include "cuda/device/sparse.cuh"
#include "cuda/device/warp_tile.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

using Types = TypeList<Half, BFloat16>;

struct Policy {
  int tile_m, tile_n;
  int warps_m, warps_n;
  // Of the device's tensor rate: 157, 97, 74 and 52 of 820 TFLOP/s for blocks of 128, 64, 32 and 16 in 8192 cubed; the
  // narrow ones from 4096 x 4096 x 16. H200, bench/results/h200-bsr-sweep.csv and h200-llm.csv. What holds them is the
  // latency of a step (address arithmetic, barrier, four stages), not L2: docs/performance.md.
  double tensor_share;
  constexpr int threads() const { return warps_m * warps_n * 32; }
  constexpr int warp_m() const { return tile_m / warps_m; }
  constexpr int warp_n() const { return tile_n / warps_n; }
};
constexpr Policy kPolicies[] = {
    {.tile_m = 128, .tile_n = 128, .warps_m = 2, .warps_n = 4, .tensor_share = 0.19},
    {.tile_m = 64, .tile_n = 128, .warps_m = 2, .warps_n = 2, .tensor_share = 0.118},
    {.tile_m = 32, .tile_n = 128, .warps_m = 1, .warps_n = 4, .tensor_share = 0.09},
    {.tile_m = 16, .tile_n = 128, .warps_m = 1, .warps_n = 4, .tensor_share = 0.063},
    {.tile_m = 64, .tile_n = 32, .warps_m = 4, .warps_n = 1, .tensor_share = 0.015},  // narrow results
    {.tile_m = 16, .tile_n = 32, .warps_m = 1, .warps_n = 2, .tensor_share = 0.02},
};
constexpr int kPolicyCount = 6;
constexpr int kTileK = 32;
constexpr int kStages = 4;
constexpr int kList = 128;  // blocks of the row whose addresses are staged at a time
constexpr int kChunk = 8;   // 16-bit elements of one 16-byte copy
constexpr int kPad = 8;     // elements after each row: 16 bytes shift the banks, so that ldmatrix meets no conflicts

// kMajor: how a block of op(S) lies in memory.
template <int kPolicy, Major kMajor>
struct Shared {
  static constexpr Policy P = kPolicies[kPolicy];
  static constexpr int kRowsA = kMajor == Major::k ? P.tile_m : kTileK;
  static constexpr int kWidthA = (kMajor == Major::k ? kTileK : P.tile_m) + kPad;
  static constexpr int kWidthB = P.tile_n + kPad;
  uint16_t a[kStages][kRowsA][kWidthA];
  uint16_t b[kStages][kTileK][kWidthB];
  int64_t block_at[kList];  // element offset of the block in the values
  int first_k[kList];       // its first column of op(S)
};

struct Args {
  SparseRows rows;
  const uint16_t* b;
  int64_t ldb, b_stride;
  int64_t m, n, k, batch, reduce;
  int64_t row_tiles;   // tiles of one block row
  int64_t block_rows;  // of op(S)
  int64_t strips;
  int block_m, block_k;
  int block_k_shift;  // log2 of block_k if it is a power of two, else -1
};

struct Tile {
  int64_t block_row, row0, col0, result;
  int row_in_block;

  template <int kPolicy>
  __device__ static Tile of(const Args& x, int64_t unit) {
    constexpr Policy P = kPolicies[kPolicy];
    const int64_t row_tile = unit % (x.block_rows * x.row_tiles), rest = unit / (x.block_rows * x.row_tiles);
    const int64_t ordered = row_tile / x.row_tiles;
    Tile t;
    t.block_row = x.rows.order ? x.rows.order[ordered] : ordered;
    t.row_in_block = static_cast<int>(row_tile % x.row_tiles) * P.tile_m;
    t.row0 = t.block_row * x.block_m + t.row_in_block;
    t.col0 = rest % x.strips * P.tile_n;
    t.result = rest / x.strips;
    return t;
  }
};

// Where a column of the run lies: its block in the list, and the column inside that block. A division by a size that is
// only known at run time costs more than the 16-byte copy it is for, so powers of two take a shift.
struct RunColumn {
  int entry, inside;
  __device__ RunColumn(const Args& x, int run)
      : entry(x.block_k_shift >= 0 ? run >> x.block_k_shift : run / x.block_k), inside(run - entry * x.block_k) {}
};

// How many of the eight elements from `first` on lie before `end`.
__device__ __forceinline__ int inside_chunk(int first, int end) {
  return max(0, min(kChunk, end - first));
}

// One step's piece of the run: copies of 16 bytes, each inside one block because block sizes are multiples of 8.
template <int kPolicy, Major kMajor>
__device__ __forceinline__ void load_stage(Shared<kPolicy, kMajor>& shared, int stage, const Args& x, const Tile& t,
                                           const uint16_t* values, const uint16_t* b, int run0, int run_length) {
  constexpr Policy P = kPolicies[kPolicy];
  constexpr int kAcrossA = (kMajor == Major::k ? kTileK : P.tile_m) / kChunk;
  const int k = static_cast<int>(x.k);
#pragma unroll
  for (int c = threadIdx.x; c < Shared<kPolicy, kMajor>::kRowsA * kAcrossA; c += P.threads()) {
    const int outer = c / kAcrossA, inner = c % kAcrossA * kChunk;
    const int run = run0 + (kMajor == Major::k ? inner : outer),
              row = t.row_in_block + (kMajor == Major::k ? outer : inner);
    int valid = 0;
    const uint16_t* from = values;
    if (run < run_length && row < x.block_m) {
      const RunColumn at(x, run);
      const int column = shared.first_k[at.entry] + at.inside;
      valid = kMajor == Major::k ? inside_chunk(column, k) : column < k ? kChunk : 0;
      from +=
          shared.block_at[at.entry] + (kMajor == Major::k ? row * x.block_k + at.inside : at.inside * x.block_m + row);
    }
    ptx::cp_async_16(&shared.a[stage][outer][inner], from, valid * 2);
  }
  constexpr int kAcrossB = P.tile_n / kChunk;
  const int columns = static_cast<int>(min(static_cast<int64_t>(P.tile_n), x.n - t.col0));
#pragma unroll
  for (int c = threadIdx.x; c < kTileK * kAcrossB; c += P.threads()) {
    const int run = run0 + c / kAcrossB, j = c % kAcrossB * kChunk;
    int valid = 0;
    const uint16_t* from = b;
    if (run < run_length && j < columns) {
      const RunColumn at(x, run);
      const int row = shared.first_k[at.entry] + at.inside;
      valid = row < k ? inside_chunk(j, columns) : 0;
      if (valid) from += row * x.ldb + t.col0 + j;
    }
    ptx::cp_async_16(&shared.b[stage][c / kAcrossB][j], from, valid * 2);
  }
}

template <class T, int kPolicy, Major kMajor>
struct Sums {
  static constexpr Policy P = kPolicies[kPolicy];
  static constexpr int kM = P.warp_m() / 16, kN = P.warp_n() / 8;
  WarpTile<T, kM, kN> tile;
  int warp_row, warp_col, lane;

  __device__ Sums()
      : warp_row(threadIdx.x / 32 / P.warps_n * P.warp_m()),
        warp_col(threadIdx.x / 32 % P.warps_n * P.warp_n()),
        lane(threadIdx.x % 32) {}

  __device__ void multiply(const Shared<kPolicy, kMajor>& shared, int stage) {
    using S = Shared<kPolicy, kMajor>;
#pragma unroll
    for (int k = 0; k < kTileK; k += 16)
      tile.template add<kMajor, S::kWidthA, Major::m, S::kWidthB>(shared.a[stage][0], warp_row, shared.b[stage][0],
                                                                  warp_col, k);
  }

  __device__ void store(const Args& x, const Tile& t, const Epilogue<float>& epilogue) const {
#pragma unroll
    for (int i = 0; i < kM; ++i)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = warp_row + i * 16 + half * 8 + lane / 4;
        if (t.row_in_block + row >= x.block_m || t.row0 + row >= x.m) continue;
#pragma unroll
        for (int j = 0; j < kN; ++j)
          epilogue.store_pair(t.result, t.row0 + row, t.col0 + warp_col + j * 8 + lane % 4 * 2, x.n,
                              tile.d[i][j][half * 2], tile.d[i][j][half * 2 + 1]);
      }
  }
};

// The run made of up to kList blocks from entry q0 on.
template <class T, int kPolicy, Major kMajor>
__device__ void add_run(Sums<T, kPolicy, kMajor>& sums, Shared<kPolicy, kMajor>& shared, const Args& x, const Tile& t,
                        int64_t input, int64_t q0, int entries) {
  constexpr Policy P = kPolicies[kPolicy];
  __syncthreads();  // the list and the stages of the run before are still being read
  for (int e = threadIdx.x; e < entries; e += P.threads()) {
    shared.block_at[e] = x.rows.position(input, q0 + e) * x.block_m * x.block_k;
    shared.first_k[e] = static_cast<int>(x.rows.index(input, q0 + e) * x.block_k);
  }
  __syncthreads();
  const auto* values = static_cast<const uint16_t*>(x.rows.values) + input * x.rows.value_stride;
  const uint16_t* b = x.b + input * x.b_stride;
  const int run_length = entries * x.block_k, steps = (run_length + kTileK - 1) / kTileK;
  const auto load = [&](int step) {
    if (step < steps) load_stage<kPolicy, kMajor>(shared, step % kStages, x, t, values, b, step * kTileK, run_length);
    ptx::cp_async_commit();  // an empty group keeps the count of groups equal to that of steps
  };
  for (int step = 0; step < kStages - 1; ++step) load(step);
  for (int step = 0; step < steps; ++step) {
    ptx::cp_async_wait<kStages - 2>();
    __syncthreads();
    load(step + kStages - 1);
    sums.multiply(shared, step % kStages);
  }
}

template <class T, int kPolicy, Major kMajor>
__global__ void __launch_bounds__(kPolicies[kPolicy].threads(), kPolicies[kPolicy].threads() == 256 ? 2 : 1)
    bsr_mma(Args x, Epilogue<float> epilogue) {
  extern __shared__ __align__(16) char memory[];
  auto& shared = *reinterpret_cast<Shared<kPolicy, kMajor>*>(memory);
  const Tile t = Tile::of<kPolicy>(x, blockIdx.x);
  Sums<T, kPolicy, kMajor> sums;
  for (int64_t r = 0; r < x.reduce && epilogue.scalars.alpha() != 0; ++r) {
    const int64_t end = x.rows.end(t.result + r, t.block_row);
    for (int64_t q = x.rows.begin(t.result + r, t.block_row); q < end; q += kList)
      add_run(sums, shared, x, t, t.result + r, q, static_cast<int>(min(static_cast<int64_t>(kList), end - q)));
  }
  ptx::cp_async_wait<0>();
  sums.store(x, t, epilogue);
}

int64_t block_m(const SparseShape& s) {
  return s.transposed ? s.block_cols : s.block_rows;
}
int64_t block_k(const SparseShape& s) {
  return s.transposed ? s.block_rows : s.block_cols;
}
bool needs_packing(const SpmmProblem& p) {
  return p.b_layout != Layout::row || p.constraints.alignment < 16;
}

int policy_for(const SpmmProblem& p) {
  const int64_t b = block_m(p.s);
  if (p.n <= 64) return b >= 64 ? 4 : 5;
  return b >= 128 ? 0 : b >= 64 ? 1 : b >= 32 ? 2 : 3;
}

Verdict supports(const SpmmProblem& p, const Device& d) {
  BS_REQUIRE(d.compute_capability >= 80);
  BS_REQUIRE(p.s.format == Format::bsr);
  BS_REQUIRE(Types::has(p.s.dtype) && p.b_type == p.s.dtype);
  BS_REQUIRE(p.s.block_rows % 8 == 0 && p.s.block_cols % 8 == 0);
  BS_REQUIRE(p.constraints.block_alignment == 16);
  BS_REQUIRE(!p.s.gated);  // a gate times a 16-bit value does not fit 16 bits
  BS_REQUIRE(p.k <= INT32_MAX - 65536);
  return kAccept;
}

Plan plan(const SpmmProblem& p, const Device& d) {
  const int policy = policy_for(p);
  const Policy& P = kPolicies[policy];
  const int64_t inputs = p.batch * p.reduce, strips = ceil_div(p.n, P.tile_n);
  const double row_tiles = static_cast<double>(ceil_div(block_m(p.s), P.tile_m));
  // Per column of the run: tile_m + tile_n elements out of L2, 2 tile_m tile_n FLOP.
  const double run = product_of(p.s.entries(), block_k(p.s)) * row_tiles * product_of(strips, inputs);
  const double l2_us = run * (P.tile_m + P.tile_n) * 2 / (d.l2_gbs * 1e3 * 0.7);
  const double mma_us = run * 2 * P.tile_m * P.tile_n / (d.tensor_tflops * 1e6 * P.tensor_share);
  const double values_us = product_of(p.s.elements(), inputs) * 2 / (d.memory_gbs * 1e3 * 0.7);
  const double dense_bytes = product_of(p.k, p.n, inputs) * 2;
  const double result_bytes = product_of(p.m, p.n, p.batch, size_of(p.c_type));
  const double extra_us = (needs_packing(p) ? d.launch_us + 2 * dense_bytes / (d.memory_gbs * 1e3 * 0.7) : 0) +
                          (p.s.transposed && !p.s.has_transpose ? 8 * d.launch_us : 0);
  return {.cost_us = d.launch_us + extra_us + std::max(std::max(l2_us, mma_us), values_us) +
                     result_bytes / (d.memory_gbs * 1e3 * 0.7),
          .workspace_bytes = saturating_add(transposed_index_bytes(p.s, inputs),
                                            needs_packing(p) ? packed_bytes(p.k, p.n, p.b_type, inputs) : 0),
          .policy = policy};
}

template <class T, int kPolicy, Major kMajor>
Status launch_as(const SpmmProblem& p, const SpmmOperands& o, const PackedDense& b, const Exec& e) {
  constexpr Policy P = kPolicies[kPolicy];
  Args x{.rows = SparseRows::from(p.s, o.s),
         .b = static_cast<const uint16_t*>(b.data),
         .ldb = b.ld,
         .b_stride = b.stride,
         .m = p.m,
         .n = p.n,
         .k = p.k,
         .batch = p.batch,
         .reduce = p.s.nnz > 0 ? p.reduce : 0,
         .row_tiles = ceil_div(block_m(p.s), P.tile_m),
         .block_rows = ceil_div(p.m, block_m(p.s)),
         .strips = ceil_div(p.n, P.tile_n),
         .block_m = static_cast<int>(block_m(p.s)),
         .block_k = static_cast<int>(block_k(p.s)),
         .block_k_shift = std::has_single_bit(static_cast<uint64_t>(block_k(p.s)))
                              ? std::countr_zero(static_cast<uint64_t>(block_k(p.s)))
                              : -1};
  const int64_t ctas = x.block_rows * x.row_tiles * x.strips * p.batch;
  if (ctas == 0) return kSuccess;
  if (ctas > INT32_MAX)
    return fail(BS_STATUS_NOT_SUPPORTED, "the product needs %lld CTAs", static_cast<long long>(ctas));
  const auto kernel = bsr_mma<T, kPolicy, kMajor>;
  constexpr int kBytes = sizeof(Shared<kPolicy, kMajor>);
  if (kBytes > kStaticSmemBytes)
    BS_TRY(cuda_status(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
                       "shared memory"));
  kernel<<<static_cast<unsigned>(ctas), P.threads(), kBytes, static_cast<cudaStream_t>(e.stream)>>>(
      x, Epilogue<float>::from(p, o));
  return launched("spmm_bsr_mma");
}

Status launch(const SpmmProblem& p, const Plan& plan, const SpmmOperands& given, const Exec& e) {
  SpmmOperands o = given;
  const int64_t inputs = p.batch * p.reduce;
  BS_TRY(ensure_transposed_index(p.s, inputs, e.workspace, e, &o.s));
  PackedDense b{.data = o.b, .ld = p.ldb, .stride = o.b_stride};
  if (needs_packing(p))
    BS_TRY(pack_dense(DenseSource::b_of(p, o), static_cast<char*>(e.workspace) + transposed_index_bytes(p.s, inputs), e,
                      &b));
  const bool k_major = (p.s.block_layout == Layout::row) != p.s.transposed;
  Status status = kSuccess;
  Types::with(p.s.dtype, [&]<class T>() {
    with_index<kPolicyCount>(plan.policy, [&]<int I>() {
      status = k_major ? launch_as<on_device_t<T>, I, Major::k>(p, o, b, e)
                       : launch_as<on_device_t<T>, I, Major::m>(p, o, b, e);
    });
  });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SPMM_KERNEL(cuda, bsr_mma)
