// SDDMM into CSR on CUDA cores: a warp takes a piece of one row, sixteen entries at a time. Eight lanes read a column
// of R together, 16 bytes each, for four entries whose loads are in flight at once and which share every load of the
// row of L. Pieces of equal size balance rows of any length, so no order of the rows is needed.
//
// What bounds it: R out of L2, k elements a product. At 8.9 TB/s (H200) that is 4.4 TFLOP/s for f32 and 8.9 for 16-bit
// types; more where columns of R are met again in L1.
#include "cuda/common/bias_gradient.h"
#include "cuda/common/launch.h"
#include "cuda/common/pack_dense.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/numeric.cuh"
#include "cuda/device/pieces.cuh"
#include "cuda/device/scalars.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

using Types = TypeList<float, Half, BFloat16, double>;

constexpr int kThreads = 256;
constexpr int kLanes = 8;    // for one column of R: 128 bytes a step
constexpr int kEntries = 4;  // of one group of lanes; `exchange` knows it
constexpr int kPass = kEntries * kWarpSize / kLanes;
constexpr int kPiece = 8 * kPass;  // entries: what a warp finds its row for

template <class T>
struct Vectors {
  const T* data;
  int64_t ld, stride;
};

template <class T>
struct Args {
  SparseRows rows;
  Pieces pieces;
  Vectors<T> l, r;
  int64_t k, reduce, batch;
  int64_t units;  // warps for one result
  void* c;
  int64_t c_stride;
  DType c_type;
  DeviceScalars<accumulator_t<T>> scalars;
};

template <class T>
struct alignas(16) Chunk {
  static constexpr int kWidth = 16 / static_cast<int>(sizeof(T));
  T element[kWidth];
};

// This lane's part of the products of one row of L with kEntries columns; columns beyond `count` are not read.
template <class T, class Acc>
__device__ void add_products(Acc (&sum)[kEntries], const T* row, const T* const (&column)[kEntries], int count,
                             int64_t k) {
  constexpr int kWidth = Chunk<T>::kWidth;
  const int lane = threadIdx.x % kLanes;
  const int64_t whole = k / kWidth * kWidth;
#pragma unroll 1  // eight columns in flight would cost more warps than they hide latency
  for (int64_t at = lane * kWidth; at < whole; at += kLanes * kWidth) {
    Chunk<T> right[kEntries] = {};
    const Chunk<T> left = *reinterpret_cast<const Chunk<T>*>(row + at);
#pragma unroll
    for (int e = 0; e < kEntries; ++e)
      if (e < count) right[e] = *reinterpret_cast<const Chunk<T>*>(column[e] + at);
#pragma unroll
    for (int i = 0; i < kWidth; ++i)
#pragma unroll
      for (int e = 0; e < kEntries; ++e) sum[e] += widen<Acc>(left.element[i]) * widen<Acc>(right[e].element[i]);
  }
  if (const int64_t at = whole + lane; at < k)  // fewer than a chunk are left: one element a lane
#pragma unroll
    for (int e = 0; e < kEntries; ++e)
      if (e < count) sum[e] += widen<Acc>(row[at]) * widen<Acc>(column[e][at]);
}

// Sums over the eight lanes, always in the same order: at each step a lane gives half of its sums away. Lane l ends
// with the whole sum of entry l / 2.
template <class Acc>
__device__ Acc exchange(const Acc (&sum)[kEntries]) {
  static_assert(kEntries == 4 && kLanes == 8, "three steps: four, two, one sum a lane");
  const bool upper = threadIdx.x & 4, odd = threadIdx.x & 2;
  const Acc first = (upper ? sum[2] : sum[0]) + __shfl_xor_sync(kFullWarp, upper ? sum[0] : sum[2], 4);
  const Acc second = (upper ? sum[3] : sum[1]) + __shfl_xor_sync(kFullWarp, upper ? sum[1] : sum[3], 4);
  const Acc one = (odd ? second : first) + __shfl_xor_sync(kFullWarp, odd ? first : second, 2);
  return one + __shfl_xor_sync(kFullWarp, one, 1);
}

// Entries q0 to q0 + kPass - 1 of row i, those from `end` on left out.
template <class T, class Acc>
__device__ Acc pass(const Args<T>& x, int64_t result, int64_t i, int64_t q0, int64_t end) {
  Acc sum[kEntries] = {};
  const int64_t first = q0 + threadIdx.x % kWarpSize / kLanes * kEntries;
  const int count = static_cast<int>(max(min(end - first, int64_t{kEntries}), int64_t{0}));
  const T* column[kEntries];
#pragma unroll
  for (int e = 0; e < kEntries; ++e) column[e] = x.r.data + (e < count ? x.rows.index(result, first + e) * x.r.ld : 0);
  for (int64_t input = result; input < result + x.reduce; ++input) {
    const T* moved[kEntries];
#pragma unroll
    for (int e = 0; e < kEntries; ++e) moved[e] = column[e] + input * x.r.stride;
    add_products(sum, x.l.data + input * x.l.stride + i * x.l.ld, moved, count, x.k);
  }
  return exchange(sum);
}

template <class T>
__global__ void __launch_bounds__(kThreads) rowswizzle(const __grid_constant__ Args<T> x) {
  using Acc = accumulator_t<T>;
  const int lane = threadIdx.x % kWarpSize;
  const int64_t warp = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) / kWarpSize, result = warp / x.units;
  if (result >= x.batch) return;
  const Acc alpha = x.k > 0 ? x.scalars.alpha() : Acc(0), beta = x.scalars.beta();
  const int64_t count = x.pieces.count(x.rows, result);
  for (int64_t unit = warp % x.units; unit < count; unit += x.units) {
    const int64_t i = x.pieces.row_of(x.rows, result, unit), row_end = x.rows.end(result, i);
    const int64_t begin = x.rows.begin(result, i) + (unit - x.pieces.first(x.rows, result, i)) * kPiece;
    const int64_t end = min(begin + kPiece, row_end);
    for (int64_t q0 = begin; q0 < end; q0 += kPass) {
      const Acc sum = alpha != 0 ? pass<T, Acc>(x, result, i, q0, end) : Acc(0);
      const int64_t q = q0 + lane / 2, at = result * x.c_stride + q;
      if (lane % 2 != 0 || q >= end) continue;
      const Acc old = beta != 0 ? beta * load_as<Acc>(x.c_type, x.c, at) : Acc(0);
      store_as(x.c_type, x.c, at, (alpha != 0 ? alpha * sum : Acc(0)) + old);
    }
  }
}

bool packs_l(const SddmmProblem& p) {
  return p.l_layout != Layout::row || p.constraints.alignment < 16;
}
bool packs_r(const SddmmProblem& p) {
  return p.r_layout != Layout::col || p.constraints.alignment < 16;
}
int64_t packed_l_bytes(const SddmmProblem& p) {
  return packs_l(p) ? packed_bytes(p.m, p.k, p.l_type, p.batch * p.reduce) : 0;
}
int64_t packed_r_bytes(const SddmmProblem& p) {
  return packs_r(p) ? packed_bytes(p.n, p.k, p.r_type, p.batch * p.reduce) : 0;
}

Verdict supports(const SddmmProblem& p, const Device&) {
  BS_REQUIRE(p.s.format == Format::csr);
  BS_REQUIRE(p.r_type == p.l_type);
  return kAccept;
}

Plan plan(const SddmmProblem& p, const Device& d) {
  // One column of R a product out of L2; what else moves is small beside it. The shares are estimates, not measured.
  const double element = static_cast<double>(size_of(p.r_type));
  const double products = static_cast<double>(p.s.entries()) * product_of(p.k, p.batch, p.reduce);
  const double input_us = static_cast<double>((packs_l(p) ? p.m : 0) + (packs_r(p) ? p.n : 0)) *
                          product_of(p.k, p.batch, p.reduce) * 2 * element / (d.memory_gbs * 1e3 * 0.7);
  const double launches = 1 + (packs_l(p) ? 1 : 0) + (packs_r(p) ? 1 : 0);
  const double entry_us =
      product_of(p.s.entries(), p.batch) * (4.0 + static_cast<double>(size_of(p.s.dtype))) / (d.memory_gbs * 1e3 * 0.3);
  return {.cost_us = launches * d.launch_us + input_us + entry_us + products * element / (d.l2_gbs * 1e3 * 0.75),
          .workspace_bytes = saturating_add(packed_l_bytes(p), packed_r_bytes(p))};
}

template <class T>
Status launch_as(const SddmmProblem& p, const PackedDense& l, const PackedDense& r, const SddmmOperands& o,
                 const Exec& e) {
  using D = on_device_t<T>;
  const bool divided =
      o.s.stored.offset_stride > 0 && o.s.stored.index_stride == 0;  // one capacity for the whole batch
  Args<D> x{.rows = SparseRows::from(p.s, o.s),
            .pieces = {.rows = p.s.rows, .width = 1, .size = kPiece},
            .l = {static_cast<const D*>(l.data), l.ld, l.stride},
            .r = {static_cast<const D*>(r.data), r.ld, r.stride},
            .k = p.k,
            .reduce = p.reduce,
            .batch = p.batch,
            .units = 1,
            .c = o.c,
            .c_stride = o.c_stride,
            .c_type = p.s.dtype,
            .scalars = DeviceScalars<accumulator_t<D>>::from(p, o.scalars)};
  constexpr int64_t kMostWarps = int64_t{INT32_MAX} * (kThreads / kWarpSize);
  x.units = std::min(x.pieces.bound(divided ? ceil_div(p.s.nnz, p.batch) : p.s.nnz), kMostWarps / p.batch);
  if (x.units == 0) return fail(BS_STATUS_NOT_SUPPORTED, "a batch of %lld results", static_cast<long long>(p.batch));
  const auto grid = static_cast<unsigned>(ceil_div(x.units * p.batch, kThreads / kWarpSize));
  rowswizzle<D><<<grid, kThreads, 0, static_cast<cudaStream_t>(e.stream)>>>(x);
  return launched("sddmm_csr_rowswizzle");
}

Status launch(const SddmmProblem& p, const Plan&, const SddmmOperands& o, const Exec& e) {
  BS_TRY(add_bias_gradient(p, o, e));
  if (p.batch == 0 || p.s.nnz == 0 || p.s.rows == 0) return kSuccess;
  PackedDense l{.data = o.l, .ld = p.ldl, .stride = o.l_stride}, r{.data = o.r, .ld = p.ldr, .stride = o.r_stride};
  if (packs_l(p)) BS_TRY(pack_dense(DenseSource::rows_of_l(p, o), e.workspace, e, &l));
  if (packs_r(p))
    BS_TRY(pack_dense(DenseSource::columns_of_r(p, o), static_cast<char*>(e.workspace) + packed_l_bytes(p), e, &r));
  Status status = kSuccess;
  Types::with(p.l_type, [&]<class T>() { status = launch_as<T>(p, l, r, o, e); });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SDDMM_KERNEL(cuda, csr_rowswizzle)
