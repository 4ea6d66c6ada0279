#include "kernels/rows.h"

#include <map>
#include <tuple>

#include "support/registry_text.h"

namespace bs::test {

Machine* machine_of(Backend backend, Isa isa, int threads) {
  static std::map<std::tuple<Backend, Isa, int>, std::unique_ptr<Machine>> machines;
  const auto [slot, is_new] = machines.try_emplace({backend, isa, threads});
  if (is_new) {
    const Status status = backend == Backend::cpu ? open_cpu({.threads = threads, .max_isa = isa}, &slot->second)
                                                  : open_cuda(-1, &slot->second);
    if (!status.ok()) slot->second.reset();
  }
  return slot->second.get();
}

std::vector<Isa> isas() {
  std::vector<Isa> present;
  for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
    const Machine* machine = machine_of(Backend::cpu, isa);
    if (machine && machine->device().isa == isa) present.push_back(isa);
  }
  return present;
}

const char* name_of(Isa isa) {
  return isa == Isa::base ? "base" : isa == Isa::avx2 ? "avx2" : "avx512";
}

namespace {

void skip_absent_rows() {
  for (const std::string& row : registry_rows()) {
    if (BSPARSE_HAS_CUDA || row.rfind("cpu/", 0) == 0) continue;
    add_test(row, "[absent]", [] { BS_SKIP("built without CUDA"); });
  }
  for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
    const Machine* machine = machine_of(Backend::cpu, isa);
    if (machine && machine->device().isa == isa) continue;
    add_test(std::string("all CPU rows on ") + name_of(isa), "[absent]", [] { BS_SKIP("this CPU does not have it"); });
  }
}

[[maybe_unused]] const bool registered = (skip_absent_rows(), true);

}  // namespace
}  // namespace bs::test
