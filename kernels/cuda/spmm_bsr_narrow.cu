// BSR times a narrow B on tensor cores (decoding: up to 32 tokens): bound by reading the blocks once, so everything
// goes from memory straight into the registers of mma, with many loads in flight and no barrier on the way. A CTA owns
// 16 rows of a block row; its blocks side by side are one long K dimension ("run"), whose steps of 32 columns its warps
// take in turn. The warps' sums are added at the end, always in the same order.
//
// A lane reads 16 bytes: eight consecutive columns of one row of a block, and the eight rows of B that they meet, for
// which B is stored by columns. mma counts k otherwise, but in A and B alike, so the products are the same.
#include <bit>

#include "cuda/common/launch.h"
#include "cuda/common/pack_dense.h"
#include "cuda/common/transposed_index.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/epilogue.cuh"
#include "cuda/device/ptx/mma.cuh"
#include "cuda/device/sparse.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

using Types = TypeList<Half, BFloat16>;

constexpr int kWarps = 8;
constexpr int kRows = 16;     // of a CTA
constexpr int kStep = 32;     // columns of the run
constexpr int kPiece = 8;     // elements of 16 bytes
constexpr int kMaxTiles = 4;  // of 8 columns of B

struct Args {
  SparseRows rows;
  const uint16_t* b;  // by columns
  int64_t ldb, b_stride;
  int64_t m, n, k, reduce, block_rows;
  int block_m, block_k, tiles_m;
  int block_k_shift;  // log2 of block_k if it is a power of two, else -1
};

template <int kTiles>
constexpr int kUnroll = kTiles > 2 ? 2 : 4;  // steps whose loads are in flight together

// Elements from `count` on become zeros, in both operands: what lies behind the edge of the matrix may be anything.
__device__ __forceinline__ void cut(uint4& piece, int count) {
  auto* words = reinterpret_cast<uint32_t*>(&piece);
#pragma unroll
  for (int w = 0; w < 4; ++w) words[w] &= count >= 2 * w + 2 ? 0xffffffffu : count == 2 * w + 1 ? 0xffffu : 0u;
}

// What one lane has of a step: two rows of A, eight apart, and one column of B for each tile.
template <int kTiles>
struct Pieces {
  uint4 a[2], b[kTiles];
  int64_t values_at, k;  // where they come from
  bool exists;

  __device__ void find(const Args& x, int64_t input, int64_t q0, int64_t run, int64_t run_length) {
    exists = run < run_length;
    if (!exists) return;
    const int64_t entry = x.block_k_shift >= 0 ? run >> x.block_k_shift : run / x.block_k,
                  inside = run - entry * x.block_k;
    values_at = x.rows.position(input, q0 + entry) * x.block_m * x.block_k + inside;
    k = x.rows.index(input, q0 + entry) * x.block_k + inside;
    exists = k < x.k;
  }
  __device__ void load(const Args& x, const uint16_t* values, const uint16_t* b_rows, int row, int column) {
#pragma unroll
    for (int half = 0; half < 2; ++half)
      a[half] = exists && row + half * 8 < x.block_m
                    ? __ldg(reinterpret_cast<const uint4*>(values + values_at + (row + half * 8) * x.block_k))
                    : uint4{};
#pragma unroll
    for (int t = 0; t < kTiles; ++t)
      b[t] = exists && column + t * 8 < x.n
                 ? __ldg(reinterpret_cast<const uint4*>(b_rows + (column + t * 8) * x.ldb + k))
                 : uint4{};
  }
  __device__ void cut_edge(const Args& x) {
    if (!exists || k + kPiece <= x.k) return;
    const int count = static_cast<int>(x.k - k);
    cut(a[0], count), cut(a[1], count);
#pragma unroll
    for (int t = 0; t < kTiles; ++t) cut(b[t], count);
  }
};

template <class T, int kTiles>
__device__ __forceinline__ void multiply(float (&sum)[kTiles][4], const Pieces<kTiles>& p) {
  const uint32_t first[4] = {p.a[0].x, p.a[1].x, p.a[0].y, p.a[1].y},
                 second[4] = {p.a[0].z, p.a[1].z, p.a[0].w, p.a[1].w};
#pragma unroll
  for (int t = 0; t < kTiles; ++t) {
    ptx::mma_m16n8k16<T>(sum[t], first, p.b[t].x, p.b[t].y);
    ptx::mma_m16n8k16<T>(sum[t], second, p.b[t].z, p.b[t].w);
  }
}

template <class T, int kTiles>
__device__ void add_run(float (&sum)[kTiles][4], const Args& x, int64_t input, int64_t block_row, int row0) {
  const int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  const int64_t q0 = x.rows.begin(input, block_row), run_length = (x.rows.end(input, block_row) - q0) * x.block_k;
  const auto* values = static_cast<const uint16_t*>(x.rows.values) + input * x.rows.value_stride;
  const uint16_t* b = x.b + input * x.b_stride;
  for (int64_t run = warp * kStep; run < run_length; run += kWarps * kStep * kUnroll<kTiles>) {
    Pieces<kTiles> pieces[kUnroll<kTiles>];
#pragma unroll
    for (int u = 0; u < kUnroll<kTiles>; ++u)
      pieces[u].find(x, input, q0, run + u * kWarps * kStep + lane % 4 * kPiece, run_length);
#pragma unroll
    for (int u = 0; u < kUnroll<kTiles>; ++u) pieces[u].load(x, values, b, row0 + lane / 4, lane / 4);
#pragma unroll
    for (int u = 0; u < kUnroll<kTiles>; ++u) {
      pieces[u].cut_edge(x);
      __syncwarp();
      multiply<T, kTiles>(sum, pieces[u]);
    }
  }
}

template <class T, int kTiles>
__global__ void __launch_bounds__(kWarps* kWarpSize, 2) narrow(Args x, Epilogue<float> epilogue) {
  constexpr int kColumns = kTiles * 8;
  __shared__ float of_warp[kWarps][kRows][kColumns];
  const int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  const int64_t unit = blockIdx.x, ordered = unit / x.tiles_m % x.block_rows, result = unit / x.tiles_m / x.block_rows;
  const int64_t block_row = x.rows.order ? x.rows.order[ordered] : ordered;
  const int row0 = static_cast<int>(unit % x.tiles_m) * kRows;
  float sum[kTiles][4] = {};
  for (int64_t r = 0; r < x.reduce && epilogue.scalars.alpha() != 0; ++r)
    add_run<T, kTiles>(sum, x, result + r, block_row, row0);
#pragma unroll
  for (int t = 0; t < kTiles; ++t)
#pragma unroll
    for (int e = 0; e < 4; ++e) of_warp[warp][lane / 4 + e / 2 * 8][t * 8 + lane % 4 * 2 + e % 2] = sum[t][e];
  __syncthreads();
  for (int at = threadIdx.x; at < kRows * kColumns; at += kWarps * kWarpSize) {
    const int row = row0 + at / kColumns, column = at % kColumns;
    const int64_t i = block_row * x.block_m + row;
    if (row >= x.block_m || i >= x.m || column >= x.n) continue;
    float total = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) total += of_warp[w][at / kColumns][column];
    epilogue.store(result, i, column, total);
  }
}

int64_t block_m(const SparseShape& s) {
  return s.transposed ? s.block_cols : s.block_rows;
}
int64_t block_k(const SparseShape& s) {
  return s.transposed ? s.block_rows : s.block_cols;
}
bool needs_packing(const SpmmProblem& p) {
  return p.b_layout != Layout::col || p.constraints.alignment < 16;
}
// B's columns as rows.
DenseSource columns_of_b(const SpmmProblem& p, const SpmmOperands& o) {
  DenseSource source = DenseSource::b_of(p, o);
  std::swap(source.rows, source.cols);
  source.layout = flip(source.layout);
  return source;
}

Verdict supports(const SpmmProblem& p, const Device& d) {
  BS_REQUIRE(d.compute_capability >= 80);
  BS_REQUIRE(p.s.format == Format::bsr);
  BS_REQUIRE(Types::has(p.s.dtype) && p.b_type == p.s.dtype);
  BS_REQUIRE(p.n <= kMaxTiles * 8);
  BS_REQUIRE(block_k(p.s) % 8 == 0);
  BS_REQUIRE((p.s.block_layout == Layout::row) != p.s.transposed);  // k contiguous in a block
  BS_REQUIRE(p.constraints.block_alignment == 16);
  BS_REQUIRE(!p.s.gated);  // a gate times a 16-bit value does not fit 16 bits
  return kAccept;
}

Plan plan(const SpmmProblem& p, const Device& d) {
  const int64_t inputs = p.batch * p.reduce, tiles = ceil_div(std::max<int64_t>(p.n, 1), 8);
  const double values = product_of(p.s.elements(), inputs) * 2;
  const double dense_bytes = product_of(p.k, p.n, inputs) * 2;
  const double extra_us = (needs_packing(p) ? d.launch_us + 2 * dense_bytes / (d.memory_gbs * 1e3 * 0.7) : 0) +
                          (p.s.transposed && !p.s.has_transpose ? 8 * d.launch_us : 0);
  // Measured for blocks of 32 and 128 at 4096 x 4096 x 16, 10 and 50 %.
  return {.cost_us = d.launch_us + 2.5 + extra_us +
                     std::max(values / (d.memory_gbs * 1e3 * 0.6),
                              values * static_cast<double>(tiles * 8 + kRows) / kRows / (d.l2_gbs * 1e3 * 0.6)),
          .workspace_bytes = saturating_add(transposed_index_bytes(p.s, inputs),
                                            needs_packing(p) ? packed_bytes(p.n, p.k, p.b_type, inputs) : 0),
          .policy = tiles <= 1   ? 0
                    : tiles <= 2 ? 1
                                 : 2};
}

template <class T, int kTiles>
Status launch_as(const SpmmProblem& p, const SpmmOperands& o, const PackedDense& b, const Exec& e) {
  const Args x{.rows = SparseRows::from(p.s, o.s),
               .b = static_cast<const uint16_t*>(b.data),
               .ldb = b.ld,
               .b_stride = b.stride,
               .m = p.m,
               .n = p.n,
               .k = p.k,
               .reduce = p.s.nnz > 0 ? p.reduce : 0,
               .block_rows = ceil_div(p.m, block_m(p.s)),
               .block_m = static_cast<int>(block_m(p.s)),
               .block_k = static_cast<int>(block_k(p.s)),
               .tiles_m = static_cast<int>(ceil_div(block_m(p.s), kRows)),
               .block_k_shift = std::has_single_bit(static_cast<uint64_t>(block_k(p.s)))
                                    ? std::countr_zero(static_cast<uint64_t>(block_k(p.s)))
                                    : -1};
  const int64_t ctas = x.block_rows * x.tiles_m * p.batch;
  if (ctas == 0 || p.n == 0) return kSuccess;
  if (ctas > INT32_MAX)
    return fail(BS_STATUS_NOT_SUPPORTED, "the product needs %lld CTAs", static_cast<long long>(ctas));
  narrow<T, kTiles><<<static_cast<unsigned>(ctas), kWarps * kWarpSize, 0, static_cast<cudaStream_t>(e.stream)>>>(
      x, Epilogue<float>::from(p, o));
  return launched("spmm_bsr_narrow");
}

Status launch(const SpmmProblem& p, const Plan& plan, const SpmmOperands& given, const Exec& e) {
  SpmmOperands o = given;
  const int64_t inputs = p.batch * p.reduce;
  BS_TRY(ensure_transposed_index(p.s, inputs, e.workspace, e, &o.s));
  PackedDense b{.data = o.b, .ld = p.ldb, .stride = o.b_stride};
  if (needs_packing(p))
    BS_TRY(
        pack_dense(columns_of_b(p, o), static_cast<char*>(e.workspace) + transposed_index_bytes(p.s, inputs), e, &b));
  Status status = kSuccess;
  Types::with(p.s.dtype, [&]<class T>() {
    with_index<3>(plan.policy, [&]<int I>() { status = launch_as<on_device_t<T>, 1 << I>(p, o, b, e); });
  });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SPMM_KERNEL(cuda, bsr_narrow)
