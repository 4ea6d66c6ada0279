// The backend that tests of the public interface run on, and arrays that both they and it can see. BSPARSE_TEST_BACKEND
// in the environment chooses: "cuda" is the first GPU, with every operand in memory that only it can read; "mirror" the
// CPU with device memory as far apart from the test's own as a GPU's, which tests the tests; else the CPU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bsparse.h"
#include "support/catch.h"

namespace bs::test {

bsBackend_t backend();
bool mirrors();  // device memory is not the test's own
// "" or why no handle can be had there.
const std::string& backend_missing();

// Bytes of the test, and on a GPU their image in device memory between two guards that nobody may write to. What the
// test wrote goes there before a call, what a call wrote comes back when the test looks.
class Mirror {
 public:
  // Starts `offset` bytes behind an aligned address. Contents are 0.
  explicit Mirror(int64_t bytes, int64_t offset = 0);
  ~Mirror();
  Mirror(const Mirror&) = delete;
  Mirror& operator=(const Mirror&) = delete;

  char* write();
  const char* read() const;
  void* device();  // what descriptors take

  static void before_call();
  static void after_call();

 private:
  enum class Newer { neither, here, there };
  static constexpr int64_t kGuard = 256;
  int64_t total() const { return bytes_ + offset_ + 2 * kGuard; }
  char* image() const { return base_ + kGuard + offset_; }
  void make_image();
  void refresh() const;
  void check_guards() const;

  int64_t bytes_, offset_;
  std::unique_ptr<char[]> memory_;
  char* base_ = nullptr;
  mutable Newer newer_ = Newer::here;
};

// As std::vector, but data() is for the backend.
template <class T>
class Shared {
 public:
  Shared() = default;
  explicit Shared(size_t count, T value = T{}) { assign(count, value); }
  Shared(std::initializer_list<T> values) { copy(values.begin(), values.size()); }
  Shared(const std::vector<T>& values) { copy(values.data(), values.size()); }
  Shared(const Shared& other) { copy(other.begin(), other.size()); }
  Shared(Shared&& other) noexcept { swap(other); }
  Shared& operator=(Shared other) noexcept { return swap(other), *this; }

  void assign(size_t count, T value) { *this = Shared(std::vector<T>(count, value)); }
  T* data() const { return mirror_ ? static_cast<T*>(mirror_->device()) : nullptr; }
  size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  T* begin() { return mirror_ ? reinterpret_cast<T*>(mirror_->write()) : nullptr; }
  T* end() { return begin() + count_; }
  const T* begin() const { return mirror_ ? reinterpret_cast<const T*>(mirror_->read()) : nullptr; }
  const T* end() const { return begin() + count_; }
  T& operator[](size_t i) { return begin()[i]; }
  const T& operator[](size_t i) const { return begin()[i]; }
  T& back() { return begin()[count_ - 1]; }
  bool operator==(const Shared& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

 private:
  void copy(const T* values, size_t count) {
    if (count == 0) return;
    count_ = count;
    mirror_ = std::make_unique<Mirror>(static_cast<int64_t>(count * sizeof(T)));
    std::copy(values, values + count, begin());
  }
  void swap(Shared& other) noexcept {
    std::swap(mirror_, other.mirror_);
    std::swap(count_, other.count_);
  }

  std::unique_ptr<Mirror> mirror_;
  size_t count_ = 0;
};

// function(arguments...) with the test's writes sent before it.
template <class Function, class... Arguments>
auto mirrored(Function function, const Arguments&... arguments) {
  Mirror::before_call();
  const auto result = function(arguments...);
  Mirror::after_call();
  return result;
}

}  // namespace bs::test

// The functions that read or write arrays.
#define bsMatAnalyze(...) ::bs::test::mirrored(bsMatAnalyze, __VA_ARGS__)
#define bsMatValuesChanged(...) ::bs::test::mirrored(bsMatValuesChanged, __VA_ARGS__)
#define bsMatCheck(...) ::bs::test::mirrored(bsMatCheck, __VA_ARGS__)
#define bsSpMM(...) ::bs::test::mirrored(bsSpMM, __VA_ARGS__)
#define bsSDDMM(...) ::bs::test::mirrored(bsSDDMM, __VA_ARGS__)
#define bsSpMV(...) ::bs::test::mirrored(bsSpMV, __VA_ARGS__)
#define bsBlockGateGrad(...) ::bs::test::mirrored(bsBlockGateGrad, __VA_ARGS__)
#define bsConvert_count(...) ::bs::test::mirrored(bsConvert_count, __VA_ARGS__)
#define bsConvert_fill(...) ::bs::test::mirrored(bsConvert_fill, __VA_ARGS__)

// A test case for every backend: the ring `gpu` runs those with this tag on a GPU, or names them as skipped.
#define BACKEND_TEST_CASE(name, ...) \
  BACKEND_TEST_CASE_OF(INTERNAL_CATCH_UNIQUE_NAME(on_backend), name, "[backend]" __VA_ARGS__)
#define BACKEND_TEST_CASE_OF(body, name, tags)                                          \
  static void body();                                                                   \
  TEST_CASE(name, tags) {                                                               \
    if (!::bs::test::backend_missing().empty()) BS_SKIP(::bs::test::backend_missing()); \
    body();                                                                             \
  }                                                                                     \
  static void body()
