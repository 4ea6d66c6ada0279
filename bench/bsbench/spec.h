// What is measured and how: one problem, and the settings of a run.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bsparse.h"
#include "model/dtype.h"

namespace bench {

enum class Op { spmm, sddmm, spmv };
enum class Pattern { uniform, powerlaw, banded, blockdiag, dlmc };

// A product in the words of the C interface: A, B and C are its arguments. A is sparse for spmm and spmv, C for sddmm.
struct Spec {
  Op op = Op::spmm;
  bsFormat_t format = BS_FORMAT_CSR;
  int64_t block_rows = 32, block_cols = 32;  // BSR only
  bsOrder_t block_order = BS_ORDER_ROW;
  bs::DType dtype = bs::DType::f32;                     // of the sparse matrix
  bs::DType a_type{}, b_type{}, c_type{}, bias_type{};  // all set after parsing
  int64_t m = 0, k = 0, n = 0;
  double density = 0.1;
  Pattern pattern = Pattern::uniform;
  double sigma = -1;  // spread of the dlmc pattern; < 0: by density
  std::string file;   // a pattern from a file instead
  bool transpose_a = false, transpose_b = false;
  bsOrder_t order_a = BS_ORDER_ROW, order_b = BS_ORDER_ROW, order_c = BS_ORDER_ROW;
  int64_t lda = 0, ldb = 0, ldc = 0;  // 0: without gaps
  bsIndexType_t offset_type = BS_INDEX_32I, index_type = BS_INDEX_32I;
  int base = 0;
  int64_t batch = 1, reduce = 1;  // results; products summed into each
  double beta = 0;
  int align = 16;  // bytes that the addresses of dense operands divide by
  bool gate = false, own_structure = false;
  bsAnalyzeFlags_t analysis = 0;
  bool strict = false, deterministic = false, tf32 = false, auxiliary = false;
  bsActivation_t activation = BS_ACTIVATION_NONE;
  int bias = 0, bias_gradient = 0;  // bsAxis_t or 0

  bool sparse_result() const { return op == Op::sddmm; }
  int64_t products() const { return batch * reduce; }
};

struct Settings {
  std::string backend = "auto", route = "auto", shapes, commit;
  std::vector<std::string> peers;
  std::string line;  // a problem in place of options: a line of the library's log
  int device = 0, rounds = 50, shard = 1, shards = 1;
  double seconds = 3;  // bound of the timed part of one problem
  bool cold = false, check = false, json = false, help = false;
  uint64_t seed = 1;
  std::vector<double> roof;  // GB/s, TFLOP/s in f64, f32, 16 bits; empty: by the device's name
};

struct Arguments {
  Settings settings;
  std::vector<Spec> problems;  // of this shard
  size_t all = 0;              // of every shard
};

// Throws std::invalid_argument; `help` holds the text where --help was asked for.
Arguments parse_arguments(const std::vector<std::string>& words, std::string* help);

// The problem in the words of the command line, without what equals a default.
std::string describe(const Spec& spec);

const char* name_of(Op op);
const char* name_of(Pattern pattern);
const char* format_name(bsFormat_t format);

}  // namespace bench
