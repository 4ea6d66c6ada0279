// The problem's operands as cuSPARSE takes them: descriptors over the instance's own arrays, dense operands copied into
// the order that a configuration wants.
#pragma once

#include "bsbench/peers/cusparse_functions.h"

namespace bench {

cusparseOrder_t order_number(bsOrder_t order);
inline cusparseOperation_t operation(bool transposed) {
  return transposed ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
}

// Why cuSPARSE cannot describe the sparse matrix; "" if it can.
std::string refuses_sparse(const Spec& spec, const Sparse& s);
SparseMatrix sparse_descriptor(const Cusparse& library, const Spec& spec, const Sparse& s, const Instance& on);

// Blocked-ELL of a BSR matrix: block rows padded to the longest with column -1 and zeros.
struct BlockedEll {
  int64_t width = 0;  // blocks a block row
  std::vector<int32_t> columns;
  Bytes values;  // rows x (width * block), by rows
};
std::string refuses_blocked_ell(const Spec& spec, const Sparse& s);
BlockedEll blocked_ell(const Sparse& s);

// op(X) of a dense operand in `order`, without gaps; one copy an instance.
class Copies {
 public:
  Copies(const Cusparse& library, Problem& problem, const Dense& source, bool transposed, bsOrder_t order);
  cusparseDnMatDescr_t matrix(int instance) const { return matrices_[instance].get(); }
  cusparseDnVecDescr_t vector(int instance) const { return vectors_[instance].get(); }
  Result result() const { return Result::of(shape_, memory_[0].get()); }

 private:
  Dense shape_;
  std::vector<DeviceBytes> memory_;
  std::vector<DenseMatrix> matrices_;
  std::vector<DenseVector> vectors_;  // of single columns
};

}  // namespace bench
