// The transposed index of model/operands.h: built by analysis, or by a row in its workspace at every call.
#pragma once

#include <cstdint>

#include "model/operands.h"
#include "model/problem.h"

namespace bs::cpu {

// Of one structure (batch b of `stored`): counting sort by column, stable, so that entries of a column keep the order
// of their rows. t_offsets has block_col_count + 1 entries; the other two are indexed as `stored.indices` is (entries
// keep the range [first offset, last offset) of the batch, so that absolute offsets stay absolute). All of the stored
// types, base 0.
void build_transposed_index(const SparseShape& s, const Pattern& stored, int64_t batch, void* t_offsets,
                            void* t_indices, void* positions);

// Bytes a row adds to its plan for a problem whose S is transposed without an index; 0 otherwise. `inputs`: batch count
// of S.
int64_t transposed_index_bytes(const SparseShape& s, int64_t inputs);

// The operand with its transposed index in place: from analysis, or built at the start of `workspace`.
SparseOperand ensure_transposed_index(const SparseShape& s, const SparseOperand& o, int64_t inputs, void* workspace);

}  // namespace bs::cpu
