// Products of small integers, whose exact results every route must give.
#pragma once

#include <cstdint>

#include "bsparse.h"
#include "cases/matrices.h"
#include "cases/routes.h"

namespace bs::cases {

// C = alpha op(A) op(B) + beta C with `sparse` on the left, or on the right.
struct Spmm {
  const Sparse* sparse = nullptr;
  const Dense* dense = nullptr;
  Dense* c = nullptr;
  bool sparse_left = true;
  bsOperation_t op_sparse = BS_OPERATION_NON_TRANSPOSE, op_dense = BS_OPERATION_NON_TRANSPOSE;
  double alpha = 1, beta = 0;

  Call call() const;
};

// C is sampled.
struct Sddmm {
  const Dense *a = nullptr, *b = nullptr;
  Sparse* c = nullptr;
  bsOperation_t op_a = BS_OPERATION_NON_TRANSPOSE, op_b = BS_OPERATION_NON_TRANSPOSE;
  double alpha = 1, beta = 0;

  Call call() const;
};

// The exact C, row by row; for a sampled product one value an element. A NaN must be a NaN.
std::vector<double> exact(const Spmm& product);
std::vector<double> exact(const Sddmm& product);

// Every route gives the exact result rounded once, and touches nothing between the lines of C.
void check_everywhere(bsHandle_t handle, const Spmm& product, bsOptions_t options = nullptr);
void check_everywhere(bsHandle_t handle, const Sddmm& product, bsOptions_t options = nullptr);

// Elements that differ from what is wanted.
int64_t mismatches(const Dense& c, const std::vector<double>& wanted);
int64_t mismatches(const Sparse& c, const std::vector<double>& wanted);

}  // namespace bs::cases
