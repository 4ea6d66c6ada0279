// Sentences about wrong contents, in the words of the format.
#include "engine/findings.h"

#include <algorithm>
#include <cstdio>

namespace bs {
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

// "row 17: column 9001 >= cols 4096 (stored as 9002, base 1)"
Status fail_index(const Place& place, int64_t base, const char* word, int64_t stored_value, const char* extent_word,
                  int64_t extent) {
  const Long value = static_cast<Long>(std::max(stored_value, INT64_MIN + base) - base);
  char limit[64] = "< 0", stored[64] = "";
  if (value >= 0) std::snprintf(limit, sizeof limit, ">= %s %lld", extent_word, static_cast<Long>(extent));
  if (base)
    std::snprintf(stored, sizeof stored, " (stored as %lld, base %lld)", static_cast<Long>(stored_value),
                  static_cast<Long>(base));
  return fail(BS_STATUS_INVALID_CONTENT, "%s: %s %lld %s%s", place.text, word, value, limit, stored);
}

}  // namespace

Status fail_offset_range(const MatrixView& m, int64_t structure, int64_t i, int64_t offset) {
  return fail(BS_STATUS_INVALID_CONTENT, "%s: offset %lld is not in [%lld, %lld] (base %lld, nnz %lld)",
              place_of_offset(m, structure, i).text, static_cast<Long>(offset), static_cast<Long>(m.base),
              static_cast<Long>(m.base + m.nnz), static_cast<Long>(m.base), static_cast<Long>(m.nnz));
}

Status fail_offset_order(const MatrixView& m, int64_t structure, int64_t i, int64_t offset, int64_t before) {
  return fail(BS_STATUS_INVALID_CONTENT, "%s: offset %lld is below offset %lld of %s",
              place_of_offset(m, structure, i).text, static_cast<Long>(offset), static_cast<Long>(before),
              i == m.lists() ? "its start" : words_of(m.format).list_before);
}

Status fail_list_index(const MatrixView& m, int64_t structure, int64_t list, int64_t index) {
  const Words words = words_of(m.format);
  return fail_index({m, structure, "", words.list, list}, m.base, words.index, index, words.extent, m.list_extent());
}

Status fail_coordinates(const MatrixView& m, int64_t entry, int64_t row, int64_t column) {
  const Place place(m, 0, "", "entry", entry);
  if (row >= m.base && row < m.base + m.rows) return fail_index(place, m.base, "column", column, "cols", m.cols);
  return fail_index(place, m.base, "row", row, "rows", m.rows);
}

}  // namespace bs
