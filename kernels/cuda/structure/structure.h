// The structure functions of the CUDA backend, one file each; structure.cu puts them into the table of the engine. And
// what platform/ needs of the CUDA kernels beyond the registry.
#pragma once

#include <cstdint>

#include "engine/structure.h"

namespace bs::cuda {

// ARCH_MISMATCH if the library holds no code that the current device, of this name, can run.
Status check_code(const char* device);

int64_t stats_scratch_bytes(const MatrixView& m);
// Synchronises.
Status compute_stats(const MatrixView& m, void* scratch, SparsityStats* stats, const Exec& exec);

int64_t order_scratch_bytes(const MatrixView& m);
Status order_lists(const MatrixView& m, int32_t* order, void* scratch, const Exec& exec);

int64_t packed_bytes(const MatrixView& m);
Status pack(const MatrixView& m, void* packed, const Exec& exec);

Status check(const MatrixView& m, Finding* finding, const Exec& exec);

int64_t convert_bytes(bool transposed, const MatrixView& source, const MatrixView& destination);
Status convert_count(bool transposed, const MatrixView& source, const MatrixView& destination, int64_t* nnz,
                     const Exec& exec);
Status convert_fill(bool transposed, const MatrixView& source, const MatrixView& destination, const Exec& exec);

}  // namespace bs::cuda
