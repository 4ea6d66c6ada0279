// Arrays whose last byte is the last of a page, with an inaccessible page behind: reading past one ends the program.
// Where tests run on a GPU they are mirrored instead, see support/backend.h.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "support/backend.h"

namespace bs::cases {

enum class Place { at_end, at_start };  // of a page; at the start an array has every alignment, and slack behind

class Array {
 public:
  Array() = default;
  explicit Array(int64_t bytes, Place place = Place::at_end);  // filled with 0xCD
  static Array zeros(int64_t bytes);                           // takes no memory until written to
  ~Array();
  Array(Array&& other) noexcept { *this = std::move(other); }
  Array& operator=(Array&& other) noexcept;

  void* data() const;    // NULL if it has no bytes
  void* device() const;  // what descriptors take
  int64_t bytes() const { return bytes_; }
  std::vector<char> read() const;
  void write(const std::vector<char>& contents) const;

 private:
  void map(Place place);

  char* pages_ = nullptr;
  char* data_ = nullptr;
  std::unique_ptr<test::Mirror> mirror_;
  int64_t bytes_ = 0, mapped_ = 0;
};

// What this process may still take, by the kernel's account and its control group's.
int64_t available_bytes();

}  // namespace bs::cases
