// Sets up and runs the products of a network.
#include "mlp/network.h"

#include <algorithm>

namespace mlp {
namespace {

Options forward_options_of(const Layer& layer, bool relu) {
  Options options = make_options();
  check(bsOptionsSetBias(options.get(), layer.device_bias().data(), BS_R_32F, BS_AXIS_ROW, 0));
  if (relu) check(bsOptionsSetInt(options.get(), BS_OPTION_ACTIVATION, BS_ACTIVATION_RELU));
  return options;
}

Options weight_options_of(const Layer& layer) {
  Options options = make_options();
  check(bsOptionsSetBiasGradient(options.get(), layer.device_bias_gradient().data(), BS_R_32F, BS_AXIS_ROW));
  return options;
}

// The derivative of ReLU, from its result.
void mask(std::vector<float>& gradient, const std::vector<float>& output) {
  for (size_t i = 0; i < gradient.size(); ++i)
    if (output[i] <= 0) gradient[i] = 0;
}

}  // namespace

Pass::Pass(const Device& device, Network& network, int64_t images)
    : device_(device),
      images_(images),
      input_(device, network.front().inputs() * images),
      x_(dense_matrix(network.front().inputs(), images, input_)) {
  for (Layer& layer : network) add_stage(layer, &layer == &network.front(), &layer == &network.back());
  for (const Named& named : products())
    workspace_bytes_ = std::max(workspace_bytes_, named.product->workspace_bytes(device));
  workspace_.emplace(device, workspace_bytes_);
}

void Pass::add_stage(Layer& layer, bool first, bool last) {
  constexpr auto kN = BS_OPERATION_NON_TRANSPOSE, kT = BS_OPERATION_TRANSPOSE;
  const bsConstMatDescr_t x = first ? x_.get() : stages_.back().y.get();
  const bsMatDescr_t dx = first ? nullptr : stages_.back().dy.get();
  Array<float> output(device_, layer.outputs() * images_), output_gradient(device_, layer.outputs() * images_);
  Matrix y = dense_matrix(layer.outputs(), images_, output);
  Matrix dy = dense_matrix(layer.outputs(), images_, output_gradient);
  Options forward_options = forward_options_of(layer, !last), weight_options = weight_options_of(layer);
  const Product forward{&kSpmm, kN, kN, layer.matrix(), x, y.get(), forward_options.get()};
  const Product weight_gradient{&kSddmm, kN, kT, dy.get(), x, layer.gradient(), weight_options.get()};
  std::optional<Product> input_gradient;
  if (!first) input_gradient = Product{&kSpmm, kT, kN, layer.matrix(), dy.get(), dx, nullptr};
  stages_.push_back({&layer, std::move(output), std::move(output_gradient), std::move(y), std::move(dy),
                     std::move(forward_options), std::move(weight_options), forward, weight_gradient, input_gradient});
}

std::vector<float> Pass::forward(const std::vector<float>& pixels) {
  input_.upload(pixels);
  for (const Stage& stage : stages_) run(stage.forward);
  return stages_.back().output.download();
}

void Pass::backward(const std::vector<float>& score_gradient) {
  stages_.back().output_gradient.upload(score_gradient);
  for (auto stage = stages_.rbegin(); stage != stages_.rend(); ++stage) {
    run(stage->weight_gradient);
    if (!stage->input_gradient) continue;
    run(*stage->input_gradient);
    const auto below = std::next(stage);
    std::vector<float> gradient = below->output_gradient.download();
    mask(gradient, below->output.download());
    below->output_gradient.upload(gradient);
  }
}

std::vector<Pass::Named> Pass::products() const {
  std::vector<Named> all;
  for (const Stage& stage : stages_) {
    const std::string layer = std::to_string(stage.layer->inputs()) + " -> " + std::to_string(stage.layer->outputs());
    all.push_back({layer, "forward", &stage.forward});
    if (stage.input_gradient) all.push_back({layer, "input gradient", &*stage.input_gradient});
    all.push_back({layer, "weight gradient", &stage.weight_gradient});
  }
  return all;
}

}  // namespace mlp
