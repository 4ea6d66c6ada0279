// One SDDMM with its data, and what it must give.
#pragma once

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

struct SddmmSpec {
  SparseSpec s;  // rows, cols and instances follow from the fields below
  DenseSpec l, r;
  int64_t m = 1, n = 1, k = 1;
  int64_t batch = 1, reduce = 1;
  bsAnalyzeFlags_t analysis = 0;
  double alpha = 1, beta = 0;
  bool device_scalars = false;
  Axis bias_gradient = Axis::none;
  DType bias_type = DType::f32;
};

class SddmmCase {
 public:
  using Kernel = SddmmKernel;
  using Spec = SddmmSpec;
  SddmmCase(Machine* machine, const SddmmSpec& spec);

  std::string name() const;
  const SddmmProblem& problem() const { return problem_; }
  std::string check(const SddmmKernel& kernel, Machine* machine);
  std::optional<std::vector<char>> result(const SddmmKernel& kernel, Machine* machine);

 private:
  struct Wanted {
    int64_t index;  // into the value array
    Expected value;
  };
  void describe_problem();
  void describe_operands();
  void expect();
  Expected product(int64_t result, int64_t row, int64_t col) const;
  Expected line_sum(int64_t result, int64_t position) const;
  int64_t gradient_length() const;
  std::string compare_values() const;
  std::string compare_gradient() const;
  std::vector<char> untouchable(std::vector<char> bytes) const;

  SddmmSpec spec_;
  SparseData s_;
  DenseData l_, r_;
  Guarded gradient_;
  ScalarData scalars_;
  std::optional<AnalysisData> analysis_;
  SddmmProblem problem_;
  SddmmOperands operands_;
  std::vector<Wanted> wanted_;
};

}  // namespace bs::test
