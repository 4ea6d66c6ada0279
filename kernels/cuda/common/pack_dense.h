// A dense operand rewritten as rows without surprises: row-major, every row 16-byte aligned. Lets a kernel have one way
// of loading B at the price of one copy, for column-major and for unaligned operands.
#pragma once

#include <cstdint>

#include "model/operands.h"
#include "model/problem.h"
#include "model/saturate.h"
#include "model/status.h"

namespace bs::cuda {

struct DenseSource {
  const void* data = nullptr;
  int64_t rows = 0, cols = 0, ld = 0, stride = 0;  // stride: elements from one input to the next; 0 shares
  int64_t inputs = 1;
  DType dtype = DType::f32;
  Layout layout = Layout::row;

  static DenseSource b_of(const SpmmProblem& p, const SpmmOperands& o) {
    return {.data = o.b,
            .rows = p.k,
            .cols = p.n,
            .ld = p.ldb,
            .stride = o.b_stride,
            .inputs = p.batch * p.reduce,
            .dtype = p.b_type,
            .layout = p.b_layout};
  }
  // SDDMM's operands as vectors over k.
  static DenseSource rows_of_l(const SddmmProblem& p, const SddmmOperands& o) {
    return {.data = o.l,
            .rows = p.m,
            .cols = p.k,
            .ld = p.ldl,
            .stride = o.l_stride,
            .inputs = p.batch * p.reduce,
            .dtype = p.l_type,
            .layout = p.l_layout};
  }
  static DenseSource columns_of_r(const SddmmProblem& p, const SddmmOperands& o) {
    return {.data = o.r,
            .rows = p.n,
            .cols = p.k,
            .ld = p.ldr,
            .stride = o.r_stride,
            .inputs = p.batch * p.reduce,
            .dtype = p.r_type,
            .layout = flip(p.r_layout)};
  }
};

struct PackedDense {
  const void* data = nullptr;
  int64_t ld = 0, stride = 0;
};

// Leading dimension of the packed form: cols rounded up to 16 bytes.
constexpr int64_t packed_ld(int64_t cols, DType dtype) {
  const int64_t quantum = 16 / size_of(dtype);
  return (cols + quantum - 1) / quantum * quantum;
}
constexpr int64_t packed_bytes(int64_t rows, int64_t cols, DType dtype, int64_t inputs) {
  return saturating_add(saturating_mul(inputs, rows, packed_ld(cols, dtype), size_of(dtype)), 255) / 256 * 256;
}

// Columns beyond `cols` are not written.
Status pack_dense(const DenseSource& source, void* memory, const Exec& exec, PackedDense* packed);

}  // namespace bs::cuda
