// The dense operands of an SDDMM as its fast rows read them. L and R are two sets of vectors, rows of L and columns of
// R, which share the inner index; they are packed into the workspace where they are not stored as a row needs them.
// Summands (problem.reduce) are joined: their inner extents follow each other, so that one longer product is left.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/common/block.h"
#include "cpu/common/dense_tile.h"
#include "cpu/common/scalar.h"
#include "engine/cost.h"
#include "model/device.h"
#include "model/operands.h"
#include "model/problem.h"

namespace bs::cpu {

// One operand: `count` vectors of k elements in each input.
struct VectorSet {
  const void* data = nullptr;
  DType type = DType::f32;
  int64_t count = 0;
  int64_t stride = 0, inner_stride = 0;  // from one vector, one inner index to the next
  int64_t input_stride = 0;

  // Vectors from `first` on, as rows.
  StridedMatrix rows_from(int64_t input, int64_t first) const {
    return {shifted(data, size_of(type), input * input_stride + first * stride), type, stride, inner_stride};
  }
  // The same as columns.
  StridedMatrix columns_from(int64_t input, int64_t first) const {
    const StridedMatrix rows = rows_from(input, first);
    return {rows.data, rows.type, rows.col_stride, rows.row_stride};
  }
};

inline VectorSet left_vectors(const SddmmProblem& p, const SddmmOperands& o) {
  const bool along = p.l_layout == Layout::row;
  return {o.l, p.l_type, p.m, along ? p.ldl : 1, along ? 1 : p.ldl, o.l_stride};
}
inline VectorSet right_vectors(const SddmmProblem& p, const SddmmOperands& o) {
  const bool along = p.r_layout == Layout::col;
  return {o.r, p.r_type, p.n, along ? p.ldr : 1, along ? 1 : p.ldr, o.r_stride};
}

constexpr int64_t inner_extent(const SddmmProblem& p) {
  return saturating_mul(p.k, p.reduce);
}

// Vectors ready to be read: element q of vector i at data[i * stride + q * inner_stride].
template <class T>
struct ReadyVectors {
  const T* data = nullptr;
  int64_t stride = 0, inner_stride = 1;
};

enum class Inner { any, contiguous };

// Whether the operand can be read where it lies.
inline bool ready(const SddmmProblem& p, const VectorSet& v, Inner inner) {
  const bool typed = size_of(v.type) >= 4;  // f64 throughout, or f32
  return typed && p.reduce == 1 && (inner == Inner::any || v.inner_stride == 1);
}

inline int64_t vector_bytes(const SddmmProblem& p, const VectorSet& v, Inner inner) {
  return ready(p, v, inner) ? 0 : part(saturating_mul(v.count, inner_extent(p), size_of(compute_type(p.s))));
}

// Vectors in groups (blocks) as panels: a group is a run of panels of kPanelWidth and a narrower rest, all `inner` rows
// long.
struct PanelGrid {
  int64_t count = 0;  // vectors
  int64_t group = 1;  // vectors a group
  int64_t inner = 0;

  int64_t groups() const { return count == 0 ? 0 : (count + group - 1) / group; }
  int64_t padded_group() const {
    const int64_t rest = group % kPanelWidth;
    return group - rest + (rest ? panel_width(rest) : 0);
  }
  int width(int64_t first) const { return panel_width(std::min<int64_t>(group - first, kPanelWidth)); }
  int64_t offset(int64_t g, int64_t first) const { return (g * padded_group() + first) * inner; }
  int64_t elements() const { return saturating_mul(groups(), padded_group(), inner); }
};

template <class T>
class SddmmInputs {
 public:
  SddmmInputs(const SddmmProblem& problem, const SddmmOperands& operands, const Exec& exec)
      : problem_(problem), operands_(operands), exec_(exec), functions_(dense_tile_functions<T>(exec.isa)) {}

  const DenseTileFunctions<T>& functions() const { return functions_; }

  // Input(s) of result `batch`, in place or packed into `space`. What all batches share is packed for the first only.
  ReadyVectors<T> vectors(const VectorSet& v, Inner inner, int64_t batch, void* space) const;
  const T* panels(const VectorSet& v, const PanelGrid& grid, int64_t batch, void* space) const;

  // All batches, from the operands as they are.
  void write_bias_gradient() const;

 private:
  bool packed_before(const VectorSet& v, int64_t batch) const { return batch > 0 && v.input_stride == 0; }
  void pack_group(const VectorSet& v, const PanelGrid& grid, int64_t batch, int64_t g, T* space) const;

  const SddmmProblem& problem_;
  const SddmmOperands& operands_;
  const Exec& exec_;
  const DenseTileFunctions<T>& functions_;
};

extern template class SddmmInputs<float>;
extern template class SddmmInputs<double>;

// alpha and beta of a call as its sums are scaled by them. Where nothing is multiplied (alpha 0, nothing to sum) alpha
// is 0 and L and R are left alone.
template <class T>
struct SddmmScale {
  T alpha = 0, beta = 0;

  SddmmScale(const SddmmProblem& p, const SddmmOperands& o)
      : alpha(inner_extent(p) > 0 ? static_cast<T>(load_scalar(p.s, o.scalars.alpha)) : T(0)),
        beta(static_cast<T>(load_scalar(p.s, o.scalars.beta))) {}

  // What a stored element becomes; `product` is 0 where it was not computed.
  template <class C>
  C result(T product, const C& old) const {
    const T value = beta == 0 ? product : product + beta * widened(old);
    return static_cast<C>(value);
  }
};

// (Block) rows a piece of work: enough to be worth a thread, few enough to balance.
inline int64_t rows_a_piece(int64_t rows, double flops, int64_t at_most, const Exec& exec) {
  constexpr double kFlopsAPiece = 2e5;
  const int64_t worthwhile = static_cast<int64_t>(kFlopsAPiece * static_cast<double>(rows) / (flops + 1)) + 1;
  const int64_t balanced = rows / (8 * exec.workers->threads()) + 1;
  return std::max(worthwhile, std::min(balanced, at_most));
}

// Predicted time of a row that does `flops` a batch: everything is moved once, and a call costs a little to hand out.
double sddmm_cost_us(const SddmmProblem& p, const Device& d, double flops, const Efficiency& efficiency);

// Calls body.operator()<T, C>() with the compute type and the result's.
template <class Body>
void with_sddmm_types(DType result, Body&& body) {
  switch (result) {
    case DType::f64:
      return body.template operator()<double, double>();
    case DType::f32:
      return body.template operator()<float, float>();
    case DType::f16:
      return body.template operator()<float, Half>();
    case DType::bf16:
      return body.template operator()<float, BFloat16>();
  }
}

}  // namespace bs::cpu
