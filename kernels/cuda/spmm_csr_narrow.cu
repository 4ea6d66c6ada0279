// CSR times a narrow B, rows of up to 128 bytes (decoding: a few tokens): a group of lanes just as wide as a row of B
// takes one entry, the other groups of the warp the entries beside it, so that indices and values are read in full
// sectors and no lane is idle. One or more warps share a row of op(S); what they have is added across lanes, then
// across warps, always in the same order.
//
// What bounds it: B comes from L1 at about two clocks a line, whatever little of the line is wanted; the entries from
// memory once.
#include <bit>

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

constexpr int kWarps = 4;     // of a CTA
constexpr int kMaxLanes = 8;  // for a row of B
constexpr int kEntries = 4;   // of a lane, whose loads are in flight together

template <class T>
constexpr int kPerVector = 16 / static_cast<int>(sizeof(T));

template <class T>
struct Dense {
  const T* data;
  int64_t ld, stride;
};

struct Extent {
  int64_t m, n, batch, reduce;
  int warps;  // a row: a power of two up to kWarps
};

// A lane's 16 bytes of the result's row.
template <class T>
struct Sums {
  using Acc = accumulator_t<T>;
  Acc sum[kPerVector<T>] = {};

  __device__ void add(Acc value, const uint4& raw) {
    const T* elements = reinterpret_cast<const T*>(&raw);
#pragma unroll
    for (int e = 0; e < kPerVector<T>; ++e) sum[e] += value * widen<Acc>(elements[e]);
  }
  // Of all lanes that are a multiple of kLanes apart.
  template <int kLanes>
  __device__ void fold() {
#pragma unroll
    for (int step = kWarpSize / 2; step >= kLanes; step /= 2)
#pragma unroll
      for (int e = 0; e < kPerVector<T>; ++e) sum[e] += __shfl_xor_sync(kFullWarp, sum[e], step);
  }
};

// A row of op(S) in one input, at this lane's columns of B.
template <class T, class Index>
struct Row {
  const SparseRows& rows;
  const Index* indices;
  const T* values;
  const T* b;
  int64_t ldb, first;  // of the positions
  int length;

  __device__ Row(const SparseRows& rows_, const Dense<T>& dense, int64_t input, int64_t i, int64_t column)
      : rows(rows_), b(dense.data + input * dense.stride + column), ldb(dense.ld) {
    const int64_t begin = rows.begin(input, i);
    first = input * rows.pattern.index_stride + begin;
    indices = static_cast<const Index*>(rows.pattern.indices) + first;
    values = static_cast<const T*>(rows.values) + input * rows.value_stride + (rows.positions ? 0 : begin);
    length = static_cast<int>(rows.end(input, i) - begin);
  }
};

// Entries q, q + step, …: up to kEntries of them, those beyond the row are row -1 of B.
template <class T, class Index>
struct Entries {
  int row[kEntries];
  T value[kEntries];

  __device__ void load(const Row<T, Index>& x, int q, int step) {
#pragma unroll
    for (int e = 0; e < kEntries; ++e)
      row[e] = q + e * step < x.length ? static_cast<int>(x.indices[q + e * step]) - x.rows.base : -1;
    if (!x.rows.positions) {
#pragma unroll
      for (int e = 0; e < kEntries; ++e)
        if (q + e * step < x.length) value[e] = x.values[q + e * step];
      return;
    }
#pragma unroll
    for (int e = 0; e < kEntries; ++e)
      if (q + e * step < x.length)
        value[e] = x.values[load_index(x.rows.offset_type, x.rows.positions, x.first + q + e * step)];
  }
};

// The entries after those whose rows of B are on their way are on their way too.
template <class T, class Index>
__device__ __forceinline__ void add_row(Sums<T>& sums, const Row<T, Index>& x, int q, int step) {
  using Acc = accumulator_t<T>;
  Entries<T, Index> next;
  next.load(x, q, step);
  for (; q < x.length; q += step * kEntries) {
    const Entries<T, Index> now = next;
    uint4 raw[kEntries];
#pragma unroll
    for (int e = 0; e < kEntries; ++e)
      if (now.row[e] >= 0) raw[e] = __ldg(reinterpret_cast<const uint4*>(x.b + now.row[e] * x.ldb));
    next.load(x, q + step * kEntries, step);
#pragma unroll
    for (int e = 0; e < kEntries; ++e)
      if (now.row[e] >= 0) sums.add(widen<Acc>(now.value[e]), raw[e]);
  }
}

template <class T, class Index, int kLanes>
__global__ void __launch_bounds__(kWarps* kWarpSize, 6)
    narrow(SparseRows rows, Dense<T> b, Extent x, Epilogue<accumulator_t<T>> epilogue) {
  __shared__ accumulator_t<T> of_warp[kWarps][kLanes][kPerVector<T>];
  const int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize, member = warp % x.warps;
  const int64_t unit = static_cast<int64_t>(blockIdx.x) * (kWarps / x.warps) + warp / x.warps;
  const bool exists = unit < x.m * x.batch;
  const int64_t result = exists ? unit / x.m : 0, ordered = exists ? unit % x.m : 0;
  const int64_t i = exists && rows.order ? rows.order[ordered] : ordered;
  const int64_t column = lane % kLanes * kPerVector<T>;
  Sums<T> sums;
  // Rows of the packed B end on 16 bytes; a vector that begins inside n may be read whole.
  if (exists && column < x.n) {
    for (int64_t r = 0; r < x.reduce && epilogue.scalars.alpha() != 0; ++r)
      add_row<T, Index>(sums, {rows, b, result + r, i, column}, (member * kWarpSize + lane) / kLanes,
                        kWarpSize / kLanes * x.warps);
  }
  __syncwarp();
  sums.template fold<kLanes>();
  if (x.warps > 1) {
#pragma unroll
    for (int e = 0; e < kPerVector<T>; ++e)
      if (lane < kLanes) of_warp[warp][lane][e] = sums.sum[e];
    __syncthreads();
    if (member == 0 && lane < kLanes)
      for (int w = 1; w < x.warps; ++w)
#pragma unroll
        for (int e = 0; e < kPerVector<T>; ++e) sums.sum[e] += of_warp[warp + w][lane][e];
  }
  if (exists && member == 0 && lane < kLanes && column < x.n)
    epilogue.template store_vector<T>(result, i, column, x.n, sums.sum);
}

bool needs_packing(const SpmmProblem& p) {
  return p.b_layout != Layout::row || p.constraints.alignment < 16;
}

int lanes_for(const SpmmProblem& p) {
  const int64_t vectors = ceil_div(std::max<int64_t>(p.n, 1) * size_of(p.b_type), 16);
  return static_cast<int>(std::bit_ceil(static_cast<uint64_t>(vectors)));
}

// So many warps a row that every SM has 32, as long as each has entries for all its lanes.
int warps_for(const SpmmProblem& p, const Device& d) {
  const int64_t rows = std::max<int64_t>(p.m * p.batch, 1), entries = p.s.entries() / std::max<int64_t>(p.m, 1);
  int warps = 1;
  while (warps < kWarps && rows * warps < d.sms * 32 && entries >= 2 * warps * kEntries * (kWarpSize / lanes_for(p)))
    warps *= 2;
  return warps;
}

Verdict supports(const SpmmProblem& p, const Device&) {
  BS_REQUIRE(p.s.format == Format::csr);
  BS_REQUIRE(p.s.dtype == p.b_type);
  BS_REQUIRE(p.n * size_of(p.b_type) <= kMaxLanes * 16);
  BS_REQUIRE(p.k <= INT32_MAX);
  BS_REQUIRE(p.s.nnz < INT32_MAX / 2);       // the length of a row, and a step beyond it
  BS_REQUIRE(!p.constraints.deterministic);  // how many lanes share a sum depends on n: a column's bits do too
  return kAccept;
}

Plan plan(const SpmmProblem& p, const Device& d) {
  const int64_t inputs = p.batch * p.reduce;
  const double entries = product_of(p.s.entries(), inputs);
  const double bytes = entries * static_cast<double>(size_of(p.s.dtype) + size_of(p.s.index_type) +
                                                     (p.s.transposed ? size_of(p.s.offset_type) : 0)) +
                       product_of(p.m, p.n, p.batch, size_of(p.c_type));
  // Clocks an entry, measured for rows of 32 and 64 bytes of B: 4096 x 4096 x 16, 10 and 50 %, at 1.7 GHz.
  const double gather_us = entries * (1 + 0.4 * lanes_for(p)) / (d.sms * 1.7e3);
  const double dense_bytes = product_of(p.k, p.n, inputs, size_of(p.b_type));
  const double extra_us = (needs_packing(p) ? d.launch_us + 2 * dense_bytes / (d.memory_gbs * 1e3 * 0.7) : 0) +
                          (p.s.transposed && !p.s.has_transpose ? 8 * d.launch_us : 0);
  return {.cost_us = d.launch_us + 1 + extra_us + std::max(bytes / (d.memory_gbs * 1e3 * 0.8), gather_us),
          .workspace_bytes = saturating_add(transposed_index_bytes(p.s, inputs),
                                            needs_packing(p) ? packed_bytes(p.k, p.n, p.b_type, inputs) : 0),
          .policy = std::countr_zero(static_cast<unsigned>(lanes_for(p)))};
}

template <class T, class Index, int kLanes>
Status launch_as(const SpmmProblem& p, const SpmmOperands& o, const PackedDense& b, const Exec& e) {
  using D = on_device_t<T>;
  // Without entries the arrays may be NULL: no summand is looked at.
  const Extent extent{
      .m = p.m, .n = p.n, .batch = p.batch, .reduce = p.s.nnz > 0 ? p.reduce : 0, .warps = warps_for(p, *e.device)};
  const int64_t ctas = ceil_div(p.m * p.batch, kWarps / extent.warps);
  if (ctas == 0 || p.n == 0) return kSuccess;
  if (ctas > INT32_MAX)
    return fail(BS_STATUS_NOT_SUPPORTED, "the product needs %lld CTAs", static_cast<long long>(ctas));
  narrow<D, Index, kLanes><<<static_cast<unsigned>(ctas), kWarps * kWarpSize, 0, static_cast<cudaStream_t>(e.stream)>>>(
      SparseRows::from(p.s, o.s), Dense<D>{static_cast<const D*>(b.data), b.ld, b.stride}, extent,
      Epilogue<accumulator_t<D>>::from(p, o));
  return launched("spmm_csr_narrow");
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
  Types::with(p.b_type, [&]<class T>() {
    with_index<4>(plan.policy, [&]<int I>() {
      status = p.s.index_type == IndexType::i32 ? launch_as<T, int32_t, 1 << I>(p, o, b, e)
                                                : launch_as<T, int64_t, 1 << I>(p, o, b, e);
    });
  });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SPMM_KERNEL(cuda, csr_narrow)
