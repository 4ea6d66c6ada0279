// The registry: every row of kernels/registry.def is in its table, under the name of its file.
#include "support/catch.h"

#include <set>
#include <string>

#include "engine/registry.h"
#include "support/registry_text.h"

namespace bs::test {
namespace {

template <class K>
void add_names(std::set<std::string>* names) {
  for (const K* kernel : kernels_of<K>()) {
    const std::string name = kernel->name;
    CHECK(names->insert(name).second);
    CHECK(name.substr(0, name.find('/')) == name_of(kernel->backend));
    CHECK(name.find(std::string("/") + K::Problem::op + "_") != std::string::npos);
  }
}

TEST_CASE("every row of registry.def that this build compiles is in a table, and nothing else") {
  std::set<std::string> names;
  add_names<SpmmKernel>(&names);
  add_names<SddmmKernel>(&names);
  add_names<GateGradKernel>(&names);

  std::set<std::string> expected;
  for (const std::string& row : registry_rows())
    if (BSPARSE_HAS_CUDA || row.rfind("cpu/", 0) == 0) expected.insert(row);
  CHECK(names == expected);
}

TEST_CASE("every operation has one reference row of the CPU, and it comes last") {
  const auto check = [](auto kernels) {
    int references = 0;
    for (const auto* kernel : kernels) references += kernel->traits.reference;
    CHECK(references == 1);
    CHECK(kernels.back()->traits.reference);
    CHECK(kernels.back()->backend == Backend::cpu);
  };
  check(spmm_kernels());
  check(sddmm_kernels());
  check(gategrad_kernels());
}

}  // namespace
}  // namespace bs::test
