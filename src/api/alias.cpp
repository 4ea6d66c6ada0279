// Overlap of arrays, exact for dense matrices that interleave.
#include "api/alias.h"

#include <algorithm>

#include "api/extent.h"

namespace bs {
namespace {

int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}  // b > 0

// Whether some d in [low, high] has first < d * step < last.
bool has_multiple_between(int64_t first, int64_t last, int64_t step, int64_t low, int64_t high) {
  const int64_t d = std::max(low, floor_div(first, step) + 1);
  return d <= high && d * step < last;
}

Status check_array(const char* owner, const char* part, const void* pointer, int64_t alignment) {
  if (!pointer) return fail(BS_STATUS_INVALID_POINTER, "%s%s is NULL", owner, part);
  if (reinterpret_cast<uintptr_t>(pointer) % static_cast<uintptr_t>(alignment) != 0)
    return fail(BS_STATUS_INVALID_POINTER, "%s%s %p is not aligned to its element type of %lld bytes", owner, part,
                pointer, static_cast<long long>(alignment));
  return kSuccess;
}

Status check_writable(bool read_only, const char* owner, const char* part, Use use) {
  if (!read_only || use == Use::read) return kSuccess;
  return fail(BS_STATUS_INVALID_POINTER, "%s%s: given as const, cannot be written", owner, part);
}

}  // namespace

Status Arrays::add(const char* owner, const char* part, const void* pointer, int64_t bytes, int64_t alignment,
                   Use use) {
  if (bytes == 0) return kSuccess;
  BS_TRY(check_array(owner, part, pointer, alignment));
  append({owner, part, use, reinterpret_cast<intptr_t>(pointer), bytes});
  return kSuccess;
}

// COO has row indices where the others have offsets.
Status Arrays::add_offsets(const char* owner, const MatrixView& v, Use use) {
  BS_TRY(check_writable(v.structure_read_only, owner, " structure", use));
  const int64_t bytes = size_of(v.format == BS_FORMAT_COO ? v.index_type : v.offset_type);
  return add(owner, v.format == BS_FORMAT_COO ? " row indices" : " offsets", v.offsets,
             batch_bytes(offset_count(v), v.batch, v.offset_stride, bytes), bytes, use);
}

Status Arrays::add_structure(const char* owner, const MatrixView& v, Use use) {
  if (!v.sparse()) return kSuccess;
  const int64_t index_bytes = size_of(v.index_type);
  BS_TRY(add_offsets(owner, v, use));
  BS_TRY(add(owner, " indices", v.indices, batch_bytes(v.nnz, v.batch, v.index_stride, index_bytes), index_bytes, use));
  if (v.gate)
    BS_TRY(add(owner, " gate", v.gate, batch_bytes(v.nnz, v.batch, v.gate_stride, sizeof(float)), alignof(float),
               Use::read));
  return kSuccess;
}

Status Arrays::add_analysis(const char* owner, const bsMatrix& matrix) {
  const Analysis& analysis = matrix.analysis;
  return analysis.flags ? add(owner, " analysis buffer", analysis.buffer, analysis.layout.bytes, 1, Use::read)
                        : kSuccess;
}

Status Arrays::add_values(const char* owner, const MatrixView& v, Use use) {
  const int64_t element = size_of(v.dtype), before = count_;
  BS_TRY(check_writable(v.values_read_only, owner, v.sparse() ? " values" : "", use));
  BS_TRY(add(owner, v.sparse() ? " values" : "", v.values,
             batch_bytes(value_count(v), v.batch, v.value_stride, element), element, use));
  if (v.sparse() || count_ == before) return kSuccess;
  Array& dense = arrays_[static_cast<size_t>(before)];
  dense.lines = lines_of(v);
  dense.line = line_length_of(v) * element;
  dense.pitch = saturating_mul(v.ld, element);
  dense.batch = v.batch;
  dense.stride = saturating_mul(v.value_stride, element);
  return kSuccess;
}

// Lines i of x and j of y in batches p and q coincide where x.begin + (p - q) stride + (i - j) pitch is less than a
// line away from y.begin: a search for p - q and i - j.
bool Arrays::coincide(const Array& x, const Array& y) {
  const int64_t pitch = x.lines > 1 ? x.pitch : y.pitch, stride = x.batch > 1 ? x.stride : y.stride;
  const int64_t apart = y.begin - x.begin;
  for (int64_t e = -(y.batch - 1); e <= x.batch - 1; ++e) {
    const int64_t distance = apart - e * stride;
    if (has_multiple_between(distance - x.line, distance + y.line, pitch, -(y.lines - 1), x.lines - 1)) return true;
  }
  return false;
}

bool Arrays::overlap(const Array& x, const Array& y) {
  if (x.begin - y.begin >= y.bytes || y.begin - x.begin >= x.bytes) return false;
  const bool dense = x.pitch > 0 && y.pitch > 0;
  const bool same_pitch = x.lines == 1 || y.lines == 1 || x.pitch == y.pitch;
  const bool same_stride = x.batch == 1 || y.batch == 1 || x.stride == y.stride;
  return dense && same_pitch && same_stride ? coincide(x, y) : true;
}

Status Arrays::check_aliases() const {
  for (int i = 0; i < count_; ++i)
    for (int j = 0; j < i; ++j) {
      const Array &x = arrays_[static_cast<size_t>(i)], &y = arrays_[static_cast<size_t>(j)];
      const bool written = x.use == Use::write || y.use == Use::write;
      if (!written || !overlap(x, y)) continue;
      const Array &output = x.use == Use::write ? x : y, &other = x.use == Use::write ? y : x;
      return fail(BS_STATUS_INVALID_ALIAS, "%s%s overlaps %s%s", output.owner, output.part, other.owner, other.part);
    }
  return kSuccess;
}

}  // namespace bs
