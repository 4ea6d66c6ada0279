// Turns a product into the column-major form of cuBLASLt; no data is touched for it.
#include "cuda/common/dense_product.h"

#include <cmath>
#include <utility>

#include "platform/cublas.h"

namespace bs::cuda {
namespace {

// Kernels that count the batch in a grid's z end at 65535.
constexpr int64_t kMaxBatch = 65535;

uint8_t alignment_of(const void* pointer) {
  const auto bits = reinterpret_cast<uintptr_t>(pointer) | 16;
  return static_cast<uint8_t>(bits & (~bits + 1));
}

constexpr float kOneFloat = 1, kZeroFloat = 0;
constexpr double kOneDouble = 1, kZeroDouble = 0;

// Share of the peak that the grid of tiles fills. Below one wave cuBLAS takes smaller tiles or splits the inner extent.
double filled_share(int64_t m, int64_t n, int64_t batch, const Device& d) {
  constexpr int64_t kTile = 128;
  const double tiles = static_cast<double>((m + kTile - 1) / kTile) * static_cast<double>((n + kTile - 1) / kTile) *
                       static_cast<double>(batch);
  const double sms = std::max(1, d.sms);
  return tiles >= sms ? tiles / (std::ceil(tiles / sms) * sms) : std::min(1.0, 2 * tiles / sms);
}

// Measured on an H200 at 8192^3, random data: f32 51 of 60 TFLOP/s, tf32 356 of 655. f64 runs on the tensor cores of
// sm_80 and sm_90 at the rate of f32 on the CUDA cores; other chips have one f64 unit for 64 of f32.
double teraflops(DType type, bool allow_tf32, const Device& d) {
  if (size_of(type) == 2) return d.tensor_tflops;
  if (type == DType::f32) return allow_tf32 ? d.tensor_tflops * 0.54 : d.f32_tflops * 0.85;
  return d.compute_capability == 80 || d.compute_capability == 90 ? d.f32_tflops * 0.9 : d.f32_tflops / 64;
}

}  // namespace

HostScalars product_only(DType type) {
  if (type == DType::f64) return {&kOneDouble, &kZeroDouble};
  return {&kOneFloat, &kZeroFloat};
}
HostScalars add_product(DType type) {
  if (type == DType::f64) return {&kOneDouble, &kOneDouble};
  return {&kOneFloat, &kOneFloat};
}

double product_us(int64_t m, int64_t n, int64_t k, int64_t batch, DType input, DType result, bool allow_tf32,
                  const Device& d) {
  const auto area = [](int64_t a, int64_t b) { return static_cast<double>(a) * static_cast<double>(b); };
  const double flops = 2 * area(m, n) * static_cast<double>(k) * static_cast<double>(batch);
  const double bytes = static_cast<double>(batch) * ((area(m, k) + area(k, n)) * static_cast<double>(size_of(input)) +
                                                     area(m, n) * static_cast<double>(size_of(result)));
  if (flops == 0) return 0;
  // cuBLAS reads at 4.15 to 4.4 of 4.6 TB/s on an H200.
  return std::max(flops / (teraflops(input, allow_tf32, d) * 1e6 * filled_share(m, n, batch, d)),
                  bytes / (d.memory_gbs * 1e3 * 0.92));
}

Status multiply(const DenseProduct& product, const HostScalars& scalars, void* workspace, int64_t workspace_bytes,
                const Exec& exec) {
  DenseMatrix a = product.left, b = product.right, d = product.result;
  if (d.layout == Layout::row) {  // D^T = B^T A^T
    std::swap(a, b);
    a = a.transposed(), b = b.transposed(), d = d.transposed();
  }
  for (int64_t first = 0; first < product.batch; first += kMaxBatch) {
    const void* bias =
        product.bias ? static_cast<const char*>(product.bias) + first * product.bias_stride * size_of(d.type) : nullptr;
    const void *from_a = a.from(first).data, *from_b = b.from(first).data, *to = d.from(first).data;
    const Gemm gemm{.m = d.rows,
                    .n = d.cols,
                    .k = a.cols,
                    .lda = a.ld,
                    .ldb = b.ld,
                    .ldd = d.ld,
                    .batch = std::min(kMaxBatch, product.batch - first),
                    .stride_a = a.stride,
                    .stride_b = b.stride,
                    .stride_d = d.stride,
                    .bias_stride = product.bias_stride,
                    .workspace_bytes = workspace_bytes,
                    .type = a.type,
                    .result = d.type,
                    .transpose_a = a.layout == Layout::row,
                    .transpose_b = b.layout == Layout::row,
                    .allow_tf32 = product.allow_tf32,
                    .bias = bias != nullptr,
                    .align_a = alignment_of(from_a),
                    .align_b = alignment_of(from_b),
                    .align_d = alignment_of(to),
                    .align_bias = alignment_of(bias)};
    BS_TRY(static_cast<CublasLt*>(exec.cublas)
               ->matmul(gemm,
                        {.a = from_a,
                         .b = from_b,
                         .d = const_cast<void*>(to),
                         .bias = bias,
                         .alpha = scalars.alpha,
                         .beta = scalars.beta,
                         .workspace = workspace},
                        exec.stream));
  }
  return kSuccess;
}

}  // namespace bs::cuda
