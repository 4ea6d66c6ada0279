// Entries of a sparse source by row, column and position: a counting sort by rows, stable in storage order, then a sort
// of every row whose columns did not come in ascending order. Positions are distinct, so the order is a total one.
#include <algorithm>

#include "cpu/structure/convert.h"
#include "cpu/structure/stored.h"

namespace bs::cpu {
namespace {

// Calls body((block) row, (block) column, position) for every stored entry, in storage order.
template <class Body>
void for_each_entry(const Conversion& c, Body&& body) {
  const MatrixView& m = c.source;
  if (m.nnz == 0) return;  // arrays may be NULL
  if (m.format == BS_FORMAT_COO) {
    for (int64_t q = 0; q < m.nnz; ++q)
      body(load_index(m.index_type, m.offsets, q) - m.base, load_index(m.index_type, m.indices, q) - m.base, q);
    return;
  }
  const SparseRows lists = stored_rows(m, 0);
  const int64_t count = c.by_columns ? c.source_block_cols() : c.source_block_rows();
  for (int64_t list = 0; list < count; ++list) {
    for (int64_t q = lists.begin(list); q < lists.end(list); ++q) {
      if (c.by_columns)
        body(lists.index(q), list, q);
      else
        body(list, lists.index(q), q);
    }
  }
}

}  // namespace

void sort_entries(const Conversion& c, const ConvertSpace& space, Workers& workers) {
  const int64_t rows = c.source_block_rows();
  int64_t* const offsets = space.offsets;
  std::fill_n(offsets, rows + 1, 0);
  for_each_entry(c, [&](int64_t row, int64_t, int64_t) { ++offsets[row + 1]; });
  for (int64_t i = 0; i < rows; ++i) offsets[i + 1] += offsets[i];
  for_each_entry(c, [&](int64_t row, int64_t column, int64_t position) {
    space.entries[offsets[row]++] = {column, position};
  });
  std::copy_backward(offsets, offsets + rows, offsets + rows + 1);  // each start has become the next one
  offsets[0] = 0;

  workers.for_ranges(rows, kRowGrain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      Entry* const first = space.entries + offsets[row];
      Entry* const last = space.entries + offsets[row + 1];
      if (!std::is_sorted(first, last)) std::sort(first, last);
    }
  });
}

}  // namespace bs::cpu
