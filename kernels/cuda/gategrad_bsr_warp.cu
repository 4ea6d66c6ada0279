// Gradient of the gates: one warp a block, walking block rows so that the structure tells which blocks the edges cut.
#include "cuda/common/launch.h"
#include "cuda/device/numeric.cuh"
#include "cuda/device/sparse.cuh"
#include "cuda/device/warp.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

constexpr int kWarps = 4;

struct Shape {
  int64_t rows, cols, block_row_count, batch, dw_stride, gradient_stride;
  int block_rows, block_cols;
  Layout block_layout;
  DType w_type, dw_type;
};

template <class Acc>
__global__ void __launch_bounds__(kWarps* kWarpSize)
    gate_gradient(SparseRows w, Shape x, const void* dw, float* gradient) {
  const int lane = threadIdx.x % kWarpSize, warp = threadIdx.x / kWarpSize;
  const int64_t list = blockIdx.x % x.block_row_count, b = blockIdx.x / x.block_row_count;
  const int size = x.block_rows * x.block_cols, width = x.block_layout == Layout::row ? x.block_cols : x.block_rows;
  for (int64_t q = w.begin(b, list) + warp, end = w.end(b, list); q < end; q += kWarps) {
    const int64_t rows_left = x.rows - list * x.block_rows, cols_left = x.cols - w.index(b, q) * x.block_cols;
    Acc sum = 0;
    for (int e = lane; e < size; e += kWarpSize) {
      const int row = x.block_layout == Layout::row ? e / width : e % width,
                col = x.block_layout == Layout::row ? e % width : e / width;
      if (row < rows_left && col < cols_left)
        sum += load_as<Acc>(x.w_type, w.values, b * w.value_stride + q * size + e) *
               load_as<Acc>(x.dw_type, dw, b * x.dw_stride + q * size + e);
    }
    sum = warp_sum(sum);
    if (lane == 0) gradient[b * x.gradient_stride + q] = static_cast<float>(sum);
  }
}

Verdict supports(const GateGradProblem& p, const Device&) {
  BS_REQUIRE(p.s.block_rows * p.s.block_cols <= INT32_MAX);
  return kAccept;
}

Plan plan(const GateGradProblem& p, const Device& d) {
  const double bytes = product_of(p.s.elements(), p.batch, (size_of(p.s.dtype) + size_of(p.dw_type)));
  return {.cost_us = d.launch_us + bytes / (d.memory_gbs * 1e3 * 0.7)};
}

Status launch(const GateGradProblem& p, const Plan&, const GateGradOperands& o, const Exec& e) {
  const Shape x{.rows = p.s.rows,
                .cols = p.s.cols,
                .block_row_count = p.s.block_row_count(),
                .batch = p.batch,
                .dw_stride = o.dw_stride,
                .gradient_stride = o.gradient_stride,
                .block_rows = static_cast<int>(p.s.block_rows),
                .block_cols = static_cast<int>(p.s.block_cols),
                .block_layout = p.s.block_layout,
                .w_type = p.s.dtype,
                .dw_type = p.dw_type};
  const int64_t ctas = x.block_row_count * x.batch;
  if (ctas == 0) return kSuccess;
  if (ctas > INT32_MAX) return fail(BS_STATUS_NOT_SUPPORTED, "%lld block rows", static_cast<long long>(ctas));
  auto* stream = static_cast<cudaStream_t>(e.stream);
  const SparseRows w = SparseRows::from(p.s, o.s);
  if (p.s.dtype == DType::f64)
    gate_gradient<double><<<static_cast<unsigned>(ctas), kWarps * kWarpSize, 0, stream>>>(w, x, o.dw, o.gradient);
  else
    gate_gradient<float><<<static_cast<unsigned>(ctas), kWarps * kWarpSize, 0, stream>>>(w, x, o.dw, o.gradient);
  return launched("gategrad_bsr_warp");
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_GATEGRAD_KERNEL(cuda, bsr_warp)
