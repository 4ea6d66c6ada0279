// One gate gradient with its data, and what it must give.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/kernel.h"
#include "kernels/launch.h"
#include "support/bound.h"
#include "support/sparse_data.h"

namespace bs::test {

struct GateGradSpec {
  SparseSpec s;  // W; instances follow from batch
  DType dw_type = DType::f32;
  int64_t batch = 1;
  int64_t gap = 0;  // floats between the gradients of two batches
};

class GateGradCase {
 public:
  using Kernel = GateGradKernel;
  using Spec = GateGradSpec;
  GateGradCase(Machine* machine, const GateGradSpec& spec);

  std::string name() const;
  const GateGradProblem& problem() const { return problem_; }
  std::string check(const GateGradKernel& kernel, Machine* machine);
  std::optional<std::vector<char>> result(const GateGradKernel& kernel, Machine* machine);

 private:
  void expect();
  std::string compare() const;

  GateGradSpec spec_;
  SparseData w_, dw_;
  int64_t stride_;
  std::vector<char> blank_;
  Guarded gradient_;
  GateGradProblem problem_;
  GateGradOperands operands_;
  std::vector<Expected> expected_;  // of the whole gradient array; value NaN where nothing is written
};

}  // namespace bs::test
