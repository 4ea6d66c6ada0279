// BS_ANALYZE_PACK: the canonical matrix (the transpose of a CSC matrix) dense and row-major, gates applied.
#include <algorithm>

#include "cpu/common/scalar.h"
#include "engine/carver.h"
#include "cpu/structure/stored.h"
#include "cpu/structure/structure.h"

namespace bs::cpu {
namespace {

// Lists are cut into this many strips. Each has a row of sums of its own, because entries with equal indices add and
// must be rounded once.
constexpr int64_t kStrips = 16;

struct Packed {
  char* values;
  double* sums;
  int64_t strips;
  int64_t bytes;
};

Packed packed_of(const MatrixView& m, void* start) {
  const SparseShape s = stored_shape(m);
  Packed packed;
  packed.strips = std::min(kStrips, s.block_row_count());
  Carver carver(start);
  const int64_t matrix = saturating_mul(s.rows, s.cols);
  packed.values = carver.take<char>(saturating_mul(saturating_mul(matrix, m.batch), size_of(m.dtype)));
  packed.sums = carver.take<double>(saturating_mul(packed.strips, s.cols));
  packed.bytes = carver.bytes();
  return packed;
}

template <class T>
class Packing {
 public:
  Packing(const MatrixView& m, int64_t batch, T* packed)
      : s_(stored_shape(m)),
        rows_(stored_rows(m, batch)),
        values_(static_cast<const T*>(m.values) + batch * m.value_stride),
        gate_(m.gate ? m.gate + batch * m.gate_stride : nullptr),
        packed_(packed) {}

  // sums: zero before and after.
  void block_row(int64_t list, double* sums) const {
    const int64_t first = list * s_.block_rows, height = std::min(s_.block_rows, s_.rows - first);
    for (int64_t r = 0; r < height; ++r) {
      T* const row = packed_ + (first + r) * s_.cols;
      std::fill_n(row, s_.cols, T{});
      for_each_element(list, r, [&](int64_t column, double value) { sums[column] += value; });
      for_each_column(list, [&](int64_t column) { store_double(dtype_of<T>, row, column, sums[column]); });
      for_each_column(list, [&](int64_t column) { sums[column] = 0; });
    }
  }

 private:
  template <class Body>
  void for_each_column(int64_t list, Body&& body) const {
    for (int64_t q = rows_.begin(list); q < rows_.end(list); ++q) {
      const int64_t first = rows_.index(q) * s_.block_cols, last = std::min(first + s_.block_cols, s_.cols);
      for (int64_t column = first; column < last; ++column) body(column);
    }
  }

  template <class Body>
  void for_each_element(int64_t list, int64_t r, Body&& body) const {
    const int64_t ld = s_.block_layout == Layout::row ? s_.block_cols : s_.block_rows;
    for (int64_t q = rows_.begin(list); q < rows_.end(list); ++q) {
      const double gate = gate_ ? gate_[q] : 1.0;
      if (gate == 0) continue;
      const T* const block = values_ + q * s_.block_rows * s_.block_cols;
      const int64_t first = rows_.index(q) * s_.block_cols, width = std::min(s_.block_cols, s_.cols - first);
      for (int64_t c = 0; c < width; ++c)
        body(first + c, gate * load_double(dtype_of<T>, block, at(s_.block_layout, ld, r, c)));
    }
  }

  const SparseShape s_;
  const SparseRows rows_;
  const T* values_;
  const float* gate_;
  T* packed_;
};

}  // namespace

int64_t packed_bytes(const MatrixView& m) {
  return packed_of(m, nullptr).bytes;
}

Status pack(const MatrixView& m, void* start, const Exec& exec) {
  const Packed packed = packed_of(m, start);
  const int64_t lists = m.lists(), row_length = stored_shape(m).cols;
  std::fill_n(packed.sums, packed.strips * row_length, 0.0);
  HostTypes::with(m.dtype, [&]<class T>() {
    for (int64_t b = 0; b < m.batch; ++b) {
      const Packing<T> packing(m, b, reinterpret_cast<T*>(packed.values) + b * m.rows * m.cols);
      exec.workers->for_ranges(packed.strips, 1, [&](int64_t begin, int64_t end) {
        for (int64_t strip = begin; strip < end; ++strip)
          for (int64_t list = lists * strip / packed.strips; list < lists * (strip + 1) / packed.strips; ++list)
            packing.block_row(list, packed.sums + strip * row_length);
      });
    }
  });
  return kSuccess;
}

}  // namespace bs::cpu
