// Trains three small networks on handwritten digits through the C interface of libbsparse: a dense one (BSR with every
// block stored), one with block-sparse hidden layers from the start, and the dense one pruned to CSR and tuned again.
// Usage: demo_mlp digits.csv. The exit status is 1 if a network stays below 95 % on the test images.
#include <cstdio>
#include <exception>

#include "mlp/training.h"

namespace {

using mlp::Device, mlp::Network, mlp::Plan, mlp::Random, mlp::Weights;

constexpr double kAccuracyGoal = 0.95;
constexpr int64_t kHidden = 256;
constexpr double kPrunedShare = 0.1;

void add_layer(const Device& device, Network& network, Weights weights) {
  std::vector<float> bias(static_cast<size_t>(weights.rows));
  network.emplace_back(device, std::move(weights), std::move(bias));
}

// 64 -> 256 -> 256 -> 10; `share` of the blocks of the two hidden layers, all of the last one.
void build(const Device& device, double share, uint64_t seed, Network* network) {
  Random random(seed);
  const auto blocks = [&](int64_t inputs) {
    return static_cast<int64_t>(share * static_cast<double>(inputs / mlp::kBlock));
  };
  add_layer(device, *network, random_blocks(kHidden, mlp::kPixels, blocks(mlp::kPixels), random));
  add_layer(device, *network, random_blocks(kHidden, kHidden, blocks(kHidden), random));
  add_layer(device, *network, random_blocks(mlp::kClasses, kHidden, kHidden / mlp::kBlock, random));
}

void build_pruned(const Device& device, const Network& trained, Network* network) {
  for (const mlp::Layer& layer : trained)
    network->emplace_back(device, pruned(device, layer.weights(), kPrunedShare), layer.bias());
}

struct Result {
  std::string name;
  mlp::Outcome outcome;
};

void print_summary(const Result& result, const Network& network) {
  int64_t kept = 0, total = 0;
  for (const mlp::Layer& layer : network) {
    kept += layer.weights().kept();
    total += layer.weights().total();
  }
  std::printf("%-14s %8.2f %%  %6lld of %lld (%3.0f %%)  %8.0f us\n", result.name.c_str(),
              100 * result.outcome.accuracy, static_cast<long long>(kept), static_cast<long long>(total),
              100 * static_cast<double>(kept) / static_cast<double>(total), result.outcome.step_microseconds);
}

void print_routes(const Device& device, const std::string& name, Network& network) {
  const mlp::Pass pass(device, network, mlp::kBatch);
  std::printf("\n%s, %d images\n", name.c_str(), mlp::kBatch);
  for (const auto& [layer, what, product] : pass.products()) {
    const mlp::Explanation why = product->explain(device);
    std::printf("  %-11s %-15s %-5s %-26s %s\n", layer.c_str(), what, product->operation->name, why.route.c_str(),
                why.reason.c_str());
  }
}

int run(const char* path) {
  const mlp::Split digits = mlp::read_digits(path);
  const Device device;
  std::printf("libbsparse on %s; %d images to train on, %d to test\n", device.name(), digits.training.count(),
              digits.test.count());

  Network dense, block_sparse, csr;
  build(device, 1.0, 1, &dense);
  const Result first{"dense", train(device, dense, digits, {"dense", 20, 2e-3f, 11})};
  build(device, 0.25, 2, &block_sparse);
  const Result second{"block-sparse", train(device, block_sparse, digits, {"block-sparse", 30, 2e-3f, 12})};
  build_pruned(device, dense, &csr);
  const Result third{"pruned to CSR", train(device, csr, digits, {"pruned to CSR", 25, 4e-3f, 13})};

  std::printf("\n%-14s %10s  %-22s  %11s\n", "network", "test", "weights kept", "step");
  print_summary(first, dense);
  print_summary(second, block_sparse);
  print_summary(third, csr);
  print_routes(device, first.name, dense);
  print_routes(device, second.name, block_sparse);
  print_routes(device, third.name, csr);

  for (const Result& result : {first, second, third})
    if (!(result.outcome.accuracy >= kAccuracyGoal)) {
      std::fprintf(stderr, "demo_mlp: %s reached %.2f %%, must be >= %.0f %%\n", result.name.c_str(),
                   100 * result.outcome.accuracy, 100 * kAccuracyGoal);
      return 1;
    }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: demo_mlp digits.csv\n");
    return 2;
  }
  try {
    return run(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "demo_mlp: %s\n", error.what());
    return 1;
  }
}
