// The log: a problem as the arguments that make bsbench run it again, and the line of a choice.
#pragma once

#include <string>

#include "model/problem.h"

namespace bs {

// "--op spmm --format bsr --block 64 --dtype bf16 --m 8192 --k 8192 --n 8192 --density 0.1": what equals the default of
// the argument is left out. The problem is the canonical one, so a product with the sparse matrix on the right reads as
// its transpose.
std::string describe_arguments(const SpmmProblem& problem);
std::string describe_arguments(const SddmmProblem& problem);
std::string describe_arguments(const GateGradProblem& problem);

// "bsparse,v1,select,cpu/spmm_csr_rowsplit,12.5,--op spmm ...".
std::string select_line(const char* route, double microseconds, const std::string& arguments);

}  // namespace bs
