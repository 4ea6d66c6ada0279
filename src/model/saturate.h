// Sizes come from users: sums and products that leave int64_t stay at its end, where no address range fits.
#pragma once

#include <cstdint>

namespace bs {

template <class... More>
constexpr int64_t saturating_mul(int64_t a, int64_t b, More... more) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) product = INT64_MAX;
  if constexpr (sizeof...(more) > 0)
    return saturating_mul(product, more...);
  else
    return product;
}
template <class... More>
constexpr int64_t saturating_add(int64_t a, int64_t b, More... more) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) sum = INT64_MAX;
  if constexpr (sizeof...(more) > 0)
    return saturating_add(sum, more...);
  else
    return sum;
}

}  // namespace bs
