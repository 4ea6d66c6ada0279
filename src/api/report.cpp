// Reports: order, text, getters.
#include "api/report.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

namespace bs {
namespace {

bool comes_first(const Candidate& x, const Candidate& y) {
  if (x.accepted != y.accepted) return x.accepted;
  if (x.accepted && x.microseconds != y.microseconds) return x.microseconds < y.microseconds;
  return x.tried < y.tried;
}

std::string table_line(const Candidate& c, int route_width) {
  char line[160];
  if (!c.accepted) {
    std::snprintf(line, sizeof line, "  %-*s  %12s  %14s  ", route_width, c.route.c_str(), "-", "-");
    return std::string(line).append(c.reason).append("\n");
  }
  std::snprintf(line, sizeof line, "%c %-*s  %12.4g  %14lld  %s%s\n", c.chosen ? '*' : ' ', route_width,
                c.route.c_str(), c.microseconds, static_cast<long long>(c.workspace),
                c.deterministic ? "deterministic " : "", c.isolates ? "isolates" : "");
  return line;
}

// The value of a key as the bytes that go to the caller.
struct Value {
  const void* data = nullptr;
  int64_t size = 0;
  union {
    const char* text;
    int32_t flag;
    double number;
    int64_t count;
  };
  void set(const std::string& value) { text = value.c_str(), data = &text, size = sizeof text; }
  void set(bool value) { flag = value, data = &flag, size = sizeof flag; }
  void set(double value) { number = value, data = &number, size = sizeof number; }
  void set(int64_t value) { count = value, data = &count, size = sizeof count; }
};

Status value_of(const Candidate& c, bsReportKey_t key, Value* value) {
  switch (key) {
    case BS_REPORT_ROUTE:
      value->set(c.route);
      return kSuccess;
    case BS_REPORT_ACCEPTED:
      value->set(c.accepted);
      return kSuccess;
    case BS_REPORT_REASON:
      value->set(c.reason);
      return kSuccess;
    case BS_REPORT_MICROSECONDS:
      value->set(c.microseconds);
      return kSuccess;
    case BS_REPORT_WORKSPACE:
      value->set(c.workspace);
      return kSuccess;
    case BS_REPORT_DETERMINISTIC:
      value->set(c.deterministic);
      return kSuccess;
    case BS_REPORT_ISOLATES:
      value->set(c.isolates);
      return kSuccess;
    case BS_REPORT_CHOSEN:
      value->set(c.chosen);
      return kSuccess;
    default:
      return fail(BS_STATUS_INVALID_VALUE, "key is %d, not a bsReportKey_t", key);
  }
}

Status get(bsReport_t report, int64_t index, bsReportKey_t key, void* data, int64_t size) {
  BS_TRY(check_object(report, "report"));
  const int64_t count = static_cast<int64_t>(report->candidates.size());
  if (index < 0 || index >= count)
    return fail(BS_STATUS_INVALID_SIZE, "index is %lld, must be from 0 to %lld", static_cast<long long>(index),
                static_cast<long long>(count - 1));
  Value value;
  BS_TRY(value_of(report->candidates[static_cast<size_t>(index)], key, &value));
  BS_TRY(check_pointer(data, "data"));
  if (size != value.size)
    return fail(BS_STATUS_INVALID_SIZE, "size is %lld, must be %lld for key %d", static_cast<long long>(size),
                static_cast<long long>(value.size), key);
  std::memcpy(data, value.data, static_cast<size_t>(size));
  return kSuccess;
}

}  // namespace

void finish_report(bsReportData* report, const std::string& problem, const Device& device) {
  // Not std::stable_sort: it takes memory and hides that there was none.
  std::sort(report->candidates.begin(), report->candidates.end(), comes_first);
  size_t width = std::strlen("route");
  for (const Candidate& candidate : report->candidates) width = std::max(width, candidate.route.size());
  char head[160];
  std::snprintf(head, sizeof head, "on %s (%s)\n  %-*s  %12s  %14s  remarks\n", device.name, name_of(device.backend),
                static_cast<int>(width), "route", "microseconds", "workspace");
  report->text.append(problem).append("\n").append(head);
  for (const Candidate& candidate : report->candidates) report->text += table_line(candidate, static_cast<int>(width));
}

}  // namespace bs

bsStatus_t bsDestroyReport(bsReport_t report) {
  return bs::api("bsDestroyReport", [&]() -> bs::Status {
    if (!report) return bs::kSuccess;
    BS_TRY(bs::check_object(report, "report"));
    delete report;
    return bs::kSuccess;
  });
}

bsStatus_t bsReportGetCount(bsReport_t report, int64_t* count) {
  return bs::api("bsReportGetCount", [&]() -> bs::Status {
    BS_TRY(bs::check_object(report, "report"));
    BS_TRY(bs::check_pointer(count, "count"));
    *count = static_cast<int64_t>(report->candidates.size());
    return bs::kSuccess;
  });
}

bsStatus_t bsReportGet(bsReport_t report, int64_t index, bsReportKey_t key, void* data, int64_t size) {
  return bs::api("bsReportGet", [&]() -> bs::Status { return bs::get(report, index, key, data, size); });
}

bsStatus_t bsReportGetText(bsReport_t report, const char** text) {
  return bs::api("bsReportGetText", [&]() -> bs::Status {
    BS_TRY(bs::check_object(report, "report"));
    BS_TRY(bs::check_pointer(text, "text"));
    *text = report->text.c_str();
    return bs::kSuccess;
  });
}
