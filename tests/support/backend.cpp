#include "support/backend.h"

#include <cstdlib>
#include <cstring>
#include <set>

namespace bs::test {
namespace {

enum class Target { cpu, mirror, cuda };

Target target() {
  static const Target chosen = [] {
    const char* text = std::getenv("BSPARSE_TEST_BACKEND");
    const std::string name = text ? text : "";
    return name == "cuda" ? Target::cuda : name == "mirror" ? Target::mirror : Target::cpu;
  }();
  return chosen;
}

void must(bsStatus_t status) {
  INFO(bsGetLastErrorMessage());
  REQUIRE(status == BS_STATUS_SUCCESS);
}

// A handle that only moves bytes. It lives as long as the process.
bsHandle_t mover() {
  static const bsHandle_t handle = [] {
    bsHandle_t made = nullptr;
    must(bsCreateOn(&made, backend(), 0));
    return made;
  }();
  return handle;
}

std::set<Mirror*>& with_images() {
  static std::set<Mirror*> all;
  return all;
}

}  // namespace

bsBackend_t backend() {
  return target() == Target::cuda ? BS_BACKEND_CUDA : BS_BACKEND_CPU;
}

bool mirrors() {
  return target() != Target::cpu;
}

const std::string& backend_missing() {
  static const std::string reason = []() -> std::string {
    bsHandle_t handle = nullptr;
    if (bsCreateOn(&handle, backend(), 0) != BS_STATUS_SUCCESS) return bsGetLastErrorMessage();
    bsDestroy(handle);
    return "";
  }();
  return reason;
}

Mirror::Mirror(int64_t bytes, int64_t offset)
    : bytes_(bytes), offset_(offset), memory_(std::make_unique<char[]>(static_cast<size_t>(offset + bytes))) {}

Mirror::~Mirror() {
  if (!base_) return;
  check_guards();
  with_images().erase(this);
  bsFree(mover(), base_);
}

char* Mirror::write() {
  refresh();
  newer_ = Newer::here;
  return memory_.get() + offset_;
}

const char* Mirror::read() const {
  refresh();
  return memory_.get() + offset_;
}

void* Mirror::device() {
  if (target() == Target::cpu) return memory_.get() + offset_;
  if (!base_) make_image();
  return image();
}

// Guards are 0xff: NaN in every type, -1 as an index.
void Mirror::make_image() {
  void* pointer = nullptr;
  must(bsMalloc(mover(), &pointer, total()));
  base_ = static_cast<char*>(pointer);
  with_images().insert(this);
  const std::vector<char> fill(static_cast<size_t>(total()), static_cast<char>(0xff));
  must(bsMemcpy(mover(), base_, fill.data(), total()));
}

void Mirror::refresh() const {
  if (newer_ != Newer::there) return;
  must(bsMemcpy(mover(), memory_.get() + offset_, image(), bytes_));
  newer_ = Newer::neither;
}

void Mirror::check_guards() const {
  std::vector<char> all(static_cast<size_t>(total()));
  CHECK(bsMemcpy(mover(), all.data(), base_, total()) == BS_STATUS_SUCCESS);
  const auto intact = [](char byte) { return byte == static_cast<char>(0xff); };
  const auto inside = all.begin() + kGuard + offset_;
  const bool before = std::all_of(all.begin(), inside, intact);
  const bool behind = std::all_of(inside + bytes_, all.end(), intact);
  CHECK((before && behind));  // else something wrote outside an array
}

void Mirror::before_call() {
  for (Mirror* mirror : with_images()) {
    if (mirror->newer_ != Newer::here) continue;
    must(bsMemcpy(mover(), mirror->image(), mirror->memory_.get() + mirror->offset_, mirror->bytes_));
    mirror->newer_ = Newer::neither;
  }
}

void Mirror::after_call() {
  for (Mirror* mirror : with_images()) mirror->newer_ = Newer::there;
}

}  // namespace bs::test
