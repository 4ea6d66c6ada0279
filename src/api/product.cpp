// Checks of products; every message names what the user passed, with its value.
#include "api/product.h"

#include "api/arguments.h"
#include "api/extent.h"

namespace bs {
namespace {

// "op(A)" or "A", as printf arguments.
const char* opening(const Operand& x) {
  return x.transposed ? "op(" : "";
}
const char* closing(const Operand& x) {
  return x.transposed ? ")" : "";
}

int64_t extent(const Operand& x, Side side) {
  return side == Side::rows ? x.rows() : x.cols();
}
const char* word(Side side) {
  return side == Side::rows ? "rows" : "columns";
}

}  // namespace

Status check_op(bsOperation_t op, const char* argument) {
  if (op >= BS_OPERATION_NON_TRANSPOSE && op <= BS_OPERATION_CONJUGATE_TRANSPOSE) return kSuccess;
  return fail(BS_STATUS_INVALID_VALUE, "%s is %d, not a bsOperation_t", argument, op);
}

Status match_extents(const Operand& x, Side x_side, const Operand& y, Side y_side) {
  const int64_t have = extent(x, x_side), want = extent(y, y_side);
  if (have == want) return kSuccess;
  return fail(BS_STATUS_INVALID_SHAPE, "%s%s%s has %lld %s, %s%s%s has %lld %s", opening(x), x.name, closing(x),
              static_cast<long long>(have), word(x_side), opening(y), y.name, closing(y), static_cast<long long>(want),
              word(y_side));
}

Status check_arguments(const Product& p) {
  BS_TRY(check_object(p.handle, "handle"));
  BS_TRY(check_op(p.op_a, "opA"));
  BS_TRY(check_op(p.op_b, "opB"));
  BS_TRY(check_pointer(p.alpha, "alpha"));
  BS_TRY(check_object(p.matrix_a, "A"));
  BS_TRY(check_object(p.matrix_b, p.names.b));
  BS_TRY(check_pointer(p.beta, "beta"));
  BS_TRY(check_object(p.matrix_c, p.names.c));
  BS_TRY(check_data_type(p.compute, "compute"));
  return p.options ? check_object(p.options, "options") : kSuccess;
}

Status check_types(const Product& p) {
  const bool wide = p.c().view().dtype == DType::f64;
  for (const Operand& x : {p.a(), p.b()})
    if ((x.view().dtype == DType::f64) != wide)
      return fail(BS_STATUS_INVALID_TYPE, "%s is %s and %s is %s: f64 goes with f64 only", x.name,
                  name_of(x.view().dtype), p.names.c, name_of(p.c().view().dtype));
  if (p.compute == (wide ? BS_R_64F : BS_R_32F)) return kSuccess;
  return fail(BS_STATUS_INVALID_TYPE, "compute is %s, must be %s for these matrices",
              name_of(static_cast<DType>(p.compute)), wide ? "f64" : "f32");
}

Status check_shapes(const Product& p) {
  BS_TRY(match_extents(p.b(), Side::rows, p.a(), Side::cols));
  BS_TRY(match_extents(p.c(), Side::rows, p.a(), Side::rows));
  return match_extents(p.c(), Side::cols, p.b(), Side::cols);
}

Status check_output_stride(const Operand& c) {
  const MatrixView& v = c.view();
  const int64_t extent = value_count(v);
  if (v.batch <= 1 || v.value_stride >= extent) return kSuccess;
  return fail(BS_STATUS_INVALID_SHAPE, "%s is a batch of %lld results with a value stride of %lld, must be >= %lld",
              c.name, static_cast<long long>(v.batch), static_cast<long long>(v.value_stride),
              static_cast<long long>(extent));
}

Status match_batches(const Product& p, Batching* batching) {
  const int64_t a = p.a().view().batch, b = p.b().view().batch, c = p.c().view().batch;
  const int64_t inputs = a != 1 ? a : b;
  if (b != 1 && b != inputs)
    return fail(BS_STATUS_INVALID_SHAPE, "A is a batch of %lld, %s of %lld", static_cast<long long>(a), p.names.b,
                static_cast<long long>(b));
  if (c != inputs && c != 1 && inputs != 1)
    return fail(BS_STATUS_INVALID_SHAPE, "%s is a batch of %lld, the inputs of %lld", p.names.c,
                static_cast<long long>(c), static_cast<long long>(inputs));
  BS_TRY(check_output_stride(p.c()));
  const bool sums = c == 1 && inputs != 1;
  *batching = {c, sums ? inputs : 1};
  return kSuccess;
}

Status check_vector(const char* name, bsDataType_t type, const Operand& c) {
  const DType of_c = c.view().dtype;
  if (type == static_cast<bsDataType_t>(of_c) || (type == BS_R_32F && of_c != DType::f64)) return kSuccess;
  return fail(BS_STATUS_INVALID_TYPE, "options: %s is %s, must be %s%s for %s of type %s", name,
              name_of(static_cast<DType>(type)), name_of(of_c),
              of_c == DType::f64 || of_c == DType::f32 ? "" : " or f32", c.name, name_of(of_c));
}

Status require_dense(const Operand& x) {
  return x.view().sparse() ? fail(BS_STATUS_INVALID_SHAPE, "%s is sparse, must be dense", x.name) : kSuccess;
}

Status require_compressed(const Operand& x) {
  if (x.view().format == BS_FORMAT_DENSE)
    return fail(BS_STATUS_INVALID_SHAPE, "%s is dense, must be CSR, CSC or BSR", x.name);
  if (x.view().format == BS_FORMAT_COO)
    return fail(BS_STATUS_INVALID_SHAPE, "%s is COO, must be CSR, CSC or BSR (see bsConvert)", x.name);
  return kSuccess;
}

Status check_workspace(const Workspace& workspace, const char* name) {
  const auto& [pointer, bytes] = workspace;
  if (bytes < 0) return fail(BS_STATUS_INVALID_SIZE, "bytes is %lld, must be >= 0", static_cast<long long>(bytes));
  if (bytes == 0) return kSuccess;
  if (!pointer)
    return fail(BS_STATUS_INVALID_POINTER, "%s is NULL, bytes is %lld", name, static_cast<long long>(bytes));
  if (reinterpret_cast<uintptr_t>(pointer) % BSPARSE_WORKSPACE_ALIGNMENT != 0)
    return fail(BS_STATUS_INVALID_POINTER, "%s %p is not aligned to %d bytes", name, pointer,
                BSPARSE_WORKSPACE_ALIGNMENT);
  return kSuccess;
}

Status check_fits(int64_t needed, const Workspace& workspace, const char* name) {
  if (workspace.bytes >= needed) return kSuccess;
  return fail(BS_STATUS_INSUFFICIENT_WORKSPACE, "%s has %lld bytes, needs %lld", name,
              static_cast<long long>(workspace.bytes), static_cast<long long>(needed));
}

Status check_scalars(const Product& p) {
  const bool on_device = p.handle->pointer_mode == BS_POINTER_MODE_DEVICE;
  const struct {
    const void* pointer;
    const char* name;
  } scalars[] = {{p.alpha, "alpha"}, {p.beta, "beta"}};
  for (const auto& [pointer, name] : scalars) {
    if (reinterpret_cast<uintptr_t>(pointer) % static_cast<uintptr_t>(size_of(static_cast<DType>(p.compute))) != 0)
      return fail(BS_STATUS_INVALID_POINTER, "%s %p is not aligned to its type", name, pointer);
    bool accessible = false;
    BS_TRY(p.handle->machine->look_at_scalar(pointer, on_device, &accessible));
    if (!accessible)
      return fail(BS_STATUS_INVALID_POINTER_MODE, "%s %p cannot be read in pointer mode %s", name, pointer,
                  on_device ? "DEVICE" : "HOST");
  }
  return kSuccess;
}

Status check_fresh(const Operand& x) {
  const Analysis& analysis = x.matrix->analysis;
  if (!(analysis.flags & BS_ANALYZE_PACK) || !analysis.pack_stale) return kSuccess;
  return fail(BS_STATUS_STALE_ANALYSIS, "the values of %s changed after BS_ANALYZE_PACK, call bsMatValuesChanged",
              x.name);
}

}  // namespace bs
