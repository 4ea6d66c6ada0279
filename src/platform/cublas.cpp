// The few functions of cuBLASLt that are used, resolved by name, and the algorithms found so far.
#include "platform/cublas.h"

#include <cublasLt.h>
#include <dlfcn.h>

#include <array>
#include <utility>

namespace bs {
namespace {

// A program alternates between few products; the oldest is forgotten.
constexpr size_t kKept = 64;

template <class Function>
bool resolve(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

cudaDataType_t cuda_type(DType type) {
  return static_cast<cudaDataType_t>(type);  // numbered alike
}
static_assert(static_cast<int>(DType::bf16) == CUDA_R_16BF && static_cast<int>(DType::f16) == CUDA_R_16F);

// f32 is f32: tensor cores only where the caller allows their rounding.
cublasComputeType_t compute_type(const Gemm& g) {
  if (g.type == DType::f64) return CUBLAS_COMPUTE_64F;
  return g.type == DType::f32 && g.allow_tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

bsStatus_t code_of(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_ALLOC_FAILED:
      return BS_STATUS_ALLOC_FAILED;
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return BS_STATUS_ARCH_MISMATCH;
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return BS_STATUS_NOT_SUPPORTED;
    default:
      return BS_STATUS_CUDA_ERROR;
  }
}

struct Functions {
  decltype(&cublasLtCreate) create;
  decltype(&cublasLtDestroy) destroy;
  decltype(&cublasLtGetStatusName) status_name;
  decltype(&cublasLtMatmul) matmul;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic;
  decltype(&cublasLtMatmulDescInit_internal) init_operation;
  decltype(&cublasLtMatmulDescSetAttribute) set_operation;
  decltype(&cublasLtMatrixLayoutInit_internal) init_layout;
  decltype(&cublasLtMatrixLayoutSetAttribute) set_layout;
  decltype(&cublasLtMatmulPreferenceInit_internal) init_preference;
  decltype(&cublasLtMatmulPreferenceSetAttribute) set_preference;

  bool resolve_all(void* library) {
    return resolve(library, "cublasLtCreate", &create) && resolve(library, "cublasLtDestroy", &destroy) &&
           resolve(library, "cublasLtGetStatusName", &status_name) && resolve(library, "cublasLtMatmul", &matmul) &&
           resolve(library, "cublasLtMatmulAlgoGetHeuristic", &heuristic) &&
           resolve(library, "cublasLtMatmulDescInit_internal", &init_operation) &&
           resolve(library, "cublasLtMatmulDescSetAttribute", &set_operation) &&
           resolve(library, "cublasLtMatrixLayoutInit_internal", &init_layout) &&
           resolve(library, "cublasLtMatrixLayoutSetAttribute", &set_layout) &&
           resolve(library, "cublasLtMatmulPreferenceInit_internal", &init_preference) &&
           resolve(library, "cublasLtMatmulPreferenceSetAttribute", &set_preference);
  }

  Status check(cublasStatus_t status, const char* function) const {
    if (status == CUBLAS_STATUS_SUCCESS) return kSuccess;
    return fail(code_of(status), "%s: %s", function, status_name(status));
  }

  template <class Value>
  Status set(cublasLtMatmulDescOpaque_t* x, cublasLtMatmulDescAttributes_t attribute, Value value) const {
    return check(set_operation(x, attribute, &value, sizeof value), "cublasLtMatmulDescSetAttribute");
  }
  template <class Value>
  Status set(cublasLtMatrixLayoutOpaque_t* x, cublasLtMatrixLayoutAttribute_t attribute, Value value) const {
    return check(set_layout(x, attribute, &value, sizeof value), "cublasLtMatrixLayoutSetAttribute");
  }
  template <class Value>
  Status set(cublasLtMatmulPreferenceOpaque_t* x, cublasLtMatmulPreferenceAttributes_t attribute, Value value) const {
    return check(set_preference(x, attribute, &value, sizeof value), "cublasLtMatmulPreferenceSetAttribute");
  }
};

struct StoredMatrix {
  DType type;
  int64_t rows, cols, ld, stride;
};

}  // namespace

struct CublasLt::Library {
  // Descriptors live in place, as the header's semi-opaque types allow: preparing a product allocates nothing.
  struct Prepared {
    Gemm gemm;
    cublasLtMatmulDescOpaque_t operation;
    cublasLtMatrixLayoutOpaque_t a, b, d;
    cublasLtMatmulAlgo_t algorithm;
  };

  void* library = nullptr;
  Functions f{};
  cublasLtHandle_t handle = nullptr;
  std::array<Prepared, kKept> prepared{};
  size_t count = 0, oldest = 0;

  ~Library() {
    if (handle) f.destroy(handle);
    if (library) dlclose(library);
  }

  Status describe(cublasLtMatrixLayoutOpaque_t* layout, const StoredMatrix& x, int64_t batch) const {
    BS_TRY(f.check(f.init_layout(layout, sizeof *layout, cuda_type(x.type), static_cast<uint64_t>(x.rows),
                                 static_cast<uint64_t>(x.cols), x.ld),
                   "cublasLtMatrixLayoutInit"));
    if (batch == 1) return kSuccess;
    BS_TRY(f.set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<int32_t>(batch)));
    return f.set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, x.stride);
  }

  Status describe_operation(const Gemm& g, const void* bias, cublasLtMatmulDescOpaque_t* operation) const {
    const cudaDataType_t scale = g.type == DType::f64 ? CUDA_R_64F : CUDA_R_32F;
    BS_TRY(f.check(f.init_operation(operation, sizeof *operation, compute_type(g), scale), "cublasLtMatmulDescInit"));
    const auto op = [](bool transposed) { return static_cast<int32_t>(transposed ? CUBLAS_OP_T : CUBLAS_OP_N); };
    BS_TRY(f.set(operation, CUBLASLT_MATMUL_DESC_TRANSA, op(g.transpose_a)));
    BS_TRY(f.set(operation, CUBLASLT_MATMUL_DESC_TRANSB, op(g.transpose_b)));
    if (!g.bias) return kSuccess;
    BS_TRY(f.set(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<uint32_t>(CUBLASLT_EPILOGUE_BIAS)));
    // The heuristic reads the alignment that it may count on from the address.
    BS_TRY(f.set(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias));
    return g.batch == 1 ? kSuccess : f.set(operation, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, g.bias_stride);
  }

  Status describe_preference(const Gemm& g, cublasLtMatmulPreferenceOpaque_t* preference) const {
    BS_TRY(f.check(f.init_preference(preference, sizeof *preference), "cublasLtMatmulPreferenceInit"));
    BS_TRY(f.set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, static_cast<uint64_t>(g.workspace_bytes)));
    // Partial sums in D's type would round a 16-bit result more than once.
    BS_TRY(f.set(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
                 static_cast<uint32_t>(CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE)));
    BS_TRY(f.set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, uint32_t{g.align_a}));
    BS_TRY(f.set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, uint32_t{g.align_b}));
    BS_TRY(f.set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, uint32_t{g.align_d}));
    return f.set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, uint32_t{g.align_d});
  }

  Status choose(Prepared* x) {
    const Gemm& g = x->gemm;
    cublasLtMatmulPreferenceOpaque_t preference;
    BS_TRY(describe_preference(g, &preference));
    cublasLtMatmulHeuristicResult_t found{};
    int answers = 0;
    cublasStatus_t status =
        f.heuristic(handle, &x->operation, &x->a, &x->b, &x->d, &x->d, &preference, 1, &found, &answers);
    if (status == CUBLAS_STATUS_SUCCESS) status = answers < 1 ? CUBLAS_STATUS_NOT_SUPPORTED : found.state;
    if (status != CUBLAS_STATUS_SUCCESS)
      return fail(code_of(status), "cublasLtMatmulAlgoGetHeuristic: %s for %s, m %lld, n %lld, k %lld, batch %lld",
                  f.status_name(status), name_of(g.type), static_cast<long long>(g.m), static_cast<long long>(g.n),
                  static_cast<long long>(g.k), static_cast<long long>(g.batch));
    x->algorithm = found.algo;
    return kSuccess;
  }

  Status prepare(const Gemm& g, const void* bias, Prepared* x) {
    x->gemm = g;
    BS_TRY(describe_operation(g, bias, &x->operation));
    BS_TRY(describe(&x->a, {g.type, g.transpose_a ? g.k : g.m, g.transpose_a ? g.m : g.k, g.lda, g.stride_a}, g.batch));
    BS_TRY(describe(&x->b, {g.type, g.transpose_b ? g.n : g.k, g.transpose_b ? g.k : g.n, g.ldb, g.stride_b}, g.batch));
    BS_TRY(describe(&x->d, {g.result, g.m, g.n, g.ldd, g.stride_d}, g.batch));
    return choose(x);
  }

  Status find(const Gemm& g, const void* bias, Prepared** found) {
    for (size_t i = 0; i < count; ++i)
      if (prepared[i].gemm == g) {
        *found = &prepared[i];
        return kSuccess;
      }
    Prepared made;  // kept only if complete
    BS_TRY(prepare(g, bias, &made));
    Prepared& place = prepared[count < kKept ? count++ : oldest++ % kKept];
    place = made;
    *found = &place;
    return kSuccess;
  }
};

std::unique_ptr<CublasLt> CublasLt::open() {
  auto library = std::make_unique<Library>();
  // NODELETE: work that is still enqueued when the last handle goes needs the kernels in the library.
  for (const char* name : {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"})
    if (!library->library) library->library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library->library || !library->f.resolve_all(library->library)) return nullptr;
  if (library->f.create(&library->handle) != CUBLAS_STATUS_SUCCESS) {
    library->handle = nullptr;
    return nullptr;
  }
  return std::unique_ptr<CublasLt>(new CublasLt(std::move(library)));
}

CublasLt::CublasLt(std::unique_ptr<Library> library) : library_(std::move(library)) {}
CublasLt::~CublasLt() = default;

Status CublasLt::matmul(const Gemm& gemm, const GemmPointers& p, void* stream) {
  Library& lt = *library_;
  Library::Prepared* x = nullptr;
  BS_TRY(lt.find(gemm, p.bias, &x));
  if (gemm.bias) BS_TRY(lt.f.set(&x->operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, p.bias));
  return lt.f.check(lt.f.matmul(lt.handle, &x->operation, p.alpha, p.a, &x->a, p.b, &x->b, p.beta, p.d, &x->d, p.d,
                                &x->d, &x->algorithm, p.workspace, static_cast<size_t>(gemm.workspace_bytes),
                                static_cast<cudaStream_t>(stream)),
                    "cublasLtMatmul");
}

}  // namespace bs
