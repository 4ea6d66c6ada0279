// Random numbers that are the same with every standard library: its engines are specified, its distributions are not.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace mlp {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  // In [-bound, bound).
  float uniform(float bound) { return bound * (static_cast<float>(engine_() >> 40) * 0x1p-23f - 1.0f); }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[engine_() % i]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace mlp
