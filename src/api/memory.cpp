// Device memory for programs without CUDA code of their own.
#include <cstdint>

#include "api/arguments.h"
#include "api/context.h"

namespace bs {
namespace {

Status check_ranges(const void* destination, const void* source, int64_t bytes) {
  if (bytes == 0) return kSuccess;
  BS_TRY(check_pointer(destination, "destination"));
  BS_TRY(check_pointer(source, "source"));
  const auto to = reinterpret_cast<uintptr_t>(destination), from = reinterpret_cast<uintptr_t>(source);
  const auto distance = to < from ? from - to : to - from;
  if (distance >= static_cast<uintptr_t>(bytes)) return kSuccess;
  return fail(BS_STATUS_INVALID_ALIAS, "destination and source are %llu bytes apart, must be at least bytes (%lld)",
              static_cast<unsigned long long>(distance), static_cast<long long>(bytes));
}

}  // namespace
}  // namespace bs

using bs::Machine;
using bs::Status;

bsStatus_t bsMalloc(bsHandle_t handle, void** pointer, int64_t bytes) {
  return bs::api("bsMalloc", [&]() -> Status {
    if (pointer) *pointer = nullptr;
    BS_TRY(bs::check_object(handle, "handle"));
    BS_TRY(bs::check_pointer(pointer, "pointer"));
    BS_TRY(bs::check_not_negative(bytes, "bytes"));
    if (bytes == 0) return bs::kSuccess;
    return bs::on_machine(*handle, [&](Machine& machine) { return machine.allocate(pointer, bytes); });
  });
}

bsStatus_t bsFree(bsHandle_t handle, void* pointer) {
  return bs::api("bsFree", [&]() -> Status {
    BS_TRY(bs::check_object(handle, "handle"));
    if (!pointer) return bs::kSuccess;
    return bs::on_machine(*handle, [&](Machine& machine) { return machine.release(pointer); });
  });
}

bsStatus_t bsMemcpy(bsHandle_t handle, void* destination, const void* source, int64_t bytes) {
  return bs::api("bsMemcpy", [&]() -> Status {
    BS_TRY(bs::check_object(handle, "handle"));
    BS_TRY(bs::check_not_negative(bytes, "bytes"));
    BS_TRY(bs::check_ranges(destination, source, bytes));
    if (bytes == 0) return bs::kSuccess;
    return bs::on_machine(*handle,
                          [&](Machine& machine) { return machine.copy(destination, source, bytes, handle->stream); });
  });
}

bsStatus_t bsSynchronize(bsHandle_t handle) {
  return bs::api("bsSynchronize", [&]() -> Status {
    BS_TRY(bs::check_object(handle, "handle"));
    return bs::on_machine(*handle, [&](Machine& machine) { return machine.synchronize(handle->stream); });
  });
}
