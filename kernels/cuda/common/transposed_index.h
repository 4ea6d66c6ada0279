// The transposed index of model/operands.h on the device: built by analysis, or by a row in its workspace at every
// call.
#pragma once

#include <cstdint>

#include "model/operands.h"
#include "model/problem.h"
#include "model/status.h"

namespace bs::cuda {

// Scratch of build_transposed_index for one structure (reused from one to the next).
int64_t transposed_index_scratch_bytes(const SparseShape& s);

// Of structure `batch` of `stored`: a stable radix sort by column, so that entries of a column keep the order of their
// rows and the result is the same on every run. Same contract as cpu/common/transposed_index.h; stream-ordered and
// capturable.
Status build_transposed_index(const SparseShape& s, const Pattern& stored, int64_t batch, void* t_offsets,
                              void* t_indices, void* positions, void* scratch, const Exec& exec);

// Bytes a row adds to its plan for a problem whose S is transposed without an index; 0 otherwise.
int64_t transposed_index_bytes(const SparseShape& s, int64_t inputs);

// The operand with its transposed index in place: from analysis, or built at the start of `workspace`.
Status ensure_transposed_index(const SparseShape& s, int64_t inputs, void* workspace, const Exec& exec,
                               SparseOperand* operand);

}  // namespace bs::cuda
