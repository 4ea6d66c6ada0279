#include "support/guarded.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace bs::test {
namespace {

void must(Status status) {
  if (!status.ok()) std::abort();  // the machine under the tests is broken, not the kernel
}

}  // namespace

Guarded::Guarded(Machine* machine, int64_t bytes, int64_t shift) : machine_(machine), bytes_(bytes), shift_(shift) {
  void* pointer = nullptr;
  must(machine->allocate(&pointer, total()));
  base_ = static_cast<char*>(pointer);
  const std::vector<char> fill(static_cast<size_t>(total()), static_cast<char>(0xff));
  must(machine->copy(base_, fill.data(), total(), nullptr));
  fence(true);
}

Guarded::Guarded(Machine* machine, const std::vector<char>& contents, int64_t shift)
    : Guarded(machine, static_cast<int64_t>(contents.size()), shift) {
  write(contents);
}

Guarded::~Guarded() {
  if (!base_) return;
  fence(false);
  must(machine_->release(base_));
}

Guarded& Guarded::operator=(Guarded&& other) noexcept {
  std::swap(machine_, other.machine_);
  std::swap(base_, other.base_);
  std::swap(bytes_, other.bytes_);
  std::swap(shift_, other.shift_);
  return *this;
}

void Guarded::write(const std::vector<char>& contents) {
  if (bytes_) must(machine_->copy(data(), contents.data(), bytes_, nullptr));
}

std::vector<char> Guarded::read() const {
  std::vector<char> out(static_cast<size_t>(bytes_));
  if (bytes_) must(machine_->copy(out.data(), data(), bytes_, nullptr));
  return out;
}

bool Guarded::intact() const {
  if (!base_) return true;
  fence(false);
  std::vector<char> all(static_cast<size_t>(total()));
  must(machine_->copy(all.data(), base_, total(), nullptr));
  fence(true);
  const auto inside = all.begin() + kGuard + shift_;
  const auto is_fill = [](char byte) { return byte == static_cast<char>(0xff); };
  return std::all_of(all.begin(), inside, is_fill) && std::all_of(inside + bytes_, all.end(), is_fill);
}

void Guarded::fence(bool closed) const {
#if defined(__SANITIZE_ADDRESS__)
  if (machine_->device().backend != Backend::cpu) return;
  char* inside = base_ + kGuard + shift_;
  if (closed) {
    ASAN_POISON_MEMORY_REGION(base_, static_cast<size_t>(kGuard + shift_));
    ASAN_POISON_MEMORY_REGION(inside + bytes_, static_cast<size_t>(kGuard));
  } else {
    ASAN_UNPOISON_MEMORY_REGION(base_, static_cast<size_t>(total()));
  }
#else
  (void)closed;
#endif
}

uint8_t alignment_of(const void* pointer, std::initializer_list<int64_t> steps) {
  uint64_t all = reinterpret_cast<uintptr_t>(pointer) | 16u;
  for (const int64_t step : steps) all |= static_cast<uint64_t>(step);
  return static_cast<uint8_t>(all & (~all + 1));
}

}  // namespace bs::test
