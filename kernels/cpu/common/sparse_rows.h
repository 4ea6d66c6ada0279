// The (block) rows of op(S) in one batch, whichever way they are stored: directly, or through the transposed index.
#pragma once

#include <cstdint>

#include "cpu/common/scalar.h"
#include "model/operands.h"

namespace bs::cpu {

class SparseRows {
 public:
  // `s.transposed` needs `o.transposed` and `o.positions` (from analysis, or ensure_transposed_index below).
  SparseRows(const SparseShape& s, const SparseOperand& o, int64_t batch)
      : offset_type_(s.offset_type), index_type_(s.index_type), base_(s.transposed ? 0 : s.base) {
    const Pattern& pattern = s.transposed ? o.transposed : o.stored;
    offsets_ = shifted(pattern.offsets, size_of(s.offset_type), batch * pattern.offset_stride);
    indices_ = shifted(pattern.indices, size_of(s.index_type), batch * pattern.index_stride);
    if (s.transposed) positions_ = shifted(o.positions, size_of(s.offset_type), batch * pattern.index_stride);
  }

  int64_t begin(int64_t row) const { return load_index(offset_type_, offsets_, row) - base_; }
  int64_t end(int64_t row) const { return load_index(offset_type_, offsets_, row + 1) - base_; }
  int64_t index(int64_t q) const { return load_index(index_type_, indices_, q) - base_; }
  // For inner loops that read the array themselves: from entry q on, counted from base().
  const void* index_array(int64_t q) const { return shifted(indices_, size_of(index_type_), q); }
  int64_t base() const { return base_; }
  // Where entry q's value (block), gate included, lies in the arrays of the stored matrix.
  int64_t position(int64_t q) const { return positions_ ? load_index(offset_type_, positions_, q) : q; }

 private:
  IndexType offset_type_, index_type_;
  int64_t base_;
  const void* offsets_ = nullptr;
  const void* indices_ = nullptr;
  const void* positions_ = nullptr;
};

}  // namespace bs::cpu
