// What bsSpMM, bsSpMV and bsSDDMM have in common: the arguments as the user gave them, and the checks in their order.
#pragma once

#include "api/context.h"
#include "api/matrix.h"
#include "api/options.h"

namespace bs {

// A matrix argument under its op, with the name the manual gives it.
struct Operand {
  const char* name;
  const bsMatrix* matrix;
  bool transposed = false;

  const MatrixView& view() const { return matrix->view; }
  int64_t rows() const { return transposed ? view().cols : view().rows; }
  int64_t cols() const { return transposed ? view().rows : view().cols; }
};

struct Names {
  const char *a = "A", *b = "B", *c = "C";
  bool vector = false;  // bsSpMV, which has no opB
};
inline constexpr Names kVectorNames{"A", "x", "y", true};

// C = alpha op(A) op(B) + beta C, whichever of the three is sparse.
struct Product {
  bsHandle_t handle = nullptr;
  bsOperation_t op_a = BS_OPERATION_NON_TRANSPOSE, op_b = BS_OPERATION_NON_TRANSPOSE;
  const void* alpha = nullptr;
  bsConstMatDescr_t matrix_a = nullptr, matrix_b = nullptr;
  const void* beta = nullptr;
  bsConstMatDescr_t matrix_c = nullptr;
  bsDataType_t compute = BS_R_32F;
  bsConstOptions_t options = nullptr;
  Names names;

  Operand a() const { return {names.a, matrix_a, op_a != BS_OPERATION_NON_TRANSPOSE}; }
  Operand b() const { return {names.b, matrix_b, op_b != BS_OPERATION_NON_TRANSPOSE}; }
  Operand c() const { return {names.c, matrix_c}; }
};

// Where a product is to run: on the handle's device, or on one that is only described.
enum class Where { here, elsewhere };

struct Workspace {
  void* pointer = nullptr;
  int64_t bytes = 0;
};

// Input i = b + r for result b of `results` and summand r of `summands`.
struct Batching {
  int64_t results = 1, summands = 1;
};

Status check_op(bsOperation_t op, const char* argument);
// "B has 512 rows, A has 500 columns".
enum class Side { rows, cols };
Status match_extents(const Operand& x, Side x_side, const Operand& y, Side y_side);

// Every argument by itself, in the order of the signature.
Status check_arguments(const Product&);
// Arguments against each other.
Status check_types(const Product&);
Status check_shapes(const Product&);
Status match_batches(const Product&, Batching*);
// A vector of the options that goes with C: C's type or f32, f64 where C is f64.
Status check_vector(const char* name, bsDataType_t type, const Operand& c);
// Formats of one argument.
Status require_dense(const Operand&);
Status require_compressed(const Operand&);

Status check_output_stride(const Operand&);

// What only execution can know.
Status check_workspace(const Workspace&, const char* name = "workspace");
// INSUFFICIENT_WORKSPACE where there is one size and no choice of routes.
Status check_fits(int64_t needed, const Workspace&, const char* name = "workspace");
Status check_scalars(const Product&);
// STALE_ANALYSIS where values changed after they were packed.
Status check_fresh(const Operand&);

}  // namespace bs
