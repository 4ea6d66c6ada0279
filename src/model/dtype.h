// Element types: their numbers, sizes and names, 16-bit floats on the host, and run-time to compile-time dispatch.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "bsparse.h"

namespace bs {

enum class DType : uint8_t { f32 = BS_R_32F, f64 = BS_R_64F, f16 = BS_R_16F, bf16 = BS_R_16BF };
enum class IndexType : uint8_t { i32 = BS_INDEX_32I, i64 = BS_INDEX_64I };

constexpr int64_t size_of(DType type) {
  return type == DType::f64 ? 8 : type == DType::f32 ? 4 : 2;
}
constexpr int64_t size_of(IndexType type) {
  return type == IndexType::i64 ? 8 : 4;
}
constexpr const char* name_of(DType type) {
  switch (type) {
    case DType::f32:
      return "f32";
    case DType::f64:
      return "f64";
    case DType::f16:
      return "f16";
    case DType::bf16:
      return "bf16";
  }
  return "?";
}

// IEEE 754 binary16 and bfloat16 as stored. Conversions round to nearest even, keep subnormals and infinities, and make
// NaN quiet with its payload's upper bits.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(float value);
  explicit operator float() const;
};
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float value);
  explicit operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }
};

inline BFloat16::BFloat16(float value) {
  const uint32_t u = std::bit_cast<uint32_t>(value);
  const bool nan = (u & 0x7fffffffu) > 0x7f800000u;
  bits = static_cast<uint16_t>(nan ? (u >> 16) | 0x40u : (u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
}

inline Half::operator float() const {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16, body = bits & 0x7fffu;
  if (body >= 0x7c00u) {  // infinity, or NaN made quiet
    const uint32_t quiet = body > 0x7c00u ? 0x400000u : 0u;
    return std::bit_cast<float>(sign | 0x7f800000u | ((body & 0x3ffu) << 13) | quiet);
  }
  if (body >= 0x400u) return std::bit_cast<float>(sign | ((body << 13) + (112u << 23)));
  const float magnitude = static_cast<float>(body) * 0x1p-24f;  // subnormal or zero, exact
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
}

inline Half::Half(float value) {
  const uint32_t u = std::bit_cast<uint32_t>(value), sign = (u >> 16) & 0x8000u, magnitude = u & 0x7fffffffu;
  uint32_t result;
  if (magnitude > 0x7f800000u) {
    result = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  } else if (magnitude >= 0x477ff000u) {  // 65520, where rounding reaches infinity
    result = 0x7c00u;
  } else if (magnitude >= 0x38800000u) {  // normal: rebias, round to nearest even at bit 13
    const uint32_t rebiased = magnitude - (112u << 23);
    result = (rebiased + 0xfffu + ((rebiased >> 13) & 1u)) >> 13;
  } else {  // subnormal: adding 0.5 makes the FPU round at 2^-24, the last place of binary16
    result = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  }
  bits = static_cast<uint16_t>(sign | result);
}

template <class T>
inline constexpr DType dtype_of = DType::f32;
template <>
inline constexpr DType dtype_of<double> = DType::f64;
template <>
inline constexpr DType dtype_of<Half> = DType::f16;
template <>
inline constexpr DType dtype_of<BFloat16> = DType::bf16;

// One list of types, read by a kernel's predicate and by its launch, so that the two cannot disagree.
template <class... Ts>
struct TypeList {
  static constexpr bool has(DType dtype) { return ((dtype_of<Ts> == dtype) || ...); }
  template <class Body>
  static void with(DType dtype, Body&& body) {
    ((dtype_of<Ts> == dtype && (body.template operator()<Ts>(), true)) || ...);
  }
};
using HostTypes = TypeList<float, double, Half, BFloat16>;

// Run-time index to compile-time index: calls body<I>().
template <int kCount, class Body>
void with_index(int index, Body&& body) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    ((I == index && (body.template operator()<I>(), true)) || ...);
  }
  (std::make_integer_sequence<int, kCount>{});
}

}  // namespace bs
