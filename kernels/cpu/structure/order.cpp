// BS_ANALYZE_ORDER: lists by falling length, equal ones in order. A radix sort, so linear for any distribution of
// lengths.
#include <algorithm>

#include "engine/carver.h"
#include "cpu/structure/radix.h"
#include "cpu/structure/stored.h"
#include "cpu/structure/structure.h"

namespace bs::cpu {
namespace {

struct OrderScratch {
  int64_t* lengths;  // over all structures
  int32_t* other;    // second array of the radix sort
  int64_t bytes;
};

OrderScratch order_scratch(const MatrixView& m, void* start) {
  Carver carver(start);
  OrderScratch scratch;
  scratch.lengths = carver.take<int64_t>(m.lists());
  scratch.other = carver.take<int32_t>(m.lists());
  scratch.bytes = carver.bytes();
  return scratch;
}

// One stable pass over a digit, the largest digit first.
void sort_by_digit(const int64_t* lengths, int shift, int64_t count, const int32_t* from, int32_t* to) {
  const auto slot = [&](int32_t list) { return kDigits - 1 - ((lengths[list] >> shift) & (kDigits - 1)); };
  int64_t starts[kDigits + 1] = {};
  for (int64_t i = 0; i < count; ++i) ++starts[slot(from[i]) + 1];
  for (int64_t d = 0; d < kDigits; ++d) starts[d + 1] += starts[d];
  for (int64_t i = 0; i < count; ++i) to[starts[slot(from[i])]++] = from[i];
}

}  // namespace

int64_t order_scratch_bytes(const MatrixView& m) {
  return order_scratch(m, nullptr).bytes;
}

void order_lists(const MatrixView& m, int32_t* order, void* start) {
  const int64_t count = m.lists();
  if (count == 0) return;
  const OrderScratch scratch = order_scratch(m, start);
  std::fill_n(scratch.lengths, count, 0);
  for_each_list(m, [&](const SparseRows& rows, int64_t, int64_t list) {
    scratch.lengths[list] += rows.end(list) - rows.begin(list);
  });
  const int64_t longest = *std::max_element(scratch.lengths, scratch.lengths + count);
  const int passes = digits_of(longest);
  int32_t* from = passes % 2 ? scratch.other : order;  // so that the last pass writes `order`
  int32_t* to = passes % 2 ? order : scratch.other;
  for (int64_t i = 0; i < count; ++i) from[i] = static_cast<int32_t>(i);
  for (int pass = 0; pass < passes; ++pass) {
    sort_by_digit(scratch.lengths, pass * kDigitBits, count, from, to);
    std::swap(from, to);
  }
}

}  // namespace bs::cpu
