// The pointers of one call, in the same canonical form as the problem they belong to, and what a launch needs from
// outside.
#pragma once

#include <cstdint>

namespace bs {

// Offsets and indices of a CSR or BSR structure, counted from the problem's base. Strides in elements, from one batch
// to the next; 0 shares.
struct Pattern {
  const void* offsets = nullptr;
  const void* indices = nullptr;
  int64_t offset_stride = 0, index_stride = 0;
};

// Batch b, entry p: index at indices[b * index_stride + p], value (block) p at values + b * value_stride elements, gate
// at gate[b * gate_stride + p].
struct SparseOperand {
  Pattern stored;
  // Index of the transpose, from analysis or built in the workspace by the kernel: a Pattern with offsets and indices
  // of the same types, base 0, and for each of its entries q the entry p of `stored` it came from.
  Pattern transposed;
  const void* positions = nullptr;  // of offset_type, positions[b * transposed.index_stride + q]
  const void* values = nullptr;
  int64_t value_stride = 0;
  const float* gate = nullptr;
  int64_t gate_stride = 0;
  const int32_t* row_order = nullptr;  // stored (block) rows by falling length, or null; one order for all batches
  const void* packed = nullptr;        // BS_ANALYZE_PACK; its form is the backend's affair
};

struct Scalars {  // of the compute type; in device memory if on_device
  const void* alpha = nullptr;
  const void* beta = nullptr;
  bool on_device = false;
};

// Input i = b + r for result b and summand r: one of the two is always 0.
struct SpmmOperands {
  SparseOperand s;
  const void* b = nullptr;
  void* c = nullptr;
  int64_t b_stride = 0, c_stride = 0;
  const void* bias = nullptr;
  int64_t bias_stride = 0;
  void* auxiliary = nullptr;
  int64_t auxiliary_ld = 0, auxiliary_stride = 0;
  Scalars scalars;
};

struct SddmmOperands {
  SparseOperand s;    // structure of the result; s.values unused
  void* c = nullptr;  // values of the result, c_stride apart
  int64_t c_stride = 0;
  const void* l = nullptr;
  const void* r = nullptr;
  int64_t l_stride = 0, r_stride = 0;
  void* bias_gradient = nullptr;
  Scalars scalars;
};

struct GateGradOperands {
  SparseOperand s;  // W
  const void* dw = nullptr;
  int64_t dw_stride = 0;
  float* gradient = nullptr;
  int64_t gradient_stride = 0;
};

// Runs body(context, begin, end) over [0, count) in pieces of about `grain`, on several threads where there are any;
// returns when all is done. Never allocates; with all workers busy the caller does everything itself.
class Workers {
 public:
  virtual void run(int64_t count, int64_t grain, void (*body)(void*, int64_t, int64_t), void* context) = 0;
  virtual int threads() const = 0;

  template <class Body>
  void for_ranges(int64_t count, int64_t grain, Body&& body) {
    run(
        count, grain, [](void* b, int64_t begin, int64_t end) { (*static_cast<Body*>(b))(begin, end); }, &body);
  }

 protected:
  ~Workers() = default;
};

struct Exec {
  void* stream = nullptr;
  void* workspace = nullptr;
  int64_t workspace_bytes = 0;
  Workers* workers = nullptr;  // CPU
  int isa = 0;                 // CPU: index of the instruction set (Device::isa)
  void* cublas = nullptr;      // CUDA: opened by platform/
  const struct Device* device = nullptr;
};

}  // namespace bs
