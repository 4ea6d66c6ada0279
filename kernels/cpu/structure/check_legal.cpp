// Duplicates and unsorted lists. Linear: a mark a column tells whether this list has had it; coordinates are grouped by
// row first.
#include <algorithm>
#include <utility>
#include <vector>

#include "cpu/common/scalar.h"
#include "cpu/structure/check.h"
#include "cpu/structure/stored.h"

namespace bs::cpu {
namespace {

constexpr int64_t kNowhere = INT64_MAX;

class Marks {
 public:
  explicit Marks(int64_t columns) : last_list_(static_cast<size_t>(columns), -1) {}
  // Whether this list has had the column already.
  bool visit(int64_t column, int64_t list) {
    int64_t& last = last_list_[static_cast<size_t>(column)];
    return std::exchange(last, list) == list;
  }

 private:
  std::vector<int64_t> last_list_;
};

struct First {
  int64_t duplicate = kNowhere, unsorted = kNowhere;
};

First first_in_lists(const MatrixView& m) {
  First first;
  Marks marks(m.list_extent());
  for_each_list(m, [&](const SparseRows& rows, int64_t structure, int64_t list) {
    int64_t previous = 0;
    for (int64_t q = rows.begin(list); q < rows.end(list); ++q) {
      const int64_t column = rows.index(q), position = structure * m.index_stride + q;
      if (marks.visit(column, structure * m.lists() + list)) first.duplicate = std::min(first.duplicate, position);
      if (column < previous) first.unsorted = std::min(first.unsorted, position);
      previous = column;
    }
  });
  return first;
}

// Entries of COO, those of a row together, otherwise in their order.
std::vector<int64_t> entries_by_row(const MatrixView& m) {
  const auto row = [&](int64_t q) { return static_cast<size_t>(load_index(m.index_type, m.offsets, q) - m.base); };
  std::vector<int64_t> starts(static_cast<size_t>(m.rows) + 1), entries(static_cast<size_t>(m.nnz));
  for (int64_t q = 0; q < m.nnz; ++q) ++starts[row(q) + 1];
  for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  for (int64_t q = 0; q < m.nnz; ++q) entries[static_cast<size_t>(starts[row(q)]++)] = q;
  return entries;
}

First first_in_coordinates(const MatrixView& m) {
  const auto row = [&](int64_t q) { return load_index(m.index_type, m.offsets, q) - m.base; };
  const auto column = [&](int64_t q) { return load_index(m.index_type, m.indices, q) - m.base; };
  First first;
  Marks marks(m.cols);
  for (const int64_t q : entries_by_row(m))
    if (marks.visit(column(q), row(q))) first.duplicate = std::min(first.duplicate, q);
  for (int64_t q = 1; q < m.nnz && first.unsorted == kNowhere; ++q)
    if (row(q) < row(q - 1) || (row(q) == row(q - 1) && column(q) < column(q - 1))) first.unsorted = q;
  return first;
}

}  // namespace

Finding find_legal(const MatrixView& m) {
  const First first = m.format == BS_FORMAT_COO ? first_in_coordinates(m) : first_in_lists(m);
  if (first.duplicate != kNowhere) return {BS_CONTENT_DUPLICATE, first.duplicate};
  if (first.unsorted != kNowhere) return {BS_CONTENT_UNSORTED, first.unsorted};
  return {};
}

}  // namespace bs::cpu
