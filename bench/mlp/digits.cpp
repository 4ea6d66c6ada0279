// Reads the digits.
#include "mlp/digits.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace mlp {
namespace {

constexpr int kTestEvery = 5;

// 64 pixels of 0 to 16, then the digit.
void add_line(const std::string& line, Digits& digits) {
  const char* at = line.c_str();
  const auto number = [&](long most) {
    char* end = nullptr;
    const long value = std::strtol(at, &end, 10);
    if (end == at || value < 0 || value > most) throw std::runtime_error("not a line of digits: " + line);
    at = *end == ',' ? end + 1 : end;
    return value;
  };
  for (int i = 0; i < kPixels; ++i) digits.pixels.push_back(static_cast<float>(number(16)) / 16.0f);
  digits.labels.push_back(static_cast<int>(number(kClasses - 1)));
}

}  // namespace

Split read_digits(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path);
  Split split;
  std::string line;
  for (int i = 0; std::getline(file, line); ++i)
    add_line(line, i % kTestEvery == kTestEvery - 1 ? split.test : split.training);
  if (split.test.count() == 0) throw std::runtime_error("no digits in " + path);
  return split;
}

std::vector<float> columns_of(const Digits& digits, const std::vector<int>& positions) {
  const size_t images = positions.size();
  std::vector<float> columns(kPixels * images);
  for (size_t j = 0; j < images; ++j)
    for (size_t i = 0; i < kPixels; ++i)
      columns[i * images + j] = digits.pixels[static_cast<size_t>(positions[j]) * kPixels + i];
  return columns;
}

}  // namespace mlp
