// The definition of SpMM: sums in double over the stored elements as they lie, rounded once. Transposed operands are
// scattered, not gathered, so that the reference depends on no index but the caller's.
#include <algorithm>

#include "cpu/common/epilogue.h"
#include "cpu/common/scalar.h"
#include "engine/kernel.h"

namespace bs::cpu {
namespace {

constexpr int64_t kPanel = 64;  // columns of C summed at a time

Verdict supports(const SpmmProblem&, const Device&) {
  return kAccept;
}

Plan plan(const SpmmProblem& p, const Device&) {
  return {.cost_us = 1e12, .workspace_bytes = saturating_mul(p.m, std::min(p.n, kPanel), sizeof(double))};
}

// A column panel of one result and the input that is added to it.
struct Pass {
  const SpmmProblem& p;
  const SparseOperand& s;
  const void* b;
  double* sums;  // m x width
  int64_t width, first_column, input;

  // sums(row, :) += value * B(inner, panel)
  void add_element(int64_t row, int64_t inner, double value) const {
    for (int64_t j = 0; j < width; ++j) {
      const int64_t offset = at(p.b_layout, p.ldb, inner, first_column + j);
      sums[row * width + j] += value * load_double(p.b_type, b, offset);
    }
  }

  void add_block(int64_t block_row, int64_t block_col, int64_t entry) const {
    const SparseShape& shape = p.s;
    const double gate = shape.gated ? s.gate[input * s.gate_stride + entry] : 1.0;
    if (gate == 0) return;
    const int64_t first = input * s.value_stride + entry * shape.block_rows * shape.block_cols;
    const int64_t ld = shape.block_layout == Layout::row ? shape.block_cols : shape.block_rows;
    const int64_t row = block_row * shape.block_rows, col = block_col * shape.block_cols;
    const int64_t rows = std::min(shape.block_rows, shape.rows - row);
    const int64_t cols = std::min(shape.block_cols, shape.cols - col);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < cols; ++j) {
        const double value = gate * load_double(shape.dtype, s.values, first + at(shape.block_layout, ld, i, j));
        if (shape.transposed)
          add_element(col + j, row + i, value);
        else
          add_element(row + i, col + j, value);
      }
    }
  }

  void add_input() const {
    const SparseShape& shape = p.s;
    const void* offsets = shifted(s.stored.offsets, size_of(shape.offset_type), input * s.stored.offset_stride);
    const void* indices = shifted(s.stored.indices, size_of(shape.index_type), input * s.stored.index_stride);
    for (int64_t row = 0; row < shape.block_row_count(); ++row) {
      const int64_t end = load_index(shape.offset_type, offsets, row + 1) - shape.base;
      for (int64_t q = load_index(shape.offset_type, offsets, row) - shape.base; q < end; ++q) {
        add_block(row, load_index(shape.index_type, indices, q) - shape.base, q);
      }
    }
  }
};

Status launch(const SpmmProblem& p, const Plan&, const SpmmOperands& o, const Exec& exec) {
  const bool product = reads_product(p, o);
  double* sums = static_cast<double*>(exec.workspace);
  for (int64_t b = 0; b < p.batch; ++b) {
    const Epilogue<double> epilogue(p, o, b, microkernels(exec.isa));
    for (int64_t j = 0; j < p.n; j += kPanel) {
      const int64_t width = std::min(kPanel, p.n - j);
      std::fill_n(sums, p.m * width, 0.0);
      for (int64_t r = 0; product && r < p.reduce; ++r) {
        const void* dense = shifted(o.b, size_of(p.b_type), (b + r) * o.b_stride);
        Pass{p, o.s, dense, sums, width, j, b + r}.add_input();
      }
      epilogue.store(sums, width, 0, j, p.m, width);
    }
  }
  return kSuccess;
}

}  // namespace
}  // namespace bs::cpu
BS_DEFINE_SPMM_KERNEL(cpu, reference, .reference = true)
