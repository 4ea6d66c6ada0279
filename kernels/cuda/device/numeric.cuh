// Element types on the device: what stands for the host's Half and BFloat16, loads that widen, stores that round once.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "model/dtype.h"

namespace bs::cuda {

template <class T>
struct OnDevice {
  using type = T;
};
template <>
struct OnDevice<Half> {
  using type = __half;
};
template <>
struct OnDevice<BFloat16> {
  using type = __nv_bfloat16;
};
template <class T>
using on_device_t = typename OnDevice<T>::type;

template <class T>
inline constexpr DType dtype_of_device = dtype_of<T>;
template <>
inline constexpr DType dtype_of_device<__half> = DType::f16;
template <>
inline constexpr DType dtype_of_device<__nv_bfloat16> = DType::bf16;

// Sums of f64 are f64, all others f32.
template <class T>
using accumulator_t = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <class Acc, class T>
__device__ __forceinline__ Acc widen(T value) {
  if constexpr (std::is_same_v<T, __half>) {
    return static_cast<Acc>(__half2float(value));
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return static_cast<Acc>(__bfloat162float(value));
  } else {
    return static_cast<Acc>(value);
  }
}

template <class T, class Acc>
__device__ __forceinline__ T narrow(Acc value) {
  constexpr bool from_double = std::is_same_v<Acc, double>;  // through float it would be rounded twice
  if constexpr (std::is_same_v<T, __half>) {
    if constexpr (from_double)
      return __double2half(value);
    else
      return __float2half_rn(static_cast<float>(value));
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    if constexpr (from_double)
      return __double2bfloat16(value);
    else
      return __float2bfloat16_rn(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

// For accesses that happen once an output: the branch on the type is uniform and cheaper than a template dimension.
template <class Acc>
__device__ inline Acc load_as(DType type, const void* array, int64_t i) {
  switch (type) {
    case DType::f64:
      return static_cast<Acc>(static_cast<const double*>(array)[i]);
    case DType::f32:
      return static_cast<Acc>(static_cast<const float*>(array)[i]);
    case DType::f16:
      return widen<Acc>(static_cast<const __half*>(array)[i]);
    case DType::bf16:
      return widen<Acc>(static_cast<const __nv_bfloat16*>(array)[i]);
  }
  return Acc{};
}

template <class Acc>
__device__ inline void store_as(DType type, void* array, int64_t i, Acc value) {
  switch (type) {
    case DType::f64:
      static_cast<double*>(array)[i] = value;
      return;
    case DType::f32:
      static_cast<float*>(array)[i] = static_cast<float>(value);
      return;
    case DType::f16:
      static_cast<__half*>(array)[i] = narrow<__half>(value);
      return;
    case DType::bf16:
      static_cast<__nv_bfloat16*>(array)[i] = narrow<__nv_bfloat16>(value);
      return;
  }
}

}  // namespace bs::cuda
