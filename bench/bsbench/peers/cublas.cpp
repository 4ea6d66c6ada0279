// cuBLAS: the dense product of the same sizes, with the sparse matrix filled up. f32 without TF32, 16 bits with f32
// sums. The matrix that is filled up may lie by rows or by columns, as its owner likes: both are timed.
#include <cublas_v2.h>

#include <algorithm>

#include "bsbench/peers/library.h"

namespace bench {
namespace {

using Gemm = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                                const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                                cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);
using GemmBatched = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                                       const void*, cudaDataType, int, long long, const void*, cudaDataType, int,
                                       long long, const void*, void*, cudaDataType, int, long long, int,
                                       cublasComputeType_t, cublasGemmAlgo_t);

struct Functions {
  Functions() {
    const Library library{"libcublas.so.13", "libcublas.so.12", "libcublas.so"};
    library.resolve(&create, "cublasCreate_v2");
    library.resolve(&destroy, "cublasDestroy_v2");
    library.resolve(&set_stream, "cublasSetStream_v2");
    library.resolve(&set_workspace, "cublasSetWorkspace_v2");
    library.resolve(&gemm, "cublasGemmEx");
    library.resolve(&gemm_batched, "cublasGemmStridedBatchedEx");
  }
  cublasStatus_t (*create)(cublasHandle_t*);
  cublasStatus_t (*destroy)(cublasHandle_t);
  cublasStatus_t (*set_stream)(cublasHandle_t, cudaStream_t);
  cublasStatus_t (*set_workspace)(cublasHandle_t, void*, size_t);
  Gemm gemm;
  GemmBatched gemm_batched;
};

void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("cuBLAS status " + std::to_string(status));
}

struct Context {
  explicit Context(bsStream_t stream) {
    check(functions.create(&handle));
    check(functions.set_stream(handle, stream));
  }
  ~Context() { functions.destroy(handle); }
  // Of our own and of a size that lets every algorithm run; also what capturing needs.
  void give_workspace(bsparse::Handle& owner) {
    constexpr int64_t kBytes = int64_t{64} << 20;
    if (workspace.bytes()) return;
    workspace = DeviceBytes(owner, kBytes);
    check(functions.set_workspace(handle, workspace.get(), kBytes));
  }
  Functions functions;
  cublasHandle_t handle = nullptr;
  DeviceBytes workspace;
};

// A matrix of a product with column-major memory: what is stored by rows is the transpose.
struct Operand {
  Operand(const Dense& d, bool transposed)
      : op((d.order == BS_ORDER_ROW) != transposed ? CUBLAS_OP_T : CUBLAS_OP_N),
        type(cuda_type(d.type)),
        ld(static_cast<int>(d.ld)),
        stride(d.batch > 1 ? d.stride() : 0) {}
  cublasOperation_t op;
  cudaDataType type;
  int ld;
  long long stride;
};

cublasOperation_t flipped(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
}

// The sparse matrix with its zeros.
Dense filled(const Sparse& s, bsOrder_t order) {
  Dense d = Dense::of(s.rows, s.cols, order, 0, s.type, 1);
  d.values.assign(d.bytes(), 0);
  s.visit([&](int64_t i, int64_t j, int64_t position) {
    store(d.type, d.values.data(), d.index(0, i, j), load(s.type, s.values.data(), position));
  });
  return d;
}

class Product {
 public:
  Product(std::shared_ptr<Context> context, Problem& problem, bsOrder_t order)
      : context_(std::move(context)),
        problem_(&problem),
        scalars_(problem.spec()),
        dense_(problem.spec().sparse_result()
                   ? Dense::of(problem.spec().m, problem.spec().n, order, 0, problem.spec().dtype, problem.spec().batch)
                   : filled(problem.host().sparse, order)) {
    // One copy an instance: a cold comparison rotates these too.
    for (int i = 0; i < problem.instances(); ++i)
      memory_.push_back(dense_.values.empty() ? DeviceBytes(problem.handle(), dense_.bytes())
                                              : DeviceBytes(problem.handle(), dense_.values.data(), dense_.bytes()));
    dense_.values = {};
  }

  void enqueue(int i) {
    const Spec& s = problem_->spec();
    const HostOperands& host = problem_->host();
    Instance& on = problem_->instance(i);
    if (s.sparse_result()) {
      multiply(Operand(host.a, s.transpose_a), on.a_values.get(), Operand(host.b, s.transpose_b), on.b_values.get(),
               dense_, memory_[i].get());
    } else {
      multiply(Operand(dense_, s.transpose_a), memory_[i].get(), Operand(host.b, s.transpose_b), on.b_values.get(),
               host.c, on.c_values.get());
    }
  }

  Result result() const {
    if (!problem_->spec().sparse_result()) return Result::of(problem_->host().c, problem_->instance(0).c_values.get());
    return Result::of(dense_, memory_[0].get());
  }

 private:
  void multiply(Operand a, const void* a_data, Operand b, const void* b_data, const Dense& c, void* c_data) const {
    const Spec& s = problem_->spec();
    auto rows = static_cast<int>(s.m), cols = static_cast<int>(s.n);
    if (c.order == BS_ORDER_ROW) {  // C^T = B^T A^T
      std::swap(a, b);
      std::swap(a_data, b_data);
      std::swap(rows, cols);
      a.op = flipped(a.op);
      b.op = flipped(b.op);
    }
    const Functions& f = context_->functions;
    const Operand out(c, false);
    const auto compute = scalars_.wide                         ? CUBLAS_COMPUTE_64F
                         : s.tf32 && s.dtype == bs::DType::f32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                               : CUBLAS_COMPUTE_32F;
    if (s.batch == 1)
      return check(f.gemm(context_->handle, a.op, b.op, rows, cols, static_cast<int>(s.k), scalars_.alpha(), a_data,
                          a.type, a.ld, b_data, b.type, b.ld, scalars_.beta(), c_data, out.type, out.ld, compute,
                          CUBLAS_GEMM_DEFAULT));
    check(f.gemm_batched(context_->handle, a.op, b.op, rows, cols, static_cast<int>(s.k), scalars_.alpha(), a_data,
                         a.type, a.ld, a.stride, b_data, b.type, b.ld, b.stride, scalars_.beta(), c_data, out.type,
                         out.ld, out.stride, static_cast<int>(s.batch), compute, CUBLAS_GEMM_DEFAULT));
  }

  std::shared_ptr<Context> context_;
  Problem* problem_;
  Scalars scalars_;
  Dense dense_;  // the sparse matrix of spmm, the whole result of sddmm
  std::vector<DeviceBytes> memory_;
};

class Cublas final : public Peer {
 public:
  explicit Cublas(bsStream_t stream) : context_(std::make_shared<Context>(stream)) {}

  std::vector<Contender> contenders(Problem& problem, std::vector<std::string>* refusals) override {
    const Spec& s = problem.spec();
    const std::string beyond = beyond_peers(s);
    const bool fits = std::max({s.m, s.n, s.k, s.lda, s.ldb, s.ldc, s.batch}) <= INT32_MAX;
    if (!beyond.empty() || !fits || (s.sparse_result() && s.beta != 0)) {
      refusals->push_back("cublas: not timed with " + (!beyond.empty() ? beyond : fits ? "beta" : "sizes above 2^31"));
      return {};
    }
    context_->give_workspace(problem.handle());
    std::vector<Contender> all;
    for (const bsOrder_t order : {BS_ORDER_ROW, BS_ORDER_COL}) {
      auto product = std::make_shared<Product>(context_, problem, order);
      all.push_back({.name = std::string("cublas/gemm_") + (order == BS_ORDER_ROW ? "row" : "col"),
                     .peer = "cublas",
                     .enqueue = [product](int i) { product->enqueue(i); },
                     .result = product->result(),
                     .tolerance = s.tf32 ? 0x1p-10 : 0});
    }
    return all;
  }

 private:
  std::shared_ptr<Context> context_;
};

}  // namespace

std::unique_ptr<Peer> open_cublas(bsStream_t stream, std::string* reason) {
  try {
    return std::make_unique<Cublas>(stream);
  } catch (const std::exception& error) {
    *reason = std::string("cublas: ") + error.what();
    return nullptr;
  }
}

}  // namespace bench
