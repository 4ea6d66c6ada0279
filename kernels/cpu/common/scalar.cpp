// Stores that round once.
#include "cpu/common/scalar.h"

#include <bit>
#include <cmath>

namespace bs::cpu {
namespace {

// To float by round-to-odd: an inexact result keeps a set last bit, so that a second rounding to a type of at least two
// bits less sees on which side of a tie the double was. (Boldo and Melquiond, "Emulation of FMA and correctly rounded
// sums", IEEE Trans. Computers 2008.)
float narrow(double value) {
  const float nearest = static_cast<float>(value);
  const double back = nearest;
  if (back == value || std::isnan(value)) return nearest;
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if (std::fabs(back) > std::fabs(value)) --bits;  // towards zero; from infinity to the largest float
  return std::bit_cast<float>(bits | 1u);
}

}  // namespace

void store_double(DType type, void* array, int64_t i, double value) {
  switch (type) {
    case DType::f64:
      static_cast<double*>(array)[i] = value;
      return;
    case DType::f32:
      static_cast<float*>(array)[i] = static_cast<float>(value);
      return;
    case DType::f16:
      static_cast<Half*>(array)[i] = Half(narrow(value));
      return;
    case DType::bf16:
      static_cast<BFloat16*>(array)[i] = BFloat16(narrow(value));
      return;
  }
}

}  // namespace bs::cpu
