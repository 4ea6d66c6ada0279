// Analysis as a whole, and the table of the CPU backend's structure functions.
#include "cpu/structure/structure.h"

#include <algorithm>

#include "cpu/common/transposed_index.h"
#include "cpu/structure/stored.h"

namespace bs::cpu {
namespace {

// The parts of an analysis run one after the other and share the scratch.
int64_t analysis_scratch_bytes(const MatrixView& m, bsAnalyzeFlags_t flags) {
  const int64_t stats = flags & BS_ANALYZE_STATS ? stats_scratch_bytes(m) : 0;
  const int64_t order = flags & BS_ANALYZE_ORDER ? order_scratch_bytes(m) : 0;
  return std::max(stats, order);
}

void build_transposed_indices(const MatrixView& m, const AnalysisLayout& layout, char* buffer) {
  const SparseShape shape = stored_shape(m);
  const Pattern pattern = stored_pattern(m);
  for (int64_t b = 0; b < layout.structures; ++b) {
    const int64_t entry = b * layout.t_index_stride;
    build_transposed_index(shape, pattern, b,
                           buffer + layout.t_offsets + b * layout.t_offset_stride * size_of(m.offset_type),
                           buffer + layout.t_indices + entry * size_of(m.index_type),
                           buffer + layout.positions + entry * size_of(m.offset_type));
  }
}

Status analyze(const MatrixView& m, bsAnalyzeFlags_t flags, const AnalysisLayout& layout, void* buffer,
               SparsityStats* stats, const Exec& exec) {
  char* const bytes = static_cast<char*>(buffer);
  void* const scratch = layout.scratch >= 0 ? bytes + layout.scratch : nullptr;
  if (flags & BS_ANALYZE_STATS) *stats = compute_stats(m, scratch);
  if (layout.row_order >= 0) order_lists(m, reinterpret_cast<int32_t*>(bytes + layout.row_order), scratch);
  if (layout.t_offsets >= 0) build_transposed_indices(m, layout, bytes);
  return layout.packed >= 0 ? pack(m, bytes + layout.packed, exec) : kSuccess;
}

}  // namespace

const StructureFunctions& structure_functions() {
  static constexpr StructureFunctions functions{.packed_bytes = packed_bytes,
                                                .analysis_scratch_bytes = analysis_scratch_bytes,
                                                .analyze = analyze,
                                                .pack = pack,
                                                .check = check,
                                                .convert_bytes = convert_bytes,
                                                .convert_count = convert_count,
                                                .convert_fill = convert_fill};
  return functions;
}

}  // namespace bs::cpu
