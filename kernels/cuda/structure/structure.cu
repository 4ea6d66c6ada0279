// Analysis as a whole, and the table of the CUDA backend's structure functions.
#include "cuda/structure/structure.h"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "cuda/common/launch.h"
#include "cuda/common/transposed_index.h"
#include "engine/stored.h"

namespace bs::cuda {
namespace {

__global__ void probe() {}

// The parts of an analysis run one after the other and share the scratch.
int64_t analysis_scratch_bytes(const MatrixView& m, bsAnalyzeFlags_t flags) {
  const int64_t stats = flags & BS_ANALYZE_STATS ? stats_scratch_bytes(m) : 0;
  const int64_t order = flags & BS_ANALYZE_ORDER ? order_scratch_bytes(m) : 0;
  const int64_t transpose = flags & BS_ANALYZE_TRANSPOSE ? transposed_index_scratch_bytes(stored_shape(m)) : 0;
  return std::max({stats, order, transpose});
}

Status build_transposed_indices(const MatrixView& m, const AnalysisLayout& layout, char* buffer, void* scratch,
                                const Exec& exec) {
  const SparseShape shape = stored_shape(m);
  const Pattern pattern = stored_pattern(m);
  for (int64_t b = 0; b < layout.structures; ++b) {
    const int64_t entry = b * layout.t_index_stride;
    BS_TRY(build_transposed_index(shape, pattern, b,
                                  buffer + layout.t_offsets + b * layout.t_offset_stride * size_of(m.offset_type),
                                  buffer + layout.t_indices + entry * size_of(m.index_type),
                                  buffer + layout.positions + entry * size_of(m.offset_type), scratch, exec));
  }
  return kSuccess;
}

// Statistics last: their one synchronisation then covers everything.
Status analyze(const MatrixView& m, bsAnalyzeFlags_t flags, const AnalysisLayout& layout, void* buffer,
               SparsityStats* stats, const Exec& exec) {
  char* const bytes = static_cast<char*>(buffer);
  void* const scratch = layout.scratch >= 0 ? bytes + layout.scratch : nullptr;
  if (layout.row_order >= 0)
    BS_TRY(order_lists(m, reinterpret_cast<int32_t*>(bytes + layout.row_order), scratch, exec));
  if (layout.t_offsets >= 0) BS_TRY(build_transposed_indices(m, layout, bytes, scratch, exec));
  if (layout.packed >= 0) BS_TRY(pack(m, bytes + layout.packed, exec));
  return flags & BS_ANALYZE_STATS ? compute_stats(m, scratch, stats, exec) : kSuccess;
}

}  // namespace

Status check_code(const char* device) {
  cudaFuncAttributes attributes{};
  const cudaError_t error = cudaFuncGetAttributes(&attributes, probe);
  const Status status = cuda_status(error, "cudaFuncGetAttributes");
  if (error != cudaErrorNoKernelImageForDevice && error != cudaErrorInvalidDeviceFunction) return status;
  return fail(BS_STATUS_ARCH_MISMATCH, "the library has no code for %s", device);
}

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

}  // namespace bs::cuda
