// Values of CSR entries in the type of the sums: as they lie where that is possible, else chunk by chunk in a buffer.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/common/convert.h"
#include "cpu/common/sparse_rows.h"

namespace bs::cpu {

template <class T>
class EntryValues {
 public:
  EntryValues(const SparseShape& s, const SparseOperand& o, const SparseRows& rows, int64_t input,
              const Microkernels& simd)
      : s_(s), rows_(rows), simd_(simd), values_(shifted(o.values, size_of(s.dtype), input * o.value_stride)) {}

  // body(q, values, count) for the entries [begin, end) in order; values[e] belongs to entry q + e.
  template <class Body>
  void for_chunks(int64_t begin, int64_t end, Body&& body) const {
    if (begin == end) return;
    if (s_.dtype == dtype_of<T> && !s_.transposed) {
      return body(begin, static_cast<const T*>(values_) + begin, end - begin);
    }
    constexpr int64_t kChunk = 256;
    T buffer[kChunk];
    for (int64_t q = begin; q < end; q += kChunk) {
      const int64_t count = std::min(kChunk, end - q);
      fill(q, count, buffer);
      body(q, buffer, count);
    }
  }

 private:
  void fill(int64_t q, int64_t count, T* buffer) const {
    if (!s_.transposed) return widen_run(simd_, s_.dtype, values_, q, buffer, count);
    for (int64_t e = 0; e < count; ++e) {
      buffer[e] = static_cast<T>(load_double(s_.dtype, values_, rows_.position(q + e)));
    }
  }

  const SparseShape& s_;
  const SparseRows& rows_;
  const Microkernels& simd_;
  const void* values_;
};

}  // namespace bs::cpu
