// What the demo needs around the C interface: statuses that cannot be overlooked, and owners for handle, device arrays,
// descriptors and options. Everything the products read or write lies in memory of the handle, so that the same program
// takes a GPU where there is one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bsparse.h"

namespace mlp {

// Throws std::runtime_error with the library's own sentence.
void check(bsStatus_t status);

class Device {
 public:
  Device() { check(bsCreate(&handle_)); }
  ~Device() { bsDestroy(handle_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  bsHandle_t handle() const { return handle_; }
  const char* name() const;

 private:
  bsHandle_t handle_ = nullptr;
};

// Bytes in device memory.
class Memory {
 public:
  Memory(const Device& device, int64_t bytes) : device_(&device) { check(bsMalloc(device.handle(), &data_, bytes)); }
  ~Memory() { bsFree(device_->handle(), data_); }
  Memory(Memory&& other) noexcept : device_(other.device_), data_(other.data_) { other.data_ = nullptr; }
  Memory& operator=(Memory&&) = delete;
  void* data() const { return data_; }

 protected:
  const Device* device_;
  void* data_ = nullptr;
};

// An array in device memory, filled and read by copies.
template <class T>
class Array : public Memory {
 public:
  Array(const Device& device, int64_t count)
      : Memory(device, count * static_cast<int64_t>(sizeof(T))), count_(static_cast<size_t>(count)) {}
  Array(const Device& device, std::span<const T> values) : Array(device, static_cast<int64_t>(values.size())) {
    upload(values);
  }
  int64_t count() const { return static_cast<int64_t>(count_); }
  void upload(std::span<const T> values) {
    check(bsMemcpy(device_->handle(), data_, values.data(), static_cast<int64_t>(values.size_bytes())));
  }
  std::vector<T> download() const {
    std::vector<T> values(count_);
    check(bsMemcpy(device_->handle(), values.data(), data_, static_cast<int64_t>(count_ * sizeof(T))));
    return values;
  }

 private:
  size_t count_;
};

struct Deleter {
  void operator()(bsMatDescr_t matrix) const { bsDestroyMat(matrix); }
  void operator()(bsOptions_t options) const { bsDestroyOptions(options); }
  void operator()(bsReport_t report) const { bsDestroyReport(report); }
};
using Matrix = std::unique_ptr<bsMatrix, Deleter>;
using Options = std::unique_ptr<bsOptionSet, Deleter>;
using Report = std::unique_ptr<bsReportData, Deleter>;

// A dense row-major matrix over an array of rows * cols.
Matrix dense_matrix(int64_t rows, int64_t cols, Array<float>& values);
Options make_options();

}  // namespace mlp
