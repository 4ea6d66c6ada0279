// C++20 layer over bsparse.h: objects that own their C counterparts, arrays as std::span, exceptions for statuses, and
// workspaces that grow by themselves. Header only; needs the C header and the standard library. What things mean is
// said in bsparse.h; everything here keeps its rules of lifetime and threads.
//
//   bsparse::Handle handle;
//   bsparse::Workspace workspace;
//   auto A = bsparse::Matrix::csr(rows, cols, offsets, columns, values);
//   auto B = bsparse::Matrix::dense(cols, n, b), C = bsparse::Matrix::dense(rows, n, c);
//   bsparse::spmm(handle, A, B, C, workspace, {.beta = 1});
#ifndef BSPARSE_HPP
#define BSPARSE_HPP

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "bsparse.h"

namespace bsparse {

// A status other than success, with the library's sentence about it.
class Error : public std::runtime_error {
 public:
  Error(bsStatus_t status, const std::string& message) : std::runtime_error(message), status_(status) {}
  bsStatus_t status() const noexcept { return status_; }

 private:
  bsStatus_t status_;
};

// For calls of the C interface: throws what failed.
inline void check(bsStatus_t status) {
  if (status != BS_STATUS_SUCCESS) throw Error(status, bsGetLastErrorMessage());
}

namespace detail {

template <class T, class... Choices>
concept OneOf = (std::same_as<std::remove_const_t<T>, Choices> || ...);
template <class T>
concept Value = OneOf<T, float, double>;
template <class T>
concept Index = OneOf<T, int32_t, int64_t>;
template <class T>
concept Number = std::is_arithmetic_v<T>;

template <auto destroy>
struct Destroy {
  void operator()(auto* object) const noexcept { destroy(object); }
};

struct Free {
  bsHandle_t owner = nullptr;
  int64_t bytes = 0;
  void operator()(void* memory) const noexcept { bsFree(owner, memory); }
};

// What a function writes through its last argument.
template <class T>
T ask(auto function, auto... arguments) {
  T value{};
  check(function(arguments..., &value));
  return value;
}

// Creates an object and takes it.
template <class Owner, class... Arguments>
Owner create(auto function, Arguments... arguments) {
  typename Owner::pointer object = nullptr;
  check(function(&object, arguments...));
  return Owner(object);
}

inline void require(bool condition, const char* what, int64_t is, int64_t must) {
  if (condition) return;
  throw Error(BS_STATUS_INVALID_SIZE,
              std::string(what) + ": " + std::to_string(is) + " elements, must be " + std::to_string(must));
}

}  // namespace detail

// A handle on the GPU if there is one, else on the CPU, or on a named backend.
class Handle {
 public:
  Handle() : handle_(detail::create<Owner>(bsCreate)) {}
  explicit Handle(bsBackend_t backend, int32_t device = 0)
      : handle_(detail::create<Owner>(bsCreateOn, backend, device)) {}

  bsHandle_t get() const noexcept { return handle_.get(); }
  void set_stream(bsStream_t stream) { check(bsSetStream(get(), stream)); }
  void synchronize() { check(bsSynchronize(get())); }
  void set_num_threads(int32_t threads) { check(bsSetNumThreads(get(), threads)); }
  int32_t num_threads() const { return detail::ask<int32_t>(bsGetNumThreads, get()); }
  bsBackend_t backend() const { return detail::ask<bsBackend_t>(bsGetBackend, get()); }
  std::string device_name() const { return detail::ask<const char*>(bsGetDeviceName, get()); }

 private:
  using Owner = std::unique_ptr<bsContext, detail::Destroy<bsDestroy>>;
  Owner handle_;
};

// Device memory that grows when asked for more and is reused otherwise. Must not outlive the handle it grew with.
// Growing waits for work that may use the old memory; a workspace that has its size does not allocate.
class Workspace {
 public:
  void* reserve(Handle& handle, int64_t bytes) {
    if (bytes <= this->bytes() && handle.get() == memory_.get_deleter().owner) return memory_.get();
    memory_.reset();
    void* memory = nullptr;
    check(bsMalloc(handle.get(), &memory, bytes));
    memory_ = {memory, detail::Free{handle.get(), bytes}};
    return memory;
  }
  int64_t bytes() const noexcept { return memory_ ? memory_.get_deleter().bytes : 0; }

 private:
  std::unique_ptr<void, detail::Free> memory_;
};

// An array of values in device memory: a span of float or double, or anything with its type said (f16, bf16).
struct Values {
  template <detail::Value T, size_t extent>
  Values(std::span<T, extent> span)
      : Values(span.data(), static_cast<int64_t>(span.size()), sizeof(T) == 8 ? BS_R_64F : BS_R_32F) {}
  Values(void* pointer, int64_t length, bsDataType_t value_type)
      : data(pointer), size(length), type(value_type), writable(true), writable_data(pointer) {}
  Values(const void* pointer, int64_t length, bsDataType_t value_type)
      : data(pointer), size(length), type(value_type) {}

  const void* data;
  int64_t size;
  bsDataType_t type;
  bool writable = false;
  void* writable_data = nullptr;  // data, where it was not given as const
};

// An array of offsets or indices in device memory: a span of 32-bit or 64-bit integers.
struct Indices {
  template <detail::Index T, size_t extent>
  Indices(std::span<T, extent> span)
      : data(span.data()),
        size(static_cast<int64_t>(span.size())),
        type(sizeof(T) == 8 ? BS_INDEX_64I : BS_INDEX_32I),
        writable(!std::is_const_v<T>) {
    if constexpr (!std::is_const_v<T>) writable_data = span.data();
  }

  const void* data;
  int64_t size;
  bsIndexType_t type;
  bool writable;
  void* writable_data = nullptr;
};

// Any matrix. Borrows its arrays (of the first batch, where there are several) and owns the memory of its analysis.
// Made from arrays of const it may be read only. A matrix that was analysed must not outlive the handle.
class Matrix {
 public:
  // ld = 0: without gaps.
  static Matrix dense(int64_t rows, int64_t cols, Values values, bsOrder_t order = BS_ORDER_ROW, int64_t ld = 0) {
    const int64_t major = order == BS_ORDER_COL ? cols : rows, minor = order == BS_ORDER_COL ? rows : cols;
    if (ld == 0) ld = minor > 0 ? minor : 1;
    Matrix mat(detail::create<Owner>(bsCreateConstDense, rows, cols, ld, values.data, values.type, order));
    if (values.writable) mat.set_values(values);
    const int64_t extent = major > 0 && minor > 0 ? (major - 1) * ld + minor : 0;  // fits, or there were no matrix
    detail::require(values.size >= extent, "dense values", values.size, extent);
    return mat;
  }

  // nnz is the length of the indices.
  static Matrix csr(int64_t rows, int64_t cols, Indices offsets, Indices indices, Values values,
                    bsIndexBase_t base = BS_INDEX_BASE_ZERO) {
    return compressed(bsCreateConstCsr, rows, rows, cols, offsets, indices, values, base);
  }
  static Matrix csc(int64_t rows, int64_t cols, Indices offsets, Indices indices, Values values,
                    bsIndexBase_t base = BS_INDEX_BASE_ZERO) {
    return compressed(bsCreateConstCsc, cols, rows, cols, offsets, indices, values, base);
  }

  static Matrix coo(int64_t rows, int64_t cols, Indices row_indices, Indices col_indices, Values values,
                    bsIndexBase_t base = BS_INDEX_BASE_ZERO) {
    detail::require(row_indices.size == values.size, "row indices", row_indices.size, values.size);
    detail::require(col_indices.size == values.size, "column indices", col_indices.size, values.size);
    if (row_indices.type != col_indices.type)
      throw Error(BS_STATUS_INVALID_TYPE, "row and column indices differ in type");
    Matrix mat(detail::create<Owner>(bsCreateConstCoo, rows, cols, values.size, row_indices.data, col_indices.data,
                                     values.data, col_indices.type, base, values.type));
    mat.give(row_indices, col_indices, values);
    return mat;
  }

  // rows and cols in elements.
  static Matrix bsr(int64_t rows, int64_t cols, int64_t row_block, int64_t col_block, Indices offsets, Indices indices,
                    Values values, bsOrder_t block_order = BS_ORDER_ROW, bsIndexBase_t base = BS_INDEX_BASE_ZERO) {
    Matrix mat(detail::create<Owner>(bsCreateConstBsr, rows, cols, indices.size, row_block, col_block, offsets.data,
                                     indices.data, values.data, offsets.type, indices.type, base, values.type,
                                     block_order));
    mat.give(offsets, indices, values);
    const int64_t block_rows = (rows + row_block - 1) / row_block;
    detail::require(offsets.size == block_rows + 1, "offsets", offsets.size, block_rows + 1);
    detail::require(values.size == indices.size * row_block * col_block, "values", values.size,
                    indices.size * row_block * col_block);
    return mat;
  }

  bsMatDescr_t get() noexcept { return mat_.get(); }
  bsConstMatDescr_t get() const noexcept { return mat_.get(); }

  int64_t rows() const { return size(0); }
  int64_t cols() const { return size(1); }
  int64_t nnz() const { return size(2); }
  bsFormat_t format() const { return detail::ask<bsFormat_t>(bsMatGetFormat, get()); }
  bsDataType_t value_type() const { return detail::ask<bsDataType_t>(bsMatGetValueType, get()); }

  void set_batch(int64_t count, int64_t value_stride, int64_t offset_stride = 0, int64_t index_stride = 0) {
    check(bsMatSetBatch(get(), count, value_stride, offset_stride, index_stride));
  }
  void set_gate(std::span<const float> gate, int64_t stride = 0) { check(bsMatSetGate(get(), gate.data(), stride)); }
  // Arrays of nnz() entries in place of the old ones, of the same types.
  void set_arrays(Indices offsets, Indices indices, Values values) {
    detail::require(indices.size == nnz(), "indices", indices.size, nnz());
    detail::require(values.size % (nnz() ? nnz() : 1) == 0, "values", values.size, nnz());
    check(bsMatSetConstPointers(get(), offsets.data, indices.data, values.data));
    give(offsets, indices, values);
  }

  // Other values at the old structure; what analysis found of it stays.
  void set_values(Values values) {
    if (values.type != value_type()) throw Error(BS_STATUS_INVALID_TYPE, "values: another type than before");
    check(values.writable ? bsMatSetValues(get(), values.writable_data) : bsMatSetConstValues(get(), values.data));
  }

  // The analysis lies in memory that belongs to this object.
  void analyze(Handle& handle, bsAnalyzeFlags_t flags) {
    const auto bytes = detail::ask<int64_t>(bsMatAnalyze_bufferSize, handle.get(), mat_.get(), flags);
    check(bsMatStructureChanged(get()));  // the old analysis may lose its memory
    void* buffer = analysis_.reserve(handle, bytes);
    check(bsMatAnalyze(handle.get(), get(), flags, buffer, bytes));
  }
  double stat(bsStat_t which) const { return detail::ask<double>(bsMatGetStat, get(), which); }

 private:
  using Owner = std::unique_ptr<bsMatrix, detail::Destroy<bsDestroyMat>>;
  explicit Matrix(Owner mat) : mat_(std::move(mat)) {}

  // Over arrays that it has as const already: which of them may be written.
  void give(const Indices& offsets, const Indices& indices, const Values& values) {
    if (offsets.writable && indices.writable && values.writable)
      check(bsMatSetPointers(get(), offsets.writable_data, indices.writable_data, values.writable_data));
    else if (values.writable)
      check(bsMatSetValues(get(), values.writable_data));
  }

  static Matrix compressed(auto function, int64_t major, int64_t rows, int64_t cols, Indices offsets, Indices indices,
                           Values values, bsIndexBase_t base) {
    Matrix mat(detail::create<Owner>(function, rows, cols, indices.size, offsets.data, indices.data, values.data,
                                     offsets.type, indices.type, base, values.type));
    mat.give(offsets, indices, values);
    detail::require(offsets.size == major + 1, "offsets", offsets.size, major + 1);
    detail::require(values.size == indices.size, "values", values.size, indices.size);
    return mat;
  }
  int64_t size(int which) const {
    int64_t sizes[3] = {};
    check(bsMatGetSize(get(), &sizes[0], &sizes[1], &sizes[2]));
    return sizes[which];
  }

  Workspace analysis_;  // freed after the descriptor
  Owner mat_;
};

// Settings of one call; borrows arrays and matrices.
class Options {
 public:
  Options() : options_(detail::create<Owner>(bsCreateOptions)) {}
  bsConstOptions_t get() const noexcept { return options_.get(); }

  Options& set(bsOption_t option, int64_t value) {
    check(bsOptionsSetInt(options_.get(), option, value));
    return *this;
  }
  Options& route(const std::string& name) {
    check(bsOptionsSetRoute(options_.get(), name.empty() ? nullptr : name.c_str()));
    return *this;
  }
  Options& bias(Values bias, bsAxis_t axis, int64_t stride = 0) {
    check(bsOptionsSetBias(options_.get(), bias.data, bias.type, axis, stride));
    return *this;
  }
  Options& auxiliary(Matrix& mat) {
    check(bsOptionsSetAuxiliary(options_.get(), mat.get()));
    return *this;
  }
  Options& bias_gradient(Values gradient, bsAxis_t axis) {
    if (!gradient.writable) throw Error(BS_STATUS_INVALID_POINTER, "the bias gradient is an array of const");
    check(bsOptionsSetBiasGradient(options_.get(), gradient.writable_data, gradient.type, axis));
    return *this;
  }

 private:
  using Owner = std::unique_ptr<bsOptionSet, detail::Destroy<bsDestroyOptions>>;
  Owner options_;
};

// alpha or beta: a number, converted to the type of the product, or a pointer to one for the handle's pointer mode.
class Scalar {
 public:
  template <detail::Number T>
  Scalar(T value) : f64_(static_cast<double>(value)), f32_(static_cast<float>(value)) {}
  Scalar(const void* pointer) : pointer_(pointer), is_number_(false) {}

  const void* as(bsDataType_t compute) const {
    if (!is_number_) return pointer_;
    return compute == BS_R_64F ? static_cast<const void*>(&f64_) : &f32_;
  }

 private:
  double f64_ = 0;
  float f32_ = 0;
  const void* pointer_ = nullptr;
  bool is_number_ = true;
};

// What a product says beside its operands; spmv has no opB.
struct Product {
  bsOperation_t opA = BS_OPERATION_NON_TRANSPOSE, opB = BS_OPERATION_NON_TRANSPOSE;
  Scalar alpha = 1, beta = 0;
  const Options* options = nullptr;

  bsConstOptions_t option_set() const { return options ? options->get() : nullptr; }
};

namespace detail {

inline bsDataType_t compute_of(const Matrix& result) {
  return result.value_type() == BS_R_64F ? BS_R_64F : BS_R_32F;
}

// query(int64_t*) says how much workspace, execute(void*, int64_t) works in it.
void in_workspace(Handle& handle, Workspace& workspace, auto query, auto execute) {
  int64_t bytes = 0;
  check(query(&bytes));
  void* memory = workspace.reserve(handle, bytes);
  check(execute(memory, workspace.bytes()));
}

void multiply(auto query, auto execute, Handle& handle, const Matrix& A, const Matrix& B, Matrix& C,
              Workspace& workspace, const Product& p) {
  const bsDataType_t compute = compute_of(C);
  const auto call = [&](auto function, auto result, auto... rest) {
    return function(handle.get(), p.opA, p.opB, p.alpha.as(compute), A.get(), B.get(), p.beta.as(compute), result,
                    compute, p.option_set(), rest...);
  };
  const bsMatDescr_t result = C.get();
  in_workspace(
      handle, workspace, [&](int64_t* bytes) { return call(query, result, bytes); },
      [&](void* memory, int64_t bytes) { return call(execute, result, memory, bytes); });
}

}  // namespace detail

// C = act(alpha op(A) op(B) + beta C + bias), A or B sparse.
inline void spmm(Handle& handle, const Matrix& A, const Matrix& B, Matrix& C, Workspace& workspace,
                 const Product& product = {}) {
  detail::multiply(bsSpMM_bufferSize, bsSpMM, handle, A, B, C, workspace, product);
}

// C = alpha (op(A) op(B)) sampled at the structure of C + beta C.
inline void sddmm(Handle& handle, const Matrix& A, const Matrix& B, Matrix& C, Workspace& workspace,
                  const Product& product = {}) {
  detail::multiply(bsSDDMM_bufferSize, bsSDDMM, handle, A, B, C, workspace, product);
}

// y = act(alpha op(A) x + beta y + bias); x and y are dense with one column.
inline void spmv(Handle& handle, const Matrix& A, const Matrix& x, Matrix& y, Workspace& workspace,
                 const Product& p = {}) {
  const bsDataType_t compute = detail::compute_of(y);
  const bsMatDescr_t result = y.get();
  const auto call = [&](auto function, auto... rest) {
    return function(handle.get(), p.opA, p.alpha.as(compute), A.get(), x.get(), p.beta.as(compute), result, compute,
                    p.option_set(), rest...);
  };
  detail::in_workspace(
      handle, workspace, [&](int64_t* bytes) { return call(bsSpMV_bufferSize, bytes); },
      [&](void* memory, int64_t bytes) { return call(bsSpMV, memory, bytes); });
}

// destination = op(source). Between counting and filling, allocate(nnz) gives a sparse destination its arrays by
// Matrix::set_arrays; it is not called for a dense one.
void convert(Handle& handle, const Matrix& source, Matrix& destination, Workspace& workspace, auto allocate,
             bsOperation_t op = BS_OPERATION_NON_TRANSPOSE) {
  detail::in_workspace(
      handle, workspace,
      [&](int64_t* bytes) { return bsConvert_bufferSize(handle.get(), op, source.get(), destination.get(), bytes); },
      [&](void* memory, int64_t bytes) {
        check(bsConvert_count(handle.get(), op, source.get(), destination.get(), memory, bytes));
        if (destination.format() != BS_FORMAT_DENSE) allocate(destination.nnz());
        return bsConvert_fill(handle.get(), op, source.get(), destination.get(), memory, bytes);
      });
}

// The engine's candidates for a product, best first, then those that refuse it.
class Report {
 public:
  static Report spmm(Handle& handle, const Matrix& A, const Matrix& B, const Matrix& C, const Product& product = {},
                     const char* device = nullptr) {
    return explain(bsSpMM_explain, handle, A, B, C, product, device);
  }
  static Report sddmm(Handle& handle, const Matrix& A, const Matrix& B, const Matrix& C, const Product& product = {},
                      const char* device = nullptr) {
    return explain(bsSDDMM_explain, handle, A, B, C, product, device);
  }

  int64_t size() const { return detail::ask<int64_t>(bsReportGetCount, report_.get()); }
  std::string route(int64_t index) const { return get<const char*>(index, BS_REPORT_ROUTE); }
  bool chosen(int64_t index) const { return get<int32_t>(index, BS_REPORT_CHOSEN) != 0; }
  // Any other answer about a candidate, with the type that its key has.
  template <class T>
  T get(int64_t index, bsReportKey_t key) const {
    T value{};
    check(bsReportGet(report_.get(), index, key, &value, sizeof value));
    return value;
  }
  std::string text() const { return detail::ask<const char*>(bsReportGetText, report_.get()); }

 private:
  using Owner = std::unique_ptr<bsReportData, detail::Destroy<bsDestroyReport>>;
  explicit Report(Owner report) : report_(std::move(report)) {}

  static Report explain(auto function, Handle& handle, const Matrix& A, const Matrix& B, const Matrix& C,
                        const Product& p, const char* device) {
    const bsDataType_t compute = detail::compute_of(C);
    return Report(
        Owner(detail::ask<bsReport_t>(function, handle.get(), p.opA, p.opB, p.alpha.as(compute), A.get(), B.get(),
                                      p.beta.as(compute), C.get(), compute, p.option_set(), device)));
  }
  Owner report_;
};

}  // namespace bsparse

#endif  // BSPARSE_HPP
