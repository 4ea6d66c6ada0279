// bsConvert: count, then fill.
#include "api/alias.h"
#include "api/extent.h"
#include "api/launch.h"

namespace bs {
namespace {

struct Conversion {
  bsHandle_t handle;
  bsOperation_t op;
  const bsMatrix* from;
  const bsMatrix* to;

  Operand source() const { return {"source", from, op != BS_OPERATION_NON_TRANSPOSE}; }
  Operand destination() const { return {"destination", to}; }
  const StructureFunctions& functions() const { return handle->machine->structure(); }
};

Status check_single(const Operand& x) {
  if (x.view().batch == 1) return kSuccess;
  return fail(BS_STATUS_INVALID_SHAPE, "%s is a batch of %lld, must be a single matrix", x.name,
              static_cast<long long>(x.view().batch));
}

Status check_conversion(const Conversion& c) {
  BS_TRY(check_object(c.handle, "handle"));
  BS_TRY(check_op(c.op, "op"));
  BS_TRY(check_object(c.from, "source"));
  BS_TRY(check_object(c.to, "destination"));
  const Operand source = c.source(), destination = c.destination();
  if (source.view().dtype != destination.view().dtype)
    return fail(BS_STATUS_INVALID_TYPE, "source is %s, destination is %s", name_of(source.view().dtype),
                name_of(destination.view().dtype));
  BS_TRY(match_extents(destination, Side::rows, source, Side::rows));
  BS_TRY(match_extents(destination, Side::cols, source, Side::cols));
  BS_TRY(check_single(source));
  BS_TRY(check_single(destination));
  if (!destination.view().gate) return kSuccess;
  return fail(BS_STATUS_NOT_SUPPORTED, "destination has a gate, which bsMatSetGate with NULL removes");
}

int64_t bytes_of(const Conversion& c) {
  return c.functions().convert_bytes(c.source().transposed, c.from->view, c.to->view);
}

Status check_space(const Conversion& c, const Workspace& workspace, Arrays* arrays) {
  BS_TRY(check_workspace(workspace));
  BS_TRY(check_fits(bytes_of(c), workspace));
  return arrays->add("workspace", "", workspace.pointer, workspace.bytes, 1, Use::write);
}

bool has_offsets(const MatrixView& v) {
  return v.sparse() && v.format != BS_FORMAT_COO;
}

Status check_count_arrays(const Conversion& c, const Workspace& workspace) {
  const MatrixView& to = c.to->view;
  Arrays arrays;
  BS_TRY(arrays.add_structure("source", c.from->view));
  if (!c.from->view.sparse()) BS_TRY(arrays.add_values("source", c.from->view, Use::read));
  if (has_offsets(to)) BS_TRY(arrays.add_offsets("destination", to, Use::write));
  BS_TRY(check_space(c, workspace, &arrays));
  return arrays.check_aliases();
}

Status check_fill_arrays(const Conversion& c, const Workspace& workspace) {
  Arrays arrays;
  BS_TRY(arrays.add_structure("source", c.from->view));
  BS_TRY(arrays.add_values("source", c.from->view, Use::read));
  BS_TRY(arrays.add_structure("destination", c.to->view, Use::write));
  BS_TRY(arrays.add_values("destination", c.to->view, Use::write));
  BS_TRY(check_space(c, workspace, &arrays));
  return arrays.check_aliases();
}

Status check_counted(const bsMatrix& destination) {
  const MatrixView& v = destination.view;
  if (!v.sparse() || v.nnz == destination.counted) return kSuccess;
  if (destination.counted < 0)
    return fail(BS_STATUS_INVALID_SIZE, "destination has %lld entries, bsConvert_count has not counted them",
                static_cast<long long>(v.nnz));
  return fail(BS_STATUS_INVALID_SIZE, "destination has %lld entries, bsConvert_count counted %lld",
              static_cast<long long>(v.nnz), static_cast<long long>(destination.counted));
}

Status check_countable(const MatrixView& v, int64_t nnz) {
  const int64_t limit = (v.offset_type == IndexType::i64 ? INT64_MAX : INT32_MAX) - v.base;
  if (!has_offsets(v) || nnz <= limit) return kSuccess;
  return fail(BS_STATUS_INVALID_SIZE, "destination would have %lld entries, its offsets count up to %lld",
              static_cast<long long>(nnz), static_cast<long long>(limit));
}

Status count(const Conversion& c, bsMatrix* destination, const Workspace& workspace) {
  BS_TRY(check_conversion(c));
  BS_TRY(check_count_arrays(c, workspace));
  return on_machine(*c.handle, [&](Machine& machine) -> Status {
    int64_t nnz = 0;
    const Exec exec = machine.exec(c.handle->stream, workspace.pointer, workspace.bytes);
    BS_TRY(c.functions().convert_count(c.source().transposed, c.from->view, destination->view, &nnz, exec));
    BS_TRY(check_countable(destination->view, nnz));
    destination->analysis = {};
    destination->counted = nnz;
    if (destination->view.sparse()) destination->view.nnz = nnz;
    return kSuccess;
  });
}

Status fill(const Conversion& c, bsMatrix* destination, const Workspace& workspace) {
  BS_TRY(check_conversion(c));
  BS_TRY(check_counted(*destination));
  BS_TRY(check_fill_arrays(c, workspace));
  return on_machine(*c.handle, [&](Machine& machine) -> Status {
    const Exec exec = machine.exec(c.handle->stream, workspace.pointer, workspace.bytes);
    destination->analysis = {};
    return c.functions().convert_fill(c.source().transposed, c.from->view, destination->view, exec);
  });
}

}  // namespace
}  // namespace bs

bsStatus_t bsConvert_bufferSize(bsHandle_t handle, bsOperation_t op, bsConstMatDescr_t source,
                                bsConstMatDescr_t destination, int64_t* bytes) {
  return bs::api("bsConvert_bufferSize", [&]() -> bs::Status {
    const bs::Conversion conversion{handle, op, source, destination};
    BS_TRY(bs::check_conversion(conversion));
    BS_TRY(bs::check_pointer(bytes, "bytes"));
    *bytes = bs::bytes_of(conversion);
    return bs::kSuccess;
  });
}

bsStatus_t bsConvert_count(bsHandle_t handle, bsOperation_t op, bsConstMatDescr_t source, bsMatDescr_t destination,
                           void* workspace, int64_t bytes) {
  return bs::api("bsConvert_count", [&]() -> bs::Status {
    return bs::count({handle, op, source, destination}, destination, {workspace, bytes});
  });
}

bsStatus_t bsConvert_fill(bsHandle_t handle, bsOperation_t op, bsConstMatDescr_t source, bsMatDescr_t destination,
                          void* workspace, int64_t bytes) {
  return bs::api("bsConvert_fill", [&]() -> bs::Status {
    return bs::fill({handle, op, source, destination}, destination, {workspace, bytes});
  });
}
