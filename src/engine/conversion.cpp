// Transpositions and limits of conversions.
#include "engine/conversion.h"

#include <utility>

namespace bs {
namespace {

// The transpose, in the same arrays. A BSR matrix then has its lists in columns.
MatrixView turned(MatrixView m) {
  std::swap(m.rows, m.cols);
  std::swap(m.block_rows, m.block_cols);
  m.order = flip(m.order);
  m.block_order = flip(m.block_order);
  if (m.format == BS_FORMAT_COO) std::swap(m.offsets, m.indices);
  if (m.format == BS_FORMAT_CSR)
    m.format = BS_FORMAT_CSC;
  else if (m.format == BS_FORMAT_CSC)
    m.format = BS_FORMAT_CSR;
  return m;
}

bool is_by_columns(const MatrixView& m) {
  return m.format == BS_FORMAT_CSC || (m.format == BS_FORMAT_DENSE && m.order == Layout::col);
}

}  // namespace

Conversion::Conversion(bool transposed, const MatrixView& from, const MatrixView& to) : source(from), destination(to) {
  if (is_by_columns(destination)) {
    destination = turned(destination);
    transposed = !transposed;
  }
  if (transposed) source = turned(source);
  by_columns = source.format == BS_FORMAT_CSC || (source.format == BS_FORMAT_BSR && transposed);
}

int64_t countable_entries(const MatrixView& destination) {
  const bool wide = destination.format == BS_FORMAT_COO || destination.offset_type == IndexType::i64;
  return (wide ? INT64_MAX : INT32_MAX) - destination.base;
}

Status check_countable_entries(const MatrixView& destination, int64_t count) {
  if (count <= countable_entries(destination)) return kSuccess;
  return fail(BS_STATUS_INVALID_SIZE, "destination has %lld entries, more than its 32-bit offsets can count",
              static_cast<long long>(count));
}

}  // namespace bs
