// Cuts arrays from one piece of memory. Started at NULL it only counts, so that sizes and pointers cannot disagree.
#pragma once

#include <cstdint>

#include "model/saturate.h"

namespace bs {

class Carver {
 public:
  explicit Carver(void* start) : start_(static_cast<char*>(start)) {}

  template <class T>
  T* take(int64_t count) {
    char* const array = start_ ? start_ + bytes_ : nullptr;
    const int64_t end = saturating_add(bytes_, saturating_add(saturating_mul(count, sizeof(T)), kLine - 1));
    bytes_ = end - end % kLine;
    return reinterpret_cast<T*>(array);
  }
  int64_t bytes() const { return bytes_; }

 private:
  static constexpr int64_t kLine = 64;
  char* start_;
  int64_t bytes_ = 0;
};

}  // namespace bs
