#include "kernels/gategrad_case.h"

#include <cmath>

namespace bs::test {
namespace {

SparseSpec weight_spec(const GateGradSpec& spec, DType type) {
  SparseSpec s = spec.s;
  s.dtype = type;
  s.instances = spec.batch;
  s.output = true;  // gates do not count here
  s.stored_zeros = false;
  if (spec.batch > 1 && s.sharing == Sharing::all) s.sharing = Sharing::structure;
  return s;
}

}  // namespace

GateGradCase::GateGradCase(Machine* machine, const GateGradSpec& spec)
    : spec_(spec),
      w_(machine, weight_spec(spec, spec.s.dtype)),
      dw_(machine, weight_spec(spec, spec.dw_type)),
      stride_(spec.s.sharing == Sharing::absolute ? 0 : w_.entries() + spec.gap),
      blank_(
          static_cast<size_t>(w_.entries() ? 4 * (stride_ * std::max<int64_t>(spec.batch - 1, 0) + w_.entries()) : 0),
          static_cast<char>(0xff)),
      gradient_(machine, blank_, 4 * spec.s.shift) {
  problem_.s = w_.shape();
  problem_.batch = spec.batch;
  problem_.dw_type = spec.dw_type;
  problem_.constraints.block_alignment = 2;
  operands_ = {.s = w_.operand(),
               .dw = dw_.value_array().data(),
               .dw_stride = dw_.value_stride(),
               .gradient = static_cast<float*>(gradient_.data()),
               .gradient_stride = stride_};
  expect();
}

void GateGradCase::expect() {
  expected_.assign(blank_.size() / 4, {std::nan(""), 0});
  for (int64_t b = 0; b < spec_.batch; ++b) {
    std::vector<double> weights;
    w_.for_elements(b, [&](const SparseData::Element& e) { weights.push_back(e.value); });
    size_t next = 0;
    dw_.for_elements(b, [&](const SparseData::Element& e) {
      Expected& sum = expected_[static_cast<size_t>(b * stride_ + e.entry)];
      const double product = weights[next++] * e.value;
      sum.value = std::isnan(sum.value) ? product : sum.value + product;
      sum.magnitude += std::abs(product);
    });
  }
}

std::string GateGradCase::name() const {
  return describe(w_.spec) + " dW " + bs::name_of(spec_.dw_type) + " batch " + std::to_string(spec_.batch);
}

std::string GateGradCase::compare() const {
  const std::vector<char> bytes = gradient_.read();
  for (size_t i = 0; i < expected_.size(); ++i) {
    const double got = load(DType::f32, bytes.data(), static_cast<int64_t>(i));
    if (!within_bound(got, expected_[i], w_.block_size(), DType::f32))
      return "gradient " + std::to_string(i) + " is " + std::to_string(got) + ", not " +
             std::to_string(expected_[i].value);
  }
  return gradient_.intact() ? "" : "wrote around the gradient";
}

std::string GateGradCase::check(const GateGradKernel& kernel, Machine* machine) {
  gradient_.write(blank_);
  std::string wrong = launch(kernel, machine, problem_, operands_);
  if (wrong.empty()) wrong = compare();
  if (wrong.empty() && !(w_.unharmed() && dw_.unharmed())) wrong = "an input was written to";
  return wrong.empty() ? "" : name() + ": " + wrong;
}

std::optional<std::vector<char>> GateGradCase::result(const GateGradKernel& kernel, Machine* machine) {
  gradient_.write(blank_);
  if (!launch(kernel, machine, problem_, operands_).empty()) return std::nullopt;
  return gradient_.read();
}

}  // namespace bs::test
