// Weight matrices on the host: dense and block-sparse ones as BSR, pruned ones as CSR.
#pragma once

#include "mlp/device.h"
#include "mlp/random.h"

namespace mlp {

constexpr int64_t kBlock = 16;

// BSR with blocks of kBlock x kBlock, or CSR where block is 1.
struct Weights {
  int64_t rows = 0;
  int64_t cols = 0;
  int64_t block = 1;
  std::vector<int32_t> offsets;
  std::vector<int32_t> indices;
  std::vector<float> values;

  // Stored elements inside the matrix, and all elements.
  int64_t kept() const;
  int64_t total() const { return rows * cols; }
};

// `per_row` random blocks in every block row, each block column used equally often (all blocks: a dense layer), values
// uniform with the variance that keeps the scale of ReLU layers (He).
Weights random_blocks(int64_t rows, int64_t cols, int64_t per_row, Random& random);

// A descriptor over arrays in device memory.
Matrix sparse_matrix(const Weights& weights, const Array<int32_t>& offsets, const Array<int32_t>& indices,
                     const Array<float>& values);

// The `share` of the elements largest in magnitude, as CSR: BSR to dense and dense to CSR by bsConvert.
Weights pruned(const Device& device, const Weights& weights, double share);

}  // namespace mlp
