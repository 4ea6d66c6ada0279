// Gradient of block gates: a dot product of W and dW a block, in double lanes, which a memory-bound loop has for
// nothing.
#include <algorithm>

#include "cpu/common/block.h"
#include "cpu/common/dense_tile.h"
#include "cpu/common/sparse_rows.h"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cpu {
namespace {

constexpr int64_t kElementsAPiece = 1 << 14;

struct Blocks {
  const GateGradProblem& p;
  DotFunction dot;
  const void* w;
  const void* dw;

  double part(int64_t element, int64_t count) const {
    return dot(count, shifted(w, size_of(p.s.dtype), element), shifted(dw, size_of(p.dw_type), element));
  }

  // Blocks that the edges cut go line by line of what is inside.
  double sum(int64_t q, const BlockPlace& place) const {
    if (place.rows == p.s.block_rows && place.cols == p.s.block_cols)
      return part(element_of(p.s, q, 0, 0), block_size(p.s));
    const bool by_row = p.s.block_layout == Layout::row;
    const int64_t lines = by_row ? place.rows : place.cols, length = by_row ? place.cols : place.rows;
    double result = 0;
    for (int64_t i = 0; i < lines; ++i)
      result += part(by_row ? element_of(p.s, q, i, 0) : element_of(p.s, q, 0, i), length);
    return result;
  }
};

Verdict supports(const GateGradProblem& p, const Device&) {
  BS_REQUIRE(p.s.format == Format::bsr);
  return kAccept;
}

Plan plan(const GateGradProblem& p, const Device& d) {
  const double elements = static_cast<double>(p.batch) * static_cast<double>(p.s.elements());
  const Work work{.bytes = elements * static_cast<double>(size_of(p.s.dtype) + size_of(p.dw_type)),
                  .flops = 2 * elements};
  return {.cost_us = roofline_us(work, cpu_peak_flops_per_us(d, 8), d.memory_gbs, {.memory = 0.8, .compute = 0.25}, 1)};
}

Status launch(const GateGradProblem& p, const Plan&, const GateGradOperands& o, const Exec& exec) {
  const int64_t block_rows = p.s.nnz > 0 ? p.s.block_row_count() : 0;
  const int64_t row_elements = p.s.elements() / std::max<int64_t>(block_rows, 1) + 1;
  for (int64_t batch = 0; batch < p.batch; ++batch) {
    const SparseRows rows(p.s, o.s, batch);
    const Blocks blocks{p, dot_function(exec.isa, p.s.dtype, p.dw_type),
                        shifted(o.s.values, size_of(p.s.dtype), batch * o.s.value_stride),
                        shifted(o.dw, size_of(p.dw_type), batch * o.dw_stride)};
    float* const gradient = o.gradient + batch * o.gradient_stride;
    exec.workers->for_ranges(block_rows, kElementsAPiece / row_elements + 1, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        for (int64_t q = rows.begin(row); q < rows.end(row); ++q)
          gradient[q] = static_cast<float>(blocks.sum(q, place_of(p.s, row, rows.index(q))));
    });
  }
  return kSuccess;
}

}  // namespace
}  // namespace bs::cpu

BS_DEFINE_GATEGRAD_KERNEL(cpu, bsr_blocks)
