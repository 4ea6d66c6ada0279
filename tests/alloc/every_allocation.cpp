// Every allocation of a session fails once: the call says ALLOC_FAILED, loses nothing, and works when tried again.
#include "support/catch.h"

#include <array>
#include <string>

#include "alloc/failing.h"
#include "bsparse.h"

namespace bs::test {
namespace {

struct Session {
  std::array<int32_t, 3> offsets{0, 2, 3};
  std::array<int32_t, 3> columns{0, 1, 1};
  std::array<float, 3> values{1, 2, 3};
  std::array<float, 4> right{1, 10, 100, 1000}, result{}, dense{};
  float alpha = 1, beta = 0;
  bsHandle_t handle = nullptr;
  bsMatDescr_t sparse = nullptr, b = nullptr, c = nullptr, copy = nullptr;
  bsOptions_t options = nullptr;
  bsReport_t report = nullptr;
  void* analysis = nullptr;
  void* memory = nullptr;
  alignas(256) std::array<char, 1 << 16> workspace{};
};

constexpr bsOperation_t kN = BS_OPERATION_NON_TRANSPOSE, kT = BS_OPERATION_TRANSPOSE;

struct Step {
  const char* name;
  bsStatus_t (*run)(Session&);
};

constexpr Step kSteps[] = {
    {"bsCreateOn", [](Session& s) { return bsCreateOn(&s.handle, BS_BACKEND_CPU, 0); }},
    {"bsCreateCsr",
     [](Session& s) {
       return bsCreateCsr(&s.sparse, 2, 2, 3, s.offsets.data(), s.columns.data(), s.values.data(), BS_INDEX_32I,
                          BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_32F);
     }},
    {"bsCreateDense", [](Session& s) { return bsCreateDense(&s.b, 2, 2, 2, s.right.data(), BS_R_32F, BS_ORDER_ROW); }},
    {"bsCreateDense", [](Session& s) { return bsCreateDense(&s.c, 2, 2, 2, s.result.data(), BS_R_32F, BS_ORDER_ROW); }},
    {"bsCreateDense",
     [](Session& s) { return bsCreateDense(&s.copy, 2, 2, 2, s.dense.data(), BS_R_32F, BS_ORDER_ROW); }},
    {"bsCreateOptions", [](Session& s) { return bsCreateOptions(&s.options); }},
    {"bsOptionsSetRoute", [](Session& s) { return bsOptionsSetRoute(s.options, "cpu/spmm_reference"); }},
    {"bsOptionsSetRoute", [](Session& s) { return bsOptionsSetRoute(s.options, nullptr); }},
    {"bsOptionsSetInt",
     [](Session& s) { return bsOptionsSetInt(s.options, BS_OPTION_ACTIVATION, BS_ACTIVATION_RELU); }},
    {"bsMalloc", [](Session& s) { return bsMalloc(s.handle, &s.memory, 1000); }},
    {"bsMatAnalyze",
     [](Session& s) {
       return bsMatAnalyze(s.handle, s.sparse, BS_ANALYZE_STATS | BS_ANALYZE_ORDER | BS_ANALYZE_TRANSPOSE,
                           s.workspace.data(), static_cast<int64_t>(s.workspace.size() / 2));
     }},
    {"bsMatCheck", [](Session& s) { return bsMatCheck(s.handle, s.sparse, nullptr, nullptr); }},
    {"bsSpMM_bufferSize",
     [](Session& s) {
       int64_t bytes = 0;
       return bsSpMM_bufferSize(s.handle, kN, kN, &s.alpha, s.sparse, s.b, &s.beta, s.c, BS_R_32F, s.options, &bytes);
     }},
    {"bsSpMM",
     [](Session& s) {
       return bsSpMM(s.handle, kT, kN, &s.alpha, s.sparse, s.b, &s.beta, s.c, BS_R_32F, s.options,
                     s.workspace.data() + s.workspace.size() / 2, static_cast<int64_t>(s.workspace.size() / 2));
     }},
    {"bsSpMM_explain",
     [](Session& s) {
       return bsSpMM_explain(s.handle, kN, kN, &s.alpha, s.sparse, s.b, &s.beta, s.c, BS_R_32F, s.options, "h200",
                             &s.report);
     }},
    {"bsReportGetText",
     [](Session& s) {
       const char* text = nullptr;
       return bsReportGetText(s.report, &text);
     }},
    {"bsConvert_fill",
     [](Session& s) {
       return bsConvert_fill(s.handle, kN, s.sparse, s.copy, s.workspace.data() + s.workspace.size() / 2,
                             static_cast<int64_t>(s.workspace.size() / 2));
     }},
    {"bsSDDMM",
     [](Session& s) {
       return bsSDDMM(s.handle, kN, kN, &s.alpha, s.b, s.c, &s.beta, s.sparse, BS_R_32F, nullptr,
                      s.workspace.data() + s.workspace.size() / 2, static_cast<int64_t>(s.workspace.size() / 2));
     }},
};

bool close(Session& s) {
  const bsStatus_t statuses[] = {bsFree(s.handle, s.memory), bsDestroyReport(s.report), bsDestroyOptions(s.options),
                                 bsDestroyMat(s.sparse),     bsDestroyMat(s.b),         bsDestroyMat(s.c),
                                 bsDestroyMat(s.copy),       bsDestroy(s.handle)};
  bool ok = true;
  for (const bsStatus_t status : statuses) ok &= status == BS_STATUS_SUCCESS;
  return ok;
}

struct Outcome {
  bool reached = false;  // the step made a k-th allocation
  bsStatus_t status = BS_STATUS_SUCCESS, again = BS_STATUS_SUCCESS;
  int64_t leaked = 0;
  bool closed = true;
};

// Runs the steps before `step`, then it with its k-th allocation failing, then it again, and closes.
Outcome run(size_t step, int64_t k) {
  Outcome outcome;
  const int64_t before = live_allocations();
  {
    Session s;
    for (size_t i = 0; i < step; ++i) outcome.closed &= kSteps[i].run(s) == BS_STATUS_SUCCESS;
    fail_allocation(k);
    outcome.status = kSteps[step].run(s);
    outcome.reached = allocation_failed();
    fail_allocation(-1);
    if (outcome.reached) outcome.again = kSteps[step].run(s);
    if (step > 0 || s.handle) outcome.closed &= close(s);
  }
  outcome.leaked = live_allocations() - before;
  return outcome;
}

void check_step(size_t step) {
  run(step, -1);  // whatever the process makes only once
  for (int64_t k = 0; k < 1000; ++k) {
    const Outcome outcome = run(step, k);
    INFO(kSteps[step].name << ", allocation " << k << ": " << bsGetLastErrorMessage());
    CHECK(outcome.status == (outcome.reached ? BS_STATUS_ALLOC_FAILED : BS_STATUS_SUCCESS));
    CHECK(outcome.again == BS_STATUS_SUCCESS);
    CHECK(outcome.leaked == 0);
    CHECK(outcome.closed);
    if (!outcome.reached) return;
  }
  FAIL("a thousand allocations in one call");
}

[[maybe_unused]] const bool registered = [] {
  for (size_t step = 0; step < std::size(kSteps); ++step) {
    add_test("alloc: step " + std::to_string(step) + ", " + kSteps[step].name, "[alloc]", [step] { check_step(step); });
  }
  return true;
}();

}  // namespace
}  // namespace bs::test
