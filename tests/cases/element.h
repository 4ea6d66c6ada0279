// Elements of run-time type, with conversions of our own: a mistake in the library's cannot hide here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "bsparse.h"

namespace bs::cases {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr bsDataType_t kTypes[] = {BS_R_32F, BS_R_64F, BS_R_16F, BS_R_16BF};

inline int64_t size_of(bsDataType_t type) {
  return type == BS_R_64F ? 8 : type == BS_R_32F ? 4 : 2;
}
inline int64_t index_bytes(bsIndexType_t type) {
  return type == BS_INDEX_64I ? 8 : 4;
}

inline uint16_t to_f16(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double x = std::abs(value);
  if (std::isnan(value)) return 0x7e00;
  if (x == 0) return sign;
  if (x >= 65520) return static_cast<uint16_t>(sign | 0x7c00);
  int exponent = 0;
  std::frexp(x, &exponent);
  exponent = std::max(exponent - 1, -14);
  const int significand = static_cast<int>(std::nearbyint(std::ldexp(x, 10 - exponent)));
  return static_cast<uint16_t>(sign | (((exponent + 14) << 10) + significand));
}

inline double from_f16(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction ? kNaN : sign * kInf;
  return sign * (exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24));
}

inline uint16_t to_bf16(double value) {
  const float single = static_cast<float>(value);
  uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof bits);
  if (std::isnan(value)) return 0x7fc0;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline double from_bf16(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float single = 0;
  std::memcpy(&single, &wide, sizeof single);
  return single;
}

inline double get(bsDataType_t type, const void* array, int64_t i) {
  if (type == BS_R_64F) return static_cast<const double*>(array)[i];
  if (type == BS_R_32F) return static_cast<const float*>(array)[i];
  const uint16_t bits = static_cast<const uint16_t*>(array)[i];
  return type == BS_R_16F ? from_f16(bits) : from_bf16(bits);
}

inline void put(bsDataType_t type, void* array, int64_t i, double value) {
  if (type == BS_R_64F)
    static_cast<double*>(array)[i] = value;
  else if (type == BS_R_32F)
    static_cast<float*>(array)[i] = static_cast<float>(value);
  else
    static_cast<uint16_t*>(array)[i] = type == BS_R_16F ? to_f16(value) : to_bf16(value);
}

inline void put_index(bsIndexType_t type, void* array, int64_t i, int64_t value) {
  if (type == BS_INDEX_64I)
    static_cast<int64_t*>(array)[i] = value;
  else
    static_cast<int32_t*>(array)[i] = static_cast<int32_t>(value);
}

// What a sum that is exact becomes in the type.
inline double rounded(bsDataType_t type, double value) {
  double element = 0;
  put(type, &element, 0, value);
  return get(type, &element, 0);
}

inline bool same(double x, double y) {
  return x == y || (std::isnan(x) && std::isnan(y));
}

}  // namespace bs::cases
