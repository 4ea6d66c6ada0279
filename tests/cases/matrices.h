// Matrices of every format, type and layout in memory of exactly their size.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bsparse.h"
#include "cases/element.h"
#include "cases/memory.h"
#include "support/random.h"

namespace bs::cases {

struct Entry {
  int64_t row, col;
  double value;
};
using Entries = std::vector<Entry>;

// Small integers that every type holds; sums of products of a few thousand are exact in f32.
Entries random_entries(int64_t rows, int64_t cols, double density, uint64_t seed);
Entries transposed(Entries entries);
double small_integer(test::Random* random);

struct Storage {
  bsFormat_t format = BS_FORMAT_CSR;
  bsDataType_t type = BS_R_32F;
  int64_t block_rows = 1, block_cols = 1;
  bsOrder_t block_order = BS_ORDER_ROW;
  bsIndexType_t offset_type = BS_INDEX_32I, index_type = BS_INDEX_32I;
  bsIndexBase_t base = BS_INDEX_BASE_ZERO;
  Place place = Place::at_end;
};

// CSR, CSC, f32-indexed BSR of blocks 4 x 4 and 3 x 5: one of each for tests that want every format.
std::vector<Storage> every_format(bsDataType_t type = BS_R_32F);

// Keeps the order of the entries inside each row. An element given twice becomes two entries, or lies in two blocks.
class Sparse {
 public:
  struct Element {
    int64_t row, col, index;  // into the values
  };
  Sparse(int64_t rows, int64_t cols, const Entries& entries, const Storage& storage);
  ~Sparse() { bsDestroyMat(mat); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  double value(const Element& e) const { return get(storage.type, values.data(), e.index); }
  void fill(double value);  // all values, padding too
  int64_t nnz() const { return static_cast<int64_t>(indices_.size()); }

  const int64_t rows, cols;
  const Storage storage;
  std::vector<Element> elements;  // all of stored blocks that lie inside the matrix
  Array offsets, indices, values;
  bsMatDescr_t mat = nullptr;

 private:
  void add_entries(const Entries& entries);
  void add_blocks(const Entries& entries);
  void upload();
  void create();

  std::vector<int64_t> offsets_, indices_;
  std::vector<double> values_;
};

struct Layout {
  bsDataType_t type = BS_R_32F;
  bsOrder_t order = BS_ORDER_ROW;
  int64_t gap = 0;  // elements between lines
  Place place = Place::at_end;
};

class Dense {
 public:
  Dense(int64_t rows, int64_t cols, const Layout& layout);
  Dense(int64_t rows, int64_t cols, const Layout& layout, uint64_t seed);  // small integers
  ~Dense() { bsDestroyMat(mat); }
  Dense(const Dense&) = delete;
  Dense& operator=(const Dense&) = delete;

  double at(int64_t i, int64_t j) const { return get(layout.type, values.data(), position(i, j)); }
  void set(int64_t i, int64_t j, double value) { put(layout.type, values.data(), position(i, j), value); }
  void fill(const std::function<double(int64_t, int64_t)>& value);
  bool gaps_intact() const;
  int64_t position(int64_t i, int64_t j) const { return layout.order == BS_ORDER_ROW ? i * ld + j : i + j * ld; }

  const int64_t rows, cols;
  const Layout layout;
  int64_t ld = 0;
  Array values;
  bsMatDescr_t mat = nullptr;
};

}  // namespace bs::cases
