// Epilogue in passes over spans short enough for the first-level cache.
#include "cpu/common/epilogue.h"

#include <algorithm>
#include <cmath>

#include "cpu/common/convert.h"
#include "cpu/common/scalar.h"

namespace bs::cpu {
namespace {

constexpr int64_t kSpan = 128;

// The types that sums of type T do not meet on fast routes are the reference's: double sums into narrower arrays.
void load_span(const Microkernels& simd, DType type, const void* array, int64_t offset, float* out, int64_t count) {
  widen_run(simd, type, array, offset, out, count);
}
void load_span(const Microkernels&, DType type, const void* array, int64_t offset, double* out, int64_t count) {
  for (int64_t i = 0; i < count; ++i) out[i] = load_double(type, array, offset + i);
}

void store_values(const Microkernels& simd, DType type, const float* in, void* array, int64_t offset, int64_t count) {
  narrow_run(simd, type, in, array, offset, count);
}
void store_values(const Microkernels&, DType type, const double* in, void* array, int64_t offset, int64_t count) {
  for (int64_t i = 0; i < count; ++i) store_double(type, array, offset + i, in[i]);
}

// The forms with erfc and exp are those of bsparse.h without the cancellation of 1 + erf and 1 + tanh at negative x.
template <class T>
T gelu_erf(T x) {
  return x / 2 * std::erfc(-x * static_cast<T>(0.70710678118654752440));
}
template <class T>
T gelu_tanh(T x) {
  const T inner = static_cast<T>(0.79788456080286535588) * (x + static_cast<T>(0.044715) * x * x * x);
  return x / (1 + std::exp(-2 * inner));
}
template <class T>
T silu(T x) {
  return x / (1 + std::exp(-x));
}

template <class T>
void activate(Activation activation, T* values, int64_t count) {
  const auto apply = [&](auto&& function) {
    for (int64_t i = 0; i < count; ++i) values[i] = function(values[i]);
  };
  switch (activation) {
    case Activation::none:
      return;
    case Activation::relu:
      return apply([](T x) { return x <= 0 ? T{0} : x; });  // NaN stays
    case Activation::gelu_erf:
      return apply(gelu_erf<T>);
    case Activation::gelu_tanh:
      return apply(gelu_tanh<T>);
    case Activation::silu:
      return apply(silu<T>);
  }
}

}  // namespace

template <class T>
Epilogue<T>::Epilogue(const SpmmProblem& p, const SpmmOperands& o, int64_t batch, const Microkernels& simd)
    : problem_(p),
      simd_(simd),
      alpha_(reads_product(p, o) ? static_cast<T>(load_scalar(p.s, o.scalars.alpha)) : T{0}),
      beta_(static_cast<T>(load_scalar(p.s, o.scalars.beta))),
      bias_(shifted(o.bias, size_of(p.bias_type), batch * o.bias_stride)),
      c_(shifted(o.c, size_of(p.c_type), batch * o.c_stride)),
      auxiliary_(shifted(o.auxiliary, size_of(p.c_type), batch * o.auxiliary_stride)),
      auxiliary_ld_(o.auxiliary_ld) {}

template <class T>
void Epilogue<T>::add_bias(T* values, const Span& span) const {
  const bool along = (problem_.bias == Axis::col) == (problem_.c_layout == Layout::row);
  const int64_t start = problem_.bias == Axis::col ? span.col : span.row;
  T bias[kSpan];
  load_span(simd_, problem_.bias_type, bias_, start, bias, along ? span.count : 1);
  if (along) {
    for (int64_t i = 0; i < span.count; ++i) values[i] += bias[i];
  } else {
    for (int64_t i = 0; i < span.count; ++i) values[i] += bias[0];
  }
}

template <class T>
void Epilogue<T>::store_span(T* values, const Span& span) const {
  const SpmmProblem& p = problem_;
  const int64_t offset = at(p.c_layout, p.ldc, span.row, span.col);
  for (int64_t i = 0; i < span.count; ++i) values[i] *= alpha_;
  if (beta_ != 0) {
    T old[kSpan];
    load_span(simd_, p.c_type, c_, offset, old, span.count);
    for (int64_t i = 0; i < span.count; ++i) values[i] += beta_ * old[i];
  }
  if (p.bias != Axis::none) add_bias(values, span);
  if (p.auxiliary) {
    store_values(simd_, p.c_type, values, auxiliary_, at(p.c_layout, auxiliary_ld_, span.row, span.col), span.count);
  }
  activate(p.activation, values, span.count);
  store_values(simd_, p.c_type, values, c_, offset, span.count);
}

template <class T>
void Epilogue<T>::store(T* sums, int64_t ld, int64_t row, int64_t col, int64_t rows, int64_t cols) const {
  if (problem_.c_layout == Layout::row) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < cols; j += kSpan) {
        store_span(sums + i * ld + j, {row + i, col + j, std::min(kSpan, cols - j)});
      }
    }
    return;
  }
  T column[kSpan];
  for (int64_t j = 0; j < cols; ++j) {
    for (int64_t i = 0; i < rows; i += kSpan) {
      const int64_t count = std::min(kSpan, rows - i);
      for (int64_t r = 0; r < count; ++r) column[r] = sums[(i + r) * ld + j];
      store_span(column, {row + i, col + j, count});
    }
  }
}

template class Epilogue<float>;
template class Epilogue<double>;

bool reads_product(const SpmmProblem& p, const SpmmOperands& o) {
  return p.k > 0 && p.reduce > 0 && load_scalar(p.s, o.scalars.alpha) != 0;
}

namespace {

template <class T>
void store_zeros(const SpmmProblem& p, const SpmmOperands& o, const Exec& exec) {
  constexpr int64_t kRows = 16;
  for (int64_t b = 0; b < p.batch; ++b) {
    const Epilogue<T> epilogue(p, o, b, microkernels(exec.isa));
    exec.workers->for_ranges(p.m, kRows, [&](int64_t begin, int64_t end) {
      T zeros[kRows * kSpan];
      for (int64_t i = begin; i < end; i += kRows) {
        for (int64_t j = 0; j < p.n; j += kSpan) {
          std::fill_n(zeros, kRows * kSpan, T{0});
          epilogue.store(zeros, kSpan, i, j, std::min(kRows, end - i), std::min(kSpan, p.n - j));
        }
      }
    });
  }
}

}  // namespace

void store_without_product(const SpmmProblem& p, const SpmmOperands& o, const Exec& exec) {
  if (p.s.dtype == DType::f64)
    store_zeros<double>(p, o, exec);
  else
    store_zeros<float>(p, o, exec);
}

}  // namespace bs::cpu
