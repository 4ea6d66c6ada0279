// Canonical form of sparse matrices, and alignment classes.
#include "api/describe.h"

#include <algorithm>

#include "api/extent.h"

namespace bs {
namespace {

bsAnalyzeFlags_t prepared_for(const bsMatrix& matrix, const Device* device) {
  const Analysis& analysis = matrix.analysis;
  const bool here = !device || (analysis.backend == device->backend && analysis.ordinal == device->ordinal);
  return here ? analysis.flags : analysis.flags & BS_ANALYZE_STATS;
}

}  // namespace

SparseShape shape_of(const bsMatrix& matrix, bool transposed, const Device* device) {
  const MatrixView& v = matrix.view;
  const bool csc = v.format == BS_FORMAT_CSC;
  const bsAnalyzeFlags_t prepared = prepared_for(matrix, device);
  SparseShape s;
  s.rows = csc ? v.cols : v.rows;
  s.cols = csc ? v.rows : v.cols;
  s.nnz = v.nnz;
  s.block_rows = v.block_rows;
  s.block_cols = v.block_cols;
  s.format = v.format == BS_FORMAT_BSR ? Format::bsr : Format::csr;
  s.block_layout = v.block_order;
  s.dtype = v.dtype;
  s.offset_type = v.offset_type;
  s.index_type = v.index_type;
  s.base = static_cast<uint8_t>(v.base);
  s.transposed = transposed != csc;
  s.gated = v.gate != nullptr;
  s.has_order = prepared & BS_ANALYZE_ORDER;
  s.has_transpose = prepared & BS_ANALYZE_TRANSPOSE;
  s.has_pack = prepared & BS_ANALYZE_PACK;
  s.own_structure = v.own_structure();
  if (prepared & BS_ANALYZE_STATS) s.stats = matrix.analysis.stats;
  return s;
}

SparseOperand operand_of(const bsMatrix& matrix, const Device* device) {
  const MatrixView& v = matrix.view;
  const bool many = v.batch > 1;
  SparseOperand o;
  o.stored = {v.offsets, v.indices, many ? v.offset_stride : 0, many ? v.index_stride : 0};
  o.values = v.values;
  o.value_stride = value_stride_of(v);
  o.gate = v.gate;
  o.gate_stride = many ? v.gate_stride : 0;
  const bsAnalyzeFlags_t prepared = prepared_for(matrix, device);
  const AnalysisLayout& layout = matrix.analysis.layout;
  const char* buffer = static_cast<const char*>(matrix.analysis.buffer);
  if (prepared & BS_ANALYZE_ORDER) o.row_order = reinterpret_cast<const int32_t*>(buffer + layout.row_order);
  if (prepared & BS_ANALYZE_PACK) o.packed = buffer + layout.packed;
  if (prepared & BS_ANALYZE_TRANSPOSE) {
    o.transposed = {buffer + layout.t_offsets, buffer + layout.t_indices, layout.t_offset_stride,
                    layout.t_index_stride};
    o.positions = buffer + layout.positions;
  }
  return o;
}

Constraints constraints_of(bsConstOptions_t options) {
  if (!options) return {};
  return {.strict = options->strict, .deterministic = options->deterministic, .allow_tf32 = options->allow_tf32};
}

void AlignmentClass::add(const MatrixView& dense) {
  const uint64_t bytes = static_cast<uint64_t>(size_of(dense.dtype));
  smallest_ = std::min(smallest_, static_cast<uint8_t>(bytes));
  if (lines_of(dense) > 1) steps_ |= static_cast<uint64_t>(dense.ld) * bytes;
  steps_ |= static_cast<uint64_t>(value_stride_of(dense)) * bytes;
  addresses_ |= reinterpret_cast<uintptr_t>(dense.values);
}

void AlignmentClass::add_blocks(const MatrixView& bsr) {
  if (bsr.format != BS_FORMAT_BSR) return;
  const uint64_t bytes = static_cast<uint64_t>(size_of(bsr.dtype));
  smallest_ = std::min(smallest_, static_cast<uint8_t>(bytes));
  steps_ |= static_cast<uint64_t>(bsr.block_rows * bsr.block_cols) * bytes;
  steps_ |= static_cast<uint64_t>(value_stride_of(bsr)) * bytes;
  addresses_ |= reinterpret_cast<uintptr_t>(bsr.values);
}

}  // namespace bs
