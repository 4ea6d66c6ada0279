// bsMatCheck: offsets, then indices, then what is legal but worth knowing. Stored values are compared with limits that
// include the base, so that no content of an array can overflow.
#include "cpu/common/scalar.h"
#include "cpu/structure/check.h"
#include "cpu/structure/stored.h"
#include "cpu/structure/structure.h"
#include "engine/findings.h"

namespace bs::cpu {
namespace {

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
    return fail_offset_range(m, structure, i, offsets[i]);
  }
  return kSuccess;
}

Status check_offset_order(const MatrixView& m, int64_t structure, Finding* finding) {
  const Offsets offsets(m, structure);
  for (int64_t i = 1; i <= m.lists(); ++i) {
    if (offsets[i] >= offsets[i - 1]) continue;
    *finding = {BS_CONTENT_OFFSET_DECREASING, i};
    return fail_offset_order(m, structure, i, offsets[i], offsets[i - 1]);
  }
  return kSuccess;
}

bool is_inside(int64_t stored, int64_t base, int64_t extent) {
  return stored >= base && stored < base + extent;
}

Status check_lists(const MatrixView& m, int64_t structure, Finding* finding) {
  const Offsets offsets(m, structure);
  for (int64_t list = 0; list < m.lists(); ++list) {
    for (int64_t q = offsets[list] - m.base; q < offsets[list + 1] - m.base; ++q) {
      const int64_t position = structure * m.index_stride + q;
      const int64_t index = load_index(m.index_type, m.indices, position);
      if (is_inside(index, m.base, m.list_extent())) continue;
      *finding = {BS_CONTENT_INDEX_RANGE, position};
      return fail_list_index(m, structure, list, index);
    }
  }
  return kSuccess;
}

Status check_coordinates(const MatrixView& m, Finding* finding) {
  for (int64_t q = 0; q < m.nnz; ++q) {
    const int64_t row = load_index(m.index_type, m.offsets, q), column = load_index(m.index_type, m.indices, q);
    if (is_inside(row, m.base, m.rows) && is_inside(column, m.base, m.cols)) continue;
    *finding = {BS_CONTENT_INDEX_RANGE, q};
    return fail_coordinates(m, q, row, column);
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
