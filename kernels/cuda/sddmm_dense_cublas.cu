// SDDMM by the dense product: chunks of L R by cuBLASLt in f32 (f64), small enough to stay in L2, then sampled at the
// structure with alpha, beta and gates and rounded once. Pays where the pattern is dense enough. An element of the
// product takes only its own row of L and column of R, so nothing that the pattern does not refer to reaches an output.
#include <bit>

#include "cuda/common/bias_gradient.h"
#include "cuda/common/dense_product.h"
#include "cuda/common/launch.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/numeric.cuh"
#include "cuda/device/scalars.cuh"
#include "cuda/device/sparse.cuh"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

constexpr int kWarps = 4;

DType accumulator(const SddmmProblem& p) {
  return p.s.dtype == DType::f64 ? DType::f64 : DType::f32;
}

struct Parts {
  Chunk chunk;
  int64_t product = 0, product_bytes = 0, bytes = 0;

  explicit Parts(const SddmmProblem& p) : chunk(Chunk::of(p.batch, p.m, p.n, accumulator(p))) {
    product = chunk.bytes(accumulator(p));
    product_bytes = product_workspace_bytes(p.m, p.n, p.batch);
    bytes = product + product_bytes;
  }
};

struct Shape {
  int64_t m, n, c_stride;
  int64_t rows;  // of the slice, with those that only padding has
  int64_t ld, stride;
  int block_rows, block_cols, block_step_row, block_step_col;
  int lanes;  // of a warp for one block
  DType c_type;

  static Shape from(const SddmmProblem& p, const SddmmOperands& o, const Chunk& chunk, const Slice& slice) {
    const bool row = p.s.block_layout == Layout::row, last = slice.line + slice.lines == p.m;
    const auto height = static_cast<int>(p.s.block_rows), width = static_cast<int>(p.s.block_cols);
    return {.m = p.m,
            .n = p.n,
            .c_stride = o.c_stride,
            .rows = slice.lines + (last ? p.s.block_row_count() * p.s.block_rows - p.m : 0),
            .ld = chunk.ld,
            .stride = chunk.stride(),
            .block_rows = height,
            .block_cols = width,
            .block_step_row = row ? width : 1,
            .block_step_col = row ? 1 : height,
            .lanes = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::min(width, kWarpSize)))),
            .c_type = p.s.dtype};
  }
};

// One warp a row of the result. Padding is written with the first columns.
template <class Acc>
__global__ void __launch_bounds__(kWarps* kWarpSize)
    sample(SparseRows rows, Shape x, Slice slice, const Acc* product, void* c, DeviceScalars<Acc> scalars) {
  const int lane = threadIdx.x % kWarpSize, groups = kWarpSize / x.lanes;
  const Acc alpha = scalars.alpha(), beta = scalars.beta();
  const int64_t step = static_cast<int64_t>(gridDim.x) * kWarps,
                block = static_cast<int64_t>(x.block_rows) * x.block_cols;
  for (int64_t unit = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarpSize;
       unit < x.rows * slice.results; unit += step) {
    const int64_t local = unit / x.rows, line = unit % x.rows, result = slice.result + local, i = slice.line + line;
    const int64_t list = i / x.block_rows, in_block = i % x.block_rows * x.block_step_row;
    const Acc* from = product ? product + local * x.stride + line * x.ld - slice.at : nullptr;
    for (int64_t q = rows.begin(result, list) + lane / x.lanes, end = rows.end(result, list); q < end; q += groups) {
      const int64_t j0 = rows.index(result, q) * x.block_cols;
      const Acc gate = rows.gate ? static_cast<Acc>(rows.gate[result * rows.gate_stride + q]) : Acc(1);
      for (int e = lane % x.lanes; e < x.block_cols; e += x.lanes) {
        const int64_t j = j0 + e,
                      at = result * x.c_stride + q * block + in_block + static_cast<int64_t>(e) * x.block_step_col;
        const bool inside = i < x.m && j < x.n;
        if (inside ? j < slice.at || j >= slice.at + slice.length : slice.at > 0) continue;
        Acc value = inside && from && alpha != 0 && gate != 0 ? alpha * gate * from[j] : Acc(0);
        if (inside && beta != 0) value += beta * load_as<Acc>(x.c_type, c, at);
        store_as(x.c_type, c, at, value);
      }
    }
  }
}

template <class Acc>
Status launch_sample(const SddmmProblem& p, const SddmmOperands& o, const Chunk& chunk, const Slice& slice,
                     const void* product, const Exec& e) {
  const Shape x = Shape::from(p, o, chunk, slice);
  const auto grid =
      static_cast<unsigned>(std::min<int64_t>(ceil_div(x.rows * slice.results, kWarps), int64_t{1} << 24));
  sample<Acc><<<grid, kWarps * kWarpSize, 0, static_cast<cudaStream_t>(e.stream)>>>(
      SparseRows::from(p.s, o.s), x, slice, static_cast<const Acc*>(product), o.c,
      DeviceScalars<Acc>::from(p, o.scalars));
  return launched("sddmm_dense_cublas: sample");
}

// Summands in order.
Status multiply_slice(const SddmmProblem& p, const SddmmOperands& o, const Parts& parts, const Slice& slice,
                      const Exec& e) {
  const DenseMatrix l{
      .data = o.l, .rows = p.m, .cols = p.k, .ld = p.ldl, .stride = o.l_stride, .type = p.l_type, .layout = p.l_layout};
  const DenseMatrix r{
      .data = o.r, .rows = p.k, .cols = p.n, .ld = p.ldr, .stride = o.r_stride, .type = p.r_type, .layout = p.r_layout};
  char* memory = static_cast<char*>(e.workspace);
  const DenseMatrix to{.data = memory,
                       .rows = slice.lines,
                       .cols = slice.length,
                       .ld = parts.chunk.ld,
                       .stride = parts.chunk.stride(),
                       .type = accumulator(p),
                       .layout = Layout::row};
  for (int64_t s = 0; s < p.reduce; ++s) {
    const DenseProduct product{.left = l.from(slice.result + s).row_range(slice.line, slice.lines),
                               .right = r.from(slice.result + s).col_range(slice.at, slice.length),
                               .result = to,
                               .batch = slice.results,
                               .allow_tf32 = p.constraints.allow_tf32};
    BS_TRY(multiply(product, s == 0 ? product_only(p.l_type) : add_product(p.l_type), memory + parts.product,
                    parts.product_bytes, e));
  }
  return kSuccess;
}

// alpha in device memory is read by the sampling kernel, which then leaves the product out.
bool reads_product(const SddmmProblem& p, const SddmmOperands& o) {
  if (p.k == 0 || p.reduce == 0) return false;
  if (o.scalars.on_device) return true;
  return p.s.dtype == DType::f64 ? *static_cast<const double*>(o.scalars.alpha) != 0
                                 : *static_cast<const float*>(o.scalars.alpha) != 0;
}

Verdict supports(const SddmmProblem& p, const Device& d) {
  BS_REQUIRE(d.has_cublas);
  BS_REQUIRE(p.l_type == p.r_type);
  BS_REQUIRE(std::max(p.m, std::max(p.n, p.k)) <= kMaxDenseExtent);
  BS_REQUIRE(std::max(p.ldl, p.ldr) <= kMaxDenseExtent);
  BS_REQUIRE(p.s.block_rows * p.s.block_cols <= (1 << 30));
  return kAccept;
}

Plan plan(const SddmmProblem& p, const Device& d) {
  const Parts parts(p);
  const double elements = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.batch);
  const double stored = static_cast<double>(p.s.elements()) * static_cast<double>(p.batch);
  const double chunks = parts.chunk.count(p.batch, p.m, p.n);
  // The product is written to L2 and read from it, a sector of 32 bytes a stored element where they lie apart.
  const double staged = static_cast<double>(size_of(accumulator(p))) * elements + std::min(stored * 32, elements * 4);
  const double sampled = stored * static_cast<double>(size_of(p.s.dtype) + size_of(p.s.index_type));
  return {
      .cost_us = (1 + chunks * static_cast<double>(p.reduce + 1)) * d.launch_us +
                 product_us(p.m, p.n, p.k, p.batch * p.reduce, p.l_type, accumulator(p), p.constraints.allow_tf32, d) +
                 staged / (d.l2_gbs * 1e3 * 0.5) + sampled / (d.memory_gbs * 1e3 * 0.5),
      .workspace_bytes = parts.bytes};
}

Status launch(const SddmmProblem& p, const Plan&, const SddmmOperands& o, const Exec& e) {
  BS_TRY(add_bias_gradient(p, o, e));
  if (p.m == 0 || p.n == 0 || p.s.nnz == 0) return kSuccess;
  const Parts parts(p);
  const bool multiplies = reads_product(p, o);
  const void* product = multiplies ? e.workspace : nullptr;
  for (Slice all{.lines = p.m, .length = p.n}; all.result < p.batch; all.result += all.results) {
    all.results = std::min(parts.chunk.results, p.batch - all.result);
    BS_TRY(for_slices(parts.chunk, all, [&](const Slice& slice) -> Status {
      if (multiplies) BS_TRY(multiply_slice(p, o, parts, slice, e));
      return accumulator(p) == DType::f64 ? launch_sample<double>(p, o, parts.chunk, slice, product, e)
                                          : launch_sample<float>(p, o, parts.chunk, slice, product, e);
    }));
  }
  return kSuccess;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SDDMM_KERNEL(cuda, dense_cublas)
