// Products with random operands and every option at once, against plain sums. Each takes the route that explain
// foretold.
#include "api/random_products.h"

namespace {

using namespace bs::test;

constexpr uint64_t kCases = 400;  // of each operation; BSPARSE_RANDOM_CASES in the environment for more

uint64_t cases() {
  const char* many = std::getenv("BSPARSE_RANDOM_CASES");
  return many ? std::strtoull(many, nullptr, 10) : kCases;
}

template <class Case>
void run_all() {
  Handles handles;
  for (uint64_t seed = 1; seed <= cases(); ++seed) {
    INFO("seed " << seed);
    Case one(handles, seed);
    one.prepare();
    one.expect();
    ok(one.execute());
    check_logged(handles.line, one.route);
    one.check();
  }
}

}  // namespace

BACKEND_TEST_CASE("bsSpMM and bsSpMV with random operands and options are what plain sums are") {
  run_all<SpmmCase>();
}

BACKEND_TEST_CASE("bsSDDMM with random operands and options is what plain sums are") {
  run_all<SddmmCase>();
}
