#include "cases/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

namespace bs::cases {
namespace {

// The number behind `label`, or the first of the file for "".
int64_t number_in(const char* path, const std::string& label, int64_t otherwise) {
  std::ifstream file(path);
  std::string word;
  while (!label.empty() && file >> word && word != label) continue;
  int64_t number = 0;
  return file >> number ? number : otherwise;
}

}  // namespace

Array::Array(int64_t bytes, Place place) : bytes_(bytes) {
  map(place);
  if (bytes > 0) std::memset(data(), 0xCD, static_cast<size_t>(bytes));
}

Array Array::zeros(int64_t bytes) {
  Array array;
  array.bytes_ = bytes;
  array.map(Place::at_end);
  return array;
}

void Array::map(Place place) {
  if (bytes_ == 0) return;
  if (test::mirrors()) {  // at an address as good or bad as with pages
    constexpr int64_t kBest = BSPARSE_WORKSPACE_ALIGNMENT;
    mirror_ = std::make_unique<test::Mirror>(bytes_, place == Place::at_end ? (kBest - bytes_ % kBest) % kBest : 0);
    return;
  }
  const int64_t page = sysconf(_SC_PAGESIZE), room = (bytes_ + page - 1) / page * page;
  mapped_ = room + page;
  void* pages = mmap(nullptr, static_cast<size_t>(mapped_), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<char*>(pages);
  mprotect(pages_ + room, static_cast<size_t>(page), PROT_NONE);
  data_ = place == Place::at_end ? pages_ + room - bytes_ : pages_;
}

Array::~Array() {
  if (pages_) munmap(pages_, static_cast<size_t>(mapped_));
}

Array& Array::operator=(Array&& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(data_, other.data_);
  std::swap(mirror_, other.mirror_);
  std::swap(bytes_, other.bytes_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

void* Array::data() const {
  return mirror_ ? mirror_->write() : data_;
}

void* Array::device() const {
  return mirror_ ? mirror_->device() : data_;
}

std::vector<char> Array::read() const {
  const char* from = mirror_ ? mirror_->read() : data_;
  return {from, from + bytes_};
}

void Array::write(const std::vector<char>& contents) const {
  std::copy(contents.begin(), contents.end(), static_cast<char*>(data()));
}

int64_t available_bytes() {
  const int64_t machine = number_in("/proc/meminfo", "MemAvailable:", 0) * 1024;
  const int64_t limit = number_in("/sys/fs/cgroup/memory.max", "", machine);
  const int64_t used = limit == machine ? 0 : number_in("/sys/fs/cgroup/memory.current", "", 0);
  return std::min(machine, limit - used);
}

}  // namespace bs::cases
