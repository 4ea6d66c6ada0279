// A validated bsSDDMM call in canonical form, for executing, sizing and explaining it.
#pragma once

#include "api/describe.h"
#include "api/product.h"

namespace bs {

struct SddmmCall {
  SddmmProblem problem;
  SddmmOperands operands;
  AlignmentClass alignment, block_alignment;
};

Status prepare_sddmm(const Product& product, Where where, SddmmCall* call);

}  // namespace bs
