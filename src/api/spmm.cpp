// bsSpMM and bsSpMV: enter, validate, describe, choose, fit, launch.
#include "api/spmm.h"

#include "api/alias.h"
#include "api/extent.h"
#include "api/launch.h"

namespace bs {
namespace {

Operand sparse_of(const Product& p) {
  return p.a().view().sparse() ? p.a() : p.b();
}

Status check_vector_formats(const Product& p) {
  BS_TRY(require_compressed(p.a()));
  BS_TRY(require_dense(p.b()));
  if (p.b().view().cols != 1)
    return fail(BS_STATUS_INVALID_SHAPE, "x has %lld columns, must be 1", static_cast<long long>(p.b().view().cols));
  return require_dense(p.c());
}

Status check_formats(const Product& p) {
  if (p.names.vector) return check_vector_formats(p);
  if (p.a().view().sparse() && p.b().view().sparse())
    return fail(BS_STATUS_INVALID_SHAPE, "A and %s are sparse, exactly one of them must be", p.names.b);
  if (!p.a().view().sparse() && !p.b().view().sparse())
    return fail(BS_STATUS_INVALID_SHAPE, "A and %s are dense, exactly one of them must be", p.names.b);
  BS_TRY(require_compressed(sparse_of(p)));
  return require_dense(p.c());
}

Status check_auxiliary(const Product& p) {
  const bsMatrix* auxiliary = p.options->auxiliary;
  if (!auxiliary) return kSuccess;
  BS_TRY(check_object(auxiliary, "options: auxiliary"));
  const MatrixView &x = auxiliary->view, &c = p.c().view();
  if (x.sparse()) return fail(BS_STATUS_INVALID_SHAPE, "options: auxiliary is sparse, must be dense");
  if (x.dtype != c.dtype)
    return fail(BS_STATUS_INVALID_TYPE, "options: auxiliary is %s, %s is %s", name_of(x.dtype), p.names.c,
                name_of(c.dtype));
  if (x.rows != c.rows || x.cols != c.cols || x.order != c.order || x.batch != c.batch)
    return fail(BS_STATUS_INVALID_SHAPE,
                "options: auxiliary is %lld x %lld, order %d, batch %lld; %s is %lld x %lld, order "
                "%d, batch %lld",
                static_cast<long long>(x.rows), static_cast<long long>(x.cols), static_cast<int>(x.order),
                static_cast<long long>(x.batch), p.names.c, static_cast<long long>(c.rows),
                static_cast<long long>(c.cols), static_cast<int>(c.order), static_cast<long long>(c.batch));
  return check_output_stride({"options: auxiliary", auxiliary});
}

Status check_options(const Product& p) {
  if (!p.options) return kSuccess;
  if (p.options->bias_gradient) return fail(BS_STATUS_NOT_SUPPORTED, "options: a bias gradient goes with bsSDDMM only");
  if (p.options->bias) BS_TRY(check_vector("bias", p.options->bias_type, p.c()));
  return check_auxiliary(p);
}

// A vector without gaps is one line, in whichever order it was described: as lines of one element it would be denied
// the alignment of its address.
MatrixView as_line(MatrixView v) {
  if (v.ld != 1 || lines_of(v) <= 1 || line_length_of(v) != 1) return v;
  v.ld = lines_of(v);
  v.order = flip(v.order);
  return v;
}

// C and the auxiliary output have one layout: both become lines, or neither.
MatrixView result_of(const Product& p) {
  const bool gaps = p.options && p.options->auxiliary && p.options->auxiliary->view.ld != 1;
  return gaps ? p.c().view() : as_line(p.c().view());
}

// Dense times sparse is described as its transpose: every layout and axis is the other one then.
void describe_epilogue(const Product& p, bool turned, SpmmCall* call) {
  const bsOptionSet* options = p.options;
  if (!options) return;
  call->problem.activation = static_cast<Activation>(options->activation);
  if (options->bias) {
    const Axis axis = static_cast<Axis>(options->bias_axis);
    call->problem.bias = turned ? flip(axis) : axis;
    call->problem.bias_type = static_cast<DType>(options->bias_type);
    call->operands.bias = options->bias;
    call->operands.bias_stride = options->bias_stride;
  }
  if (options->auxiliary) {
    const MatrixView& given = options->auxiliary->view;
    const MatrixView x = result_of(p).order == given.order ? given : as_line(given);
    call->problem.auxiliary = true;
    call->operands.auxiliary = x.values;
    call->operands.auxiliary_ld = x.ld;
    call->operands.auxiliary_stride = value_stride_of(x);
    call->alignment.add(x);
  }
}

void describe_dense(const Product& p, bool turned, SpmmCall* call) {
  const Operand dense = turned ? p.a() : p.b();
  const MatrixView b = as_line(dense.view()), c = result_of(p);
  const Layout b_layout = dense.transposed ? flip(b.order) : b.order;
  SpmmProblem& problem = call->problem;
  problem.b_layout = turned ? flip(b_layout) : b_layout;
  problem.c_layout = turned ? flip(c.order) : c.order;
  problem.b_type = b.dtype;
  problem.c_type = c.dtype;
  problem.ldb = b.ld;
  problem.ldc = c.ld;
  call->operands.b = b.values;
  call->operands.b_stride = value_stride_of(b);
  call->operands.c = c.values;
  call->operands.c_stride = value_stride_of(c);
  call->alignment.add(b);
  call->alignment.add(c);
}

SpmmCall describe(const Product& p, const Batching& batching, const Device* device) {
  const Operand sparse = sparse_of(p);
  const bool turned = sparse.matrix == p.matrix_b;
  SpmmCall call;
  call.problem.s = shape_of(*sparse.matrix, sparse.transposed != turned, device);
  call.problem.m = turned ? p.c().cols() : p.c().rows();
  call.problem.n = turned ? p.c().rows() : p.c().cols();
  call.problem.k = p.a().cols();
  call.problem.batch = batching.results;
  call.problem.reduce = batching.summands;
  call.operands.s = operand_of(*sparse.matrix, device);
  call.operands.scalars = {p.alpha, p.beta, p.handle->pointer_mode == BS_POINTER_MODE_DEVICE};
  call.block_alignment.add_blocks(sparse.view());
  describe_dense(p, turned, &call);
  describe_epilogue(p, turned, &call);
  call.problem.constraints = constraints_of(p.options);
  call.problem.constraints.alignment = call.alignment.actual();
  call.problem.constraints.block_alignment = call.block_alignment.actual();
  return call;
}

Status add_options(const Product& p, Arrays* arrays) {
  const bsOptionSet* options = p.options;
  if (!options) return kSuccess;
  if (options->bias) {
    const int64_t length = options->bias_axis == BS_AXIS_ROW ? p.c().rows() : p.c().cols();
    const int64_t element = size_of(static_cast<DType>(options->bias_type));
    BS_TRY(arrays->add("options: bias", "", options->bias,
                       batch_bytes(length, p.c().view().batch, options->bias_stride, element), element, Use::read));
  }
  return options->auxiliary ? arrays->add_values("options: auxiliary", options->auxiliary->view, Use::write) : kSuccess;
}

Status check_arrays(const Product& p, const Workspace& workspace) {
  const Operand sparse = sparse_of(p), dense = sparse.matrix == p.matrix_b ? p.a() : p.b();
  Arrays arrays;
  BS_TRY(arrays.add_structure(sparse.name, sparse.view()));
  BS_TRY(arrays.add_values(sparse.name, sparse.view(), Use::read));
  BS_TRY(arrays.add_analysis(sparse.name, *sparse.matrix));
  BS_TRY(arrays.add_values(dense.name, dense.view(), Use::read));
  BS_TRY(arrays.add_values(p.names.c, p.c().view(), Use::write));
  BS_TRY(add_options(p, &arrays));
  BS_TRY(arrays.add("workspace", "", workspace.pointer, workspace.bytes, 1, Use::write));
  return arrays.check_aliases();
}

}  // namespace

Status prepare_spmm(const Product& p, Where where, SpmmCall* call) {
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

Status spmm_buffer_size(const Product& p, int64_t* bytes) {
  SpmmCall call;
  BS_TRY(prepare_spmm(p, Where::here, &call));
  BS_TRY(check_pointer(bytes, "bytes"));
  return product_workspace<SpmmKernel>(p, call, bytes);
}

Status run_spmm(const Product& p, const Workspace& workspace) {
  SpmmCall call;
  BS_TRY(prepare_spmm(p, Where::here, &call));
  BS_TRY(check_workspace(workspace));
  BS_TRY(check_arrays(p, workspace));
  BS_TRY(check_fresh(sparse_of(p)));
  return run_product<SpmmKernel>(p, call, workspace);
}

}  // namespace
}  // namespace bs

bsStatus_t bsSpMM_bufferSize(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, const void* alpha,
                             bsConstMatDescr_t A, bsConstMatDescr_t B, const void* beta, bsConstMatDescr_t C,
                             bsDataType_t compute, bsConstOptions_t options, int64_t* bytes) {
  return bs::api("bsSpMM_bufferSize", [&]() -> bs::Status {
    return bs::spmm_buffer_size({handle, opA, opB, alpha, A, B, beta, C, compute, options, {}}, bytes);
  });
}

bsStatus_t bsSpMM(bsHandle_t handle, bsOperation_t opA, bsOperation_t opB, const void* alpha, bsConstMatDescr_t A,
                  bsConstMatDescr_t B, const void* beta, bsMatDescr_t C, bsDataType_t compute, bsConstOptions_t options,
                  void* workspace, int64_t bytes) {
  return bs::api("bsSpMM", [&]() -> bs::Status {
    return bs::run_spmm({handle, opA, opB, alpha, A, B, beta, C, compute, options, {}}, {workspace, bytes});
  });
}

bsStatus_t bsSpMV_bufferSize(bsHandle_t handle, bsOperation_t opA, const void* alpha, bsConstMatDescr_t A,
                             bsConstMatDescr_t x, const void* beta, bsConstMatDescr_t y, bsDataType_t compute,
                             bsConstOptions_t options, int64_t* bytes) {
  return bs::api("bsSpMV_bufferSize", [&]() -> bs::Status {
    return bs::spmm_buffer_size(
        {handle, opA, BS_OPERATION_NON_TRANSPOSE, alpha, A, x, beta, y, compute, options, bs::kVectorNames}, bytes);
  });
}

bsStatus_t bsSpMV(bsHandle_t handle, bsOperation_t opA, const void* alpha, bsConstMatDescr_t A, bsConstMatDescr_t x,
                  const void* beta, bsMatDescr_t y, bsDataType_t compute, bsConstOptions_t options, void* workspace,
                  int64_t bytes) {
  return bs::api("bsSpMV", [&]() -> bs::Status {
    return bs::run_spmm(
        {handle, opA, BS_OPERATION_NON_TRANSPOSE, alpha, A, x, beta, y, compute, options, bs::kVectorNames},
        {workspace, bytes});
  });
}
