// Destinations that are written element by element: CSR (and CSC, turned), COO, dense.
#include <algorithm>

#include "cpu/structure/convert_reader.h"

namespace bs::cpu {

void count_entries(const Conversion& c, const ConvertSpace& space, Workers& workers) {
  space.starts[0] = 0;
  with_reader(c, space, [&](const auto& reader) {
    workers.for_ranges(c.destination.rows, kRowGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        int64_t count = 0;
        reader.row(i, [&](const auto& run) { count += run.count; });
        space.starts[i + 1] = count;
      }
    });
  });
}

namespace {

template <class T>
void fill_row(const Conversion& c, const ConvertSpace& space, const RowReader<T>& reader, int64_t i) {
  const MatrixView& d = c.destination;
  int64_t q = space.starts[i];
  const int64_t end = space.starts[i + 1];  // not passed even if the source has changed since it was counted
  reader.row(i, [&](const auto& run) {
    for (int64_t k = 0; k < run.count && q < end; ++k, ++q) {
      if (d.format == BS_FORMAT_COO) store_index(d.index_type, d.offsets, q, i + d.base);
      store_index(d.index_type, d.indices, q, run.column + d.base);
      static_cast<T*>(d.values)[q] = reader.value(run, k);
    }
  });
}

}  // namespace

void fill_entries(const Conversion& c, const ConvertSpace& space, Workers& workers) {
  with_reader(c, space, [&](const auto& reader) {
    workers.for_ranges(c.destination.rows, kRowGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) fill_row(c, space, reader, i);
    });
  });
}

void fill_dense(const Conversion& c, const ConvertSpace& space, Workers& workers) {
  with_reader(c, space, [&]<class T>(const RowReader<T>& reader) {
    workers.for_ranges(c.destination.rows, kRowGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        T* const row = static_cast<T*>(c.destination.values) + i * c.destination.ld;
        std::fill_n(row, c.destination.cols, T{});
        reader.row(i, [&](const auto& run) { row[run.column] = reader.sum(run); });
      }
    });
  });
}

}  // namespace bs::cpu
