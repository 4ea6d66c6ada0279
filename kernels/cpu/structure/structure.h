// The structure functions of the CPU backend, one file each; structure.cpp puts them into the table of the engine.
#pragma once

#include <cstdint>

#include "engine/structure.h"

namespace bs::cpu {

int64_t stats_scratch_bytes(const MatrixView& m);
SparsityStats compute_stats(const MatrixView& m, void* scratch);

int64_t order_scratch_bytes(const MatrixView& m);
void order_lists(const MatrixView& m, int32_t* order, void* scratch);

int64_t packed_bytes(const MatrixView& m);
Status pack(const MatrixView& m, void* packed, const Exec& exec);

Status check(const MatrixView& m, Finding* finding, const Exec& exec);

int64_t convert_bytes(bool transposed, const MatrixView& source, const MatrixView& destination);
Status convert_count(bool transposed, const MatrixView& source, const MatrixView& destination, int64_t* nnz,
                     const Exec& exec);
Status convert_fill(bool transposed, const MatrixView& source, const MatrixView& destination, const Exec& exec);

}  // namespace bs::cpu
