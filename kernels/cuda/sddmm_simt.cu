// SDDMM for everything that the interface accepts, on CUDA cores: one warp a row of the result, one dot product a
// stored element with the inner extent spread over the lanes. Full sectors where L is row-major and R column-major;
// right everywhere.
#include "cuda/common/bias_gradient.h"
#include "cuda/common/launch.h"
#include "cuda/device/numeric.cuh"
#include "cuda/device/scalars.cuh"
#include "cuda/device/sparse.cuh"
#include "cuda/device/warp.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

using Types = TypeList<float, Half, BFloat16>;
constexpr int kWarps = 4;

struct Shape {
  int64_t m, n, k, batch, reduce;
  int64_t l_row, l_inner, l_stride;  // steps in L to the next row, inner index and input
  int64_t r_inner, r_col, r_stride;
  int64_t c_stride;
  int block_rows, block_cols;
  int64_t block_step_row, block_step_col;
  DType c_type;

  static Shape from(const SddmmProblem& p, const SddmmOperands& o) {
    const bool l_row = p.l_layout == Layout::row, r_row = p.r_layout == Layout::row;
    const bool block_row = p.s.block_layout == Layout::row;
    return {.m = p.m,
            .n = p.n,
            .k = p.k,
            .batch = p.batch,
            .reduce = p.reduce,
            .l_row = l_row ? p.ldl : 1,
            .l_inner = l_row ? 1 : p.ldl,
            .l_stride = o.l_stride,
            .r_inner = r_row ? p.ldr : 1,
            .r_col = r_row ? 1 : p.ldr,
            .r_stride = o.r_stride,
            .c_stride = o.c_stride,
            .block_rows = static_cast<int>(p.s.block_rows),
            .block_cols = static_cast<int>(p.s.block_cols),
            .block_step_row = block_row ? p.s.block_cols : 1,
            .block_step_col = block_row ? 1 : p.s.block_rows,
            .c_type = p.s.dtype};
  }
};

template <class Acc, class L, class R>
__device__ Acc dot(const Shape& x, const L* l, const R* r, int64_t result, int64_t i, int64_t j, int lane) {
  Acc sum = 0;
  for (int64_t s = 0; s < x.reduce; ++s) {
    const L* row = l + (result + s) * x.l_stride + i * x.l_row;
    const R* column = r + (result + s) * x.r_stride + j * x.r_col;
    for (int64_t k = lane; k < x.k; k += kWarpSize)
      sum += widen<Acc>(row[k * x.l_inner]) * widen<Acc>(column[k * x.r_inner]);
  }
  return warp_sum(sum);
}

template <class Acc, class L, class R>
__global__ void __launch_bounds__(kWarps* kWarpSize)
    simt(SparseRows rows, Shape x, const L* l, const R* r, void* c, DeviceScalars<Acc> scalars) {
  const int lane = threadIdx.x % kWarpSize;
  const Acc alpha = scalars.alpha(), beta = scalars.beta();
  const int64_t stored_rows = (x.m + x.block_rows - 1) / x.block_rows * x.block_rows;
  const int64_t step = static_cast<int64_t>(gridDim.x) * kWarps,
                block = static_cast<int64_t>(x.block_rows) * x.block_cols;
  for (int64_t unit = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarpSize; unit < stored_rows * x.batch;
       unit += step) {
    const int64_t i = unit % stored_rows, result = unit / stored_rows, list = i / x.block_rows;
    for (int64_t q = rows.begin(result, list), end = rows.end(result, list); q < end; ++q) {
      const int64_t j0 = rows.index(result, q) * x.block_cols;
      const Acc gate = rows.gate ? static_cast<Acc>(rows.gate[result * rows.gate_stride + q]) : Acc(1);
      for (int e = 0; e < x.block_cols; ++e) {
        const int64_t at = result * x.c_stride + q * block + i % x.block_rows * x.block_step_row + e * x.block_step_col;
        const bool inside = i < x.m && j0 + e < x.n, computed = inside && alpha != 0 && gate != 0;
        const Acc product = computed ? alpha * gate * dot<Acc>(x, l, r, result, i, j0 + e, lane) : Acc(0);
        if (lane != 0) continue;
        const Acc old = inside && beta != 0 ? beta * load_as<Acc>(x.c_type, c, at) : Acc(0);
        store_as(x.c_type, c, at, product + old);  // padding becomes zero
      }
    }
  }
}

template <class Acc, class L, class R>
Status launch_as(const SddmmProblem& p, const SddmmOperands& o, const Exec& e) {
  const int64_t units = p.s.block_row_count() * p.s.block_rows * p.batch;
  if (units == 0 || p.s.nnz == 0) return kSuccess;  // without entries the arrays may be NULL
  const auto grid = static_cast<unsigned>(std::min<int64_t>(ceil_div(units, kWarps), int64_t{1} << 24));
  simt<Acc, on_device_t<L>, on_device_t<R>><<<grid, kWarps * kWarpSize, 0, static_cast<cudaStream_t>(e.stream)>>>(
      SparseRows::from(p.s, o.s), Shape::from(p, o), static_cast<const on_device_t<L>*>(o.l),
      static_cast<const on_device_t<R>*>(o.r), o.c, DeviceScalars<Acc>::from(p, o.scalars));
  return launched("sddmm_simt");
}

Verdict supports(const SddmmProblem&, const Device&) {
  return kAccept;
}

Plan plan(const SddmmProblem& p, const Device& d) {
  // Every product loads both operands through L2; strided ones a sector of 32 bytes an element.
  const double l = p.l_layout == Layout::row ? static_cast<double>(size_of(p.l_type)) : 32;
  const double r = p.r_layout == Layout::col ? static_cast<double>(size_of(p.r_type)) : 32;
  const double products = static_cast<double>(p.s.elements()) * product_of(p.k, p.batch, p.reduce);
  return {.cost_us = d.launch_us + products * (l + r) / (d.l2_gbs * 1e3 * 0.4)};
}

Status launch(const SddmmProblem& p, const Plan&, const SddmmOperands& o, const Exec& e) {
  BS_TRY(add_bias_gradient(p, o, e));
  if (p.l_type == DType::f64) return launch_as<double, double, double>(p, o, e);
  Status status = kSuccess;
  Types::with(p.l_type,
              [&]<class L>() { Types::with(p.r_type, [&]<class R>() { status = launch_as<float, L, R>(p, o, e); }); });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SDDMM_KERNEL(cuda, simt)
