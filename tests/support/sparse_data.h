// A random sparse operand in a machine's memory, with everything its descriptor could say, and its entries on the host.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "model/matrix_view.h"
#include "model/operands.h"
#include "model/problem.h"
#include "support/guarded.h"
#include "support/pattern.h"
#include "support/typed.h"

namespace bs::test {

// What the instances of a batch have in common.
enum class Sharing : uint8_t {
  all,        // one matrix for every instance
  structure,  // values of their own
  none,       // values, offsets and indices of their own
  absolute    // offsets of their own through common index and value arrays: unequal entry counts
};

struct SparseSpec {
  Format format = Format::csr;
  int64_t rows = 0, cols = 0;
  int64_t block_rows = 1, block_cols = 1;
  Layout block_layout = Layout::row;
  DType dtype = DType::f32;
  IndexType offset_type = IndexType::i32, index_type = IndexType::i32;
  uint8_t base = 0;
  PatternSpec pattern = {};
  int64_t instances = 1;
  Sharing sharing = Sharing::all;
  bool gated = false;  // a quarter of the gates are 0
  bool slack = false;  // capacity before the first offset and beyond the last
  bool stored_zeros = false;
  bool nan_values = false;  // for alpha = 0 of an input, beta = 0 of an output
  bool output = false;      // blocks whose gate is 0 have values too
  int64_t shift = 0;        // of the arrays, in elements
};
std::string describe(const SparseSpec& spec);

class SparseData {
 public:
  struct Element {
    int64_t row, col;     // in the stored matrix
    int64_t entry;        // position of the entry or block, as offsets count
    int64_t value_index;  // into the value array
    double value, gate;
  };

  SparseData(Machine* machine, const SparseSpec& spec);

  SparseShape shape() const;
  SparseOperand operand() const;
  MatrixView view() const;
  // Stored elements of one instance inside the matrix, those of gated-out blocks too.
  template <class Body>
  void for_elements(int64_t instance, Body&& body) const;
  const Pattern0& structure(int64_t instance) const {
    return structures_[spec.sharing == Sharing::none || spec.sharing == Sharing::absolute
                           ? static_cast<size_t>(instance)
                           : 0];
  }
  int64_t first_entry(int64_t instance) const {
    return first_entry_[own_structure() ? static_cast<size_t>(instance) : 0];
  }
  int64_t entries() const { return capacity_; }
  int64_t block_size() const { return spec.block_rows * spec.block_cols; }
  int64_t value_stride() const { return value_stride_; }
  bool own_structure() const { return spec.sharing == Sharing::none || spec.sharing == Sharing::absolute; }
  // For matrices that are written to.
  const std::vector<char>& value_bytes() const { return values_; }
  const Guarded& value_array() const { return value_array_; }
  uint8_t alignment() const;  // what the blocks of a BSR matrix allow, as the API describes it; 16 for CSR
  void reset_values() { value_array_.write(values_); }
  bool structure_unharmed() const;
  bool unharmed() const;  // guards whole, contents as they were

  const SparseSpec spec;

 private:
  void make_structures();
  void make_values();
  void upload(Machine* machine);
  std::vector<char> offset_bytes() const;
  std::vector<char> index_bytes() const;
  int64_t instance_count() const { return std::max<int64_t>(spec.instances, 1); }

  std::vector<Pattern0> structures_;
  std::vector<int64_t> first_entry_;
  int64_t capacity_ = 0, value_stride_ = 0, offset_stride_ = 0, index_stride_ = 0, gate_stride_ = 0;
  std::vector<char> values_;  // of spec.dtype
  std::vector<float> gates_;
  Guarded offsets_, indices_, value_array_, gate_array_;
  std::vector<char> offsets_before_, indices_before_;
};

template <class Body>
void SparseData::for_elements(int64_t instance, Body&& body) const {
  const Pattern0& pattern = structure(instance);
  const int64_t ld = spec.block_layout == Layout::row ? spec.block_cols : spec.block_rows;
  for (int64_t list = 0; list < pattern.rows; ++list) {
    for (int64_t p = pattern.offsets[static_cast<size_t>(list)]; p < pattern.offsets[static_cast<size_t>(list) + 1];
         ++p) {
      const int64_t row = list * spec.block_rows, col = pattern.indices[static_cast<size_t>(p)] * spec.block_cols;
      const int64_t entry = first_entry(instance) + p;
      const double gate = spec.gated ? gates_[static_cast<size_t>(instance * gate_stride_ + entry)] : 1;
      for (int64_t i = 0; i < std::min(spec.block_rows, spec.rows - row); ++i) {
        for (int64_t j = 0; j < std::min(spec.block_cols, spec.cols - col); ++j) {
          const int64_t inside = spec.block_layout == Layout::row ? i * ld + j : i + j * ld;
          const int64_t index = instance * value_stride_ + entry * block_size() + inside;
          body(Element{row + i, col + j, entry, index, load(spec.dtype, values_.data(), index), gate});
        }
      }
    }
  }
}

}  // namespace bs::test
