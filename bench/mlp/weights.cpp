// Structures, initial values and pruning.
#include "mlp/weights.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace mlp {
namespace {

// Elements of block row or column i that lie inside a matrix of `size` rows or columns.
int64_t inside(int64_t i, int64_t size, int64_t block) {
  return std::min(block, size - i * block);
}

template <class Visit>
void for_each_block(const Weights& weights, Visit visit) {
  for (int64_t i = 0; i + 1 < static_cast<int64_t>(weights.offsets.size()); ++i)
    for (int32_t p = weights.offsets[i]; p < weights.offsets[i + 1]; ++p)
      visit(p, inside(i, weights.rows, weights.block), inside(weights.indices[p], weights.cols, weights.block));
}

// Shifted diagonals with rows and columns shuffled: as random as needed, and balanced.
void fill_structure(Weights& weights, int64_t per_row, Random& random) {
  const int64_t block_rows = (weights.rows + kBlock - 1) / kBlock;
  const int64_t block_cols = (weights.cols + kBlock - 1) / kBlock;
  std::vector<int32_t> rows(block_rows), cols(block_cols);
  std::iota(rows.begin(), rows.end(), 0);
  std::iota(cols.begin(), cols.end(), 0);
  random.shuffle(rows);
  random.shuffle(cols);
  weights.offsets = {0};
  for (int64_t i = 0; i < block_rows; ++i) {
    for (int64_t j = 0; j < per_row; ++j)
      weights.indices.push_back(cols[(rows[i] + j * block_cols / per_row) % block_cols]);
    std::sort(weights.indices.begin() + weights.offsets.back(), weights.indices.end());
    weights.offsets.push_back(static_cast<int32_t>(weights.indices.size()));
  }
}

// The value at position `keep` of the magnitudes in falling order.
float threshold_of(const std::vector<float>& values, double share) {
  std::vector<float> magnitudes(values.size());
  std::transform(values.begin(), values.end(), magnitudes.begin(), [](float v) { return std::fabs(v); });
  const auto keep = static_cast<int64_t>(share * static_cast<double>(values.size()));
  std::nth_element(magnitudes.begin(), magnitudes.begin() + keep, magnitudes.end(), std::greater<>());
  return magnitudes[keep];
}

std::vector<float> to_dense(const Device& device, const Weights& weights) {
  const Array<int32_t> offsets(device, weights.offsets), indices(device, weights.indices);
  const Array<float> values(device, weights.values);
  Array<float> elements(device, weights.total());
  const Matrix source = sparse_matrix(weights, offsets, indices, values);
  const Matrix dense = dense_matrix(weights.rows, weights.cols, elements);
  int64_t bytes = 0;
  check(bsConvert_bufferSize(device.handle(), BS_OPERATION_NON_TRANSPOSE, source.get(), dense.get(), &bytes));
  const Memory workspace(device, bytes);
  check(
      bsConvert_count(device.handle(), BS_OPERATION_NON_TRANSPOSE, source.get(), dense.get(), workspace.data(), bytes));
  check(
      bsConvert_fill(device.handle(), BS_OPERATION_NON_TRANSPOSE, source.get(), dense.get(), workspace.data(), bytes));
  return elements.download();
}

// Elements that are not zero. Counting gives the offsets and the size of the other arrays, which are then filled.
Weights to_csr(const Device& device, int64_t rows, int64_t cols, const std::vector<float>& elements) {
  Array<float> dense_values(device, elements);
  const Matrix dense = dense_matrix(rows, cols, dense_values);
  const Array<int32_t> offsets(device, rows + 1);
  bsMatDescr_t created = nullptr;
  check(bsCreateCsr(&created, rows, cols, 0, offsets.data(), nullptr, nullptr, BS_INDEX_32I, BS_INDEX_32I,
                    BS_INDEX_BASE_ZERO, BS_R_32F));
  const Matrix csr(created);
  int64_t bytes = 0, nnz = 0;
  check(bsConvert_bufferSize(device.handle(), BS_OPERATION_NON_TRANSPOSE, dense.get(), csr.get(), &bytes));
  const Memory workspace(device, bytes);
  check(bsConvert_count(device.handle(), BS_OPERATION_NON_TRANSPOSE, dense.get(), csr.get(), workspace.data(), bytes));
  check(bsMatGetSize(csr.get(), nullptr, nullptr, &nnz));
  const Array<int32_t> indices(device, nnz);
  const Array<float> values(device, nnz);
  check(bsMatSetPointers(csr.get(), offsets.data(), indices.data(), values.data()));
  check(bsConvert_fill(device.handle(), BS_OPERATION_NON_TRANSPOSE, dense.get(), csr.get(), workspace.data(), bytes));
  return {rows, cols, 1, offsets.download(), indices.download(), values.download()};
}

}  // namespace

int64_t Weights::kept() const {
  int64_t elements = 0;
  for_each_block(*this, [&](int32_t, int64_t height, int64_t width) { elements += height * width; });
  return elements;
}

Weights random_blocks(int64_t rows, int64_t cols, int64_t per_row, Random& random) {
  Weights weights{.rows = rows, .cols = cols, .block = kBlock, .offsets = {}, .indices = {}, .values = {}};
  fill_structure(weights, per_row, random);
  weights.values.assign(weights.indices.size() * kBlock * kBlock, 0.0f);
  const float bound = std::sqrt(6.0f / static_cast<float>(per_row * kBlock));
  for_each_block(weights, [&](int32_t p, int64_t height, int64_t width) {
    for (int64_t i = 0; i < height; ++i)
      for (int64_t j = 0; j < width; ++j) weights.values[(p * kBlock + i) * kBlock + j] = random.uniform(bound);
  });
  return weights;
}

Matrix sparse_matrix(const Weights& weights, const Array<int32_t>& offsets, const Array<int32_t>& indices,
                     const Array<float>& values) {
  bsMatDescr_t matrix = nullptr;
  if (weights.block == 1) {
    check(bsCreateCsr(&matrix, weights.rows, weights.cols, indices.count(), offsets.data(), indices.data(),
                      values.data(), BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_32F));
  } else {
    check(bsCreateBsr(&matrix, weights.rows, weights.cols, indices.count(), weights.block, weights.block,
                      offsets.data(), indices.data(), values.data(), BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO,
                      BS_R_32F, BS_ORDER_ROW));
  }
  return Matrix(matrix);
}

Weights pruned(const Device& device, const Weights& weights, double share) {
  std::vector<float> elements = to_dense(device, weights);
  const float threshold = threshold_of(elements, share);
  for (float& element : elements)
    if (std::fabs(element) <= threshold) element = 0;
  return to_csr(device, weights.rows, weights.cols, elements);
}

}  // namespace mlp
