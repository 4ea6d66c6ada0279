// The training loop.
#include "mlp/training.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>

namespace mlp {
namespace {

// Softmax and cross entropy of one column of scores, which becomes the gradient of the mean loss.
double softmax_loss(float* scores, size_t stride, int label, float scale) {
  float most = scores[0];
  for (size_t i = 1; i < kClasses; ++i) most = std::max(most, scores[i * stride]);
  float sum = 0;
  for (size_t i = 0; i < kClasses; ++i) sum += scores[i * stride] = std::exp(scores[i * stride] - most);
  const double loss = -std::log(scores[static_cast<size_t>(label) * stride] / sum);
  for (size_t i = 0; i < kClasses; ++i) scores[i * stride] *= scale / sum;
  scores[static_cast<size_t>(label) * stride] -= scale;
  return loss;
}

// One step over the images at `positions`; returns their mean loss.
double step(Network& network, Pass& pass, const Digits& digits, const std::vector<int>& positions, float rate) {
  std::vector<float> scores = pass.forward(columns_of(digits, positions));
  const size_t images = positions.size();
  double loss = 0;
  for (size_t j = 0; j < images; ++j)
    loss += softmax_loss(&scores[j], images, digits.labels[static_cast<size_t>(positions[j])],
                         1.0f / static_cast<float>(images));
  pass.backward(scores);
  for (Layer& layer : network) layer.update(rate);
  return loss / static_cast<double>(images);
}

double accuracy(Pass& pass, const Digits& digits) {
  std::vector<int> positions(static_cast<size_t>(digits.count()));
  std::iota(positions.begin(), positions.end(), 0);
  const std::vector<float> scores = pass.forward(columns_of(digits, positions));
  const size_t images = positions.size();
  int right = 0;
  for (size_t j = 0; j < images; ++j) {
    size_t best = 0;
    for (size_t i = 1; i < kClasses; ++i)
      if (scores[i * images + j] > scores[best * images + j]) best = i;
    right += static_cast<int>(best) == digits.labels[j];
  }
  return right / static_cast<double>(images);
}

void report(const Plan& plan, int epoch, double loss, double accuracy) {
  const bool live = isatty(STDOUT_FILENO) != 0;
  const bool last = epoch == plan.epochs;
  if (!live && !last && epoch % 5 != 0) return;
  std::printf("%s%-14s epoch %2d of %d  loss %.4f  test accuracy %.2f %%%s", live ? "\r" : "", plan.name.c_str(), epoch,
              plan.epochs, loss, 100 * accuracy, live && !last ? "" : "\n");
  std::fflush(stdout);
}

// Half a cosine from the plan's rate to 0.
float rate_at(const Plan& plan, int epoch) {
  const float turn = std::numbers::pi_v<float> * static_cast<float>(epoch) / static_cast<float>(plan.epochs);
  return plan.rate * (1 + std::cos(turn)) / 2;
}

}  // namespace

Outcome train(const Device& device, Network& network, const Split& digits, const Plan& plan) {
  using Clock = std::chrono::steady_clock;
  Pass pass(device, network, kBatch), test_pass(device, network, digits.test.count());
  Random random(plan.seed);
  std::vector<int> order(static_cast<size_t>(digits.training.count()));
  std::iota(order.begin(), order.end(), 0);
  const int steps = digits.training.count() / kBatch;  // the shuffled rest waits for another epoch

  std::vector<double> microseconds;
  double right = 0;
  for (int epoch = 0; epoch < plan.epochs; ++epoch) {
    random.shuffle(order);
    double loss = 0;
    for (auto first = order.begin(); first + kBatch <= order.end(); first += kBatch) {
      const auto start = Clock::now();
      loss += step(network, pass, digits.training, {first, first + kBatch}, rate_at(plan, epoch)) / steps;
      microseconds.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    right = accuracy(test_pass, digits.test);
    report(plan, epoch + 1, loss, right);
  }
  const auto middle = microseconds.begin() + static_cast<std::ptrdiff_t>(microseconds.size() / 2);
  std::nth_element(microseconds.begin(), middle, microseconds.end());
  return {right, *middle};
}

}  // namespace mlp
