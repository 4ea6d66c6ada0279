#include "kernels/launch.h"

namespace bs::test {

AnalysisData::AnalysisData(Machine* machine, const MatrixView& view, bsAnalyzeFlags_t wanted) : flags(wanted) {
  ok = machine->structure().analyze != nullptr;
  if (!ok) return;
  layout = layout_of_analysis(view, flags, machine->structure());
  buffer = Guarded(machine, layout.bytes);
  const Exec exec = machine->exec(nullptr, nullptr, 0);
  ok = machine->structure().analyze(view, flags, layout, buffer.data(), &stats, exec).ok() && buffer.intact();
}

void AnalysisData::apply(SparseShape* shape, SparseOperand* operand) const {
  if (!ok) return;
  const char* base = static_cast<const char*>(buffer.data());
  const auto part = [base](int64_t offset) { return offset >= 0 ? base + offset : nullptr; };
  shape->has_order = (flags & BS_ANALYZE_ORDER) != 0;
  shape->has_transpose = (flags & BS_ANALYZE_TRANSPOSE) != 0;
  shape->has_pack = (flags & BS_ANALYZE_PACK) != 0;
  if (flags & BS_ANALYZE_STATS) shape->stats = stats;
  operand->transposed = {part(layout.t_offsets), part(layout.t_indices), layout.t_offset_stride, layout.t_index_stride};
  operand->positions = part(layout.positions);
  operand->row_order = reinterpret_cast<const int32_t*>(part(layout.row_order));
  operand->packed = part(layout.packed);
}

}  // namespace bs::test
