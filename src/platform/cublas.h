// cuBLASLt opened at run time: the dense rows' engine, absent on machines without it.
#pragma once

#include <cstdint>
#include <memory>

#include "model/dtype.h"
#include "model/status.h"

namespace bs {

// D = alpha op(A) op(B) + beta D + bias as cuBLASLt counts: column-major, D m x n. What decides the algorithm, without
// pointers, so that it can be kept.
struct Gemm {
  int64_t m = 0, n = 0, k = 0;
  int64_t lda = 0, ldb = 0, ldd = 0;
  int64_t batch = 1, stride_a = 0, stride_b = 0, stride_d = 0;
  int64_t bias_stride = 0;
  int64_t workspace_bytes = 0;
  DType type = DType::f32;    // of A and B
  DType result = DType::f32;  // of D and of the bias
  bool transpose_a = false, transpose_b = false;
  bool allow_tf32 = false;
  bool bias = false;                                                  // one value a row of D
  uint8_t align_a = 16, align_b = 16, align_d = 16, align_bias = 16;  // of the pointers, up to 16 bytes
  bool operator==(const Gemm&) const = default;
};

struct GemmPointers {
  const void* a = nullptr;
  const void* b = nullptr;
  void* d = nullptr;
  const void* bias = nullptr;
  const void* alpha = nullptr;  // host memory, f64 for f64 products, else f32
  const void* beta = nullptr;   // 0: D is not read
  void* workspace = nullptr;
};

// One a handle, and handles are not shared between threads: nothing is locked.
class CublasLt {
 public:
  // Null if the library cannot be opened, lacks a function or gives no handle; the dense rows then decline.
  static std::unique_ptr<CublasLt> open();
  ~CublasLt();
  CublasLt(const CublasLt&) = delete;
  CublasLt& operator=(const CublasLt&) = delete;

  // Stream-ordered; allocates no device memory. Sizes above 0.
  Status matmul(const Gemm& gemm, const GemmPointers& pointers, void* stream);

 private:
  struct Library;
  explicit CublasLt(std::unique_ptr<Library> library);
  std::unique_ptr<Library> library_;
};

}  // namespace bs
