// What a backend does with structures rather than products: analysis, check, conversion. One implementation a backend
// (kernels/<backend>/structure/), no choice to make, so no registry rows.
#pragma once

#include <cstdint>

#include "model/matrix_view.h"
#include "model/operands.h"
#include "model/status.h"

namespace bs {

// Where the parts of an analysis lie in its buffer, in bytes from its start; -1: not asked for. Pure arithmetic, shared
// by all backends (src/engine/structure.cpp).
//   row_order    int32[lists]: lists by falling length, equal ones in order (needs lists < 2^31)
//   t_offsets    offset_type[list_extent + 1] a structure, t_indices index_type[nnz] a structure, positions
//                offset_type[nnz] a structure: the transposed Pattern of model/operands.h. Structures that share an
//                index array (index_stride 0) have transposed ones of their own all the same: their ranges in it may
//                overlap.
//   packed       what the backend's fastest routes read; CPU and CUDA: the canonical matrix (of CSC the transpose)
//   dense and
//                row-major without gaps, gates applied, a batch after the other
//   scratch      for the analysis itself, free afterwards
struct AnalysisLayout {
  int64_t row_order = -1, t_offsets = -1, t_indices = -1, positions = -1, packed = -1, scratch = -1;
  int64_t bytes = 0;
  int64_t structures = 1;       // batches with a structure of their own, else 1
  int64_t t_offset_stride = 0;  // of the transposed pattern
  int64_t t_index_stride = 0;
};

struct Finding {
  bsContent_t content = BS_CONTENT_OK;
  int64_t position = 0;
};

// The structure functions of one backend. Views are valid (checked by the API); workspaces and buffers are large enough
// and aligned. All but `check` and `count` are stream-ordered; `analyze` synchronises only for BS_ANALYZE_STATS.
struct StructureFunctions {
  // bytes of AnalysisLayout::packed and ::scratch for these flags
  int64_t (*packed_bytes)(const MatrixView&);
  int64_t (*analysis_scratch_bytes)(const MatrixView&, bsAnalyzeFlags_t);
  Status (*analyze)(const MatrixView&, bsAnalyzeFlags_t, const AnalysisLayout&, void* buffer, SparsityStats*,
                    const Exec&);
  Status (*pack)(const MatrixView&, void* packed, const Exec&);

  // Reports through fail() ("row 17: column 9001 >= cols 4096") for errors; `finding` also for what is legal.
  Status (*check)(const MatrixView&, Finding*, const Exec&);

  int64_t (*convert_bytes)(bool transposed, const MatrixView& source, const MatrixView& destination);
  Status (*convert_count)(bool transposed, const MatrixView& source, const MatrixView& destination, int64_t* nnz,
                          const Exec&);  // writes destination.offsets
  Status (*convert_fill)(bool transposed, const MatrixView& source, const MatrixView& destination, const Exec&);
};

// kernels/<backend>/structure/
namespace cpu {
const StructureFunctions& structure_functions();
}
namespace cuda {
const StructureFunctions& structure_functions();
}

AnalysisLayout layout_of_analysis(const MatrixView&, bsAnalyzeFlags_t, const StructureFunctions&);

}  // namespace bs
