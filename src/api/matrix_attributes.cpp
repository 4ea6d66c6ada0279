// What can be asked of a matrix descriptor and changed in it.
#include "api/arguments.h"
#include "api/matrix.h"

namespace bs {
namespace {

template <class Value>
void put(Value* out, Value value) {
  if (out) *out = value;
}

// Checks the descriptor, then runs body(const bsMatrix&), which may refuse its format.
template <class Body>
bsStatus_t get(const char* function, bsConstMatDescr_t mat, Body&& body) {
  return api(function, [&]() -> Status {
    BS_TRY(check_object(mat, "mat"));
    return body(*mat);
  });
}

Status wrong_format(const char* needed) {
  return fail(BS_STATUS_INVALID_SHAPE, "mat is not %s", needed);
}

// A dense matrix has values only.
Status check_absent(const void* pointer, const char* argument) {
  if (!pointer) return kSuccess;
  return fail(BS_STATUS_INVALID_POINTER, "%s is %p, must be NULL for a dense matrix", argument, pointer);
}

Status check_arrays(const MatrixView& v, const void* offsets, const void* indices, const void* values) {
  if (v.sparse()) {
    BS_TRY(check_alignment(offsets, size_of(v.offset_type), "offsets"));
    BS_TRY(check_alignment(indices, size_of(v.index_type), "indices"));
  } else {
    BS_TRY(check_absent(offsets, "offsets"));
    BS_TRY(check_absent(indices, "indices"));
  }
  return check_alignment(values, size_of(v.dtype), "values");
}

// A read-only array is handed out as const only.
Status check_writable(bool read_only, void** asked_for, const char* array) {
  if (!read_only || !asked_for) return kSuccess;
  return fail(BS_STATUS_INVALID_POINTER, "the %s of mat are read-only: given as const (see bsMatGetConstPointers)",
              array);
}

bsStatus_t set_pointers(const char* function, bsMatDescr_t mat, Access access, const void* offsets, const void* indices,
                        const void* values) {
  return api(function, [&]() -> Status {
    BS_TRY(check_object(mat, "mat"));
    BS_TRY(check_arrays(mat->view, offsets, indices, values));
    mat->view.offsets = const_cast<void*>(offsets);
    mat->view.indices = const_cast<void*>(indices);
    mat->view.values = const_cast<void*>(values);
    mat->view.structure_read_only = mat->view.values_read_only = access == Access::read;
    mat->analysis = {};
    return kSuccess;
  });
}

bsStatus_t set_values(const char* function, bsMatDescr_t mat, Access access, const void* values) {
  return api(function, [&]() -> Status {
    BS_TRY(check_object(mat, "mat"));
    BS_TRY(check_alignment(values, size_of(mat->view.dtype), "values"));
    mat->view.values = const_cast<void*>(values);
    mat->view.values_read_only = access == Access::read;
    mat->analysis.pack_stale = true;  // read only where values are packed
    return kSuccess;
  });
}

Status check_stride(int64_t stride, int64_t count, int64_t size, const char* argument) {
  BS_TRY(check_not_negative(stride, argument));
  int64_t bytes;
  if (product_fits(stride, size, &bytes) && product_fits(bytes, count, &bytes)) return kSuccess;
  return fail(BS_STATUS_INVALID_SIZE, "%s is %lld: %lld batches would be more than can be addressed", argument,
              static_cast<long long>(stride), static_cast<long long>(count));
}

Status check_batch(const MatrixView& v, int64_t count, int64_t values, int64_t offsets, int64_t indices) {
  if (v.format == BS_FORMAT_COO) return fail(BS_STATUS_INVALID_SHAPE, "mat is COO, which has no batches");
  BS_TRY(check_not_negative(count, "count"));
  BS_TRY(check_stride(values, count, size_of(v.dtype), "valueStride"));
  BS_TRY(check_stride(offsets, count, size_of(v.offset_type), "offsetStride"));
  BS_TRY(check_stride(indices, count, size_of(v.index_type), "indexStride"));
  if (v.sparse() || (offsets == 0 && indices == 0)) return kSuccess;
  return fail(BS_STATUS_INVALID_SIZE, "%s is %lld, must be 0 for a dense matrix",
              offsets ? "offsetStride" : "indexStride", static_cast<long long>(offsets ? offsets : indices));
}

}  // namespace
}  // namespace bs

using bs::Status;

bsStatus_t bsMatGetFormat(bsConstMatDescr_t mat, bsFormat_t* format) {
  return bs::get("bsMatGetFormat", mat, [&](const bsMatrix& m) -> Status {
    bs::put(format, m.view.format);
    return bs::kSuccess;
  });
}

bsStatus_t bsMatGetSize(bsConstMatDescr_t mat, int64_t* rows, int64_t* cols, int64_t* nnz) {
  return bs::get("bsMatGetSize", mat, [&](const bsMatrix& m) -> Status {
    bs::put(rows, m.view.rows);
    bs::put(cols, m.view.cols);
    bs::put(nnz, m.view.sparse() ? m.view.nnz : m.view.rows * m.view.cols);
    return bs::kSuccess;
  });
}

bsStatus_t bsMatGetValueType(bsConstMatDescr_t mat, bsDataType_t* valueType) {
  return bs::get("bsMatGetValueType", mat, [&](const bsMatrix& m) -> Status {
    bs::put(valueType, static_cast<bsDataType_t>(m.view.dtype));
    return bs::kSuccess;
  });
}

bsStatus_t bsMatGetPointers(bsMatDescr_t mat, void** offsets, void** indices, void** values) {
  return bs::get("bsMatGetPointers", mat, [&](const bsMatrix& m) -> Status {
    BS_TRY(bs::check_writable(m.view.structure_read_only, offsets, "offsets"));
    BS_TRY(bs::check_writable(m.view.structure_read_only, indices, "indices"));
    BS_TRY(bs::check_writable(m.view.values_read_only, values, "values"));
    bs::put(offsets, m.view.offsets);
    bs::put(indices, m.view.indices);
    bs::put(values, m.view.values);
    return bs::kSuccess;
  });
}

bsStatus_t bsMatGetConstPointers(bsConstMatDescr_t mat, const void** offsets, const void** indices,
                                 const void** values) {
  return bs::get("bsMatGetConstPointers", mat, [&](const bsMatrix& m) -> Status {
    bs::put<const void*>(offsets, m.view.offsets);
    bs::put<const void*>(indices, m.view.indices);
    bs::put<const void*>(values, m.view.values);
    return bs::kSuccess;
  });
}

bsStatus_t bsMatGetDense(bsConstMatDescr_t mat, int64_t* ld, bsOrder_t* order) {
  return bs::get("bsMatGetDense", mat, [&](const bsMatrix& m) -> Status {
    if (m.view.sparse()) return bs::wrong_format("dense");
    bs::put(ld, m.view.ld);
    bs::put(order, static_cast<bsOrder_t>(m.view.order));
    return bs::kSuccess;
  });
}

bsStatus_t bsMatGetIndexing(bsConstMatDescr_t mat, bsIndexType_t* offsetType, bsIndexType_t* indexType,
                            bsIndexBase_t* base) {
  return bs::get("bsMatGetIndexing", mat, [&](const bsMatrix& m) -> Status {
    if (!m.view.sparse()) return bs::wrong_format("sparse");
    bs::put(offsetType, static_cast<bsIndexType_t>(m.view.offset_type));
    bs::put(indexType, static_cast<bsIndexType_t>(m.view.index_type));
    bs::put(base, static_cast<bsIndexBase_t>(m.view.base));
    return bs::kSuccess;
  });
}

bsStatus_t bsMatGetBlocks(bsConstMatDescr_t mat, int64_t* rowBlockSize, int64_t* colBlockSize, bsOrder_t* blockOrder) {
  return bs::get("bsMatGetBlocks", mat, [&](const bsMatrix& m) -> Status {
    if (m.view.format != BS_FORMAT_BSR) return bs::wrong_format("BSR");
    bs::put(rowBlockSize, m.view.block_rows);
    bs::put(colBlockSize, m.view.block_cols);
    bs::put(blockOrder, static_cast<bsOrder_t>(m.view.block_order));
    return bs::kSuccess;
  });
}

bsStatus_t bsMatGetBatch(bsConstMatDescr_t mat, int64_t* count, int64_t* valueStride, int64_t* offsetStride,
                         int64_t* indexStride) {
  return bs::get("bsMatGetBatch", mat, [&](const bsMatrix& m) -> Status {
    bs::put(count, m.view.batch);
    bs::put(valueStride, m.view.value_stride);
    bs::put(offsetStride, m.view.offset_stride);
    bs::put(indexStride, m.view.index_stride);
    return bs::kSuccess;
  });
}

bsStatus_t bsMatGetGate(bsConstMatDescr_t mat, const float** gate, int64_t* stride) {
  return bs::get("bsMatGetGate", mat, [&](const bsMatrix& m) -> Status {
    if (m.view.format != BS_FORMAT_BSR) return bs::wrong_format("BSR");
    bs::put(gate, m.view.gate);
    bs::put(stride, m.view.gate_stride);
    return bs::kSuccess;
  });
}

bsStatus_t bsMatGetAnalysis(bsConstMatDescr_t mat, bsAnalyzeFlags_t* flags) {
  return bs::get("bsMatGetAnalysis", mat, [&](const bsMatrix& m) -> Status {
    bs::put(flags, m.analysis.flags);
    return bs::kSuccess;
  });
}

bsStatus_t bsMatSetPointers(bsMatDescr_t mat, void* offsets, void* indices, void* values) {
  return bs::set_pointers("bsMatSetPointers", mat, bs::Access::write, offsets, indices, values);
}

bsStatus_t bsMatSetConstPointers(bsMatDescr_t mat, const void* offsets, const void* indices, const void* values) {
  return bs::set_pointers("bsMatSetConstPointers", mat, bs::Access::read, offsets, indices, values);
}

bsStatus_t bsMatSetValues(bsMatDescr_t mat, void* values) {
  return bs::set_values("bsMatSetValues", mat, bs::Access::write, values);
}

bsStatus_t bsMatSetConstValues(bsMatDescr_t mat, const void* values) {
  return bs::set_values("bsMatSetConstValues", mat, bs::Access::read, values);
}

bsStatus_t bsMatSetBatch(bsMatDescr_t mat, int64_t count, int64_t valueStride, int64_t offsetStride,
                         int64_t indexStride) {
  return bs::api("bsMatSetBatch", [&]() -> Status {
    BS_TRY(bs::check_object(mat, "mat"));
    BS_TRY(bs::check_batch(mat->view, count, valueStride, offsetStride, indexStride));
    mat->view.batch = count;
    mat->view.value_stride = valueStride;
    mat->view.offset_stride = offsetStride;
    mat->view.index_stride = indexStride;
    mat->analysis = {};
    return bs::kSuccess;
  });
}

bsStatus_t bsMatSetGate(bsMatDescr_t mat, const float* gate, int64_t stride) {
  return bs::api("bsMatSetGate", [&]() -> Status {
    BS_TRY(bs::check_object(mat, "mat"));
    if (mat->view.format != BS_FORMAT_BSR) return bs::wrong_format("BSR");
    BS_TRY(bs::check_alignment(gate, alignof(float), "gate"));
    BS_TRY(bs::check_not_negative(stride, "stride"));
    mat->view.gate = gate;
    mat->view.gate_stride = gate ? stride : 0;
    // Packed values have the old gates in them.
    mat->analysis.pack_stale = (mat->analysis.flags & BS_ANALYZE_PACK) != 0;
    return bs::kSuccess;
  });
}

bsStatus_t bsMatStructureChanged(bsMatDescr_t mat) {
  return bs::api("bsMatStructureChanged", [&]() -> Status {
    BS_TRY(bs::check_object(mat, "mat"));
    mat->analysis = {};
    return bs::kSuccess;
  });
}
