// Creation of matrix descriptors: every argument is checked here, so that later calls can trust the view.
#include "api/matrix.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "api/arguments.h"

namespace bs {
namespace {

// The arguments of the sparse Create functions.
struct SparseArguments {
  bsFormat_t format;
  int64_t rows, cols, nnz;
  const void *offsets, *indices, *values;
  bsIndexType_t offset_type, index_type;
  bsIndexBase_t base;
  bsDataType_t value_type;
  int64_t block_rows = 1, block_cols = 1;
  bsOrder_t block_order = BS_ORDER_ROW;
};

// What they are called in the public header. COO's row indices stand where others have offsets.
struct SparseNames {
  const char *nnz, *offsets, *indices, *offset_type;
};
constexpr SparseNames kCsrNames{"nnz", "rowOffsets", "colIndices", "offsetType"};
constexpr SparseNames kCscNames{"nnz", "colOffsets", "rowIndices", "offsetType"};
constexpr SparseNames kCooNames{"nnz", "rowIndices", "colIndices", "indexType"};
constexpr SparseNames kBsrNames{"nnzb", "rowOffsets", "colIndices", "offsetType"};

constexpr int64_t kMaxBlockSize = 65536;

int64_t max_of(IndexType type) {
  return type == IndexType::i64 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int32_t>::max();
}

Status check_block_size(int64_t size, const char* argument) {
  if (size >= 1 && size <= kMaxBlockSize) return kSuccess;
  return fail(BS_STATUS_INVALID_SIZE, "%s is %lld, must be from 1 to 65536", argument, static_cast<long long>(size));
}

// Whether an array of count elements of this size can be addressed.
Status check_bytes(int64_t count, int64_t size, const char* argument) {
  int64_t bytes;
  if (product_fits(count, size, &bytes)) return kSuccess;
  return fail(BS_STATUS_INVALID_SIZE, "%s would have %lld elements of %lld bytes, more than can be addressed", argument,
              static_cast<long long>(count), static_cast<long long>(size));
}

Status check_sparse_arguments(const SparseArguments& a, const SparseNames& names) {
  BS_TRY(check_not_negative(a.rows, "rows"));
  BS_TRY(check_not_negative(a.cols, "cols"));
  BS_TRY(check_not_negative(a.nnz, names.nnz));
  BS_TRY(check_block_size(a.block_rows, "rowBlockSize"));
  BS_TRY(check_block_size(a.block_cols, "colBlockSize"));
  BS_TRY(check_index_type(a.offset_type, names.offset_type));
  BS_TRY(check_index_type(a.index_type, "indexType"));
  BS_TRY(check_index_base(a.base, "base"));
  BS_TRY(check_data_type(a.value_type, "valueType"));
  return check_order(a.block_order, "blockOrder");
}

// Views hold every array as one to be written, and remember which are not.
void* stored(const void* array) {
  return const_cast<void*>(array);
}

MatrixView view_of(const SparseArguments& a) {
  MatrixView view;
  view.format = a.format;
  view.rows = a.rows;
  view.cols = a.cols;
  view.nnz = a.nnz;
  view.dtype = static_cast<DType>(a.value_type);
  view.offset_type = static_cast<IndexType>(a.offset_type);
  view.index_type = static_cast<IndexType>(a.index_type);
  view.base = a.base;
  view.block_rows = a.block_rows;
  view.block_cols = a.block_cols;
  view.block_order = static_cast<Layout>(a.block_order);
  view.offsets = stored(a.offsets);
  view.indices = stored(a.indices);
  view.values = stored(a.values);
  return view;
}

// Rows, columns, or blocks of them must be countable in the type of the indices, from either base: the index of the
// transpose holds row numbers in that type too.
Status check_index_range(int64_t extent, int64_t block, IndexType type, const char* argument) {
  int64_t limit = std::numeric_limits<int64_t>::max() - block, countable;  // rounding up may not overflow
  if (product_fits(max_of(type), block, &countable)) limit = std::min(limit, countable);
  if (extent <= limit) return kSuccess;
  return fail(BS_STATUS_INVALID_SIZE, "%s is %lld, must be <= %lld for this indexType", argument,
              static_cast<long long>(extent), static_cast<long long>(limit));
}

Status check_sparse_ranges(const MatrixView& v, const SparseNames& names) {
  BS_TRY(check_index_range(v.rows, v.block_rows, v.index_type, "rows"));
  BS_TRY(check_index_range(v.cols, v.block_cols, v.index_type, "cols"));
  const int64_t limit = max_of(v.offset_type) - v.base;
  if (v.format == BS_FORMAT_COO || v.nnz <= limit) return kSuccess;
  return fail(BS_STATUS_INVALID_SIZE, "%s is %lld, must be <= %lld for this offsetType and base", names.nnz,
              static_cast<long long>(v.nnz), static_cast<long long>(limit));
}

Status check_sparse_arrays(const MatrixView& v, const SparseNames& names) {
  BS_TRY(check_bytes(v.format == BS_FORMAT_COO ? v.nnz : v.lists() + 1, size_of(v.offset_type), names.offsets));
  BS_TRY(check_bytes(v.nnz, size_of(v.index_type), names.indices));
  BS_TRY(check_bytes(v.nnz, v.block_rows * v.block_cols * size_of(v.dtype), "values"));
  BS_TRY(check_alignment(v.offsets, size_of(v.offset_type), names.offsets));
  BS_TRY(check_alignment(v.indices, size_of(v.index_type), names.indices));
  return check_alignment(v.values, size_of(v.dtype), "values");
}

Status check_sparse(const SparseArguments& arguments, const SparseNames& names, MatrixView* view) {
  BS_TRY(check_sparse_arguments(arguments, names));
  *view = view_of(arguments);
  BS_TRY(check_sparse_ranges(*view, names));
  return check_sparse_arrays(*view, names);
}

// Elements from the first to the last of a dense matrix; 0 if it has none.
Status check_dense_extent(const MatrixView& v) {
  const int64_t inner = v.order == Layout::row ? v.cols : v.rows, outer = v.order == Layout::row ? v.rows : v.cols;
  const int64_t smallest = std::max<int64_t>(inner, 1);
  if (v.ld < smallest)
    return fail(BS_STATUS_INVALID_SIZE, "ld is %lld, must be >= %lld for this order", static_cast<long long>(v.ld),
                static_cast<long long>(smallest));
  if (inner == 0 || outer == 0) return kSuccess;
  int64_t elements;
  if (!product_fits(outer - 1, v.ld, &elements) || !sum_fits(elements, inner, &elements))
    return fail(BS_STATUS_INVALID_SIZE, "values would have more elements than can be counted: %lld x %lld with ld %lld",
                static_cast<long long>(v.rows), static_cast<long long>(v.cols), static_cast<long long>(v.ld));
  return check_bytes(elements, size_of(v.dtype), "values");
}

template <class Check>
bsStatus_t create(const char* function, bsMatDescr_t* mat, Access access, Check&& check) {
  return api(function, [&]() -> Status {
    BS_TRY(check_pointer(mat, "mat"));
    *mat = nullptr;
    MatrixView view;
    BS_TRY(check(&view));
    view.structure_read_only = view.values_read_only = access == Access::read;
    auto matrix = std::make_unique<bsMatrix>();
    matrix->view = view;
    *mat = matrix.release();
    return kSuccess;
  });
}

bsStatus_t create_sparse(const char* function, bsMatDescr_t* mat, Access access, const SparseNames& names,
                         const SparseArguments& arguments) {
  return create(function, mat, access, [&](MatrixView* view) { return check_sparse(arguments, names, view); });
}

struct DenseArguments {
  int64_t rows, cols, ld;
  const void* values;
  bsDataType_t value_type;
  bsOrder_t order;
};

Status check_dense(const DenseArguments& a, MatrixView* view) {
  BS_TRY(check_not_negative(a.rows, "rows"));
  BS_TRY(check_not_negative(a.cols, "cols"));
  BS_TRY(check_data_type(a.value_type, "valueType"));
  BS_TRY(check_order(a.order, "order"));
  view->rows = a.rows;
  view->cols = a.cols;
  view->ld = a.ld;
  view->values = stored(a.values);
  view->dtype = static_cast<DType>(a.value_type);
  view->order = static_cast<Layout>(a.order);
  BS_TRY(check_dense_extent(*view));
  return check_alignment(a.values, size_of(view->dtype), "values");
}

bsStatus_t create_dense(const char* function, bsMatDescr_t* mat, Access access, const DenseArguments& arguments) {
  return create(function, mat, access, [&](MatrixView* view) { return check_dense(arguments, view); });
}

}  // namespace
}  // namespace bs

using bs::Access;

bsStatus_t bsCreateDense(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t ld, void* values,
                         bsDataType_t valueType, bsOrder_t order) {
  return bs::create_dense("bsCreateDense", mat, Access::write, {rows, cols, ld, values, valueType, order});
}

bsStatus_t bsCreateCsr(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnz, void* rowOffsets, void* colIndices,
                       void* values, bsIndexType_t offsetType, bsIndexType_t indexType, bsIndexBase_t base,
                       bsDataType_t valueType) {
  return bs::create_sparse(
      "bsCreateCsr", mat, Access::write, bs::kCsrNames,
      {BS_FORMAT_CSR, rows, cols, nnz, rowOffsets, colIndices, values, offsetType, indexType, base, valueType});
}

bsStatus_t bsCreateCsc(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnz, void* colOffsets, void* rowIndices,
                       void* values, bsIndexType_t offsetType, bsIndexType_t indexType, bsIndexBase_t base,
                       bsDataType_t valueType) {
  return bs::create_sparse(
      "bsCreateCsc", mat, Access::write, bs::kCscNames,
      {BS_FORMAT_CSC, rows, cols, nnz, colOffsets, rowIndices, values, offsetType, indexType, base, valueType});
}

bsStatus_t bsCreateCoo(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnz, void* rowIndices, void* colIndices,
                       void* values, bsIndexType_t indexType, bsIndexBase_t base, bsDataType_t valueType) {
  return bs::create_sparse(
      "bsCreateCoo", mat, Access::write, bs::kCooNames,
      {BS_FORMAT_COO, rows, cols, nnz, rowIndices, colIndices, values, indexType, indexType, base, valueType});
}

bsStatus_t bsCreateBsr(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnzb, int64_t rowBlockSize,
                       int64_t colBlockSize, void* rowOffsets, void* colIndices, void* values, bsIndexType_t offsetType,
                       bsIndexType_t indexType, bsIndexBase_t base, bsDataType_t valueType, bsOrder_t blockOrder) {
  return bs::create_sparse("bsCreateBsr", mat, Access::write, bs::kBsrNames,
                           {BS_FORMAT_BSR, rows, cols, nnzb, rowOffsets, colIndices, values, offsetType, indexType,
                            base, valueType, rowBlockSize, colBlockSize, blockOrder});
}

bsStatus_t bsCreateConstDense(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t ld, const void* values,
                              bsDataType_t valueType, bsOrder_t order) {
  return bs::create_dense("bsCreateConstDense", mat, Access::read, {rows, cols, ld, values, valueType, order});
}

bsStatus_t bsCreateConstCsr(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnz, const void* rowOffsets,
                            const void* colIndices, const void* values, bsIndexType_t offsetType,
                            bsIndexType_t indexType, bsIndexBase_t base, bsDataType_t valueType) {
  return bs::create_sparse(
      "bsCreateConstCsr", mat, Access::read, bs::kCsrNames,
      {BS_FORMAT_CSR, rows, cols, nnz, rowOffsets, colIndices, values, offsetType, indexType, base, valueType});
}

bsStatus_t bsCreateConstCsc(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnz, const void* colOffsets,
                            const void* rowIndices, const void* values, bsIndexType_t offsetType,
                            bsIndexType_t indexType, bsIndexBase_t base, bsDataType_t valueType) {
  return bs::create_sparse(
      "bsCreateConstCsc", mat, Access::read, bs::kCscNames,
      {BS_FORMAT_CSC, rows, cols, nnz, colOffsets, rowIndices, values, offsetType, indexType, base, valueType});
}

bsStatus_t bsCreateConstCoo(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnz, const void* rowIndices,
                            const void* colIndices, const void* values, bsIndexType_t indexType, bsIndexBase_t base,
                            bsDataType_t valueType) {
  return bs::create_sparse(
      "bsCreateConstCoo", mat, Access::read, bs::kCooNames,
      {BS_FORMAT_COO, rows, cols, nnz, rowIndices, colIndices, values, indexType, indexType, base, valueType});
}

bsStatus_t bsCreateConstBsr(bsMatDescr_t* mat, int64_t rows, int64_t cols, int64_t nnzb, int64_t rowBlockSize,
                            int64_t colBlockSize, const void* rowOffsets, const void* colIndices, const void* values,
                            bsIndexType_t offsetType, bsIndexType_t indexType, bsIndexBase_t base,
                            bsDataType_t valueType, bsOrder_t blockOrder) {
  return bs::create_sparse("bsCreateConstBsr", mat, Access::read, bs::kBsrNames,
                           {BS_FORMAT_BSR, rows, cols, nnzb, rowOffsets, colIndices, values, offsetType, indexType,
                            base, valueType, rowBlockSize, colBlockSize, blockOrder});
}

bsStatus_t bsDestroyMat(bsConstMatDescr_t mat) {
  return bs::api("bsDestroyMat", [&]() -> bs::Status {
    if (!mat) return bs::kSuccess;
    BS_TRY(bs::check_object(mat, "mat"));
    delete mat;
    return bs::kSuccess;
  });
}
