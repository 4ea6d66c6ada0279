// Every SpMM row over shapes x types x layouts x batches x epilogues.
#include "kernels/conformance.h"
#include "kernels/specs.h"
#include "kernels/spmm_case.h"

namespace bs::test {

[[maybe_unused]] static const bool spmm_registered = Conformance<SpmmCase>::add_tests(spmm_specs);

}  // namespace bs::test
