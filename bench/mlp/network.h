// A multilayer perceptron over columns: activations are features x images, so that every layer is
//   forward          Y = relu(W X + b)     bsSpMM with bias and ReLU (the last layer without ReLU)
//   input gradient   dX = W^T dY           bsSpMM with op T
//   weight gradient  dW = dY X^T, at the structure of W, and db, the sums of dY    bsSDDMM with the bias gradient
// ReLU's derivative, the loss and the update are elementwise and done on the host between copies.
#pragma once

#include <list>
#include <optional>

#include "mlp/layer.h"
#include "mlp/product.h"

namespace mlp {

// Layers do not move, since descriptors point into them.
using Network = std::list<Layer>;

// The products of a network for one number of images.
class Pass {
 public:
  Pass(const Device& device, Network& network, int64_t images);

  // Pixels (64 x images) to scores (10 x images).
  std::vector<float> forward(const std::vector<float>& pixels);
  // From the gradient of the scores to that of all weights and biases.
  void backward(const std::vector<float>& score_gradient);

  struct Named {
    std::string layer;
    const char* what;
    const Product* product;
  };
  std::vector<Named> products() const;

 private:
  struct Stage {
    Layer* layer;
    Array<float> output, output_gradient;
    Matrix y, dy;
    Options forward_options, weight_options;
    Product forward, weight_gradient;
    std::optional<Product> input_gradient;  // the first layer's inputs are data
  };
  void add_stage(Layer& layer, bool first, bool last);
  void run(const Product& product) { product.run(device_, *workspace_, workspace_bytes_); }

  const Device& device_;
  int64_t images_;
  Array<float> input_;
  Matrix x_;
  std::list<Stage> stages_;
  int64_t workspace_bytes_ = 0;
  std::optional<Memory> workspace_;  // one for all products: they run one after the other
};

}  // namespace mlp
