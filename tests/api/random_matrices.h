// Random matrices of every format, type, layout and batch for tests through the public API. Arrays have exactly the
// bytes they need, at no better an address than their type needs; whatever nothing may look at holds NaN or an index
// out of range. Values are small multiples of 1/2, so that every sum of products below is exact in f32.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "support/backend.h"
#include "support/random.h"

namespace bs::test {

inline void ok(bsStatus_t status) {
  INFO(bsGetLastErrorMessage());
  REQUIRE(status == BS_STATUS_SUCCESS);
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

inline int64_t size_of_type(bsDataType_t type) {
  return type == BS_R_64F ? 8 : type == BS_R_32F ? 4 : 2;
}
inline int64_t size_of_index(bsIndexType_t type) {
  return type == BS_INDEX_64I ? 8 : 4;
}

// To nearest even with this many digits.
inline double rounded(double x, int digits, int least_exponent, double largest) {
  if (!std::isfinite(x) || x == 0) return x;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(x), least_exponent) - digits + 1);
  const double result = std::nearbyint(x / unit) * unit;
  return std::abs(result) > largest ? std::copysign(INFINITY, x) : result;
}
inline double rounded(bsDataType_t type, double x) {
  if (type == BS_R_16F) return rounded(x, 11, -14, 65504);
  if (type == BS_R_16BF) return rounded(x, 8, -126, 0x1.fep127);
  return type == BS_R_32F ? static_cast<double>(static_cast<float>(x)) : x;
}

inline uint16_t half_bits(double x) {  // of a double that binary16 holds
  const int sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isnan(x)) return 0x7e00;
  if (std::isinf(x)) return static_cast<uint16_t>(sign | 0x7c00);
  if (x == 0) return static_cast<uint16_t>(sign);
  const int exponent = std::max(std::ilogb(x), -14);
  return static_cast<uint16_t>(sign |
                               (((exponent + 14) << 10) + static_cast<int>(std::ldexp(std::abs(x), 10 - exponent))));
}

// An array of numbers of run-time type.
class Array {
 public:
  Array() = default;
  Array(int64_t count, bsDataType_t type, Random& random) : type_(type) { allocate(count, size_of_type(type), random); }
  static Array of_indices(int64_t count, bsIndexType_t type, Random& random) {
    Array array;
    array.index_ = type;
    array.allocate(count, size_of_index(type), random);
    return array;
  }

  double operator[](int64_t i) const {
    if (type_ == BS_R_64F) return at<double>(i);
    if (type_ == BS_R_32F) return at<float>(i);
    const int bits = at<uint16_t>(i);
    if (type_ == BS_R_16BF) {
      const uint32_t wide = static_cast<uint32_t>(bits) << 16;
      float value;
      std::memcpy(&value, &wide, sizeof value);
      return value;
    }
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double magnitude = exponent == 31  ? (fraction ? kNaN : INFINITY)
                             : exponent == 0 ? std::ldexp(fraction, -24)
                                             : std::ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
  }
  void set(int64_t i, double value) {
    value = rounded(type_, value);
    if (type_ == BS_R_64F) put<double>(i, value);
    if (type_ == BS_R_32F) put<float>(i, static_cast<float>(value));
    if (type_ == BS_R_16F) put<uint16_t>(i, half_bits(value));
    if (type_ != BS_R_16BF) return;
    const float narrow = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof bits);
    put<uint16_t>(i, static_cast<uint16_t>(bits >> 16));
  }
  void fill(double value) {
    for (int64_t i = 0; i < count_; ++i) set(i, value);
  }
  int64_t index(int64_t i) const { return index_ == BS_INDEX_64I ? at<int64_t>(i) : at<int32_t>(i); }
  void set_index(int64_t i, int64_t value) {
    if (index_ == BS_INDEX_64I)
      put<int64_t>(i, value);
    else
      put<int32_t>(i, static_cast<int32_t>(value));
  }
  int64_t count() const { return count_; }
  bsDataType_t type() const { return type_; }
  std::vector<char> bytes() const {
    const char* from = mirror_ ? mirror_->read() : nullptr;
    return {from, from + size_};
  }
  void set_bytes(const std::vector<char>& all) {
    if (mirror_) std::copy(all.begin(), all.end(), mirror_->write());
  }
  void* get() const { return mirror_ ? mirror_->device() : nullptr; }

 private:
  void allocate(int64_t count, int64_t element, Random& random) {
    count_ = count, size_ = count * element;
    if (count == 0) return;
    mirror_ = std::make_unique<Mirror>(count * element, random.below(16 / element) * element);
  }
  template <class T>
  T at(int64_t i) const {
    T value;
    std::memcpy(&value, mirror_->read() + i * sizeof(T), sizeof(T));
    return value;
  }
  template <class T>
  void put(int64_t i, T value) {
    std::memcpy(mirror_->write() + i * sizeof(T), &value, sizeof(T));
  }

  bsDataType_t type_ = BS_R_32F;
  bsIndexType_t index_ = BS_INDEX_32I;
  int64_t count_ = 0, size_ = 0;
  std::unique_ptr<Mirror> mirror_;
};

// A descriptor that is created with NULL arrays and receives them by give().
class Described {
 public:
  Described() = default;
  Described(Described&&) = delete;
  ~Described() { bsDestroyMat(mat); }
  bsMatDescr_t mat = nullptr;
  int64_t rows = 0, cols = 0, batch = 1, stride = 0;
  bsDataType_t type = BS_R_32F;
  Array values;
  // Of batch b; an only one is broadcast.
  int64_t shift(int64_t b) const { return batch > 1 ? b * stride : 0; }
};

inline double small_number(Random& random) {
  return static_cast<double>(random.below(17) - 8) / 2;
}

class RandomDense : public Described {
 public:
  RandomDense(int64_t rows_, int64_t cols_, bsDataType_t type_, int64_t batch_, bool output, Random& random) {
    rows = rows_, cols = cols_, type = type_, batch = batch_;
    order = random.of({BS_ORDER_ROW, BS_ORDER_COL});
    const int64_t lines = order == BS_ORDER_ROW ? rows : cols, length = order == BS_ORDER_ROW ? cols : rows;
    ld = std::max<int64_t>(length, 1) + random.of({0, 0, 1, 3, 8});
    if (lines <= 1 && random.chance(0.1)) ld = int64_t{1} << 40;  // leads nowhere
    const int64_t extent = lines && length ? (lines - 1) * ld + length : 0;
    stride = batch > 1 && (output || random.chance(0.8)) ? extent + random.below(4) : 0;
    values = Array(batch && extent ? (batch - 1) * stride + extent : 0, type, random);
    values.fill(kNaN);
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < cols; ++j) values.set(place(b, i, j), small_number(random));
    ok(bsCreateDense(&mat, rows, cols, ld, nullptr, type, order));
    if (batch != 1) ok(bsMatSetBatch(mat, batch, stride, 0, 0));
  }
  void give() { ok(bsMatSetPointers(mat, nullptr, nullptr, values.get())); }
  int64_t place(int64_t b, int64_t i, int64_t j) const {
    return shift(b) + (order == BS_ORDER_ROW ? i * ld + j : i + j * ld);
  }
  double at(int64_t b, int64_t i, int64_t j) const { return values[place(b, i, j)]; }

  bsOrder_t order;
  int64_t ld;
};

// One stored element: of entry `entry` of batch `batch`, at (row, col), in values[place].
struct Stored {
  int64_t batch, entry, row, col, place;
  bool inside;  // not padding of a block
};

class RandomSparse : public Described {
 public:
  RandomSparse(bsFormat_t format_, int64_t rows_, int64_t cols_, bsDataType_t type_, int64_t batch_, bool output,
               Random& random)
      : format(format_), output_(output) {
    rows = rows_, cols = cols_, type = type_, batch = batch_;
    if (format == BS_FORMAT_BSR) {
      block_rows = random.of({1, 2, 3, 4, 8, 16, 33, 70}), block_cols = random.of({1, 2, 3, 5, 8, 16, 34, 65});
      block_order = random.of({BS_ORDER_ROW, BS_ORDER_COL});
    }
    base = random.of({0, 1});
    offset_type = random.of({BS_INDEX_32I, BS_INDEX_64I}), index_type = random.of({BS_INDEX_32I, BS_INDEX_64I});
    lists = format == BS_FORMAT_CSC ? cols : (rows + block_rows - 1) / block_rows;
    extent = format == BS_FORMAT_CSC ? rows : (cols + block_cols - 1) / block_cols;
    draw_structure(random);
    lay_out(random);
    write_structure(random);
    write_values(random);
    create();
  }

  void give() { ok(bsMatSetPointers(mat, offsets.get(), indices.get(), values.get())); }
  double gate_of(const Stored& s) const {
    return gate.count() ? gate[(batch > 1 ? s.batch * gate_stride : 0) + s.entry] : 1;
  }
  // Values as a plain table, batch after batch.
  std::vector<double> table() const {
    std::vector<double> t(std::max<int64_t>(batch, 1) * rows * cols);
    for (const Stored& s : stored)
      if (s.inside && gate_of(s) != 0) t[(s.batch * rows + s.row) * cols + s.col] += gate_of(s) * values[s.place];
    return t;
  }
  int64_t block_size() const { return block_rows * block_cols; }

  bsFormat_t format;
  int64_t block_rows = 1, block_cols = 1, base, lists, extent, nnz = 0, gate_stride = 0;
  bsOrder_t block_order = BS_ORDER_ROW;
  bsIndexType_t offset_type, index_type;
  Array offsets, indices, gate;
  std::vector<Stored> stored;

 private:
  // Per structure: where its first entry stands, and the columns of every list.
  struct Structure {
    int64_t first = 0, used = 0;
    std::vector<std::vector<int64_t>> columns;
  };

  void draw_structure(Random& random) {
    own_ = batch > 1 && random.chance(0.5);
    const double fill = random.of({0.0, 0.1, 0.3, 0.9});
    const bool sorted = random.chance(0.5);
    for (int64_t s = 0; s < (own_ ? batch : 1); ++s) {
      Structure structure;
      structure.first = random.of({0, 0, 1, 5});
      structure.columns.resize(lists);
      for (auto& list : structure.columns) {
        for (int64_t c = 0; c < extent; ++c)
          if (random.chance(fill)) list.push_back(c);
        if (!sorted && list.size() > 1) std::swap(list.front(), list.back());
        if (!sorted && !list.empty() && random.chance(0.3)) list.push_back(list.front());  // a duplicate
        structure.used += static_cast<int64_t>(list.size());
      }
      structures_.push_back(structure);
    }
  }

  // Index arrays of their own, or one for all batches, in which they follow each other.
  void lay_out(Random& random) {
    const bool joined = own_ && random.chance(0.4);
    int64_t end = 0;
    for (Structure& s : structures_) {
      if (joined) s.first += end;
      end = joined ? s.first + s.used : std::max(end, s.first + s.used);
    }
    nnz = end + random.of({0, 0, 2});
    offset_stride = own_ ? lists + 1 + random.below(3) : 0;
    index_stride = own_ && !joined ? nnz + random.below(3) : 0;
    const bool shared = joined && !output_;
    stride = batch > 1 && !shared && (output_ || random.chance(0.8)) ? nnz * block_size() + random.below(3) : 0;
    gate_stride = batch > 1 && random.chance(0.5) ? nnz + random.below(3) : 0;
  }

  int64_t structure_of(int64_t b) const { return own_ ? b : 0; }
  static int64_t span(int64_t count, int64_t one, int64_t step) { return count && one ? (count - 1) * step + one : 0; }

  void write_structure(Random& random) {
    const int64_t count = batch == 0 ? 0 : static_cast<int64_t>(structures_.size());
    offsets = Array::of_indices(span(count, lists + 1, offset_stride), offset_type, random);
    indices = Array::of_indices(span(count, nnz, index_stride), index_type, random);
    for (int64_t i = 0; i < offsets.count(); ++i) offsets.set_index(i, 1 << 30);
    for (int64_t i = 0; i < indices.count(); ++i) indices.set_index(i, -(1 << 30));
    for (int64_t s = 0; s < count; ++s) {
      int64_t q = structures_[s].first;
      for (int64_t list = 0; list < lists; ++list) {
        offsets.set_index(s * offset_stride + list, q + base);
        for (const int64_t column : structures_[s].columns[list])
          indices.set_index(s * index_stride + q++, column + base);
      }
      offsets.set_index(s * offset_stride + lists, q + base);
    }
  }

  void write_values(Random& random) {
    values = Array(span(batch, nnz * block_size(), stride), type, random);
    values.fill(kNaN);
    if (format == BS_FORMAT_BSR && random.chance(0.3)) {
      gate = Array(span(batch, nnz, gate_stride), BS_R_32F, random);
      for (int64_t i = 0; i < gate.count(); ++i) gate.set(i, random.of({0.0, 0.5, 1.0, 2.0, -1.0}));
    }
    for (int64_t b = 0; b < batch; ++b) {
      int64_t q = structures_[structure_of(b)].first;
      for (int64_t list = 0; list < lists; ++list)
        for (const int64_t column : structures_[structure_of(b)].columns[list]) add_entry(b, list, column, q++, random);
    }
  }
  void add_entry(int64_t b, int64_t list, int64_t column, int64_t q, Random& random) {
    for (int64_t i = 0; i < block_rows; ++i)
      for (int64_t j = 0; j < block_cols; ++j) {
        Stored s{b, q, list * block_rows + i, column * block_cols + j, 0, false};
        if (format == BS_FORMAT_CSC) std::swap(s.row, s.col);
        s.place = shift(b) + q * block_size() + (block_order == BS_ORDER_ROW ? i * block_cols + j : i + j * block_rows);
        s.inside = s.row < rows && s.col < cols;
        if (s.inside && (output_ || gate_of(s) != 0)) values.set(s.place, small_number(random));
        stored.push_back(s);
      }
  }

  void create() {
    const auto b = static_cast<bsIndexBase_t>(base);
    if (format == BS_FORMAT_CSR)
      ok(bsCreateCsr(&mat, rows, cols, nnz, nullptr, nullptr, nullptr, offset_type, index_type, b, type));
    if (format == BS_FORMAT_CSC)
      ok(bsCreateCsc(&mat, rows, cols, nnz, nullptr, nullptr, nullptr, offset_type, index_type, b, type));
    if (format == BS_FORMAT_BSR)
      ok(bsCreateBsr(&mat, rows, cols, nnz, block_rows, block_cols, nullptr, nullptr, nullptr, offset_type, index_type,
                     b, type, block_order));
    if (batch != 1) ok(bsMatSetBatch(mat, batch, stride, offset_stride, index_stride));
    if (gate.count()) ok(bsMatSetGate(mat, static_cast<const float*>(gate.get()), gate_stride));
  }

  bool output_, own_ = false;
  std::vector<Structure> structures_;
  int64_t offset_stride = 0, index_stride = 0;
};

}  // namespace bs::test
