// Gate gradients: random blocks.
#include "kernels/specs.h"
#include "support/reduced.h"

namespace bs::test {

std::vector<GateGradSpec> gategrad_specs() {
  std::vector<GateGradSpec> specs;
  Random random(20240609);
  for (int i = 0; i < (reduced() ? 100 : 400); ++i) {
    GateGradSpec spec{.s = random_sparse(&random, Format::bsr)};
    spec.s.rows = random.chance(0.05) ? 0 : 2 * random_extent(&random);
    spec.s.cols = random.chance(0.05) ? 0 : random_extent(&random);
    spec.s.slack = false;
    const Types types = random_types(&random);
    spec.s.dtype = types.s, spec.dw_type = types.b;
    spec.batch = random.of<int64_t>({0, 1, 1, 1, 2, 3});
    spec.gap = random.below(3);
    specs.push_back(spec);
  }
  return specs;
}

}  // namespace bs::test
