// Trains a network on the digits and measures it.
#pragma once

#include "mlp/digits.h"
#include "mlp/network.h"

namespace mlp {

struct Plan {
  std::string name;
  int epochs;
  float rate;  // falls to 0 as half a cosine
  uint64_t seed;
};

constexpr int kBatch = 64;

struct Outcome {
  double accuracy;           // share of the test images
  double step_microseconds;  // median: forward, backward, loss and update of kBatch images
};

// With a progress line on standard output: rewritten in place on a terminal, else one every few epochs.
Outcome train(const Device& device, Network& network, const Split& digits, const Plan& plan);

}  // namespace mlp
