// Reports: order, keys, text; described devices.
#include "api/matrices.h"

#include <string>

namespace {

using namespace bs::test;

template <class T>
T value_of(bsReport_t report, int64_t index, bsReportKey_t key) {
  T value{};
  REQUIRE(bsReportGet(report, index, key, &value, sizeof value) == BS_STATUS_SUCCESS);
  return value;
}

struct Asked {
  explicit Asked(bsOptions_t options = nullptr, const char* device = nullptr) {
    REQUIRE(bsSpMM_explain(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &one, a.mat, b.mat, &one,
                           c.mat, BS_R_32F, options, device, &report) == BS_STATUS_SUCCESS);
    REQUIRE(bsReportGetCount(report, &count) == BS_STATUS_SUCCESS);
    for (int64_t i = 0; i < count; ++i)
      if (value_of<int32_t>(report, i, BS_REPORT_CHOSEN)) chosen = i;
  }
  ~Asked() { bsDestroyReport(report); }

  std::mt19937 random{1};
  Handle handle;
  Sparse a{random_table(40, 60, 0.1, random), Form::csr};
  Dense b{Table(60, 8), BS_ORDER_ROW}, c{Table(40, 8), BS_ORDER_ROW};
  float one = 1;
  bsReport_t report = nullptr;
  int64_t count = 0, chosen = -1;
};

}  // namespace

TEST_CASE("accepted routes come first by time, refused ones last with a reason, and one is chosen") {
  const Asked asked;
  REQUIRE(asked.count > 1);
  CHECK(asked.chosen == 0);
  for (int64_t i = 0; i < asked.count; ++i) {
    const bool accepted = value_of<int32_t>(asked.report, i, BS_REPORT_ACCEPTED) != 0;
    const std::string reason = value_of<const char*>(asked.report, i, BS_REPORT_REASON);
    CHECK(reason.empty() == accepted);
    if (i == 0) continue;
    const bool before = value_of<int32_t>(asked.report, i - 1, BS_REPORT_ACCEPTED) != 0;
    CHECK((before || !accepted));
    if (before && accepted)
      CHECK(value_of<double>(asked.report, i - 1, BS_REPORT_MICROSECONDS) <=
            value_of<double>(asked.report, i, BS_REPORT_MICROSECONDS));
  }
  const char* text = nullptr;
  REQUIRE(bsReportGetText(asked.report, &text) == BS_STATUS_SUCCESS);
  CHECK_THAT(text, Catch::Matchers::StartsWith("--op spmm --format csr --dtype f32 --m 40 --k 60 --n 8"));
  CHECK_THAT(text, bs::test::contains("cpu/spmm_reference"));
}

TEST_CASE("a forced route is the chosen one among all") {
  bsOptions_t options = nullptr;
  REQUIRE(bsCreateOptions(&options) == BS_STATUS_SUCCESS);
  REQUIRE(bsOptionsSetRoute(options, "cpu/spmm_reference") == BS_STATUS_SUCCESS);
  const Asked asked(options);
  REQUIRE(asked.chosen >= 0);
  CHECK(value_of<const char*>(asked.report, asked.chosen, BS_REPORT_ROUTE) == std::string("cpu/spmm_reference"));
  CHECK(asked.count > 1);
  bsDestroyOptions(options);
}

TEST_CASE("devices are described by text, and wrong questions to a report have their statuses") {
  const Asked asked(nullptr, "cpu,cores=64,simd_bytes=64");
  CHECK(asked.chosen == 0);
  double value = 0;
  CHECK(bsReportGet(asked.report, asked.count, BS_REPORT_MICROSECONDS, &value, sizeof value) == BS_STATUS_INVALID_SIZE);
  CHECK(bsReportGet(asked.report, 0, BS_REPORT_MICROSECONDS, &value, 4) == BS_STATUS_INVALID_SIZE);
  CHECK(bsReportGet(asked.report, 0, 99, &value, sizeof value) == BS_STATUS_INVALID_VALUE);
  CHECK(bsReportGet(asked.report, 0, BS_REPORT_ROUTE, nullptr, 8) == BS_STATUS_INVALID_POINTER);
  bsReport_t report = asked.report;
  CHECK(bsSpMM_explain(asked.handle, 0, 0, &asked.one, asked.a.mat, asked.b.mat, &asked.one, asked.c.mat, BS_R_32F,
                       nullptr, "abacus", &report) == BS_STATUS_INVALID_VALUE);
  CHECK(report == nullptr);
}
