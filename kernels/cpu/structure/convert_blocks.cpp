// BSR destinations: every block with an element, in ascending order, padding and what is not stored as zero.
#include <algorithm>

#include "cpu/structure/convert_reader.h"

namespace bs::cpu {
namespace {

// Calls body(block column) once for each block of a block row, in the order of their first elements.
template <class T, class Body>
void for_each_block(const MatrixView& d, int64_t* marks, const RowReader<T>& reader, int64_t block_row, Body&& body) {
  const int64_t first = block_row * d.block_rows, last = std::min(first + d.block_rows, d.rows);
  for (int64_t i = first; i < last; ++i) {
    reader.row(i, [&](const auto& run) {
      const int64_t block_column = run.column / d.block_cols;
      if (marks[block_column] == block_row) return;
      marks[block_column] = block_row;
      body(block_column);
    });
  }
}

template <class Index>
void sort_indices(void* indices, int64_t begin, int64_t end) {
  std::sort(static_cast<Index*>(indices) + begin, static_cast<Index*>(indices) + end);
}

// The block columns of every block row, ascending.
template <class T>
void fill_indices(const MatrixView& d, const ConvertSpace& space, const RowReader<T>& reader) {
  std::fill_n(space.marks, d.list_extent(), -1);
  for (int64_t block_row = 0; block_row < d.lists(); ++block_row) {
    const int64_t begin = space.starts[block_row], end = space.starts[block_row + 1];
    int64_t q = begin;
    for_each_block(d, space.marks, reader, block_row, [&](int64_t block_column) {
      if (q < end) store_index(d.index_type, d.indices, q++, block_column + d.base);
    });
    if (d.index_type == IndexType::i64)
      sort_indices<int64_t>(d.indices, begin, q);
    else
      sort_indices<int32_t>(d.indices, begin, q);
  }
}

// One row of elements into its blocks; both ascend, so each search goes on where the last one ended.
template <class T>
void fill_row(const MatrixView& d, const ConvertSpace& space, const RowReader<T>& reader, int64_t i) {
  const int64_t block_row = i / d.block_rows, end = space.starts[block_row + 1];
  const int64_t ld = d.block_order == Layout::row ? d.block_cols : d.block_rows;
  int64_t q = space.starts[block_row];
  reader.row(i, [&](const auto& run) {
    const int64_t block_column = run.column / d.block_cols;
    const auto block = [&] { return load_index(d.index_type, d.indices, q) - d.base; };
    while (q < end && block() < block_column) ++q;
    if (q == end || block() != block_column) return;  // the source has changed since it was counted
    static_cast<T*>(d.values)[q * d.block_rows * d.block_cols +
                              at(d.block_order, ld, i % d.block_rows, run.column % d.block_cols)] = reader.sum(run);
  });
}

}  // namespace

void count_blocks(const Conversion& c, const ConvertSpace& space) {
  const MatrixView& d = c.destination;
  space.starts[0] = 0;
  std::fill_n(space.marks, d.list_extent(), -1);
  with_reader(c, space, [&](const auto& reader) {
    for (int64_t block_row = 0; block_row < d.lists(); ++block_row) {
      int64_t count = 0;
      for_each_block(d, space.marks, reader, block_row, [&](int64_t) { ++count; });
      space.starts[block_row + 1] = count;
    }
  });
}

void fill_blocks(const Conversion& c, const ConvertSpace& space, Workers& workers) {
  const MatrixView& d = c.destination;
  const int64_t block_size = d.block_rows * d.block_cols;
  with_reader(c, space, [&]<class T>(const RowReader<T>& reader) {
    fill_indices(d, space, reader);
    workers.for_ranges(d.lists(), 1, [&](int64_t begin, int64_t end) {
      std::fill(static_cast<T*>(d.values) + space.starts[begin] * block_size,
                static_cast<T*>(d.values) + space.starts[end] * block_size, T{});
      for (int64_t i = begin * d.block_rows; i < std::min(end * d.block_rows, d.rows); ++i)
        fill_row(d, space, reader, i);
    });
  });
}

}  // namespace bs::cpu
