// One warp a sum: at most m or n of them, each as long as the inner extent.
#include "cuda/common/bias_gradient.h"

#include "cuda/common/launch.h"
#include "cuda/device/numeric.cuh"
#include "cuda/device/warp.cuh"

namespace bs::cuda {
namespace {

constexpr int kWarps = 4;

struct Lines {  // the sums of `length` elements each that make one gradient
  const void* data;
  int64_t count, length, line_step, element_step, stride, batch, reduce;
  DType dtype;
};

template <class Acc>
__global__ void __launch_bounds__(kWarps* kWarpSize) sum_lines(Lines x, void* gradient, DType gradient_type) {
  const int lane = threadIdx.x % kWarpSize;
  const int64_t step = static_cast<int64_t>(gridDim.x) * kWarps;
  for (int64_t unit = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarpSize; unit < x.count * x.batch;
       unit += step) {
    Acc sum = 0;
    for (int64_t r = 0; r < x.reduce; ++r) {
      const int64_t start = (unit / x.count + r) * x.stride + unit % x.count * x.line_step;
      for (int64_t e = lane; e < x.length; e += kWarpSize)
        sum += load_as<Acc>(x.dtype, x.data, start + e * x.element_step);
    }
    sum = warp_sum(sum);
    if (lane == 0) store_as(gradient_type, gradient, unit, sum);
  }
}

}  // namespace

Status add_bias_gradient(const SddmmProblem& p, const SddmmOperands& o, const Exec& exec) {
  if (p.bias_gradient == Axis::none) return kSuccess;
  const bool rows = p.bias_gradient == Axis::row;
  const Layout layout = rows ? p.l_layout : p.r_layout;
  const int64_t ld = rows ? p.ldl : p.ldr;
  // A line is a row of L or a column of R.
  const int64_t line_step = (layout == Layout::row) == rows ? ld : 1,
                element_step = (layout == Layout::row) == rows ? 1 : ld;
  const Lines lines{.data = rows ? o.l : o.r,
                    .count = rows ? p.m : p.n,
                    .length = p.k,
                    .line_step = line_step,
                    .element_step = element_step,
                    .stride = rows ? o.l_stride : o.r_stride,
                    .batch = p.batch,
                    .reduce = p.reduce,
                    .dtype = rows ? p.l_type : p.r_type};
  if (lines.count * lines.batch == 0) return kSuccess;
  const auto grid =
      static_cast<unsigned>(std::min<int64_t>(ceil_div(lines.count * lines.batch, kWarps), int64_t{1} << 20));
  auto* stream = static_cast<cudaStream_t>(exec.stream);
  if (lines.dtype == DType::f64)
    sum_lines<double><<<grid, kWarps * kWarpSize, 0, stream>>>(lines, o.bias_gradient, p.bias_type);
  else
    sum_lines<float><<<grid, kWarps * kWarpSize, 0, stream>>>(lines, o.bias_gradient, p.bias_type);
  return launched("bias_gradient");
}

}  // namespace bs::cuda
