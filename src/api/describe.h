// From descriptors to the canonical form of model/problem.h: shapes, layouts, pointers, the alignment they allow.
#pragma once

#include "api/product.h"
#include "model/operands.h"
#include "model/problem.h"

namespace bs {

// A sparse matrix as stored CSR or BSR (CSC is the CSR of its transpose), with op on it. What analysis prepared counts
// only on the device where it was prepared; `device` nullptr asks about some other device and counts all of it.
SparseShape shape_of(const bsMatrix& matrix, bool transposed, const Device* device);
SparseOperand operand_of(const bsMatrix& matrix, const Device* device);

// op(X) of a dense X is X in another layout.
inline Layout layout_of(const Operand& x) {
  return x.transposed ? flip(x.view().order) : x.view().order;
}
constexpr Axis flip(Axis axis) {
  return axis == Axis::row ? Axis::col : axis == Axis::col ? Axis::row : Axis::none;
}

// Strides of an input whose batch of 1 is broadcast.
inline int64_t value_stride_of(const MatrixView& v) {
  return v.batch > 1 ? v.value_stride : 0;
}

Constraints constraints_of(bsConstOptions_t options);

// Gathers what decides Constraints::alignment: `steps` from one line or batch to the next, `addresses` of the first
// ones. NULL is aligned as well as can be.
class AlignmentClass {
 public:
  void add(const MatrixView& dense);
  void add_blocks(const MatrixView& bsr);

  uint8_t actual() const { return divisor(steps_ | addresses_); }
  uint8_t best() const { return divisor(steps_); }  // of any address with these steps
  uint8_t worst() const { return smallest_; }

 private:
  static uint8_t divisor(uint64_t bits) { return static_cast<uint8_t>(bits & (~bits + 1)); }
  uint64_t steps_ = 16, addresses_ = 0;
  uint8_t smallest_ = 16;
};

}  // namespace bs
