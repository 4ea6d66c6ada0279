// bsBlockGateGrad.
#include "api/alias.h"
#include "api/extent.h"
#include "api/launch.h"

namespace bs {
namespace {

struct Equal {
  const char* what;
  int64_t w, dw;
};

Status check_same_blocks(const MatrixView& w, const MatrixView& dw) {
  const Equal equal[] = {{"rows", w.rows, dw.rows},
                         {"columns", w.cols, dw.cols},
                         {"rows a block", w.block_rows, dw.block_rows},
                         {"columns a block", w.block_cols, dw.block_cols},
                         {"as block order", static_cast<int64_t>(w.block_order), static_cast<int64_t>(dw.block_order)},
                         {"blocks", w.nnz, dw.nnz},
                         {"as batch count", w.batch, dw.batch}};
  for (const Equal& e : equal)
    if (e.w != e.dw)
      return fail(BS_STATUS_INVALID_SHAPE, "W has %lld %s, dW has %lld", static_cast<long long>(e.w), e.what,
                  static_cast<long long>(e.dw));
  return kSuccess;
}

Status check_bsr(const char* name, const bsMatrix* matrix) {
  BS_TRY(check_object(matrix, name));
  if (matrix->view.format == BS_FORMAT_BSR) return kSuccess;
  return fail(BS_STATUS_INVALID_SHAPE, "%s has format %d, must be BSR (%d)", name, matrix->view.format, BS_FORMAT_BSR);
}

Status check_types(const MatrixView& w, const MatrixView& dw) {
  if ((w.dtype == DType::f64) == (dw.dtype == DType::f64)) return kSuccess;
  return fail(BS_STATUS_INVALID_TYPE, "W is %s and dW is %s: f64 goes with f64 only", name_of(w.dtype),
              name_of(dw.dtype));
}

Status check_gradient(const MatrixView& w, const float* gradient, int64_t stride) {
  if (w.nnz > 0 && w.batch > 0) BS_TRY(check_pointer(gradient, "gradient"));
  if (stride < 0) return fail(BS_STATUS_INVALID_SIZE, "stride is %lld, must be >= 0", static_cast<long long>(stride));
  if (w.batch > 1 && stride < w.nnz)
    return fail(BS_STATUS_INVALID_SHAPE, "gradient is a batch of %lld with a stride of %lld, must be >= %lld",
                static_cast<long long>(w.batch), static_cast<long long>(stride), static_cast<long long>(w.nnz));
  return kSuccess;
}

Status check_arrays(const bsMatrix& w, const bsMatrix& dw, float* gradient, int64_t stride) {
  Arrays arrays;
  BS_TRY(arrays.add_structure("W", w.view));
  BS_TRY(arrays.add_values("W", w.view, Use::read));
  BS_TRY(arrays.add_analysis("W", w));
  BS_TRY(arrays.add_values("dW", dw.view, Use::read));
  BS_TRY(arrays.add("gradient", "", gradient, batch_bytes(w.view.nnz, w.view.batch, stride, sizeof(float)),
                    alignof(float), Use::write));
  return arrays.check_aliases();
}

GateGradProblem describe(const bsMatrix& w, const MatrixView& dw, const Device& device) {
  AlignmentClass alignment;
  alignment.add_blocks(w.view);
  alignment.add_blocks(dw);
  GateGradProblem problem;
  problem.s = shape_of(w, false, &device);
  problem.s.has_pack = false;  // packed values have the gate in them
  problem.batch = w.view.batch;
  problem.dw_type = dw.dtype;
  problem.constraints.block_alignment = alignment.actual();
  return problem;
}

Status gate_gradient(bsHandle_t handle, const bsMatrix* w, const bsMatrix* dw, float* gradient, int64_t stride) {
  BS_TRY(check_object(handle, "handle"));
  BS_TRY(check_bsr("W", w));
  BS_TRY(check_bsr("dW", dw));
  BS_TRY(check_same_blocks(w->view, dw->view));
  BS_TRY(check_types(w->view, dw->view));
  BS_TRY(check_gradient(w->view, gradient, stride));
  bsMatrix ungated = *w;  // the gate is not read: its gradient may replace it
  ungated.view.gate = nullptr;
  BS_TRY(check_arrays(ungated, *dw, gradient, stride));

  const Device& device = handle->machine->device();
  const GateGradProblem problem = describe(ungated, dw->view, device);
  const GateGradOperands operands{operand_of(ungated, &device), dw->view.values, value_stride_of(dw->view), gradient,
                                  w->view.batch > 1 ? stride : 0};
  return on_machine(*handle, [&](Machine&) { return launch<GateGradKernel>(*handle, problem, operands, nullptr, {}); });
}

}  // namespace
}  // namespace bs

bsStatus_t bsBlockGateGrad(bsHandle_t handle, bsConstMatDescr_t W, bsConstMatDescr_t dW, float* gradient,
                           int64_t stride) {
  return bs::api("bsBlockGateGrad", [&]() -> bs::Status { return bs::gate_gradient(handle, W, dW, gradient, stride); });
}
