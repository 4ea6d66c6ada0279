// One layer: a sparse weight matrix and a bias in device memory, their gradients, and the optimiser's state on the
// host.
#pragma once

#include "mlp/weights.h"

namespace mlp {

// Adam (Kingma and Ba, 2015) for one array of parameters.
class Adam {
 public:
  explicit Adam(size_t count) : mean_(count), square_(count) {}
  void step(std::vector<float>& parameters, const std::vector<float>& gradient, float rate);

 private:
  std::vector<float> mean_, square_;
  int steps_ = 0;
};

class Layer {
 public:
  Layer(const Device& device, Weights weights, std::vector<float> bias);

  int64_t inputs() const { return host_.cols; }
  int64_t outputs() const { return host_.rows; }
  const Weights& weights() const { return host_; }
  const std::vector<float>& bias() const { return host_bias_; }
  const Array<float>& device_bias() const { return bias_; }
  const Array<float>& device_bias_gradient() const { return bias_gradient_; }
  bsConstMatDescr_t matrix() const { return matrix_.get(); }
  bsMatDescr_t gradient() const { return gradient_matrix_.get(); }

  // Moves weights and bias against the gradients that the last products left in device memory.
  void update(float rate);

 private:
  void analyze(const Device& device);

  Weights host_;
  std::vector<float> host_bias_;
  Array<int32_t> offsets_, indices_;
  Array<float> values_, gradient_, bias_, bias_gradient_;
  Matrix matrix_, gradient_matrix_;  // one structure, two arrays of values
  std::vector<Memory> analysis_;
  Adam adam_, bias_adam_;
};

}  // namespace mlp
