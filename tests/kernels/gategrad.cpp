// Every gate gradient row over blocks x types x batches.
#include "kernels/conformance.h"
#include "kernels/gategrad_case.h"
#include "kernels/specs.h"

namespace bs::test {

[[maybe_unused]] static const bool gategrad_registered = Conformance<GateGradCase>::add_tests(gategrad_specs);

}  // namespace bs::test
