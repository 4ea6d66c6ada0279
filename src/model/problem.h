// A call without its pointers: everything that decides which kernels can serve it and what they cost.
//
// Problems are canonical. The API has already folded away what kernels need not know:
//   dense x sparse      C = A S          becomes  C^T = S^T A^T: S transposed, the layouts of A and C exchanged
//   op of a dense one   op(B) with order becomes  the Layout of op(B)
//   CSC                 becomes CSR of the transpose
//   SDDMM into CSC      becomes SDDMM into CSR with the dense operands exchanged
//   SpMV                becomes SpMM with n = 1
// so a kernel sees: op(S) sparse m x k on the left, B dense k x n, C dense m x n; or, for SDDMM, L dense m x k, R dense
// k x n, S sparse m x n, never transposed. A bias axis is turned along with its matrix.
//
// Problems are compared and hashed as bytes, so they hold integers only and no padding (asserted below).
#pragma once

#include <cstdint>
#include <type_traits>

#include "model/dtype.h"

namespace bs {

enum class Layout : uint8_t { row = BS_ORDER_ROW, col = BS_ORDER_COL };  // row: the second index is contiguous
constexpr Layout flip(Layout layout) {
  return layout == Layout::row ? Layout::col : Layout::row;
}

enum class Format : uint8_t { csr = BS_FORMAT_CSR, bsr = BS_FORMAT_BSR };
enum class Activation : uint8_t { none, relu, gelu_erf, gelu_tanh, silu };
enum class Axis : uint8_t { none = 0, row = BS_AXIS_ROW, col = BS_AXIS_COL };

// Pattern statistics of the stored matrix (rows are block rows for BSR). All zero where analysis has not computed them;
// `nnz` in SparseShape is then all that is known.
struct SparsityStats {
  int64_t known = 0;  // 1 once computed
  int64_t nnz = 0;    // entries referred to, mean over the batch
  int64_t row_length_min = 0, row_length_median = 0, row_length_p95 = 0, row_length_max = 0;
  int64_t row_length_mean_milli = 0, row_length_stddev_milli = 0;  // thousandths
  int64_t empty_rows = 0, empty_cols = 0;
  int64_t sorted = 0;
  int64_t occupancy_ppm[4] = {};  // occupied share of b x b tiles in millionths, b = 8, 16, 32, 64
  bool operator==(const SparsityStats&) const = default;
};

// The sparse matrix as stored (CSR or BSR) and the op on it.
struct SparseShape {
  int64_t rows = 0, cols = 0;              // as stored, in elements
  int64_t nnz = 0;                         // capacity: entries, or blocks
  int64_t block_rows = 1, block_cols = 1;  // 1 x 1 for CSR
  Format format = Format::csr;
  Layout block_layout = Layout::row;
  DType dtype = DType::f32;
  IndexType offset_type = IndexType::i32, index_type = IndexType::i32;
  uint8_t base = 0;
  bool transposed = false;  // op(S) = S^T; kernels then gather through the transposed index
  bool gated = false;
  bool has_order = false, has_transpose = false, has_pack = false;  // what analysis has prepared
  bool own_structure = false;                                       // batches differ in structure
  uint8_t pad[4] = {};
  SparsityStats stats;

  constexpr int64_t block_row_count() const { return (rows + block_rows - 1) / block_rows; }
  constexpr int64_t block_col_count() const { return (cols + block_cols - 1) / block_cols; }
  constexpr int64_t entries() const { return stats.known ? stats.nnz : nnz; }         // blocks for BSR
  constexpr int64_t elements() const { return entries() * block_rows * block_cols; }  // stored values
  bool operator==(const SparseShape&) const = default;
};

// What addresses allow: the largest power of two, up to 16, that divides the pointers of dense operands, their leading
// dimensions and strides in bytes (those that lead anywhere: not the leading dimension of a single line), and the same
// of a BSR matrix's blocks. 16-byte accesses are legal where it is 16.
struct Constraints {
  uint8_t alignment = 16;
  uint8_t block_alignment = 16;
  bool strict = false;         // only rows that isolate non-finite values
  bool deterministic = false;  // only rows that repeat bit for bit
  bool allow_tf32 = false;
  bool operator==(const Constraints&) const = default;
};

struct SpmmProblem {
  static constexpr const char* op = "spmm";
  SparseShape s;
  int64_t m = 0, n = 0, k = 0;
  int64_t ldb = 0, ldc = 0;
  int64_t batch = 1;   // results
  int64_t reduce = 1;  // products summed into each result, 0 gives beta C; batch == 1 or reduce == 1
  DType b_type = DType::f32, c_type = DType::f32, bias_type = DType::f32;
  Layout b_layout = Layout::row, c_layout = Layout::row;
  Activation activation = Activation::none;
  Axis bias = Axis::none;
  bool auxiliary = false;  // the value before the activation is stored too, in C's type and layout
  Constraints constraints;
  uint8_t pad[3] = {};
  bool operator==(const SpmmProblem&) const = default;
};

struct SddmmProblem {
  static constexpr const char* op = "sddmm";
  SparseShape s;  // the result
  int64_t m = 0, n = 0, k = 0;
  int64_t ldl = 0, ldr = 0;
  int64_t batch = 1, reduce = 1;
  DType l_type = DType::f32, r_type = DType::f32, bias_type = DType::f32;
  Layout l_layout = Layout::row, r_layout = Layout::row;
  Axis bias_gradient = Axis::none;
  uint8_t pad[5] = {};
  Constraints constraints;
  bool operator==(const SddmmProblem&) const = default;
};

struct GateGradProblem {
  static constexpr const char* op = "gategrad";
  SparseShape s;  // W
  int64_t batch = 1;
  DType dw_type = DType::f32;
  uint8_t pad[2] = {};
  Constraints constraints;
  bool operator==(const GateGradProblem&) const = default;
};

static_assert(std::has_unique_object_representations_v<SpmmProblem>, "hashed as bytes: no padding, no floats");
static_assert(std::has_unique_object_representations_v<SddmmProblem>, "hashed as bytes: no padding, no floats");
static_assert(std::has_unique_object_representations_v<GateGradProblem>, "hashed as bytes: no padding, no floats");

}  // namespace bs
