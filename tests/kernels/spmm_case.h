// One SpMM with its data, and what it must give.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/kernel.h"
#include "kernels/launch.h"
#include "kernels/scalars.h"
#include "support/bound.h"
#include "support/dense_data.h"
#include "support/sparse_data.h"

namespace bs::test {

struct SpmmSpec {
  SparseSpec s;  // rows, cols and instances follow from the fields below
  DenseSpec b, c;
  int64_t m = 1, n = 1, k = 1;
  int64_t batch = 1, reduce = 1;
  bool transposed = false;
  bsAnalyzeFlags_t analysis = 0;
  double alpha = 1, beta = 0;
  bool device_scalars = false;
  Activation activation = Activation::none;
  Axis bias = Axis::none;
  DType bias_type = DType::f32;
  bool one_bias = false;  // stride 0
  bool auxiliary = false;
  bool poison_unreferenced = false;  // NaN and Inf in rows of B that the pattern never refers to
};

class SpmmCase {
 public:
  using Kernel = SpmmKernel;
  using Spec = SpmmSpec;
  SpmmCase(Machine* machine, const SpmmSpec& spec);

  std::string name() const;
  const SpmmProblem& problem() const { return problem_; }
  // Runs the row and compares: "" or what is wrong.
  std::string check(const SpmmKernel& kernel, Machine* machine);
  // Runs the row and gives C's bytes; nothing if the launch failed.
  std::optional<std::vector<char>> result(const SpmmKernel& kernel, Machine* machine);

 private:
  void poison_unreferenced();
  void describe_problem();
  void describe_operands();
  void add_products(int64_t result, std::vector<Expected>* sums, std::vector<int64_t>* terms) const;
  void expect();
  void expect_element(int64_t result, int64_t row, int64_t col, const Expected& sum);
  std::string compare(const char* what, const DenseData& data, const std::vector<Expected>& expected) const;
  int64_t at(int64_t result, int64_t row, int64_t col) const { return (result * spec_.m + row) * spec_.n + col; }

  SpmmSpec spec_;
  SparseData s_;
  DenseData b_, c_, auxiliary_, bias_;
  ScalarData scalars_;
  std::optional<AnalysisData> analysis_;
  SpmmProblem problem_;
  SpmmOperands operands_;
  std::vector<Expected> expected_, expected_auxiliary_;
  std::vector<int64_t> terms_;  // of each row of each result
};

}  // namespace bs::test
