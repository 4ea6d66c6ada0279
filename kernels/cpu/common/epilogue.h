// What happens to the sums of an SpMM on their way into C: act(alpha * sum + beta * C + bias), rounded once.
#pragma once

#include <cstdint>

#include "cpu/simd/microkernels.h"
#include "model/operands.h"
#include "model/problem.h"

namespace bs::cpu {

// Of one batch. T is float or double: what the sums come in and everything up to the store is computed in.
template <class T>
class Epilogue {
 public:
  Epilogue(const SpmmProblem& problem, const SpmmOperands& operands, int64_t batch, const Microkernels& simd);

  // The tile of C at (row, col), rows x cols, from sums[i * ld + j], which are overwritten.
  void store(T* sums, int64_t ld, int64_t row, int64_t col, int64_t rows, int64_t cols) const;

 private:
  struct Span {
    int64_t row, col, count;  // first element; runs along C's contiguous index
  };
  void store_span(T* values, const Span& span) const;
  void add_bias(T* values, const Span& span) const;

  const SpmmProblem& problem_;
  const Microkernels& simd_;
  T alpha_, beta_;
  const void* bias_;
  void* c_;
  void* auxiliary_;
  int64_t auxiliary_ld_;
};

extern template class Epilogue<float>;
extern template class Epilogue<double>;

// Whether the product is needed at all. If not, C = act(beta * C + bias): store_without_product.
bool reads_product(const SpmmProblem& problem, const SpmmOperands& operands);
void store_without_product(const SpmmProblem& problem, const SpmmOperands& operands, const Exec& exec);

}  // namespace bs::cpu
