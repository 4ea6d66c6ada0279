// The a-priori error bound of a sum of products: |c - ref| <= eps_out |ref| + gamma(K) sum |a| |b|.
#pragma once

#include <cmath>
#include <cstdint>

#include "support/typed.h"

namespace bs::test {

// gamma(K) = K eps / (1 - K eps); the eight beyond the terms are gate, alpha, beta, bias and activation.
inline double gamma(int64_t terms, DType accumulator) {
  const double error = static_cast<double>(terms + 8) * epsilon(accumulator);
  return error / (1 - error);
}

struct Expected {
  double value = 0;
  double magnitude = 0;  // sum of the terms' absolute values
};

// Sums are formed in f32, or f64 where everything is f64, and rounded once. NaN must be NaN, infinities equal.
inline bool within_bound(double got, const Expected& expected, int64_t terms, DType type) {
  if (std::isnan(expected.value)) return std::isnan(got);
  if (std::isinf(expected.value)) return got == expected.value;
  const double sum_error = gamma(terms, type == DType::f64 ? DType::f64 : DType::f32) * expected.magnitude;
  const double rounding = epsilon(type) * (std::abs(expected.value) + sum_error) + underflow(type);
  return std::abs(got - expected.value) <= rounding + sum_error;
}

}  // namespace bs::test
