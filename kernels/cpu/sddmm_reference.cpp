// SDDMM as it is defined: every stored element by itself, in double, rounded once.
#include "cpu/common/block.h"
#include "cpu/common/sparse_rows.h"
#include "engine/kernel.h"

namespace bs::cpu {
namespace {

struct Call {
  const SddmmProblem& p;
  const SddmmOperands& o;
  double alpha, beta;

  double l(int64_t input, int64_t i, int64_t k) const {
    return load_double(p.l_type, o.l, input * o.l_stride + at(p.l_layout, p.ldl, i, k));
  }
  double r(int64_t input, int64_t k, int64_t j) const {
    return load_double(p.r_type, o.r, input * o.r_stride + at(p.r_layout, p.ldr, k, j));
  }
};

double product(const Call& call, int64_t batch, int64_t i, int64_t j) {
  double sum = 0;
  for (int64_t input = batch; input < batch + call.p.reduce; ++input)
    for (int64_t k = 0; k < call.p.k; ++k) sum += call.l(input, i, k) * call.r(input, k, j);
  return sum;
}

// A gate of exactly 0 and an alpha of 0 leave the product uncomputed, so that nothing of L and R gets through; an empty
// product is 0 whatever alpha is.
double element(const Call& call, int64_t batch, double gate, int64_t i, int64_t j, int64_t position) {
  double result = 0;
  if (call.alpha != 0 && gate != 0 && call.p.k > 0 && call.p.reduce > 0)
    result = call.alpha * gate * product(call, batch, i, j);
  if (call.beta != 0) result += call.beta * load_double(call.p.s.dtype, call.o.c, position);
  return result;
}

void write_block(const Call& call, int64_t batch, int64_t p, const BlockPlace& place) {
  const SparseShape& s = call.p.s;
  const double gate = s.gated ? call.o.s.gate[batch * call.o.s.gate_stride + p] : 1.0;
  for (int64_t i = 0; i < s.block_rows; ++i)
    for (int64_t j = 0; j < s.block_cols; ++j) {
      const int64_t position = batch * call.o.c_stride + element_of(s, p, i, j);
      const bool inside = place.has(i, j);
      const double value = inside ? element(call, batch, gate, place.row + i, place.col + j, position) : 0;
      store_double(s.dtype, call.o.c, position, value);
    }
}

void write_bias_gradient(const Call& call, int64_t batch) {
  const bool by_row = call.p.bias_gradient == Axis::row;
  const int64_t length = by_row ? call.p.m : call.p.n;
  for (int64_t i = 0; i < length; ++i) {
    double sum = 0;
    for (int64_t input = batch; input < batch + call.p.reduce; ++input)
      for (int64_t k = 0; k < call.p.k; ++k) sum += by_row ? call.l(input, i, k) : call.r(input, k, i);
    store_double(call.p.bias_type, call.o.bias_gradient, batch * length + i, sum);
  }
}

Verdict supports(const SddmmProblem&, const Device&) {
  return kAccept;
}

Plan plan(const SddmmProblem&, const Device&) {
  return {.cost_us = 1e12};
}

Status launch(const SddmmProblem& p, const Plan&, const SddmmOperands& o, const Exec&) {
  const Call call{p, o, load_scalar(p.s, o.scalars.alpha), load_scalar(p.s, o.scalars.beta)};
  const int64_t block_rows = p.s.nnz > 0 ? p.s.block_row_count() : 0;  // without entries the arrays may be NULL
  for (int64_t batch = 0; batch < p.batch; ++batch) {
    const SparseRows rows(p.s, o.s, batch);
    for (int64_t row = 0; row < block_rows; ++row)
      for (int64_t q = rows.begin(row); q < rows.end(row); ++q)
        write_block(call, batch, q, place_of(p.s, row, rows.index(q)));
    if (p.bias_gradient != Axis::none) write_bias_gradient(call, batch);
  }
  return kSuccess;
}

}  // namespace
}  // namespace bs::cpu

BS_DEFINE_SDDMM_KERNEL(cpu, reference, .reference = true)
