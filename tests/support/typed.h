// Elements of run-time type on the host, through the conversions of model/dtype.h alone, and the rounding of each type.
#pragma once

#include <cstdint>

#include "model/dtype.h"

namespace bs::test {

inline double load(DType type, const void* array, int64_t i) {
  double value = 0;
  HostTypes::with(type, [&]<class T>() {
    const T element = static_cast<const T*>(array)[i];
    if constexpr (sizeof(T) == 2)
      value = static_cast<float>(element);
    else
      value = element;
  });
  return value;
}

// For values that fit a float unless the type is f64, so that nothing is rounded twice.
inline void store(DType type, void* array, int64_t i, double value) {
  HostTypes::with(type, [&]<class T>() {
    if constexpr (sizeof(T) == 8)
      static_cast<T*>(array)[i] = value;
    else
      static_cast<T*>(array)[i] = T(static_cast<float>(value));
  });
}

inline void store(IndexType type, void* array, int64_t i, int64_t value) {
  if (type == IndexType::i64)
    static_cast<int64_t*>(array)[i] = value;
  else
    static_cast<int32_t*>(array)[i] = static_cast<int32_t>(value);
}

// Largest relative error of one rounding to nearest.
constexpr double epsilon(DType type) {
  switch (type) {
    case DType::f64:
      return 0x1p-53;
    case DType::f32:
      return 0x1p-24;
    case DType::f16:
      return 0x1p-11;
    case DType::bf16:
      return 0x1p-8;
  }
  return 0;
}
// And the largest absolute error where the type's exponents end.
constexpr double underflow(DType type) {
  return type == DType::f16 ? 0x1p-25 : type == DType::f64 ? 0x1p-1074 : 0x1p-134;
}

}  // namespace bs::test
