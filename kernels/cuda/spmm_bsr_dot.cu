// BSR times one column (SpMV), every block size: a CTA owns some rows of one block row, its warps share the row's
// blocks, and a lane reads one chunk of a block (16 bytes, or an element where alignment or block size ask for it) at a
// time. Bound by memory: every stored value is read once, in runs of 512 bytes where blocks are that large.
//
// A block of op(S) lies in memory with k contiguous or with m contiguous. Either way its lines are cut into chunks, and
// the lanes of a warp spread over (line, chunk) so that a warp reads one stretch:
//   k contiguous   a lane has one row and sums the products of its chunk: one sum a lane
//   m contiguous   a lane has a chunk of rows and one k of the block: a sum for every row of the chunk
// What a warp reads at once is an item: a block, a part of it, or several small blocks side by side.
#include "cuda/common/launch.h"
#include "cuda/common/transposed_index.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/epilogue.cuh"
#include "cuda/device/sparse.cuh"
#include "cuda/device/warp_tile.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

using Types = TypeList<float, Half, BFloat16, double>;

constexpr int kMaxWarps = 16;
constexpr int kItems = 4;      // of a lane, whose loads are in flight together
constexpr int kMaxAcross = 8;  // chunks of a line of rows that one CTA takes: 128 bytes
constexpr int kMaxRows = 64;   // of a CTA

template <class T>
struct Column {  // x of one input
  const T* data;
  int64_t step, stride;
};

// How a warp's lanes lie on a block. `across` lanes along a line, `lines` of them: together `lanes` of the warp.
struct Shape {
  int64_t m, k, batch, reduce, block_rows, tiles, block_elements;
  int block_m, block_k;
  int across, lines, lanes;
  int parts;  // items of one block
  int slots;  // items a warp reads at once
  int rows;   // of one CTA
  int warps;

  template <Major kMajor>
  static Shape of(const SpmmProblem& p, int width) {
    const int64_t bm = p.s.transposed ? p.s.block_cols : p.s.block_rows,
                  bk = p.s.transposed ? p.s.block_rows : p.s.block_cols;
    const int64_t chunks = ceil_div(kMajor == Major::k ? bk : bm, width);
    Shape x{.m = p.m,
            .k = p.k,
            .batch = p.batch,
            .reduce = p.s.nnz > 0 ? p.reduce : 0,  // without entries arrays may be NULL
            .block_rows = ceil_div(p.m, bm),
            .tiles = 1,
            .block_elements = bm * bk,
            .block_m = static_cast<int>(bm),
            .block_k = static_cast<int>(bk)};
    x.across = static_cast<int>(std::min<int64_t>(chunks, kMajor == Major::k ? kWarpSize : kMaxAcross));
    x.lines = static_cast<int>(std::min<int64_t>(kMajor == Major::k ? bm : bk, kWarpSize / x.across));
    x.lanes = x.across * x.lines;
    x.parts = static_cast<int>(kMajor == Major::k ? ceil_div(chunks, x.across) : ceil_div(bk, x.lines));
    x.slots = kWarpSize / x.lanes;
    x.rows = kMajor == Major::k ? x.lines : x.across * width;
    x.tiles = ceil_div(bm, x.rows);
    return x;
  }
};

template <class T, int kWidth>
struct alignas(sizeof(T) * kWidth) Chunk {
  T element[kWidth];
};

// A lane's place in a block, fixed for all items but for the part.
template <Major kMajor, int kWidth>
struct Place {
  int slot, line, chunk;
  bool working;  // block sizes may leave lanes over

  __device__ explicit Place(const Shape& x) {
    const int lane = threadIdx.x % kWarpSize;
    slot = lane / x.lanes;
    line = lane % x.lanes / x.across;
    chunk = lane % x.lanes % x.across;
    working = slot < x.slots;
  }
  // First row and first k of this lane's chunk in part `part` of a block, for the CTA's rows from `row0` on.
  __device__ int row(int row0) const { return row0 + (kMajor == Major::k ? line : chunk * kWidth); }
  __device__ int k(const Shape& x, int part) const {
    return kMajor == Major::k ? (part * x.across + chunk) * kWidth : part * x.lines + line;
  }
  __device__ bool inside(const Shape& x, int row0, int part) const {
    return working && row(row0) < x.block_m && k(x, part) < x.block_k;
  }
};

template <class T, Major kMajor, int kWidth>
struct Sums {
  static constexpr int kCount = kMajor == Major::k ? 1 : kWidth;
  using Acc = accumulator_t<T>;
  Acc sum[kCount] = {};

  // Values whose k lies beyond the matrix are padding: masked, since nothing says that they are numbers.
  __device__ void add(const Chunk<T, kWidth>& values, const T* x, int64_t step, bool vectors, int64_t k, int64_t k_end,
                      Acc gate) {
    if constexpr (kMajor == Major::k) {
      Chunk<T, kWidth> factors{};
      const bool whole = k + kWidth <= k_end;
      if (vectors && whole) factors = *reinterpret_cast<const Chunk<T, kWidth>*>(x + k);
      Acc part = 0;
#pragma unroll
      for (int e = 0; e < kWidth; ++e) {
        if (!(vectors && whole) && k + e < k_end) factors.element[e] = x[(k + e) * step];
        if (k + e < k_end) part += widen<Acc>(values.element[e]) * widen<Acc>(factors.element[e]);
      }
      sum[0] += gate * part;
    } else {
      if (k >= k_end) return;
      const Acc factor = widen<Acc>(x[k * step]);
#pragma unroll
      for (int e = 0; e < kWidth; ++e) sum[e] += gate * (widen<Acc>(values.element[e]) * factor);
    }
  }
};

// Items warp, warp + warps, ... of one block row; kItems of them are loaded before the first is used.
template <class T, Major kMajor, int kWidth>
__device__ void add_row(Sums<T, kMajor, kWidth>& sums, const SparseRows& rows, const Shape& x, const Column<T>& column,
                        bool vectors, int64_t input, int64_t block_row, int row0) {
  using Acc = accumulator_t<T>;
  const Place<kMajor, kWidth> place(x);
  const int64_t first = rows.begin(input, block_row), items = (rows.end(input, block_row) - first) * x.parts;
  const int64_t stride = static_cast<int64_t>(x.warps) * x.slots;
  const T* values = static_cast<const T*>(rows.values) + input * rows.value_stride;
  for (int64_t item0 = static_cast<int64_t>(threadIdx.x / kWarpSize) * x.slots + place.slot; item0 < items;
       item0 += stride * kItems) {
    Chunk<T, kWidth> raw[kItems];
    int64_t k[kItems];
    Acc gate[kItems];
#pragma unroll
    for (int u = 0; u < kItems; ++u) {
      const int64_t item = item0 + u * stride, block = x.parts == 1 ? item : item / x.parts, q = first + block;
      const int part = static_cast<int>(item - block * x.parts);
      gate[u] = 0;
      if (item >= items || !place.inside(x, row0, part)) continue;
      const int64_t position = rows.position(input, q), in_k = place.k(x, part), in_m = place.row(row0);
      gate[u] = rows.gate ? static_cast<Acc>(rows.gate[input * rows.gate_stride + position]) : Acc(1);
      k[u] = rows.index(input, q) * x.block_k + in_k;
      if (gate[u] != 0)
        raw[u] = *reinterpret_cast<const Chunk<T, kWidth>*>(
            values + position * x.block_elements +
            (kMajor == Major::k ? in_m * x.block_k + in_k : in_k * x.block_m + in_m));
    }
#pragma unroll
    for (int u = 0; u < kItems; ++u)
      if (gate[u] != 0) sums.add(raw[u], column.data + input * column.stride, column.step, vectors, k[u], x.k, gate[u]);
  }
}

// What the lanes of all warps have for row r of the CTA, always in the same order.
template <class Acc, Major kMajor, int kWidth>
struct Exchange {
  static constexpr int kCount = kMajor == Major::k ? 1 : kWidth;
  Acc of_lane[kMaxWarps][kWarpSize][kCount];
  Acc of_warp[kMaxWarps][kMaxRows];

  __device__ void fold_warp(const Shape& x, const Acc (&sum)[kCount]) {
    const int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
#pragma unroll
    for (int e = 0; e < kCount; ++e) of_lane[warp][lane][e] = sum[e];
    __syncwarp();
    for (int r = lane; r < x.rows; r += kWarpSize) {
      Acc total = 0;
      for (int slot = 0; slot < x.slots; ++slot)
        for (int s = 0; s < (kMajor == Major::k ? x.across : x.lines); ++s)
          total += kMajor == Major::k ? of_lane[warp][slot * x.lanes + r * x.across + s][0]
                                      : of_lane[warp][slot * x.lanes + s * x.across + r / kWidth][r % kWidth];
      of_warp[warp][r] = total;
    }
  }
  __device__ Acc total(const Shape& x, int r) const {
    Acc sum = 0;
    for (int warp = 0; warp < x.warps; ++warp) sum += of_warp[warp][r];
    return sum;
  }
};

template <class T, Major kMajor, int kWidth>
__global__ void __launch_bounds__(kMaxWarps* kWarpSize, 1)
    dot(SparseRows rows, Shape x, Column<T> column, bool vectors, Epilogue<accumulator_t<T>> epilogue) {
  using Acc = accumulator_t<T>;
  __shared__ Exchange<Acc, kMajor, kWidth> exchange;
  const int64_t unit = blockIdx.x, ordered = unit / x.tiles % x.block_rows, result = unit / x.tiles / x.block_rows;
  const int64_t block_row = rows.order ? rows.order[ordered] : ordered;
  const int row0 = static_cast<int>(unit % x.tiles) * x.rows;
  Sums<T, kMajor, kWidth> sums;
  for (int64_t r = 0; r < x.reduce && epilogue.scalars.alpha() != 0; ++r)
    add_row<T, kMajor, kWidth>(sums, rows, x, column, vectors, result + r, block_row, row0);
  exchange.fold_warp(x, sums.sum);
  __syncthreads();
  for (int r = threadIdx.x; r < x.rows && row0 + r < x.block_m; r += blockDim.x)
    if (const int64_t i = block_row * x.block_m + row0 + r; i < x.m) epilogue.store(result, i, 0, exchange.total(x, r));
}

bool k_major(const SpmmProblem& p) {
  return (p.s.block_layout == Layout::row) != p.s.transposed;
}
int vector_width(const SpmmProblem& p) {
  const int64_t width = 16 / size_of(p.s.dtype),
                line = p.s.block_layout == Layout::row ? p.s.block_cols : p.s.block_rows;
  return p.constraints.block_alignment >= 16 && line % width == 0 ? static_cast<int>(width) : 1;
}

// Of x alone, whatever C allows. The ld of a column stored by rows would count in the constraints, and leads nowhere.
bool x_aligned(const SpmmProblem& p, const SpmmOperands& o) {
  const int64_t stride = p.batch * p.reduce > 1 ? o.b_stride * size_of(p.b_type) : 0;
  return reinterpret_cast<uintptr_t>(o.b) % 16 == 0 && stride % 16 == 0;
}

// Enough warps for every SM to have the loads of 64 KB in flight, if the blocks of a row can be shared among so many.
int warps_for(const Shape& x, const SpmmProblem& p, int64_t sms) {
  const int64_t ctas = std::max<int64_t>(x.block_rows * x.tiles * x.batch, 1);
  const int64_t items = ceil_div(p.s.entries() * x.parts, std::max<int64_t>(x.block_rows, 1) * x.slots * 2);
  const int64_t wanted = std::min(ceil_div(sms * 64, ctas), std::max<int64_t>(items, 1));
  return static_cast<int>(std::min<int64_t>(std::max<int64_t>(wanted, 2), kMaxWarps));
}

Verdict supports(const SpmmProblem& p, const Device&) {
  BS_REQUIRE(p.s.format == Format::bsr);
  BS_REQUIRE(p.n == 1);
  BS_REQUIRE(p.s.dtype == p.b_type);
  return kAccept;
}

Plan plan(const SpmmProblem& p, const Device& d) {
  const double inputs = product_of(p.batch, p.reduce), values = static_cast<double>(p.s.elements()) * inputs;
  const double bytes = values * static_cast<double>(size_of(p.s.dtype)) +
                       static_cast<double>(p.k) * inputs * size_of(p.b_type) +
                       static_cast<double>(p.s.entries()) * inputs * static_cast<double>(size_of(p.s.index_type)) +
                       product_of(p.m, p.batch, size_of(p.c_type));
  // Single elements are bound by the instructions of their loads instead. The shares are estimates, not measured.
  const double memory_us = bytes / (d.memory_gbs * 1e3 * 0.8),
               issue_us = values / vector_width(p) / (d.f32_tflops * 1e6 * 0.02);
  const double index_us = p.s.transposed && !p.s.has_transpose ? 8 * d.launch_us : 0;
  return {.cost_us = d.launch_us + index_us + std::max(memory_us, issue_us),
          .workspace_bytes = transposed_index_bytes(p.s, p.batch * p.reduce)};
}

template <class T, Major kMajor, int kWidth>
Status launch_as(const SpmmProblem& p, const SpmmOperands& o, const Exec& e) {
  using D = on_device_t<T>;
  Shape x = Shape::of<kMajor>(p, kWidth);
  x.warps = warps_for(x, p, e.device->sms);
  const int64_t ctas = x.block_rows * x.tiles * x.batch;
  if (ctas == 0) return kSuccess;
  if (ctas > INT32_MAX)
    return fail(BS_STATUS_NOT_SUPPORTED, "the product needs %lld CTAs", static_cast<long long>(ctas));
  const int64_t step = p.b_layout == Layout::row ? p.ldb : 1;
  const bool vectors = kWidth > 1 && step == 1 && x_aligned(p, o);
  dot<D, kMajor, kWidth><<<static_cast<unsigned>(ctas), x.warps * kWarpSize, 0, static_cast<cudaStream_t>(e.stream)>>>(
      SparseRows::from(p.s, o.s), x, Column<D>{static_cast<const D*>(o.b), step, o.b_stride}, vectors,
      Epilogue<accumulator_t<D>>::from(p, o));
  return launched("spmm_bsr_dot");
}

template <class T, Major kMajor>
Status launch_major(const SpmmProblem& p, const SpmmOperands& o, const Exec& e) {
  return vector_width(p) == 1 ? launch_as<T, kMajor, 1>(p, o, e) : launch_as<T, kMajor, 16 / int{sizeof(T)}>(p, o, e);
}

Status launch(const SpmmProblem& p, const Plan&, const SpmmOperands& given, const Exec& e) {
  SpmmOperands o = given;
  BS_TRY(ensure_transposed_index(p.s, p.batch * p.reduce, e.workspace, e, &o.s));
  Status status = kSuccess;
  Types::with(p.s.dtype, [&]<class T>() {
    status = k_major(p) ? launch_major<T, Major::k>(p, o, e) : launch_major<T, Major::m>(p, o, e);
  });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SPMM_KERNEL(cuda, bsr_dot)
