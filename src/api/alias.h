// The arrays one call touches: none missing or misaligned, and nothing written overlaps anything else.
#pragma once

#include <array>
#include <cstdint>

#include "api/matrix.h"

namespace bs {

enum class Use { read, write };

class Arrays {
 public:
  // Each fails on NULL and on less than natural alignment where the array has elements, and forgets it where it has
  // none. Those of a matrix also fail where what is read-only would be written.
  Status add_structure(const char* owner, const MatrixView& v, Use use = Use::read);  // offsets, indices, gate
  Status add_offsets(const char* owner, const MatrixView& v, Use use);
  Status add_analysis(const char* owner, const bsMatrix& matrix);
  Status add_values(const char* owner, const MatrixView& v, Use use);  // of any format
  Status add(const char* owner, const char* part, const void* pointer, int64_t bytes, int64_t alignment, Use use);

  // INVALID_ALIAS naming both. Dense arrays of equal pitch and batch stride may interleave: those are compared element
  // by element. All others are compared as ranges from first to last element.
  Status check_aliases() const;

 private:
  struct Array {
    const char* owner;
    const char* part;  // " offsets", or "" for the only array of its owner
    Use use;
    intptr_t begin;
    int64_t bytes;  // first to last element
    // dense: `lines` pieces of `line` bytes, `pitch` apart, and that `batch` times, `stride` apart. pitch 0: one piece
    int64_t line = 0, pitch = 0, lines = 1, batch = 1, stride = 0;
  };
  static bool overlap(const Array& x, const Array& y);
  static bool coincide(const Array& x, const Array& y);
  void append(const Array& array) { arrays_[static_cast<size_t>(count_++)] = array; }

  static constexpr int kMost = 16;  // bsSpMM has 10 at most, bsConvert 9
  std::array<Array, kMost> arrays_;
  int count_ = 0;
};

}  // namespace bs
