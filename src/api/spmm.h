// A validated bsSpMM or bsSpMV call in canonical form, for executing, sizing and explaining it.
#pragma once

#include "api/describe.h"
#include "api/product.h"

namespace bs {

struct SpmmCall {
  SpmmProblem problem;
  SpmmOperands operands;
  AlignmentClass alignment, block_alignment;
};

Status prepare_spmm(const Product& product, Where where, SpmmCall* call);

}  // namespace bs
