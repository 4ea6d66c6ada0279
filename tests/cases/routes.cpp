#include "cases/routes.h"

#include "support/backend.h"

namespace bs::cases {
namespace {

constexpr int64_t kAlignment = BSPARSE_WORKSPACE_ALIGNMENT;

struct Scalar {
  explicit Scalar(double value) : wide(value), narrow(static_cast<float>(value)) {}
  const void* of(bsDataType_t type) const { return type == BS_R_64F ? static_cast<const void*>(&wide) : &narrow; }
  double wide;
  float narrow;
};

template <class T>
T item(bsReport_t report, int64_t index, bsReportKey_t key) {
  T value{};
  REQUIRE(bsReportGet(report, index, key, &value, sizeof value) == BS_STATUS_SUCCESS);
  return value;
}

}  // namespace

Handle::Handle() {
  REQUIRE(bsCreateOn(&handle_, test::backend(), 0) == BS_STATUS_SUCCESS);
}

Options::Options() {
  REQUIRE(bsCreateOptions(&options_) == BS_STATUS_SUCCESS);
}

std::vector<Route> routes_of(bsHandle_t handle, const Call& call, bsOptions_t options) {
  const Scalar alpha(call.alpha), beta(call.beta);
  REQUIRE(bsOptionsSetRoute(options, nullptr) == BS_STATUS_SUCCESS);
  bsReport_t report = nullptr;
  int64_t count = 0;
  const auto explain = call.op == Op::spmm ? bsSpMM_explain : bsSDDMM_explain;
  REQUIRE(explain(handle, call.op_a, call.op_b, alpha.of(call.compute), call.a, call.b, beta.of(call.compute), call.c,
                  call.compute, options, nullptr, &report) == BS_STATUS_SUCCESS);
  REQUIRE(bsReportGetCount(report, &count) == BS_STATUS_SUCCESS);
  std::vector<Route> routes{Route{}};
  for (int64_t i = 0; i < count; ++i)
    routes.push_back({.name = item<const char*>(report, i, BS_REPORT_ROUTE),
                      .reason = item<const char*>(report, i, BS_REPORT_REASON),
                      .accepted = item<int32_t>(report, i, BS_REPORT_ACCEPTED) != 0,
                      .isolates = item<int32_t>(report, i, BS_REPORT_ISOLATES) != 0,
                      .deterministic = item<int32_t>(report, i, BS_REPORT_DETERMINISTIC) != 0,
                      .microseconds = item<double>(report, i, BS_REPORT_MICROSECONDS),
                      .workspace = item<int64_t>(report, i, BS_REPORT_WORKSPACE)});
  bsDestroyReport(report);
  return routes;
}

bsStatus_t run(bsHandle_t handle, const Call& call, bsOptions_t options) {
  const Scalar alpha(call.alpha), beta(call.beta);
  const void *x = alpha.of(call.compute), *y = beta.of(call.compute);
  int64_t bytes = -1;
  const auto size = call.op == Op::spmm ? bsSpMM_bufferSize : bsSDDMM_bufferSize;
  const bsStatus_t sized =
      size(handle, call.op_a, call.op_b, x, call.a, call.b, y, call.c, call.compute, options, &bytes);
  if (sized != BS_STATUS_SUCCESS) return sized;
  // Rounded up: a workspace must be aligned, and would not end with its page otherwise.
  const Array workspace((bytes + kAlignment - 1) / kAlignment * kAlignment);
  const auto multiply = call.op == Op::spmm ? bsSpMM : bsSDDMM;
  return test::mirrored(multiply, handle, call.op_a, call.op_b, x, call.a, call.b, y, call.c, call.compute, options,
                        workspace.device(), bytes);
}

int on_every_route(bsHandle_t handle, const Call& call, bsOptions_t options, const Array& output,
                   const std::function<void(const Route&)>& verify) {
  const std::vector<char> before = output.read();
  int accepted = 0;
  for (const Route& route : routes_of(handle, call, options)) {
    INFO((route.name.empty() ? "the engine's choice" : route.name));
    output.write(before);
    REQUIRE(bsOptionsSetRoute(options, route.name.empty() ? nullptr : route.name.c_str()) == BS_STATUS_SUCCESS);
    const bsStatus_t status = run(handle, call, options);
    if (route.accepted) {
      INFO(bsGetLastErrorMessage());
      CHECK(status == BS_STATUS_SUCCESS);
      verify(route);
      ++accepted;
    } else {
      CHECK(status == BS_STATUS_NOT_SUPPORTED);
      CHECK(!route.reason.empty());
      CHECK_THAT(bsGetLastErrorMessage(), bs::test::contains(route.reason));
      CHECK(output.read() == before);
    }
  }
  REQUIRE(bsOptionsSetRoute(options, nullptr) == BS_STATUS_SUCCESS);
  output.write(before);
  return accepted - 1;  // not counting the choice
}

}  // namespace bs::cases
