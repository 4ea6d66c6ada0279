// Test cases for every registry row: one a row and machine, made from the tables.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/registry.h"
#include "engine/select.h"
#include "platform/machine.h"
#include "support/catch.h"

namespace bs::test {

// The machine a row runs on, made once: for the CPU, one an instruction set up to what this CPU has and thread count.
// Null where the backend is absent.
Machine* machine_of(Backend backend, Isa isa = Isa::avx512, int threads = 2);

// Instruction sets that this CPU has.
std::vector<Isa> isas();
const char* name_of(Isa isa);

// One test case `"<row>[ on <isa>]: <what>"` for each row, skipped where its backend is absent. Rows that this build
// leaves out are not here: skip_absent_rows names them.
template <class K>
void for_each_row(const std::string& what, const std::function<void(const K&, Machine*)>& body) {
  for (const K* kernel : kernels_of<K>()) {
    const bool cpu = kernel->backend == Backend::cpu;
    const bool by_isa = cpu && !kernel->traits.reference;
    for (const Isa isa : by_isa ? isas() : std::vector<Isa>{Isa::base}) {
      const std::string name = kernel->name + (by_isa ? std::string(" on ") + name_of(isa) : std::string());
      add_test(name + ": " + what, std::string("[") + K::Problem::op + "]", [kernel, isa, body] {
        Machine* machine = machine_of(kernel->backend, isa);
        if (!machine) BS_SKIP(std::string("no ") + name_of(kernel->backend) + " device here");
        body(*kernel, machine);
      });
    }
  }
}

// Collects what went wrong over many cases and tells the first few.
class Findings {
 public:
  void add(const std::string& finding) {
    if (!finding.empty() && ++count_ <= 5) text_ += finding + "\n";
  }
  void accepted() { ++accepted_; }
  void conclude() const {
    INFO(count_ << " of " << accepted_ << " accepted cases are wrong; the first:\n" << text_);
    CHECK(count_ == 0);
    CHECK(accepted_ > 0);
  }

 private:
  int count_ = 0, accepted_ = 0;
  std::string text_;
};

}  // namespace bs::test
