// Gradient of block gates as it is defined: sum of W * dW over the elements of a block that lie in the matrix, in
// double.
#include "cpu/common/block.h"
#include "cpu/common/sparse_rows.h"
#include "engine/kernel.h"

namespace bs::cpu {
namespace {

double block_sum(const GateGradProblem& p, const GateGradOperands& o, int64_t batch, int64_t q,
                 const BlockPlace& place) {
  double sum = 0;
  for (int64_t i = 0; i < place.rows; ++i)
    for (int64_t j = 0; j < place.cols; ++j) {
      const int64_t element = element_of(p.s, q, i, j);
      sum += load_double(p.s.dtype, o.s.values, batch * o.s.value_stride + element) *
             load_double(p.dw_type, o.dw, batch * o.dw_stride + element);
    }
  return sum;
}

Verdict supports(const GateGradProblem&, const Device&) {
  return kAccept;
}

Plan plan(const GateGradProblem&, const Device&) {
  return {.cost_us = 1e12};
}

Status launch(const GateGradProblem& p, const Plan&, const GateGradOperands& o, const Exec&) {
  const int64_t block_rows = p.s.nnz > 0 ? p.s.block_row_count() : 0;  // without entries the arrays may be NULL
  for (int64_t batch = 0; batch < p.batch; ++batch) {
    const SparseRows rows(p.s, o.s, batch);
    for (int64_t row = 0; row < block_rows; ++row)
      for (int64_t q = rows.begin(row); q < rows.end(row); ++q)
        o.gradient[batch * o.gradient_stride + q] =
            static_cast<float>(block_sum(p, o, batch, q, place_of(p.s, row, rows.index(q))));
  }
  return kSuccess;
}

}  // namespace
}  // namespace bs::cpu

BS_DEFINE_GATEGRAD_KERNEL(cpu, reference, .reference = true)
