// C = act(alpha sum + beta C + bias), the value before the activation kept where asked: the end of every SpMM kernel.
#pragma once

#include "cuda/device/numeric.cuh"
#include "cuda/device/scalars.cuh"
#include "model/operands.h"
#include "model/problem.h"

namespace bs::cuda {

template <class Acc>
__device__ inline Acc activate(Activation activation, Acc x) {
  switch (activation) {
    case Activation::none:
      return x;
    case Activation::relu:
      return x > 0 || x != x ? x : Acc(0);
    case Activation::gelu_erf:
      return Acc(0.5) * x * (Acc(1) + erf(x * Acc(0.70710678118654752440)));
    case Activation::gelu_tanh:
      return Acc(0.5) * x * (Acc(1) + tanh(Acc(0.79788456080286535588) * (x + Acc(0.044715) * x * x * x)));
    case Activation::silu:
      return x / (Acc(1) + exp(-x));
  }
  return x;
}

// 16 bytes of one row of C.
template <class T>
struct alignas(16) Vector {
  T element[16 / sizeof(T)];
};

template <class Acc>
struct Epilogue {
  DeviceScalars<Acc> scalars;
  void* c = nullptr;
  int64_t ldc = 0, c_stride = 0;
  const void* bias = nullptr;
  int64_t bias_stride = 0;
  void* auxiliary = nullptr;
  int64_t auxiliary_ld = 0, auxiliary_stride = 0;
  DType c_type = DType::f32, bias_type = DType::f32;
  Layout c_layout = Layout::row;
  Activation activation = Activation::none;
  Axis bias_axis = Axis::none;
  bool plain = false;  // only alpha and beta, into rows of whole vectors

  static Epilogue from(const SpmmProblem& p, const SpmmOperands& o) {
    return {.scalars = DeviceScalars<Acc>::from(p, o.scalars),
            .c = o.c,
            .ldc = p.ldc,
            .c_stride = o.c_stride,
            .bias = o.bias,
            .bias_stride = o.bias_stride,
            .auxiliary = o.auxiliary,
            .auxiliary_ld = o.auxiliary_ld,
            .auxiliary_stride = o.auxiliary_stride,
            .c_type = p.c_type,
            .bias_type = p.bias_type,
            .c_layout = p.c_layout,
            .activation = p.activation,
            .bias_axis = p.bias,
            .plain = p.activation == Activation::none && p.bias == Axis::none && !p.auxiliary &&
                     p.c_layout == Layout::row && p.constraints.alignment == 16};
  }

  // Columns j and j + 1 of row i, j even; those from n on are left out.
  __device__ void store_pair(int64_t batch, int64_t i, int64_t j, int64_t n, Acc first, Acc second) const {
    if (store_plain_pair(batch, i, j, n, first, second)) return;
    if (j < n) store(batch, i, j, first);
    if (j + 1 < n) store(batch, i, j + 1, second);
  }
  // The same without a call, for a place in the code where sums that are still in registers would be spilled around it.
  __device__ __forceinline__ void store_pair_here(int64_t batch, int64_t i, int64_t j, int64_t n, Acc first,
                                                  Acc second) const {
    if (store_plain_pair(batch, i, j, n, first, second)) return;
#pragma unroll 1
    for (int e = 0; e < 2 && j + e < n; ++e) store_here(batch, i, j + e, e ? second : first);
  }
  __device__ __forceinline__ bool store_plain_pair(int64_t batch, int64_t i, int64_t j, int64_t n, Acc first,
                                                   Acc second) const {
    if (!plain || j + 1 >= n || scalars.beta() != 0 || c_type == DType::f64) return false;
    const Acc alpha = scalars.alpha();
    const float x = static_cast<float>(alpha != 0 ? alpha * first : Acc(0)),
                y = static_cast<float>(alpha != 0 ? alpha * second : Acc(0));
    const int64_t at = batch * c_stride + i * ldc + j;
    if (c_type == DType::f32)
      *reinterpret_cast<float2*>(static_cast<float*>(c) + at) = {x, y};
    else if (c_type == DType::f16)
      *reinterpret_cast<__half2*>(static_cast<__half*>(c) + at) = __floats2half2_rn(x, y);
    else
      *reinterpret_cast<__nv_bfloat162*>(static_cast<__nv_bfloat16*>(c) + at) = __floats2bfloat162_rn(x, y);
    return true;
  }

  // Consecutive columns j, j + 1, … of row i, j a multiple of the vector's length; those from n on are left out.
  template <class T>
  __device__ void store_vector(int64_t batch, int64_t i, int64_t j, int64_t n, const Acc* sum) const {
    constexpr int kWidth = 16 / sizeof(T);
    if (!plain || c_type != dtype_of_device<T> || j + kWidth > n) {
#pragma unroll
      for (int e = 0; e < kWidth; ++e)
        if (j + e < n) store(batch, i, j + e, sum[e]);
      return;
    }
    auto* vector = reinterpret_cast<Vector<T>*>(static_cast<T*>(c) + batch * c_stride + i * ldc + j);
    const Acc alpha = scalars.alpha(), beta = scalars.beta();
    Vector<T> out, old{};
    if (beta != 0) old = *vector;
#pragma unroll
    for (int e = 0; e < kWidth; ++e)
      out.element[e] =
          narrow<T>((alpha != 0 ? alpha * sum[e] : Acc(0)) + (beta != 0 ? beta * widen<Acc>(old.element[e]) : Acc(0)));
    *vector = out;
  }

  // `sum` is op(S) B at (i, j) of result `batch`; ignored where alpha is 0. Not inlined: a strip of results in
  // registers is stored by an unrolled loop, and all types and activations once a register would be minutes of
  // compilation.
  __device__ __noinline__ void store(int64_t batch, int64_t i, int64_t j, Acc sum) const {
    store_here(batch, i, j, sum);
  }
  __device__ __forceinline__ void store_here(int64_t batch, int64_t i, int64_t j, Acc sum) const {
    const Acc alpha = scalars.alpha(), beta = scalars.beta();
    const int64_t at = batch * c_stride + (c_layout == Layout::row ? i * ldc + j : i + j * ldc);
    Acc value = alpha != 0 ? alpha * sum : Acc(0);
    if (beta != 0) value += beta * load_as<Acc>(c_type, c, at);
    if (bias_axis != Axis::none)
      value += load_as<Acc>(bias_type, bias, batch * bias_stride + (bias_axis == Axis::row ? i : j));
    if (auxiliary) {
      const int64_t aux_at =
          batch * auxiliary_stride + (c_layout == Layout::row ? i * auxiliary_ld + j : i + j * auxiliary_ld);
      store_as(c_type, auxiliary, aux_at, value);
    }
    store_as(c_type, c, at, activate(activation, value));
  }
};

}  // namespace bs::cuda
