// CSR SpMM on CUDA cores, one-dimensional tiling: a group of lanes owns one row of op(S) and a strip of columns, walks
// the row's entries and adds value times row of B into registers. Rows run fastest and longest first (the row order of
// analysis), so that the CTAs of an SM read the same strip of B at about the same time and share it through L1. After
// T. Gale et al., "Sparse GPU Kernels for Deep Learning", 2020. Where rows are few, several groups of a CTA take slices
// of one row, and their sums are added in the order of the slices.
//
// What bounds it: 128 bytes a clock and SM out of L1 for B, and one pass a nonzero for its index and value. With 32
// bytes of B a lane a nonzero costs 8 + 1 clocks for 512 f32 FLOP: 57 FLOP/clk/SM, about 14.8 TFLOP/s on an H200.
#include "cuda/common/launch.h"
#include "cuda/common/pack_dense.h"
#include "cuda/common/transposed_index.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/epilogue.cuh"
#include "cuda/device/sparse.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

using Types = TypeList<float, Half, BFloat16, double>;

struct Policy {
  int lanes;    // of a warp, for one row
  int vectors;  // of 16 bytes of a row of B, for one lane
};
constexpr Policy kPolicies[] = {
    {.lanes = 8, .vectors = 1},   // narrow results: four rows a warp
    {.lanes = 32, .vectors = 1},  // few rows
    {.lanes = 32, .vectors = 2},  // the fewest passes a nonzero
};
constexpr int kThreads = 128;
constexpr int kChunk = 32;  // entries of a row staged in shared memory at a time
constexpr int kUnroll = 4;  // entries whose loads of B are in flight together

template <class T>
constexpr int kPerVector = 16 / static_cast<int>(sizeof(T));

// The row of B that an entry multiplies, and the value.
template <class Acc>
struct alignas(2 * sizeof(Acc)) Staged {
  int row;
  Acc value;
};

template <class T>
struct Dense {
  const T* data;
  int64_t ld, stride;
};

struct Extent {
  int64_t m, n, batch, reduce, strips;
  int split;  // groups that share a row: a power of two
};

template <class T, int kPolicy>
struct Strip {
  static constexpr Policy P = kPolicies[kPolicy];
  static constexpr int kWidth = kPerVector<T> * P.vectors;  // columns a lane
  static constexpr int kColumns = kWidth * P.lanes;
  using Acc = accumulator_t<T>;
  Acc sum[kWidth] = {};
  int64_t first;  // column of this lane's first vector; the next one is kPerVector * lanes on
  int lane;
  int64_t n;

  __device__ Strip(int64_t column0, int lane_, int64_t n_)
      : first(column0 + lane_ * kPerVector<T>), lane(lane_), n(n_) {}
  __device__ int64_t column(int v) const { return first + v * kPerVector<T> * P.lanes; }

  // Rows of the packed B end on 16 bytes; a vector that begins inside n may be read whole.
  __device__ void load(uint4 (&raw)[P.vectors], const T* row) const {
#pragma unroll
    for (int v = 0; v < P.vectors; ++v)
      raw[v] = column(v) < n ? __ldg(reinterpret_cast<const uint4*>(row + column(v))) : uint4{};
  }
  __device__ void add(Acc value, const uint4 (&raw)[P.vectors]) {
#pragma unroll
    for (int v = 0; v < P.vectors; ++v) {
      const T* elements = reinterpret_cast<const T*>(&raw[v]);
#pragma unroll
      for (int e = 0; e < kPerVector<T>; ++e) sum[v * kPerVector<T> + e] += value * widen<Acc>(elements[e]);
    }
  }
};

template <class T, int kPolicy>
__device__ void add_entries(Strip<T, kPolicy>& strip, const Staged<accumulator_t<T>>* staged, int count, const T* b,
                            int64_t ldb) {
  constexpr Policy P = kPolicies[kPolicy];
  int e = 0;
  for (; e + kUnroll <= count; e += kUnroll) {
    uint4 raw[kUnroll][P.vectors];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) strip.load(raw[u], b + staged[e + u].row * ldb);
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) strip.add(staged[e + u].value, raw[u]);
  }
  for (; e < count; ++e) {  // never padded: 0 * NaN of a row that is not referred to must not appear
    uint4 raw[P.vectors];
    strip.load(raw, b + staged[e].row * ldb);
    strip.add(staged[e].value, raw);
  }
}

// Adds what the other groups of a row have to the sums of its first one.
template <class T, int kPolicy>
__device__ void gather_slices(Strip<T, kPolicy>& strip, int split) {
  using S = Strip<T, kPolicy>;
  __shared__ typename S::Acc partial[kThreads][S::kWidth];
#pragma unroll
  for (int e = 0; e < S::kWidth; ++e) partial[threadIdx.x][e] = strip.sum[e];
  __syncthreads();
  if (threadIdx.x / S::P.lanes % split != 0) return;
  for (int other = 1; other < split; ++other)
#pragma unroll
    for (int e = 0; e < S::kWidth; ++e) strip.sum[e] += partial[threadIdx.x + other * S::P.lanes][e];
}

template <class T, int kPolicy>
__global__ void __launch_bounds__(kThreads)
    rowswizzle(SparseRows rows, Dense<T> b, Extent extent, Epilogue<accumulator_t<T>> epilogue) {
  constexpr Policy P = kPolicies[kPolicy];
  using Acc = accumulator_t<T>;
  constexpr int kGroups = kThreads / P.lanes;
  __shared__ Staged<Acc> staged[kGroups][kChunk];
  const int lane = threadIdx.x % P.lanes, group = threadIdx.x / P.lanes;
  const unsigned mask = P.lanes == kWarpSize ? kFullWarp : ((1u << P.lanes) - 1) << (threadIdx.x % kWarpSize - lane);
  const int64_t units = extent.m * extent.strips * extent.batch;
  const int64_t last = units - 1, own = (static_cast<int64_t>(blockIdx.x) * kGroups + group) / extent.split,
                unit = min(own, last);
  const int slice = group % extent.split;
  const int64_t i = rows.order ? rows.order[unit % extent.m] : unit % extent.m;
  const int64_t result = unit / extent.m / extent.strips;
  Strip<T, kPolicy> strip(unit / extent.m % extent.strips * Strip<T, kPolicy>::kColumns, lane, extent.n);

  for (int64_t r = 0; own == unit && r < extent.reduce && epilogue.scalars.alpha() != 0; ++r) {
    const int64_t input = result + r, begin = rows.begin(input, i), length = rows.end(input, i) - begin;
    const int64_t end = begin + length * (slice + 1) / extent.split;
    const T* values = static_cast<const T*>(rows.values) + input * rows.value_stride;
    for (int64_t q0 = begin + length * slice / extent.split; q0 < end; q0 += kChunk) {
      const int count = static_cast<int>(min(static_cast<int64_t>(kChunk), end - q0));
      __syncwarp(mask);
      for (int e = lane; e < count; e += P.lanes)
        staged[group][e] = {static_cast<int>(rows.index(input, q0 + e)),
                            widen<Acc>(values[rows.position(input, q0 + e)])};
      __syncwarp(mask);
      add_entries<T, kPolicy>(strip, staged[group], count, b.data + input * b.stride, b.ld);
    }
  }
  if (extent.split > 1) gather_slices<T, kPolicy>(strip, extent.split);
  if (own != unit || slice != 0) return;
#pragma unroll
  for (int v = 0; v < P.vectors; ++v)
    epilogue.template store_vector<T>(result, i, strip.column(v), extent.n, strip.sum + v * kPerVector<T>);
}

bool needs_packing(const SpmmProblem& p) {
  return p.b_layout != Layout::row || p.constraints.alignment < 16;
}

int64_t columns_of(const Policy& policy, DType dtype) {
  return policy.lanes * policy.vectors * (16 / size_of(dtype));
}
int64_t units_of(const SpmmProblem& p, const Policy& policy) {
  return p.m * p.batch * ceil_div(p.n, columns_of(policy, p.b_type));
}

// Which policy, and how many groups share a row.
struct Choice {
  int policy = 0, split = 1;

  // The widest strip that n fills at least half and that, with shared rows, still gives every SM 16 warps; then slices
  // of 16 entries and more until every SM has 32.
  Choice(const SpmmProblem& p, const Device& d) {
    const int64_t length = p.s.entries() / std::max<int64_t>(p.m, 1);
    const auto most = [&](int i) { return std::clamp<int64_t>(length / 16, 1, kThreads / kPolicies[i].lanes); };
    const auto warps = [&](int i, int64_t groups) {
      return product_of(p.m, p.batch, ceil_div(p.n, columns_of(kPolicies[i], p.b_type)), groups, kPolicies[i].lanes) /
             32;
    };
    for (int i = 2; i > 0 && policy == 0; --i)
      if (2 * p.n > columns_of(kPolicies[i], p.b_type) && warps(i, most(i)) >= d.sms * 16) policy = i;
    while (2 * split <= most(policy) && warps(policy, split) < d.sms * 32) split *= 2;
  }
};

Verdict supports(const SpmmProblem& p, const Device&) {
  BS_REQUIRE(p.s.format == Format::csr);
  BS_REQUIRE(p.s.dtype == p.b_type);
  BS_REQUIRE(p.k <= INT32_MAX);
  return kAccept;
}

Plan plan(const SpmmProblem& p, const Device& d) {
  // A group of lanes computes a whole strip, however few columns it has.
  const int64_t columns = std::max(p.n, std::min<int64_t>(p.n, 1) * columns_of(kPolicies[0], p.b_type));
  const double flops = 2.0 * static_cast<double>(p.s.entries()) * product_of(columns, p.batch, p.reduce);
  const double element = static_cast<double>(size_of(p.b_type));
  // Measured: docs/performance.md.
  const double rate =
      std::min(d.f32_tflops * 0.16, d.l2_gbs * 1e-3 * 2.8 / element) * (p.s.dtype == DType::f64 ? 0.5 : 1);
  const double dense_bytes = product_of(p.k, p.n, p.batch, p.reduce) * element;
  const double result_bytes = product_of(p.m, p.n, p.batch, size_of(p.c_type));
  const int64_t inputs = p.batch * p.reduce;
  const double extra_us = needs_packing(p) ? d.launch_us + 2 * dense_bytes / (d.memory_gbs * 1e3 * 0.7) : 0;
  const double index_us = p.s.transposed && !p.s.has_transpose ? 8 * d.launch_us : 0;
  // The longest row, four entries a round trip to L2.
  const Choice choice(p, d);
  const int64_t longest =
      p.s.stats.known && !p.s.transposed ? p.s.stats.row_length_max : p.s.entries() / std::max<int64_t>(p.m, 1);
  const double alone_us = product_of(longest, p.reduce) * 0.1 / choice.split;
  return {.cost_us = d.launch_us + 2 + extra_us + index_us + std::max(flops / (rate * 1e6), alone_us) +
                     result_bytes / (d.memory_gbs * 1e3 * 0.7),
          .workspace_bytes = saturating_add(transposed_index_bytes(p.s, inputs),
                                            needs_packing(p) ? packed_bytes(p.k, p.n, p.b_type, inputs) : 0),
          .policy = choice.policy};
}

template <class T, int kPolicy>
Status launch_as(const SpmmProblem& p, const SpmmOperands& o, const PackedDense& b, const Exec& e) {
  using D = on_device_t<T>;
  constexpr Policy P = kPolicies[kPolicy];
  const int split = Choice(p, *e.device).split;
  const int64_t ctas = ceil_div(units_of(p, P) * split, kThreads / P.lanes);
  if (ctas == 0) return kSuccess;
  if (ctas > INT32_MAX)
    return fail(BS_STATUS_NOT_SUPPORTED, "the product needs %lld CTAs", static_cast<long long>(ctas));
  const Extent extent{.m = p.m,
                      .n = p.n,
                      .batch = p.batch,
                      .reduce = p.s.nnz > 0 ? p.reduce : 0,
                      .strips = ceil_div(p.n, columns_of(P, p.b_type)),
                      .split = split};
  rowswizzle<D, kPolicy><<<static_cast<unsigned>(ctas), kThreads, 0, static_cast<cudaStream_t>(e.stream)>>>(
      SparseRows::from(p.s, o.s), Dense<D>{static_cast<const D*>(b.data), b.ld, b.stride}, extent,
      Epilogue<accumulator_t<D>>::from(p, o));
  return launched("spmm_csr_rowswizzle");
}

Status launch(const SpmmProblem& p, const Plan& plan, const SpmmOperands& given, const Exec& e) {
  SpmmOperands o = given;
  const int64_t inputs = p.batch * p.reduce;
  BS_TRY(ensure_transposed_index(p.s, inputs, e.workspace, e, &o.s));
  PackedDense b{.data = o.b, .ld = p.ldb, .stride = o.b_stride};
  if (needs_packing(p))
    BS_TRY(pack_dense(DenseSource::b_of(p, o), static_cast<char*>(e.workspace) + transposed_index_bytes(p.s, inputs), e,
                      &b));
  Status status = kSuccess;
  Types::with(p.b_type,
              [&]<class T>() { with_index<3>(plan.policy, [&]<int I>() { status = launch_as<T, I>(p, o, b, e); }); });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SPMM_KERNEL(cuda, csr_rowswizzle)
