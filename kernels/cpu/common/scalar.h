// One element at a time: loads that widen, stores that round, index arrays of run-time type. For reference rows, edges
// and set-up code; inner loops have typed loads of their own.
#pragma once

#include <cstdint>

#include "model/dtype.h"
#include "model/operands.h"
#include "model/problem.h"
#include "model/saturate.h"

namespace bs::cpu {

// 16-bit floats as float, others as they are.
template <class T>
auto widened(T value) {
  if constexpr (sizeof(T) == 2)
    return static_cast<float>(value);
  else
    return value;
}

inline double load_double(DType type, const void* array, int64_t i) {
  switch (type) {
    case DType::f64:
      return static_cast<const double*>(array)[i];
    case DType::f32:
      return static_cast<const float*>(array)[i];
    case DType::f16:
      return static_cast<float>(static_cast<const Half*>(array)[i]);
    case DType::bf16:
      return static_cast<float>(static_cast<const BFloat16*>(array)[i]);
  }
  return 0;
}

// Rounds once: double to 16 bits goes through float only where that cannot round twice (see narrow()).
void store_double(DType type, void* array, int64_t i, double value);

inline int64_t load_index(IndexType type, const void* array, int64_t i) {
  return type == IndexType::i64 ? static_cast<const int64_t*>(array)[i] : static_cast<const int32_t*>(array)[i];
}
inline void store_index(IndexType type, void* array, int64_t i, int64_t value) {
  if (type == IndexType::i64)
    static_cast<int64_t*>(array)[i] = value;
  else
    static_cast<int32_t*>(array)[i] = static_cast<int32_t>(value);
}

// Scalars have the compute type: f64 where the sparse matrix is f64, else f32. Device memory is host memory here.
inline double load_scalar(const SparseShape& s, const void* scalar) {
  return s.dtype == DType::f64 ? *static_cast<const double*>(scalar) : *static_cast<const float*>(scalar);
}

// Array moved on by a number of elements of run-time size; null stays null.
inline const void* shifted(const void* array, int64_t element_size, int64_t elements) {
  return array ? static_cast<const char*>(array) + element_size * elements : nullptr;
}
inline void* shifted(void* array, int64_t element_size, int64_t elements) {
  return array ? static_cast<char*>(array) + element_size * elements : nullptr;
}

// Parts of a workspace start at multiples of this. Plans size them for matrices that nobody has memory for too, so
// their sums and products saturate.
inline constexpr int64_t kPartAlignment = 256;
constexpr int64_t part(int64_t bytes) {
  return saturating_add(bytes, kPartAlignment - 1) / kPartAlignment * kPartAlignment;
}

class Workspace {
 public:
  explicit Workspace(void* memory) : next_(static_cast<char*>(memory)) {}
  void* take(int64_t bytes) {
    void* taken = next_;
    if (bytes > 0) next_ += part(bytes);
    return taken;
  }

 private:
  char* next_;
};

// Of the tables in simd/microkernels.h.
constexpr int index_slot(IndexType type) {
  return type == IndexType::i64 ? 1 : 0;
}

// Offset of element (i, j) in an array of this layout.
constexpr int64_t at(Layout layout, int64_t ld, int64_t i, int64_t j) {
  return layout == Layout::row ? i * ld + j : i + j * ld;
}

}  // namespace bs::cpu
