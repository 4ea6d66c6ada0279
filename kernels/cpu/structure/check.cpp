// bsMatCheck: offsets, then indices, then what is legal but worth knowing. Stored values are compared with limits that
// include the base, so that no content of an array can overflow.
#include <algorithm>
#include <cstdio>

#include "cpu/common/scalar.h"
#include "cpu/structure/check.h"
#include "cpu/structure/stored.h"
#include "cpu/structure/structure.h"

namespace bs::cpu {
namespace {

using Long = long long;  // for printf

// What the user calls the lists and the indices of a format.
struct Words {
  const char *list, *list_before, *index, *extent;
};
constexpr Words words_of(bsFormat_t format) {
  if (format == BS_FORMAT_CSC) return {"column", "the column before", "row", "rows"};
  if (format == BS_FORMAT_BSR) return {"block row", "the block row before", "block column", "block columns"};
  return {"row", "the row before", "column", "cols"};
}

// "batch 3: row 17"
struct Place {
  char text[96];
  Place(const MatrixView& m, int64_t structure, const char* prefix, const char* what, int64_t number) {
    int length = 0;
    if (m.own_structure()) length = std::snprintf(text, sizeof text, "batch %lld: ", static_cast<Long>(structure));
    std::snprintf(text + length, sizeof text - static_cast<size_t>(length), "%s%s %lld", prefix, what,
                  static_cast<Long>(number));
  }
};

// The last offset starts no row, it ends one.
Place place_of_offset(const MatrixView& m, int64_t structure, int64_t i) {
  const bool ends = i > 0 && i == m.lists();
  return {m, structure, ends ? "end of " : "", words_of(m.format).list, ends ? i - 1 : i};
}

class Offsets {
 public:
  Offsets(const MatrixView& m, int64_t structure)
      : type_(m.offset_type),
        array_(static_cast<const char*>(m.offsets) + structure * m.offset_stride * size_of(m.offset_type)) {}
  int64_t operator[](int64_t i) const { return load_index(type_, array_, i); }

 private:
  IndexType type_;
  const char* array_;
};

Status check_offset_range(const MatrixView& m, int64_t structure, Finding* finding) {
  const Offsets offsets(m, structure);
  for (int64_t i = 0; i <= m.lists(); ++i) {
    if (offsets[i] >= m.base && offsets[i] <= m.base + m.nnz) continue;
    *finding = {BS_CONTENT_OFFSET_RANGE, i};
    return fail(BS_STATUS_INVALID_CONTENT, "%s: offset %lld is not in [%lld, %lld] (base %lld, nnz %lld)",
                place_of_offset(m, structure, i).text, static_cast<Long>(offsets[i]), static_cast<Long>(m.base),
                static_cast<Long>(m.base + m.nnz), static_cast<Long>(m.base), static_cast<Long>(m.nnz));
  }
  return kSuccess;
}

Status check_offset_order(const MatrixView& m, int64_t structure, Finding* finding) {
  const Offsets offsets(m, structure);
  for (int64_t i = 1; i <= m.lists(); ++i) {
    if (offsets[i] >= offsets[i - 1]) continue;
    *finding = {BS_CONTENT_OFFSET_DECREASING, i};
    return fail(BS_STATUS_INVALID_CONTENT, "%s: offset %lld is below offset %lld of %s",
                place_of_offset(m, structure, i).text, static_cast<Long>(offsets[i]), static_cast<Long>(offsets[i - 1]),
                i == m.lists() ? "its start" : words_of(m.format).list_before);
  }
  return kSuccess;
}

struct Index {
  int64_t stored;  // base included
  int64_t extent;
  const char *word, *extent_word;
  bool inside(int64_t base) const { return stored >= base && stored < base + extent; }
};

// "row 17: column 9001 >= cols 4096 (stored as 9002, base 1)"
Status fail_index(const Index& index, int64_t base, const Place& place) {
  const Long value = static_cast<Long>(std::max(index.stored, INT64_MIN + base) - base);
  char limit[64] = "< 0", stored[64] = "";
  if (value >= 0) std::snprintf(limit, sizeof limit, ">= %s %lld", index.extent_word, static_cast<Long>(index.extent));
  if (base)
    std::snprintf(stored, sizeof stored, " (stored as %lld, base %lld)", static_cast<Long>(index.stored),
                  static_cast<Long>(base));
  return fail(BS_STATUS_INVALID_CONTENT, "%s: %s %lld %s%s", place.text, index.word, value, limit, stored);
}

Status check_lists(const MatrixView& m, int64_t structure, Finding* finding) {
  const Words words = words_of(m.format);
  const Offsets offsets(m, structure);
  for (int64_t list = 0; list < m.lists(); ++list) {
    for (int64_t q = offsets[list] - m.base; q < offsets[list + 1] - m.base; ++q) {
      const int64_t position = structure * m.index_stride + q;
      const Index index{load_index(m.index_type, m.indices, position), m.list_extent(), words.index, words.extent};
      if (index.inside(m.base)) continue;
      *finding = {BS_CONTENT_INDEX_RANGE, position};
      return fail_index(index, m.base, {m, structure, "", words.list, list});
    }
  }
  return kSuccess;
}

Status check_coordinates(const MatrixView& m, Finding* finding) {
  for (int64_t q = 0; q < m.nnz; ++q) {
    const Index row{load_index(m.index_type, m.offsets, q), m.rows, "row", "rows"};
    const Index column{load_index(m.index_type, m.indices, q), m.cols, "column", "cols"};
    if (row.inside(m.base) && column.inside(m.base)) continue;
    *finding = {BS_CONTENT_INDEX_RANGE, q};
    return fail_index(row.inside(m.base) ? column : row, m.base, {m, 0, "", "entry", q});
  }
  return kSuccess;
}

template <class Check>
Status check_structures(const MatrixView& m, Finding* finding, Check&& check) {
  for (int64_t b = 0; b < m.structures(); ++b) BS_TRY(check(m, b, finding));
  return kSuccess;
}

}  // namespace

Status check(const MatrixView& m, Finding* finding, const Exec&) {
  *finding = {};
  if (m.format == BS_FORMAT_DENSE) return kSuccess;
  if (m.format == BS_FORMAT_COO) {
    BS_TRY(check_coordinates(m, finding));
  } else {
    BS_TRY(check_structures(m, finding, check_offset_range));
    BS_TRY(check_structures(m, finding, check_offset_order));
    BS_TRY(check_structures(m, finding, check_lists));
  }
  *finding = find_legal(m);
  return kSuccess;
}

}  // namespace bs::cpu
