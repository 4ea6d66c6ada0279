// The one place where C++ meets C: names the function for messages, catches what the standard library throws, checks
// objects.
#pragma once

#include <cstdint>
#include <new>
#include <stdexcept>
#include <system_error>

#include "model/status.h"

namespace bs {

// First word of every public object, so that a wrong or stale pointer is found out instead of followed.
enum class Tag : uint32_t {
  context = 0x62734378,
  matrix = 0x62734d78,
  options = 0x62734f70,
  report = 0x62735270,
  dead = 0
};

// In destructors: a plain store to an object about to be freed is dead, and the compiler drops it.
inline void bury(Tag& tag) {
  *const_cast<volatile Tag*>(&tag) = Tag::dead;
}

// bsStatus_t bsFoo(...) { return api("bsFoo", [&]() -> Status { ... }); }
template <class Body>
bsStatus_t api(const char* function, Body&& body) noexcept {
  last_error().function = function;
  try {
    return body().code;
  } catch (const std::bad_alloc&) {
    return fail(BS_STATUS_ALLOC_FAILED, "out of host memory").code;
  } catch (const std::length_error&) {  // a vector longer than any can be
    return fail(BS_STATUS_ALLOC_FAILED, "out of host memory").code;
  } catch (const std::system_error& error) {
    return fail(BS_STATUS_ALLOC_FAILED, "the system refused a resource: %s", error.what()).code;
  } catch (...) {
    return fail(BS_STATUS_INTERNAL_ERROR, "unexpected exception").code;
  }
}

// INVALID_HANDLE naming the argument: "handle is NULL", "A is not a matrix descriptor".
template <class Object>
Status check_object(const Object* object, const char* argument) {
  if (!object) return fail(BS_STATUS_INVALID_HANDLE, "%s is NULL", argument);
  if (reinterpret_cast<uintptr_t>(object) % alignof(Object) != 0 || object->tag != Object::kTag)
    return fail(BS_STATUS_INVALID_HANDLE, "%s is not %s, or was destroyed", argument, Object::kKind);
  return kSuccess;
}

inline Status check_pointer(const void* pointer, const char* argument) {
  return pointer ? kSuccess : fail(BS_STATUS_INVALID_POINTER, "%s is NULL", argument);
}

}  // namespace bs
