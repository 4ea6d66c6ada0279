// A dense operand in a machine's memory: any layout, leading dimension, batch stride and alignment. The array ends with
// its last element; what lies between elements must stay as it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/problem.h"
#include "support/guarded.h"

namespace bs::test {

struct DenseSpec {
  int64_t rows = 0, cols = 0;
  Layout layout = Layout::row;
  DType dtype = DType::f32;
  int64_t ld_padding = 0;
  int64_t instances = 1;
  bool broadcast = false;  // one instance serves all
  int64_t gap = 0;         // elements between instances
  int64_t shift = 0;       // in elements
  bool poison = false;     // all NaN
  uint64_t seed = 1;
};
std::string describe(const char* name, const DenseSpec& spec);

class DenseData {
 public:
  DenseData(Machine* machine, const DenseSpec& spec);

  int64_t ld() const { return ld_; }
  int64_t stride() const { return spec.broadcast ? 0 : stride_; }  // elements from one instance to the next
  void* data() const { return array_.data(); }
  // Value before the call.
  double before(int64_t instance, int64_t row, int64_t col) const { return value(bytes_, instance, row, col); }
  void set(int64_t instance, int64_t row, int64_t col, double value);
  void commit() { array_.write(bytes_); }  // after set; also undoes what a call has written
  std::vector<char> after() const { return array_.read(); }
  double value(const std::vector<char>& bytes, int64_t instance, int64_t row, int64_t col) const;
  bool unharmed() const { return array_.intact() && array_.read() == bytes_; }  // an input
  bool only_elements_written(const std::vector<char>& after) const;             // an output
  // Largest power of two up to 16 that divides address, ld and stride in bytes.
  uint8_t alignment() const;

  const DenseSpec spec;

 private:
  int64_t index(int64_t instance, int64_t row, int64_t col) const {
    return instance * stride() + (spec.layout == Layout::row ? row * ld_ + col : row + col * ld_);
  }
  int64_t instance_count() const { return spec.broadcast ? 1 : spec.instances; }

  int64_t ld_, stride_;
  std::vector<char> bytes_;
  Guarded array_;
};

}  // namespace bs::test
