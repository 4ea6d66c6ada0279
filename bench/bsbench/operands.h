// Operands on the host: random values, never zeros, in the types and layouts of the problem.
#pragma once

#include <cstdint>
#include <vector>

#include "bsbench/pattern.h"
#include "bsbench/spec.h"

namespace bench {

using Bytes = std::vector<uint8_t>;

double load(bs::DType type, const uint8_t* data, int64_t index);
void store(bs::DType type, uint8_t* data, int64_t index, double value);
// Values of [-1, 1) rounded to the type.
Bytes random_values(bs::DType type, int64_t count, uint64_t seed);

// `batch` matrices, one behind the other, stored as rows x cols.
struct Dense {
  int64_t rows = 0, cols = 0, ld = 0, batch = 1;
  bsOrder_t order = BS_ORDER_ROW;
  bs::DType type = bs::DType::f32;
  Bytes values;

  // ld 0: without gaps. `values` stays empty.
  static Dense of(int64_t rows, int64_t cols, bsOrder_t order, int64_t ld, bs::DType type, int64_t batch);
  int64_t stride() const { return ld * (order == BS_ORDER_ROW ? rows : cols); }
  int64_t bytes() const { return stride() * batch * bs::size_of(type); }
  int64_t index(int64_t b, int64_t i, int64_t j) const {
    return b * stride() + (order == BS_ORDER_ROW ? i * ld + j : i + j * ld);
  }
  double at(int64_t b, int64_t i, int64_t j) const { return load(type, values.data(), index(b, i, j)); }
};

struct Sparse {
  bsFormat_t format = BS_FORMAT_CSR;
  int64_t rows = 0, cols = 0, block_rows = 1, block_cols = 1;
  bsOrder_t block_order = BS_ORDER_ROW;
  bs::DType type = bs::DType::f32;
  Structure structure;
  int64_t batch = 1;  // sets of values
  Bytes values;
  std::vector<float> gates;  // one a block, a tenth of them 0; empty: none

  int64_t block_size() const { return block_rows * block_cols; }
  int64_t elements() const { return structure.count() * block_size(); }
  double density() const;
  double gate(int64_t position) const { return gates.empty() ? 1.0 : gates[position / block_size()]; }
  // body(row, column, position in values) for every stored element inside the matrix.
  template <class Body>
  void visit(Body&& body) const;
};

// The sparse matrix of the problem as stored, without values where `values` is 0 batches.
Sparse make_sparse(const Spec& spec, int64_t rows, int64_t cols, uint64_t seed);

template <class Body>
void Sparse::visit(Body&& body) const {
  for (int64_t line = 0; line < structure.lines; ++line) {
    for (int64_t p = structure.offsets[line]; p < structure.offsets[line + 1]; ++p) {
      const int64_t across = structure.indices[p];
      if (format == BS_FORMAT_CSR) body(line, across, p);
      if (format == BS_FORMAT_CSC) body(across, line, p);
      if (format != BS_FORMAT_BSR) continue;
      for (int64_t e = 0; e < block_size(); ++e) {
        const bool by_rows = block_order == BS_ORDER_ROW;
        const int64_t r = line * block_rows + (by_rows ? e / block_cols : e % block_rows);
        const int64_t c = across * block_cols + (by_rows ? e % block_cols : e / block_rows);
        if (r < rows && c < cols) body(r, c, p * block_size() + e);
      }
    }
  }
}

}  // namespace bench
