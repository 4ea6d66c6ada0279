// Transposed index by counting sort.
#include "cpu/common/transposed_index.h"

#include <algorithm>

#include "cpu/common/scalar.h"

namespace bs::cpu {
namespace {

template <class Offset, class Index>
struct Lists {
  const Offset* offsets;
  const Index* indices;
  int64_t rows, cols, base;

  // t_offsets[c + 1] counts column c, then becomes its start while filling, then its end: the start of column c + 1.
  void transpose(Offset* t_offsets, Index* t_indices, Offset* positions) const {
    const int64_t first = offsets[0] - base, last = offsets[rows] - base;
    for (int64_t c = 0; c <= cols; ++c) t_offsets[c] = 0;
    for (int64_t q = first; q < last; ++q) ++t_offsets[indices[q] - base];
    int64_t start = first;
    for (int64_t c = 0; c <= cols; ++c) {
      const int64_t count = t_offsets[c];
      t_offsets[c] = static_cast<Offset>(start);
      start += count;
    }
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t q = offsets[row] - base; q < offsets[row + 1] - base; ++q) {
        const Offset slot = t_offsets[indices[q] - base]++;
        t_indices[slot] = static_cast<Index>(row);
        positions[slot] = static_cast<Offset>(q);
      }
    }
    for (int64_t c = cols; c > 0; --c) t_offsets[c] = t_offsets[c - 1];
    t_offsets[0] = static_cast<Offset>(first);
  }
};

template <class Body>
void with_index_type(IndexType type, Body&& body) {
  if (type == IndexType::i64)
    body.template operator()<int64_t>();
  else
    body.template operator()<int32_t>();
}

// None where there are no inputs: their arrays may be NULL.
int64_t structures_of(const SparseShape& s, int64_t inputs) {
  return s.own_structure ? inputs : std::min<int64_t>(inputs, 1);
}

struct Parts {
  int64_t offsets, indices, positions;  // bytes
};

// Own index arrays a structure even where the stored structures share one: their ranges in it may overlap.
Parts parts_of(const SparseShape& s, int64_t structures) {
  return {part(saturating_mul(structures, s.block_col_count() + 1, size_of(s.offset_type))),
          part(saturating_mul(structures, s.nnz, size_of(s.index_type))),
          part(saturating_mul(structures, s.nnz, size_of(s.offset_type)))};
}

}  // namespace

void build_transposed_index(const SparseShape& s, const Pattern& stored, int64_t batch, void* t_offsets,
                            void* t_indices, void* positions) {
  with_index_type(s.offset_type, [&]<class Offset>() {
    with_index_type(s.index_type, [&]<class Index>() {
      const void* offsets = shifted(stored.offsets, sizeof(Offset), batch * stored.offset_stride);
      const void* indices = shifted(stored.indices, sizeof(Index), batch * stored.index_stride);
      const Lists<Offset, Index> lists{static_cast<const Offset*>(offsets), static_cast<const Index*>(indices),
                                       s.block_row_count(), s.block_col_count(), s.base};
      lists.transpose(static_cast<Offset*>(t_offsets), static_cast<Index*>(t_indices), static_cast<Offset*>(positions));
    });
  });
}

int64_t transposed_index_bytes(const SparseShape& s, int64_t inputs) {
  if (!s.transposed || s.has_transpose) return 0;
  const Parts bytes = parts_of(s, structures_of(s, inputs));
  return saturating_add(bytes.offsets, bytes.indices, bytes.positions);
}

SparseOperand ensure_transposed_index(const SparseShape& s, const SparseOperand& o, int64_t inputs, void* workspace) {
  if (!s.transposed || s.has_transpose) return o;
  const int64_t structures = structures_of(s, inputs);
  const Parts bytes = parts_of(s, structures);
  char* offsets = static_cast<char*>(workspace);
  char* indices = offsets + bytes.offsets;
  char* positions = indices + bytes.indices;
  SparseOperand with = o;
  with.transposed = {.offsets = offsets,
                     .indices = indices,
                     .offset_stride = s.own_structure ? s.block_col_count() + 1 : 0,
                     .index_stride = s.own_structure ? s.nnz : 0};
  with.positions = positions;
  for (int64_t b = 0; b < structures; ++b) {
    const int64_t entry = b * with.transposed.index_stride;
    build_transposed_index(s, o.stored, b, offsets + b * with.transposed.offset_stride * size_of(s.offset_type),
                           indices + entry * size_of(s.index_type), positions + entry * size_of(s.offset_type));
  }
  return with;
}

}  // namespace bs::cpu
