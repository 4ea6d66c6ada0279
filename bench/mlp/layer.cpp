// Construction and update of a layer.
#include "mlp/layer.h"

#include <cmath>

namespace mlp {

void Adam::step(std::vector<float>& parameters, const std::vector<float>& gradient, float rate) {
  constexpr float kMeanDecay = 0.9f, kSquareDecay = 0.999f, kFloor = 1e-8f;
  ++steps_;
  const float mean_scale = 1 / (1 - std::pow(kMeanDecay, static_cast<float>(steps_)));
  const float square_scale = 1 / (1 - std::pow(kSquareDecay, static_cast<float>(steps_)));
  for (size_t i = 0; i < parameters.size(); ++i) {
    const float g = gradient[i];
    mean_[i] = kMeanDecay * mean_[i] + (1 - kMeanDecay) * g;
    square_[i] = kSquareDecay * square_[i] + (1 - kSquareDecay) * g * g;
    parameters[i] -= rate * mean_scale * mean_[i] / (std::sqrt(square_scale * square_[i]) + kFloor);
  }
}

Layer::Layer(const Device& device, Weights weights, std::vector<float> bias)
    : host_(std::move(weights)),
      host_bias_(std::move(bias)),
      offsets_(device, host_.offsets),
      indices_(device, host_.indices),
      values_(device, host_.values),
      gradient_(device, values_.count()),
      bias_(device, host_bias_),
      bias_gradient_(device, bias_.count()),
      matrix_(sparse_matrix(host_, offsets_, indices_, values_)),
      gradient_matrix_(sparse_matrix(host_, offsets_, indices_, gradient_)),
      adam_(host_.values.size()),
      bias_adam_(host_bias_.size()) {
  analyze(device);
}

// The structure stays while the values change: its statistics guide the choice, its transpose serves the input
// gradient.
void Layer::analyze(const Device& device) {
  constexpr bsAnalyzeFlags_t kFlags = BS_ANALYZE_STATS | BS_ANALYZE_ORDER | BS_ANALYZE_TRANSPOSE;
  for (bsMatDescr_t matrix : {matrix_.get(), gradient_matrix_.get()}) {
    int64_t bytes = 0;
    check(bsMatAnalyze_bufferSize(device.handle(), matrix, kFlags, &bytes));
    analysis_.emplace_back(device, bytes);
    check(bsMatAnalyze(device.handle(), matrix, kFlags, analysis_.back().data(), bytes));
  }
}

void Layer::update(float rate) {
  adam_.step(host_.values, gradient_.download(), rate);
  values_.upload(host_.values);
  bias_adam_.step(host_bias_, bias_gradient_.download(), rate);
  bias_.upload(host_bias_);
}

}  // namespace mlp
