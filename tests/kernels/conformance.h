// What every row of an operation must do, over that operation's cases. A Case has Kernel, Spec, problem(), check() and
// result(); specs are built into cases once a backend: the rows differ, the problems do not.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/rows.h"
#include "support/reduced.h"

namespace bs::test {

template <class Case>
class Conformance {
 public:
  using Kernel = typename Case::Kernel;
  using Specs = std::vector<typename Case::Spec> (*)();

  static bool add_tests(Specs specs) {
    for_each_row<Kernel>("agrees with sums in double",
                         [specs](const Kernel& kernel, Machine* machine) { agrees(specs, kernel, machine); });
    for_each_row<Kernel>("the same bits in 50 runs and on 1, 2 and 5 threads",
                         [specs](const Kernel& kernel, Machine* machine) { repeats(specs, kernel, machine); });
    return true;
  }

 private:
  template <class Body>
  static void for_accepted(Specs specs, const Kernel& kernel, Machine* machine, Body&& body) {
    static std::vector<std::unique_ptr<Case>> of_backend[2];
    auto& cases = of_backend[machine->device().backend == Backend::cuda];
    if (cases.empty())
      for (const auto& spec : specs()) cases.push_back(std::make_unique<Case>(machine, spec));
    Findings findings;
    for (const auto& c : cases) {
      if (!verdict_of(kernel, c->problem(), machine->device()).ok()) continue;
      findings.accepted();
      findings.add(body(*c));
    }
    findings.conclude();
  }

  static void agrees(Specs specs, const Kernel& kernel, Machine* machine) {
    for_accepted(specs, kernel, machine, [&](Case& c) { return c.check(kernel, machine); });
  }

  static void repeats(Specs specs, const Kernel& kernel, Machine* machine) {
    if (!kernel.traits.deterministic) BS_SKIP("declares that it does not repeat");
    int index = 0;
    for_accepted(specs, kernel, machine,
                 [&](Case& c) { return runs_alike(&c, kernel, machine, index++ % 25 == 0 && !reduced() ? 50 : 2); });
  }

  static std::string runs_alike(Case* c, const Kernel& kernel, Machine* machine, int runs) {
    const auto first = c->result(kernel, machine);
    if (!first) return c->name() + ": launch failed";
    for (int i = 1; i < runs; ++i)
      if (c->result(kernel, machine) != first) return c->name() + ": run " + std::to_string(i) + " differs";
    if (kernel.backend != Backend::cpu) return "";
    for (const int threads : {1, 5})
      if (c->result(kernel, machine_of(Backend::cpu, machine->device().isa, threads)) != first)
        return c->name() + ": other bits on " + std::to_string(threads) + " threads";
    return "";
  }
};

}  // namespace bs::test
