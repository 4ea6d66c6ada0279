// Dense times dense through cuBLASLt, in the terms of this library: row- and column-major matrices in device memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cuda/common/pack_dense.h"
#include "model/device.h"
#include "model/dtype.h"
#include "model/operands.h"
#include "model/problem.h"
#include "model/status.h"

namespace bs::cuda {

struct DenseMatrix {
  const void* data = nullptr;
  int64_t rows = 0, cols = 0, ld = 0;
  int64_t stride = 0;  // elements from one of the batch to the next; 0 shares an input
  DType type = DType::f32;
  Layout layout = Layout::row;

  DenseMatrix transposed() const {
    return {.data = data, .rows = cols, .cols = rows, .ld = ld, .stride = stride, .type = type, .layout = flip(layout)};
  }
  DenseMatrix from(int64_t batch) const {
    DenseMatrix x = *this;
    x.data = static_cast<const char*>(data) + batch * stride * size_of(type);
    return x;
  }
  DenseMatrix row_range(int64_t first, int64_t count) const {
    DenseMatrix x = *this;
    x.data = static_cast<const char*>(data) + first * (layout == Layout::row ? ld : 1) * size_of(type);
    x.rows = count;
    return x;
  }
  DenseMatrix col_range(int64_t first, int64_t count) const {
    return transposed().row_range(first, count).transposed();
  }
};

// result = alpha left right + beta result + bias, batch times. The result's data is written.
struct DenseProduct {
  DenseMatrix left, right, result;
  int64_t batch = 1;
  const void* bias = nullptr;  // of the result's type; one value for each place of a contiguous line of the result
  int64_t bias_stride = 0;
  bool allow_tf32 = false;
};

// In host memory, of type f64 for f64 products, else f32.
struct HostScalars {
  const void* alpha;
  const void* beta;
};
HostScalars product_only(DType type);  // alpha 1, beta 0
HostScalars add_product(DType type);   // alpha 1, beta 1

// cuBLASLt counts in 32 bits.
constexpr int64_t kMaxDenseExtent = INT32_MAX;

// Bytes that let cuBLASLt choose freely. NVIDIA recommends 32 MiB on Hopper; what it keeps there are partial sums of
// split products, and more than 16 partial results never pay.
constexpr int64_t product_workspace_bytes(int64_t m, int64_t n, int64_t batch) {
  constexpr int64_t kMost = int64_t{32} << 20, kElementBytes = 16 * 4;
  if (m == 0 || n == 0 || batch == 0) return 0;
  const int64_t results = m > kMost / n ? kMost : m * n > kMost / batch ? kMost : m * n * batch;
  return std::min(kMost, (results * kElementBytes + 255) / 256 * 256);
}

// All extents between 1 and kMaxDenseExtent. `workspace` is 256-byte aligned and not used after the product.
Status multiply(const DenseProduct& product, const HostScalars& scalars, void* workspace, int64_t workspace_bytes,
                const Exec& exec);

// Without the launch.
double product_us(int64_t m, int64_t n, int64_t k, int64_t batch, DType input, DType result, bool allow_tf32,
                  const Device& device);

// How much of a product lies between two kernels at a time, so that it stays in L2: whole results of the batch, or a
// piece of one. `lines` are contiguous in memory, `length` elements each.
struct Chunk {
  int64_t results = 1, lines = 0, length = 0;
  int64_t ld = 0;  // every line begins on 16 bytes

  static Chunk of(int64_t batch, int64_t lines, int64_t length, DType type) {
    // Two waves of 128 x 256 tiles of f32 on 132 SMs are 34 MB: about half of Hopper's L2.
    const int64_t budget = (int64_t{32} << 20) / size_of(type), tile = 128;
    Chunk c;
    c.length = std::min(length, budget / tile);
    c.ld = std::max<int64_t>(packed_ld(c.length, type), 1);
    const int64_t fit = budget / c.ld;
    c.lines = std::min(lines, fit / tile * tile);
    if (c.length == length && c.lines == lines && lines > 0)
      c.results = std::clamp<int64_t>(fit / lines, 1, std::max<int64_t>(batch, 1));
    return c;
  }
  int64_t stride() const { return lines * ld; }  // from one result to the next
  int64_t bytes(DType type) const { return (results * stride() * size_of(type) + 255) / 256 * 256; }
  double count(int64_t batch, int64_t all_lines, int64_t all_length) const {
    const auto pieces = [](int64_t all, int64_t one) {
      const int64_t size = std::max<int64_t>(one, 1);
      return static_cast<double>((all + size - 1) / size);
    };
    return pieces(batch, results) * pieces(all_lines, lines) * pieces(all_length, length);
  }
};

// A piece of all results: where one chunk begins, and how much of it there is.
struct Slice {
  int64_t result = 0, results = 0;
  int64_t line = 0, lines = 0;
  int64_t at = 0, length = 0;
};

// Calls body(slice) for every piece of `results` results that together make one chunk's worth, until it fails.
template <class Body>
Status for_slices(const Chunk& chunk, const Slice& all, Body&& body) {
  for (int64_t line = 0; line < all.lines; line += chunk.lines)
    for (int64_t at = 0; at < all.length; at += chunk.length)
      BS_TRY(body(Slice{.result = all.result,
                        .results = all.results,
                        .line = line,
                        .lines = std::min(chunk.lines, all.lines - line),
                        .at = at,
                        .length = std::min(chunk.length, all.length - at)}));
  return kSuccess;
}

}  // namespace bs::cuda
