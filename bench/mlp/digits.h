// The handwritten digits of bench/data/digits.csv.
#pragma once

#include <string>
#include <vector>

namespace mlp {

constexpr int kPixels = 64;
constexpr int kClasses = 10;

struct Digits {
  std::vector<float> pixels;  // image after image, 0 to 1
  std::vector<int> labels;
  int count() const { return static_cast<int>(labels.size()); }
};

struct Split {
  Digits training, test;
};

// Every fifth image is for the test. Throws std::runtime_error where the file cannot be read.
Split read_digits(const std::string& path);

// The images at `positions` as columns, and their labels.
std::vector<float> columns_of(const Digits& digits, const std::vector<int>& positions);

}  // namespace mlp
