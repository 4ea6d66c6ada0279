// CSR times one column (SpMV): a few lanes of a warp a row, as many as its mean length keeps busy, so that rows of any
// length read their indices and values in full sectors. Bound by memory: an entry's index and value are read once, x
// comes from L1 and L2.
#include <bit>

#include "cuda/common/launch.h"
#include "cuda/common/transposed_index.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/epilogue.cuh"
#include "cuda/device/sparse.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

using Types = TypeList<float, Half, BFloat16, double>;

constexpr int kThreads = 256;
constexpr int kEntries = 4;  // a lane, whose loads are in flight together

template <class T>
struct Column {  // x of one input
  const T* data;
  int64_t step, stride;
};

struct Extent {
  int64_t m, batch, reduce;
  int lanes;  // a row: a power of two up to a warp
};

// Products of entries q, q + step, ...: up to kEntries of them, those from `end` on left out.
template <class T, class Index, class Acc>
__device__ void add_entries(Acc& sum, const SparseRows& rows, int64_t input, const T* values, const T* x,
                            int64_t x_step, int64_t q, int step, int64_t end) {
  const Index* indices = static_cast<const Index*>(rows.pattern.indices) + input * rows.pattern.index_stride;
  int64_t column[kEntries], position[kEntries];
  T value[kEntries], factor[kEntries];
#pragma unroll
  for (int e = 0; e < kEntries; ++e) {
    const bool exists = q + e * step < end;
    column[e] = exists ? static_cast<int64_t>(indices[q + e * step]) - rows.base : -1;
    position[e] = exists ? rows.position(input, q + e * step) : 0;
  }
#pragma unroll
  for (int e = 0; e < kEntries; ++e) {
    if (column[e] < 0) continue;
    value[e] = values[position[e]];
    factor[e] = x[column[e] * x_step];
  }
#pragma unroll
  for (int e = 0; e < kEntries; ++e)
    if (column[e] >= 0) sum += widen<Acc>(value[e]) * widen<Acc>(factor[e]);
}

template <class T, class Index>
__global__ void __launch_bounds__(kThreads)
    dot(SparseRows rows, Column<T> x, Extent extent, Epilogue<accumulator_t<T>> epilogue) {
  using Acc = accumulator_t<T>;
  const int lanes = extent.lanes, lane = threadIdx.x % lanes;
  const unsigned group = lanes == kWarpSize ? kFullWarp : ((1u << lanes) - 1) << (threadIdx.x % kWarpSize - lane);
  const int64_t units = extent.m * extent.batch, step = static_cast<int64_t>(gridDim.x) * (kThreads / lanes);
  for (int64_t unit = static_cast<int64_t>(blockIdx.x) * (kThreads / lanes) + threadIdx.x / lanes; unit < units;
       unit += step) {
    const int64_t result = unit / extent.m, i = rows.order ? rows.order[unit % extent.m] : unit % extent.m;
    Acc sum = 0;
    for (int64_t r = 0; r < extent.reduce && epilogue.scalars.alpha() != 0; ++r) {
      const int64_t input = result + r, end = rows.end(input, i);
      const T* values = static_cast<const T*>(rows.values) + input * rows.value_stride;
      for (int64_t q = rows.begin(input, i) + lane; q < end; q += static_cast<int64_t>(lanes) * kEntries)
        add_entries<T, Index>(sum, rows, input, values, x.data + input * x.stride, x.step, q, lanes, end);
    }
    for (int other = lanes / 2; other > 0; other /= 2) sum += __shfl_xor_sync(group, sum, other);
    if (lane == 0) epilogue.store(result, i, 0, sum);
  }
}

// About kEntries entries a lane; from 2 lanes to a warp.
int lanes_for(const SpmmProblem& p) {
  const int64_t wanted = p.s.entries() / (std::max<int64_t>(p.m, 1) * kEntries);
  return static_cast<int>(
      std::bit_ceil(static_cast<uint64_t>(std::min<int64_t>(std::max<int64_t>(wanted, 2), kWarpSize))));
}

Verdict supports(const SpmmProblem& p, const Device&) {
  BS_REQUIRE(p.s.format == Format::csr);
  BS_REQUIRE(p.n == 1);
  BS_REQUIRE(p.s.dtype == p.b_type);
  return kAccept;
}

Plan plan(const SpmmProblem& p, const Device& d) {
  const double inputs = product_of(p.batch, p.reduce), rows = static_cast<double>(p.m) * inputs;
  const double entry = static_cast<double>(size_of(p.s.dtype) + size_of(p.s.index_type) +
                                           (p.s.transposed ? size_of(p.s.offset_type) : 0));
  const double bytes =
      static_cast<double>(p.s.entries()) * inputs * entry + static_cast<double>(p.k) * inputs * size_of(p.b_type) +
      rows * static_cast<double>(size_of(p.s.offset_type)) + product_of(p.m, p.batch, size_of(p.c_type));
  // x by single elements: a sector of L2 each where L1 does not have it. The shares are estimates, not measured.
  const double sectors = static_cast<double>(p.s.entries()) * inputs * (p.s.transposed ? 2 : 1) * 32;
  const double index_us = p.s.transposed && !p.s.has_transpose ? 8 * d.launch_us : 0;
  return {
      .cost_us = d.launch_us + index_us + std::max(bytes / (d.memory_gbs * 1e3 * 0.8), sectors / (d.l2_gbs * 1e3 * 2)),
      .workspace_bytes = transposed_index_bytes(p.s, p.batch * p.reduce)};
}

template <class T, class Index>
Status launch_as(const SpmmProblem& p, const SpmmOperands& o, const Exec& e) {
  using D = on_device_t<T>;
  // Without entries the arrays may be NULL: no summand is looked at.
  const Extent extent{.m = p.m, .batch = p.batch, .reduce = p.s.nnz > 0 ? p.reduce : 0, .lanes = lanes_for(p)};
  const int64_t ctas = ceil_div(extent.m * extent.batch, kThreads / extent.lanes);
  if (ctas == 0) return kSuccess;
  const Column<D> x{
      .data = static_cast<const D*>(o.b), .step = p.b_layout == Layout::row ? p.ldb : 1, .stride = o.b_stride};
  dot<D, Index>
      <<<static_cast<unsigned>(std::min<int64_t>(ctas, INT32_MAX)), kThreads, 0, static_cast<cudaStream_t>(e.stream)>>>(
          SparseRows::from(p.s, o.s), x, extent, Epilogue<accumulator_t<D>>::from(p, o));
  return launched("spmm_csr_dot");
}

Status launch(const SpmmProblem& p, const Plan&, const SpmmOperands& given, const Exec& e) {
  SpmmOperands o = given;
  BS_TRY(ensure_transposed_index(p.s, p.batch * p.reduce, e.workspace, e, &o.s));
  Status status = kSuccess;
  Types::with(p.s.dtype, [&]<class T>() {
    status = p.s.index_type == IndexType::i32 ? launch_as<T, int32_t>(p, o, e) : launch_as<T, int64_t>(p, o, e);
  });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SPMM_KERNEL(cuda, csr_dot)
