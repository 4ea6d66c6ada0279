#include "alloc/failing.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<int64_t> countdown{-1}, live{0};
std::atomic<bool> failed{false};

void* counted(size_t bytes, size_t alignment) {
  if (countdown >= 0 && countdown-- == 0) {
    failed = true;
    return nullptr;
  }
  const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* pointer = std::aligned_alloc(alignment, rounded ? rounded : alignment);
  live += pointer != nullptr;
  return pointer;
}

void* or_throw(void* pointer) {
  if (!pointer) throw std::bad_alloc();
  return pointer;
}

void release(void* pointer) {
  live -= pointer != nullptr;
  std::free(pointer);
}

constexpr size_t kAlignment = alignof(std::max_align_t);

}  // namespace

void* operator new(size_t bytes) {
  return or_throw(counted(bytes, kAlignment));
}
void* operator new[](size_t bytes) {
  return or_throw(counted(bytes, kAlignment));
}
void* operator new(size_t bytes, std::align_val_t alignment) {
  return or_throw(counted(bytes, static_cast<size_t>(alignment)));
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
  return or_throw(counted(bytes, static_cast<size_t>(alignment)));
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return counted(bytes, kAlignment);
}
void* operator new[](size_t bytes, const std::nothrow_t&) noexcept {
  return counted(bytes, kAlignment);
}
void* operator new(size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return counted(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* pointer) noexcept {
  release(pointer);
}
void operator delete[](void* pointer) noexcept {
  release(pointer);
}
void operator delete(void* pointer, size_t) noexcept {
  release(pointer);
}
void operator delete[](void* pointer, size_t) noexcept {
  release(pointer);
}
void operator delete(void* pointer, std::align_val_t) noexcept {
  release(pointer);
}
void operator delete[](void* pointer, std::align_val_t) noexcept {
  release(pointer);
}
void operator delete(void* pointer, size_t, std::align_val_t) noexcept {
  release(pointer);
}
void operator delete[](void* pointer, size_t, std::align_val_t) noexcept {
  release(pointer);
}

namespace bs::test {

void fail_allocation(int64_t k) {
  countdown = k;
  failed = false;
}
bool allocation_failed() {
  return failed;
}
int64_t live_allocations() {
  return live;
}

}  // namespace bs::test
