// Values and host operands.
#include "bsbench/operands.h"

#include <algorithm>
#include <cstring>

#include "bsbench/random.h"

namespace bench {

double load(bs::DType type, const uint8_t* data, int64_t index) {
  double value = 0;
  bs::HostTypes::with(type, [&]<class T>() {
    T element;
    std::memcpy(&element, data + index * static_cast<int64_t>(sizeof(T)), sizeof(T));
    if constexpr (sizeof(T) == 2) {
      value = static_cast<float>(element);
    } else {
      value = element;
    }
  });
  return value;
}

void store(bs::DType type, uint8_t* data, int64_t index, double value) {
  bs::HostTypes::with(type, [&]<class T>() {
    T element;
    if constexpr (sizeof(T) == 2) {
      element = T(static_cast<float>(value));
    } else {
      element = static_cast<T>(value);
    }
    std::memcpy(data + index * static_cast<int64_t>(sizeof(T)), &element, sizeof(T));
  });
}

Bytes random_values(bs::DType type, int64_t count, uint64_t seed) {
  Bytes bytes(count * bs::size_of(type));
  Random random(seed);
  bs::HostTypes::with(type, [&]<class T>() {
    for (int64_t i = 0; i < count; ++i) {
      float value = random.symmetric();
      if (value == 0) value = 0.5f;
      const T element(value);
      std::memcpy(bytes.data() + i * static_cast<int64_t>(sizeof(T)), &element, sizeof(T));
    }
  });
  return bytes;
}

Dense Dense::of(int64_t rows, int64_t cols, bsOrder_t order, int64_t ld, bs::DType type, int64_t batch) {
  Dense d;
  d.rows = rows;
  d.cols = cols;
  d.order = order;
  d.ld = ld > 0 ? ld : std::max<int64_t>(1, order == BS_ORDER_ROW ? cols : rows);
  d.type = type;
  d.batch = batch;
  return d;
}

double Sparse::density() const {
  const double all = static_cast<double>(rows) * static_cast<double>(cols);
  return all > 0 ? static_cast<double>(elements()) / all : 0;
}

namespace {

constexpr int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

// A file's entries come as rows; generated patterns are made in the form that is stored.
Structure make_structure(const Spec& spec, const Sparse& s, uint64_t seed) {
  if (!spec.file.empty()) {
    Structure entries = read_structure(spec.file);
    if (s.format == BS_FORMAT_BSR) return blocks_of(entries, s.block_rows, s.block_cols);
    return s.format == BS_FORMAT_CSC ? transposed(entries) : entries;
  }
  int64_t lines = ceil_div(s.rows, s.block_rows), extent = ceil_div(s.cols, s.block_cols);
  if (s.format == BS_FORMAT_CSC) std::swap(lines, extent);
  return generate(spec.pattern, lines, extent, spec.density, spec.sigma, seed);
}

std::vector<float> make_gates(int64_t count, uint64_t seed) {
  Random random(seed);
  std::vector<float> gates(count);
  for (float& gate : gates) gate = random.unit() < 0.1 ? 0.0f : 1.5f + 0.5f * random.symmetric();
  return gates;
}

}  // namespace

Sparse make_sparse(const Spec& spec, int64_t rows, int64_t cols, uint64_t seed) {
  Sparse s;
  s.format = spec.format;
  s.rows = rows;
  s.cols = cols;
  if (spec.format == BS_FORMAT_BSR) {
    s.block_rows = spec.block_rows;
    s.block_cols = spec.block_cols;
    s.block_order = spec.block_order;
  }
  s.type = spec.dtype;
  s.structure = make_structure(spec, s, seed);
  s.batch = spec.sparse_result() ? spec.batch : spec.own_structure ? spec.products() : 1;
  s.values = random_values(s.type, s.elements() * s.batch, seed + 1);
  if (spec.gate) s.gates = make_gates(s.structure.count(), seed + 2);
  return s;
}

}  // namespace bench
