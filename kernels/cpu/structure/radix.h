// Digits of lengths, for sorting and ranking lists in linear time.
#pragma once

#include <bit>
#include <cstdint>

namespace bs::cpu {

constexpr int kDigitBits = 11;  // lengths below 2048, by far the most, have one digit
constexpr int64_t kDigits = int64_t{1} << kDigitBits;

constexpr int digits_of(int64_t longest) {
  return (static_cast<int>(std::bit_width(static_cast<uint64_t>(longest))) + kDigitBits - 1) / kDigitBits;
}

}  // namespace bs::cpu
