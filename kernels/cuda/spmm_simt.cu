// SpMM for everything that the interface accepts, on CUDA cores: one warp a row of op(S) and 32 columns, entries in
// stored order, one lane a column. The row that makes the CUDA backend complete; faster rows take the cases that matter
// for speed.
#include "cuda/common/launch.h"
#include "cuda/common/transposed_index.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/epilogue.cuh"
#include "cuda/device/sparse.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

using Types = TypeList<float, Half, BFloat16>;
constexpr int kWarps = 4;

struct Shape {  // of op(S)'s blocks and of the product
  int64_t m, n, k, batch, reduce, tiles;
  int64_t b_stride, ldb;
  int block_m, block_k;                // 1 x 1 for CSR
  int64_t block_step_m, block_step_k;  // from one row (column) of a block of op(S) to the next in memory
  Layout b_layout;

  static Shape from(const SpmmProblem& p, const SpmmOperands& o) {
    const bool t = p.s.transposed, row = p.s.block_layout == Layout::row;
    const int64_t step_r = row ? p.s.block_cols : 1, step_c = row ? 1 : p.s.block_rows;
    return {.m = p.m,
            .n = p.n,
            .k = p.k,
            .batch = p.batch,
            .reduce = p.s.nnz > 0 ? p.reduce : 0,
            .tiles = ceil_div(p.n, kWarpSize),
            .b_stride = o.b_stride,
            .ldb = p.ldb,
            .block_m = static_cast<int>(t ? p.s.block_cols : p.s.block_rows),
            .block_k = static_cast<int>(t ? p.s.block_rows : p.s.block_cols),
            .block_step_m = t ? step_c : step_r,
            .block_step_k = t ? step_r : step_c,
            .b_layout = p.b_layout};
  }
};

// Row i of op(S) of one input times column j of B.
template <class Acc, class S, class B>
__device__ Acc row_times_column(const SparseRows& rows, const Shape& shape, int64_t input, int64_t i, const B* b,
                                int64_t j) {
  const int64_t block_row = i / shape.block_m, inside = i % shape.block_m;
  const int64_t block_size = static_cast<int64_t>(shape.block_m) * shape.block_k;
  const int64_t end = rows.end(input, block_row);
  const int64_t step_k = shape.b_layout == Layout::row ? shape.ldb : 1;
  const B* column = b + input * shape.b_stride + (shape.b_layout == Layout::row ? j : j * shape.ldb);
  Acc sum = 0;
  for (int64_t q = rows.begin(input, block_row); q < end; ++q) {
    const int64_t position = rows.position(input, q), first = rows.index(input, q) * shape.block_k;
    const Acc gate = rows.gate ? static_cast<Acc>(rows.gate[input * rows.gate_stride + position]) : Acc(1);
    if (gate == 0) continue;
    const S* block = static_cast<const S*>(rows.values) + input * rows.value_stride + position * block_size +
                     inside * shape.block_step_m;
    const int count = static_cast<int>(min(static_cast<int64_t>(shape.block_k), shape.k - first));
    for (int c = 0; c < count; ++c)
      sum += gate * widen<Acc>(block[c * shape.block_step_k]) * widen<Acc>(column[(first + c) * step_k]);
  }
  return sum;
}

template <class Acc, class S, class B>
__global__ void __launch_bounds__(kWarps* kWarpSize)
    simt(SparseRows rows, Shape shape, const B* b, Epilogue<Acc> epilogue) {
  const int lane = threadIdx.x % kWarpSize;
  const int64_t units = shape.batch * shape.m * shape.tiles, step = static_cast<int64_t>(gridDim.x) * kWarps;
  for (int64_t unit = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarpSize; unit < units; unit += step) {
    const int64_t j = unit / shape.m % shape.tiles * kWarpSize + lane, i = unit % shape.m;
    const int64_t result = unit / shape.m / shape.tiles;
    if (j >= shape.n) continue;
    Acc sum = 0;
    if (epilogue.scalars.alpha() != 0)
      for (int64_t r = 0; r < shape.reduce; ++r) sum += row_times_column<Acc, S, B>(rows, shape, result + r, i, b, j);
    epilogue.store(result, i, j, sum);
  }
}

template <class Acc, class S, class B>
Status launch_as(const SpmmProblem& p, const SpmmOperands& o, const Exec& e) {
  const Shape shape = Shape::from(p, o);
  const int64_t units = shape.batch * shape.m * shape.tiles;
  if (units == 0) return kSuccess;
  const auto grid = static_cast<unsigned>(std::min<int64_t>(ceil_div(units, kWarps), int64_t{1} << 24));
  simt<Acc, on_device_t<S>, on_device_t<B>><<<grid, kWarps * kWarpSize, 0, static_cast<cudaStream_t>(e.stream)>>>(
      SparseRows::from(p.s, o.s), shape, static_cast<const on_device_t<B>*>(o.b), Epilogue<Acc>::from(p, o));
  return launched("spmm_simt");
}

Verdict supports(const SpmmProblem&, const Device&) {
  return kAccept;
}

Plan plan(const SpmmProblem& p, const Device& d) {
  // A lane's loads of S are broadcasts and of B 4-byte ones: bound by L2 traffic with no reuse beyond a warp's.
  const double products = static_cast<double>(p.s.elements()) * product_of(p.n, p.batch, p.reduce);
  const double bytes =
      products * static_cast<double>(size_of(p.b_type)) * 4 + product_of(p.m, p.n, p.batch, size_of(p.c_type));
  return {.cost_us = d.launch_us * (p.s.transposed && !p.s.has_transpose ? 6 : 1) + bytes / (d.l2_gbs * 1e3 * 0.5),
          .workspace_bytes = transposed_index_bytes(p.s, p.batch * p.reduce)};
}

Status launch(const SpmmProblem& p, const Plan&, const SpmmOperands& given, const Exec& e) {
  SpmmOperands o = given;
  BS_TRY(ensure_transposed_index(p.s, p.batch * p.reduce, e.workspace, e, &o.s));
  if (p.s.dtype == DType::f64) return launch_as<double, double, double>(p, o, e);
  Status status = kSuccess;
  Types::with(p.s.dtype,
              [&]<class S>() { Types::with(p.b_type, [&]<class B>() { status = launch_as<float, S, B>(p, o, e); }); });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SPMM_KERNEL(cuda, simt)
