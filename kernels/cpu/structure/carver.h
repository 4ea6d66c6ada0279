// Cuts arrays from one piece of memory. Started at NULL it only counts, so that sizes and pointers cannot disagree.
#pragma once

#include <cstdint>

namespace bs::cpu {

class Carver {
 public:
  explicit Carver(void* start) : start_(static_cast<char*>(start)) {}

  template <class T>
  T* take(int64_t count) {
    char* const array = start_ ? start_ + bytes_ : nullptr;
    int64_t size = 0;
    const bool too_large = __builtin_mul_overflow(count, static_cast<int64_t>(sizeof(T)), &size) ||
                           __builtin_add_overflow(size, kLine - 1, &size) ||
                           __builtin_add_overflow(bytes_, size & -kLine, &bytes_);
    if (too_large) bytes_ = kUnreachable;
    return reinterpret_cast<T*>(array);
  }
  // Absurd sizes stay at a number of bytes that nobody can offer.
  int64_t bytes() const { return bytes_; }

 private:
  static constexpr int64_t kLine = 64;
  static constexpr int64_t kUnreachable = INT64_MAX / 2;
  char* start_;
  int64_t bytes_ = 0;
};

}  // namespace bs::cpu
