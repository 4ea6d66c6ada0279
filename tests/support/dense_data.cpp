#include "support/dense_data.h"

#include <algorithm>
#include <cstring>

#include "support/random.h"
#include "support/typed.h"

namespace bs::test {

std::string describe(const char* name, const DenseSpec& s) {
  std::string text = std::string(" | ") + name + " " + name_of(s.dtype) + (s.layout == Layout::row ? " row" : " col");
  if (s.ld_padding) text += " ld+" + std::to_string(s.ld_padding);
  if (s.shift) text += " shift" + std::to_string(s.shift);
  if (s.broadcast && s.instances != 1) text += " broadcast";
  return text;
}

DenseData::DenseData(Machine* machine, const DenseSpec& s) : spec(s) {
  const int64_t inner = s.layout == Layout::row ? s.cols : s.rows, outer = s.layout == Layout::row ? s.rows : s.cols;
  ld_ = std::max<int64_t>(inner, 1) + s.ld_padding;
  const int64_t extent = inner && outer ? (outer - 1) * ld_ + inner : 0;
  stride_ = extent + s.gap;
  const int64_t count = instance_count() && extent ? (instance_count() - 1) * stride_ + extent : 0;
  bytes_.assign(static_cast<size_t>(count * size_of(s.dtype)), static_cast<char>(0xff));
  Random random(s.seed);
  for (int64_t i = 0; i < instance_count() && !s.poison; ++i)
    for (int64_t row = 0; row < s.rows; ++row)
      for (int64_t col = 0; col < s.cols; ++col) set(i, row, col, random.symmetric());
  array_ = Guarded(machine, bytes_, s.shift * size_of(s.dtype));
}

void DenseData::set(int64_t instance, int64_t row, int64_t col, double value) {
  store(spec.dtype, bytes_.data(), index(instance, row, col), value);
}

double DenseData::value(const std::vector<char>& bytes, int64_t instance, int64_t row, int64_t col) const {
  return load(spec.dtype, bytes.data(), index(instance, row, col));
}

bool DenseData::only_elements_written(const std::vector<char>& after) const {
  if (!array_.intact()) return false;
  std::vector<char> expected = bytes_;
  const size_t size = static_cast<size_t>(size_of(spec.dtype));
  for (int64_t i = 0; i < instance_count(); ++i) {
    for (int64_t row = 0; row < spec.rows; ++row) {
      for (int64_t col = 0; col < spec.cols; ++col) {
        const size_t at = static_cast<size_t>(index(i, row, col)) * size;
        std::memcpy(&expected[at], &after[at], size);
      }
    }
  }
  return expected == after;
}

uint8_t DenseData::alignment() const {
  const int64_t size = size_of(spec.dtype);
  return alignment_of(data(), {ld_ * size, stride() * size});
}

}  // namespace bs::test
