// bsSDDMM: enter, validate, describe, choose, fit, launch.
#include "api/sddmm.h"

#include "api/alias.h"
#include "api/extent.h"
#include "api/launch.h"

namespace bs {
namespace {

Status check_formats(const Product& p) {
  BS_TRY(require_dense(p.a()));
  BS_TRY(require_dense(p.b()));
  return require_compressed(p.c());
}

Status check_options(const Product& p) {
  const bsOptionSet* options = p.options;
  if (!options) return kSuccess;
  if (options->bias) return fail(BS_STATUS_NOT_SUPPORTED, "options: a bias goes with bsSpMM and bsSpMV only");
  if (options->activation != BS_ACTIVATION_NONE)
    return fail(BS_STATUS_NOT_SUPPORTED, "options: an activation goes with bsSpMM and bsSpMV only");
  if (options->auxiliary)
    return fail(BS_STATUS_NOT_SUPPORTED, "options: an auxiliary matrix goes with bsSpMM and bsSpMV only");
  return options->bias_gradient ? check_vector("bias gradient", options->bias_gradient_type, p.c()) : kSuccess;
}

// A CSC result is the CSR of its transpose: C^T = op(B)^T op(A)^T, sampled at the same entries.
void describe_inputs(const Product& p, bool turned, SddmmCall* call) {
  const Operand left = turned ? p.b() : p.a(), right = turned ? p.a() : p.b();
  const MatrixView &l = left.view(), &r = right.view();
  SddmmProblem& problem = call->problem;
  problem.l_layout = turned ? flip(layout_of(left)) : layout_of(left);
  problem.r_layout = turned ? flip(layout_of(right)) : layout_of(right);
  problem.l_type = l.dtype;
  problem.r_type = r.dtype;
  problem.ldl = l.ld;
  problem.ldr = r.ld;
  call->operands.l = l.values;
  call->operands.l_stride = value_stride_of(l);
  call->operands.r = r.values;
  call->operands.r_stride = value_stride_of(r);
  call->alignment.add(l);
  call->alignment.add(r);
}

void describe_bias_gradient(const Product& p, bool turned, SddmmCall* call) {
  if (!p.options || !p.options->bias_gradient) return;
  const Axis axis = static_cast<Axis>(p.options->bias_gradient_axis);
  call->problem.bias_gradient = turned ? flip(axis) : axis;
  call->problem.bias_type = static_cast<DType>(p.options->bias_gradient_type);
  call->operands.bias_gradient = p.options->bias_gradient;
}

SddmmCall describe(const Product& p, const Batching& batching, const Device* device) {
  const MatrixView& c = p.c().view();
  const bool turned = c.format == BS_FORMAT_CSC;
  SddmmCall call;
  call.problem.s = shape_of(*p.matrix_c, turned, device);
  call.problem.s.has_pack = false;  // packed values are for reading
  call.problem.m = call.problem.s.rows;
  call.problem.n = call.problem.s.cols;
  call.problem.k = p.a().cols();
  call.problem.batch = batching.results;
  call.problem.reduce = batching.summands;
  call.operands.s = operand_of(*p.matrix_c, device);
  call.operands.c = c.values;
  call.operands.c_stride = value_stride_of(c);
  call.operands.scalars = {p.alpha, p.beta, p.handle->pointer_mode == BS_POINTER_MODE_DEVICE};
  call.block_alignment.add_blocks(c);
  describe_inputs(p, turned, &call);
  describe_bias_gradient(p, turned, &call);
  call.problem.constraints = constraints_of(p.options);
  call.problem.constraints.alignment = call.alignment.actual();
  call.problem.constraints.block_alignment = call.block_alignment.actual();
  return call;
}

Status add_bias_gradient(const Product& p, Arrays* arrays) {
  if (!p.options || !p.options->bias_gradient) return kSuccess;
  const int64_t length = p.options->bias_gradient_axis == BS_AXIS_ROW ? p.c().rows() : p.c().cols();
  const int64_t element = size_of(static_cast<DType>(p.options->bias_gradient_type));
  return arrays->add("options: bias gradient", "", p.options->bias_gradient,
                     batch_bytes(length, p.c().view().batch, length, element), element, Use::write);
}

Status check_arrays(const Product& p, const Workspace& workspace) {
  Arrays arrays;
  BS_TRY(arrays.add_values(p.names.a, p.a().view(), Use::read));
  BS_TRY(arrays.add_values(p.names.b, p.b().view(), Use::read));
  BS_TRY(arrays.add_structure(p.names.c, p.c().view()));
  BS_TRY(arrays.add_analysis(p.names.c, *p.matrix_c));
  BS_TRY(arrays.add_values(p.names.c, p.c().view(), Use::write));
  BS_TRY(add_bias_gradient(p, &arrays));
  BS_TRY(arrays.add("workspace", "", workspace.pointer, workspace.bytes, 1, Use::write));
  return arrays.check_aliases();
}

}  // namespace

Status prepare_sddmm(const Product& p, Where where, SddmmCall* call) {
  Batching batching;
  BS_TRY(check_arguments(p));
  BS_TRY(check_formats(p));
  BS_TRY(check_types(p));
  BS_TRY(check_shapes(p));
  BS_TRY(match_batches(p, &batching));
  BS_TRY(check_options(p));
  *call = describe(p, batching, where == Where::here ? &p.handle->machine->device() : nullptr);
  return kSuccess;
}

namespace {

Status sddmm_buffer_size(const Product& p, int64_t* bytes) {
  SddmmCall call;
  BS_TRY(prepare_sddmm(p, Where::here, &call));
  BS_TRY(check_pointer(bytes, "bytes"));
  return product_workspace<SddmmKernel>(p, call, bytes);
}

Status run_sddmm(const Product& p, const Workspace& workspace) {
  SddmmCall call;
  BS_TRY(prepare_sddmm(p, Where::here, &call));
  BS_TRY(check_workspace(workspace));
  BS_TRY(check_arrays(p, workspace));
  return run_product<SddmmKernel>(p, call, workspace);
}

}  // namespace
}  // namespace bs

bsStatus_t bsSDDMM_bufferSize(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, const void* alpha,
                              bsConstMatDescr_t A, bsConstMatDescr_t B, const void* beta, bsConstMatDescr_t C,
                              bsDataType_t compute, bsConstOptions_t options, int64_t* bytes) {
  return bs::api("bsSDDMM_bufferSize", [&]() -> bs::Status {
    return bs::sddmm_buffer_size({handle, opA, opB, alpha, A, B, beta, C, compute, options, {}}, bytes);
  });
}

bsStatus_t bsSDDMM(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, const void* alpha, bsConstMatDescr_t A,
                   bsConstMatDescr_t B, const void* beta, bsMatDescr_t C, bsDataType_t compute,
                   bsConstOptions_t options, void* workspace, int64_t bytes) {
  return bs::api("bsSDDMM", [&]() -> bs::Status {
    BS_TRY(bs::run_sddmm({handle, opA, opB, alpha, A, B, beta, C, compute, options, {}}, {workspace, bytes}));
    C->analysis.pack_stale = true;  // read only where values are packed
    return bs::kSuccess;
  });
}
