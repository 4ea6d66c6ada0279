// The problems that every row meets: systematic sweeps, then everything at random, each choice independent of the
// others, so that any two values of any two choices meet in some case.
#pragma once

#include <vector>

#include "kernels/gategrad_case.h"
#include "kernels/sddmm_case.h"
#include "kernels/spmm_case.h"
#include "support/random.h"

namespace bs::test {

std::vector<SpmmSpec> spmm_specs();
std::vector<SddmmSpec> sddmm_specs();
std::vector<GateGradSpec> gategrad_specs();

// Value types that go together: sparse, first and second dense.
struct Types {
  DType s, b, c;
};
Types random_types(Random* random);
int64_t random_extent(Random* random);
SparseSpec random_sparse(Random* random, Format format);
DenseSpec random_dense(Random* random, DType type);
void random_batch(Random* random, int64_t* batch, int64_t* reduce);

}  // namespace bs::test
