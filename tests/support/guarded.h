// Memory of a machine, of exactly the size asked for, between two guards that nobody may touch.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "platform/machine.h"

namespace bs::test {

class Guarded {
 public:
  Guarded() = default;
  // Starts `shift` bytes behind a 256-byte boundary. Contents are 0xff: NaN in every type, -1 as an index.
  Guarded(Machine* machine, int64_t bytes, int64_t shift = 0);
  Guarded(Machine* machine, const std::vector<char>& contents, int64_t shift = 0);
  ~Guarded();
  Guarded(Guarded&& other) noexcept { *this = static_cast<Guarded&&>(other); }
  Guarded& operator=(Guarded&& other) noexcept;

  void* data() const { return bytes_ ? base_ + kGuard + shift_ : nullptr; }  // NULL if it has no bytes
  int64_t bytes() const { return bytes_; }
  void write(const std::vector<char>& contents);
  std::vector<char> read() const;
  bool intact() const;  // the guards

 private:
  static constexpr int64_t kGuard = 256;
  int64_t total() const { return bytes_ + shift_ + 2 * kGuard; }
  void fence(bool closed) const;  // AddressSanitizer also sees reads of the guards

  Machine* machine_ = nullptr;
  char* base_ = nullptr;
  int64_t bytes_ = 0, shift_ = 0;
};

// The largest power of two up to 16 that divides the address and all steps, in bytes.
uint8_t alignment_of(const void* pointer, std::initializer_list<int64_t> steps);

}  // namespace bs::test
