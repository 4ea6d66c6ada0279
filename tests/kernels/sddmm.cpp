// Every SDDMM row over shapes x types x layouts x batches x bias gradients.
#include "kernels/conformance.h"
#include "kernels/sddmm_case.h"
#include "kernels/specs.h"

namespace bs::test {

[[maybe_unused]] static const bool sddmm_registered = Conformance<SddmmCase>::add_tests(sddmm_specs);

}  // namespace bs::test
