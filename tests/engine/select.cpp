// Choosing: who wins, what is remembered, what a refusal says, what the log shows.
#include "support/catch.h"

#include <vector>

#include "engine/choose.h"
#include "engine/trace.h"

namespace bs::test {
namespace {

// Rows that answer from the problem itself, so that a test says what they cost: n = 13 is refused by all.
Verdict accept_even(const SpmmProblem& p, const Device&) {
  BS_REQUIRE(p.n % 2 == 0);
  return kAccept;
}
Verdict accept_all(const SpmmProblem&, const Device&) {
  return kAccept;
}
Plan fast_with_workspace(const SpmmProblem& p, const Device& d) {
  return {1.0 * static_cast<double>(p.n) / d.cores, 1000, 0};
}
Plan slow_without(const SpmmProblem& p, const Device&) {
  return {5.0 * static_cast<double>(p.n), 0, 0};
}
Plan definition(const SpmmProblem&, const Device&) {
  return {0, 0, 0};
}
Status no_launch(const SpmmProblem&, const Plan&, const SpmmOperands&, const Exec&) {
  return kSuccess;
}

const SpmmKernel kFast{"cpu/spmm_fast", Backend::cpu, {.isolates = false}, accept_even, fast_with_workspace, no_launch};
const SpmmKernel kSlow{"cpu/spmm_slow", Backend::cpu, {.deterministic = false}, accept_even, slow_without, no_launch};
const SpmmKernel kTwin{"cpu/spmm_twin", Backend::cpu, {}, accept_even, slow_without, no_launch};
const SpmmKernel kOther{"cuda/spmm_other", Backend::cuda, {}, accept_all, definition, no_launch};
const SpmmKernel kReference{"cpu/spmm_ref", Backend::cpu, {.reference = true}, accept_all, definition, no_launch};
const SpmmKernel* const kRows[] = {&kFast, &kSlow, &kTwin, &kOther, &kReference};

SpmmProblem problem_of(int64_t n) {
  SpmmProblem p;
  p.n = n;
  return p;
}

std::string chosen(const SpmmProblem& p, const Filter& filter = {}) {
  const auto choice = select<SpmmKernel>(kRows, p, Device{}, filter, kNobodyWatches);
  return choice ? choice->kernel->name : "none";
}

TEST_CASE("the cheapest row wins, earlier ones win ties, and the reference only where it is alone") {
  CHECK(chosen(problem_of(8)) == "cpu/spmm_fast");
  CHECK(chosen(problem_of(8), {.workspace_limit = 999}) == "cpu/spmm_slow");
  CHECK(chosen(problem_of(7)) == "cpu/spmm_ref");
  CHECK(chosen(problem_of(8), {.route = "cpu/spmm_ref"}) == "cpu/spmm_ref");
  CHECK(chosen(problem_of(8), {.route = "cpu/spmm_fast", .workspace_limit = 999}) == "none");
  CHECK(chosen(problem_of(8), {.route = "cuda/spmm_other"}) == "none");
}

TEST_CASE("strict and deterministic leave out the rows that are not") {
  SpmmProblem p = problem_of(8);
  p.constraints.strict = true;
  CHECK(chosen(p) == "cpu/spmm_slow");
  p.constraints.deterministic = true;
  CHECK(chosen(p) == "cpu/spmm_twin");
}

TEST_CASE("a visitor sees every row of the backend with its verdict") {
  std::vector<std::string> seen;
  select<SpmmKernel>(kRows, problem_of(7), Device{}, {},
                     [&](const SpmmKernel& kernel, const Verdict& verdict, const Plan&) {
                       seen.push_back(std::string(kernel.name) + ": " + (verdict.ok() ? "yes" : verdict.unmet));
                     });
  CHECK(seen == std::vector<std::string>{"cpu/spmm_fast: needs p.n % 2 == 0", "cpu/spmm_slow: needs p.n % 2 == 0",
                                         "cpu/spmm_twin: needs p.n % 2 == 0", "cpu/spmm_ref: yes"});
}

TEST_CASE("the cache tells problems and workspaces apart, and a forced route leaves no trace in it") {
  ChoiceCache<SpmmKernel> cache;
  const Choice<SpmmKernel> choice{&kFast, {1, 2, 3}};
  cache.put(problem_of(8), 100, choice);
  REQUIRE(cache.find(problem_of(8), 100));
  CHECK(cache.find(problem_of(8), 100)->kernel == &kFast);
  CHECK(cache.find(problem_of(8), 101) == nullptr);
  CHECK(cache.find(problem_of(9), 100) == nullptr);

  SpmmProblem p = problem_of(8);
  p.s.stats.known = 1;
  CHECK(cache.find(p, 100) == nullptr);

  ChoiceCache<SpmmKernel> untouched;
  const SpmmProblem small = problem_of(1);
  REQUIRE(choose<SpmmKernel>(untouched, small, Device{}, {.route = "cpu/spmm_reference"}));
  CHECK(untouched.find(small, INT64_MAX) == nullptr);
  REQUIRE(choose<SpmmKernel>(untouched, small, Device{}, {}));
  CHECK(untouched.find(small, INT64_MAX) != nullptr);
}

TEST_CASE("a line of the log is the arguments that make the benchmark run the problem again") {
  SpmmProblem p;
  p.s.rows = 8192, p.s.cols = 8192, p.s.format = Format::bsr, p.s.block_rows = p.s.block_cols = 64;
  p.s.nnz = 1638, p.s.dtype = p.b_type = p.c_type = DType::bf16, p.s.transposed = true;
  p.m = p.n = p.k = p.ldb = p.ldc = 8192;
  p.activation = Activation::silu;
  CHECK(select_line("cpu/spmm_bsr", 12.5, describe_arguments(p)) ==
        "bsparse,v1,select,cpu/spmm_bsr,12.5,--op spmm --format bsr --block 64 --dtype bf16 --m 8192 --k 8192 --n 8192 "
        "--density 0.09998 --opa t --activation silu");
}

}  // namespace
}  // namespace bs::test
