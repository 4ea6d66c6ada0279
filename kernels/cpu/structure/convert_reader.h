// op(source) row by row, in ascending columns, elements with equal indices together and in their order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/common/scalar.h"
#include "cpu/structure/convert.h"

namespace bs::cpu {

inline bool is_zero(float value) {
  return value == 0;
}
inline bool is_zero(double value) {
  return value == 0;
}
inline bool is_zero(Half value) {
  return (value.bits & 0x7fffu) == 0;
}
inline bool is_zero(BFloat16 value) {
  return (value.bits & 0x7fffu) == 0;
}

template <class T>
class RowReader {
 public:
  // Elements of one row with the same column.
  struct Run {
    int64_t column;
    int64_t count;
    int64_t first;   // of the entries; the element itself of a dense source
    int64_t inside;  // a block: the element's place
  };

  RowReader(const Conversion& c, const ConvertSpace& space)
      : m_(c.source),
        values_(static_cast<const T*>(c.source.values)),
        offsets_(space.offsets),
        entries_(space.entries),
        block_size_(c.source.block_rows * c.source.block_cols) {}

  template <class Emit>
  void row(int64_t i, Emit&& emit) const {
    if (m_.sparse())
      sparse_row(i, emit);
    else
      dense_row(i, emit);
  }

  // Element k of a run, gate included.
  T value(const Run& run, int64_t k) const {
    if (!m_.gate) return values_[place(run, k)];
    T rounded;
    store_double(dtype_of<T>, &rounded, 0, gated(run, k));
    return rounded;
  }

  // All elements of a run, rounded once.
  T sum(const Run& run) const {
    if (run.count == 1) return value(run, 0);
    double total = gated(run, 0);
    for (int64_t k = 1; k < run.count; ++k) total += gated(run, k);
    T rounded;
    store_double(dtype_of<T>, &rounded, 0, total);
    return rounded;
  }

 private:
  template <class Emit>
  void dense_row(int64_t i, Emit&& emit) const {
    for (int64_t j = 0; j < m_.cols; ++j) {
      const int64_t element = at(m_.order, m_.ld, i, j);
      if (!is_zero(values_[element])) emit(Run{.column = j, .count = 1, .first = element, .inside = 0});
    }
  }

  template <class Emit>
  void sparse_row(int64_t i, Emit&& emit) const {
    const int64_t list = i / m_.block_rows, r = i % m_.block_rows;
    const int64_t ld = m_.block_order == Layout::row ? m_.block_cols : m_.block_rows;
    for (int64_t first = offsets_[list], last; first < offsets_[list + 1]; first = last) {
      const int64_t block_column = entries_[first].column;
      for (last = first + 1; last < offsets_[list + 1] && entries_[last].column == block_column;) ++last;
      const int64_t column = block_column * m_.block_cols, width = std::min(m_.block_cols, m_.cols - column);
      for (int64_t c = 0; c < width; ++c) emit(Run{column + c, last - first, first, at(m_.block_order, ld, r, c)});
    }
  }

  int64_t place(const Run& run, int64_t k) const {
    return entries_ ? entries_[run.first + k].position * block_size_ + run.inside : run.first;
  }

  // A gate of exactly 0 stands for zeros, whatever the block holds.
  double gated(const Run& run, int64_t k) const {
    const double gate = m_.gate ? m_.gate[entries_[run.first + k].position] : 1.0;
    return gate == 0 ? 0.0 : gate * load_double(dtype_of<T>, values_, place(run, k));
  }

  const MatrixView& m_;
  const T* values_;
  const int64_t* offsets_;
  const Entry* entries_;
  int64_t block_size_;
};

// Calls body(reader) with the reader of the source's type.
template <class Body>
void with_reader(const Conversion& c, const ConvertSpace& space, Body&& body) {
  HostTypes::with(c.source.dtype, [&]<class T>() { body(RowReader<T>(c, space)); });
}

}  // namespace bs::cpu
