// The bias gradient beside an SDDMM: sums of L along its rows or of R along its columns, over all summands.
#pragma once

#include "model/operands.h"
#include "model/problem.h"
#include "model/status.h"

namespace bs::cuda {

// Nothing to do where the problem asks for none.
Status add_bias_gradient(const SddmmProblem& p, const SddmmOperands& o, const Exec& exec);

}  // namespace bs::cuda
