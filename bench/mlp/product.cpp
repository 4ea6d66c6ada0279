// Runs and explains one product.
#include "mlp/product.h"

#include <cstdio>

namespace mlp {
namespace {

constexpr float kOne = 1, kZero = 0;
// A route that predicts a quarter of an hour is there for want of another; the figure says nothing.
constexpr double kLastResort = 1e9;

template <class T>
T get(bsReport_t report, int64_t candidate, bsReportKey_t key) {
  T value{};
  check(bsReportGet(report, candidate, key, &value, sizeof(T)));
  return value;
}

std::string microseconds(bsReport_t report, int64_t candidate) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f us", get<double>(report, candidate, BS_REPORT_MICROSECONDS));
  return text;
}

// Candidates come in the order of predicted time, refused ones last: the reason for the first is what the others lack.
Explanation explanation_of(bsReport_t report) {
  int64_t count = 0;
  check(bsReportGetCount(report, &count));
  Explanation result;
  std::string next;
  int refused = 0;
  for (int64_t i = 0; i < count; ++i) {
    const std::string route = get<const char*>(report, i, BS_REPORT_ROUTE);
    if (get<int32_t>(report, i, BS_REPORT_CHOSEN)) {
      result = {route, "predicted " + microseconds(report, i)};
    } else if (!get<int32_t>(report, i, BS_REPORT_ACCEPTED)) {
      ++refused;
    } else if (next.empty()) {
      const bool estimated = get<double>(report, i, BS_REPORT_MICROSECONDS) < kLastResort;
      next = estimated ? "; next " + route + " " + microseconds(report, i) : "; otherwise only " + route;
    }
  }
  result.reason += next;
  if (refused) result.reason += "; refused " + std::to_string(refused);
  return result;
}

}  // namespace

int64_t Product::workspace_bytes(const Device& device) const {
  int64_t bytes = 0;
  check(operation->buffer_size(device.handle(), op_a, op_b, &kOne, a, b, &kZero, c, BS_R_32F, options, &bytes));
  return bytes;
}

void Product::run(const Device& device, const Memory& workspace, int64_t bytes) const {
  check(
      operation->run(device.handle(), op_a, op_b, &kOne, a, b, &kZero, c, BS_R_32F, options, workspace.data(), bytes));
}

Explanation Product::explain(const Device& device) const {
  bsReport_t report = nullptr;
  check(operation->explain(device.handle(), op_a, op_b, &kOne, a, b, &kZero, c, BS_R_32F, options, nullptr, &report));
  return explanation_of(Report(report).get());
}

}  // namespace mlp
