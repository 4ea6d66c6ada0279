// Layout of an analysis.
#include "engine/structure.h"

#include "engine/stored.h"
#include "model/saturate.h"

namespace bs {
namespace {

constexpr int64_t kPart = BSPARSE_WORKSPACE_ALIGNMENT;

// Takes `bytes` off the end of the buffer and returns where they start.
int64_t take(AnalysisLayout* layout, int64_t bytes) {
  const int64_t start = layout->bytes;
  const int64_t end = saturating_add(saturating_add(start, bytes), kPart - 1);
  layout->bytes = end - end % kPart;
  return start;
}

int64_t array_bytes(int64_t structures, int64_t count, int64_t element_bytes) {
  return saturating_mul(saturating_mul(structures, count), element_bytes);
}

void take_transpose(AnalysisLayout* layout, const MatrixView& view) {
  const int64_t offsets = view.list_extent() + 1;
  if (view.own_structure()) {
    layout->t_offset_stride = offsets;
    layout->t_index_stride = view.nnz;
  }
  layout->t_offsets = take(layout, array_bytes(layout->structures, offsets, size_of(view.offset_type)));
  layout->t_indices = take(layout, array_bytes(layout->structures, view.nnz, size_of(view.index_type)));
  layout->positions = take(layout, array_bytes(layout->structures, view.nnz, size_of(view.offset_type)));
}

}  // namespace

AnalysisLayout layout_of_analysis(const MatrixView& view, bsAnalyzeFlags_t flags, const StructureFunctions& functions) {
  AnalysisLayout layout;
  layout.structures = view.structures();
  if (flags & BS_ANALYZE_ORDER) layout.row_order = take(&layout, saturating_mul(view.lists(), sizeof(int32_t)));
  if (flags & BS_ANALYZE_TRANSPOSE) take_transpose(&layout, view);
  if (flags & BS_ANALYZE_PACK) layout.packed = take(&layout, functions.packed_bytes(view));
  const int64_t scratch = functions.analysis_scratch_bytes(view, flags);
  if (scratch > 0) layout.scratch = take(&layout, scratch);
  return layout;
}

}  // namespace bs
