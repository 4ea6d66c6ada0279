// bsSpMM_explain and bsSDDMM_explain: the steps of a call up to the choice, for this device or a described one.
#include <memory>

#include "api/launch.h"
#include "api/report.h"
#include "api/sddmm.h"
#include "api/spmm.h"

namespace bs {
namespace {

// Which device `text` means; the handle's own for NULL.
Status device_of(const Product& p, const char* text, Device* device) {
  if (text) return parse_device(text, device);
  *device = p.handle->machine->device();
  return kSuccess;
}

template <class K, class Call>
Status explain(const Product& p, Status (*prepare)(const Product&, Where, Call*), const char* text,
               bsReport_t* report) {
  Call call;
  Device device;
  BS_TRY(prepare(p, text ? Where::elsewhere : Where::here, &call));
  BS_TRY(device_of(p, text, &device));
  BS_TRY(check_pointer(report, "report"));
  auto made = std::make_unique<bsReportData>();
  fill_report<K>(made.get(), call.problem, device, route_of(p.options));
  finish_report(made.get(), describe_arguments(call.problem), device);
  *report = made.release();
  return kSuccess;
}

}  // namespace
}  // namespace bs

bsStatus_t bsSpMM_explain(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, const void* alpha,
                          bsConstMatDescr_t A, bsConstMatDescr_t B, const void* beta, bsConstMatDescr_t C,
                          bsDataType_t compute, bsConstOptions_t options, const char* device, bsReport_t* report) {
  return bs::api("bsSpMM_explain", [&]() -> bs::Status {
    if (report) *report = nullptr;
    return bs::explain<bs::SpmmKernel>({handle, opA, opB, alpha, A, B, beta, C, compute, options, {}}, bs::prepare_spmm,
                                       device, report);
  });
}

bsStatus_t bsSDDMM_explain(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, const void* alpha,
                           bsConstMatDescr_t A, bsConstMatDescr_t B, const void* beta, bsConstMatDescr_t C,
                           bsDataType_t compute, bsConstOptions_t options, const char* device, bsReport_t* report) {
  return bs::api("bsSDDMM_explain", [&]() -> bs::Status {
    if (report) *report = nullptr;
    return bs::explain<bs::SddmmKernel>({handle, opA, opB, alpha, A, B, beta, C, compute, options, {}},
                                        bs::prepare_sddmm, device, report);
  });
}
