// What went wrong: the thread's last message, and names and sentences for statuses.
#include "model/status.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "api/boundary.h"

namespace bs {

LastError& last_error() {
  static constinit thread_local LastError error;
  return error;
}

Status fail(bsStatus_t code, const char* format, ...) {
  LastError& error = last_error();
  char text[sizeof error.text];  // the arguments may point into error.text
  const int prefix = *error.function ? std::snprintf(text, sizeof text, "%s: ", error.function) : 0;
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text + prefix, sizeof text - static_cast<size_t>(prefix), format, arguments);
  va_end(arguments);
  std::memcpy(error.text, text, sizeof text);
  return {code};
}

namespace {

struct StatusText {
  bsStatus_t code;
  const char* name;
  const char* sentence;
};

#define BS_STATUS_ROW(status, sentence) \
  { status, #status, sentence }
constexpr StatusText kStatusTexts[] = {
    BS_STATUS_ROW(BS_STATUS_SUCCESS, "The call did what was asked."),
    BS_STATUS_ROW(BS_STATUS_INVALID_HANDLE, "An object is NULL, was destroyed, or is not of the expected kind."),
    BS_STATUS_ROW(BS_STATUS_INVALID_POINTER, "A pointer is NULL or misaligned where that is not allowed."),
    BS_STATUS_ROW(BS_STATUS_INVALID_SIZE, "A size is negative, too large for its index type, or too small."),
    BS_STATUS_ROW(BS_STATUS_INVALID_VALUE, "A value is not a member of its enumeration, or a name is unknown."),
    BS_STATUS_ROW(BS_STATUS_INVALID_TYPE, "A data type is unknown, or data types do not go together."),
    BS_STATUS_ROW(BS_STATUS_INVALID_SHAPE, "The sizes of the operands do not match, or a format is wrong here."),
    BS_STATUS_ROW(BS_STATUS_INVALID_ALIAS, "An output overlaps an input or the workspace."),
    BS_STATUS_ROW(BS_STATUS_INVALID_POINTER_MODE, "A scalar lies on the wrong side for the pointer mode."),
    BS_STATUS_ROW(BS_STATUS_INSUFFICIENT_WORKSPACE, "The workspace is smaller than the cheapest usable route needs."),
    BS_STATUS_ROW(BS_STATUS_STALE_ANALYSIS, "The analysis asked for is not in force, or values changed since it."),
    BS_STATUS_ROW(BS_STATUS_INVALID_CONTENT, "An offset or index inside an array is out of range."),
    BS_STATUS_ROW(BS_STATUS_NOT_SUPPORTED, "The call is legal, but no route of this library does it."),
    BS_STATUS_ROW(BS_STATUS_ARCH_MISMATCH, "The library contains no code for this device."),
    BS_STATUS_ROW(BS_STATUS_ALLOC_FAILED, "Memory or another resource could not be had."),
    BS_STATUS_ROW(BS_STATUS_CUDA_ERROR, "A CUDA call made by this call failed."),
    BS_STATUS_ROW(BS_STATUS_EARLIER_CUDA_ERROR, "The CUDA context was already in error when the call began."),
    BS_STATUS_ROW(BS_STATUS_MISSING_LIBRARY, "A library that is needed here could not be opened."),
    BS_STATUS_ROW(BS_STATUS_IO_ERROR, "A file could not be read or written."),
    BS_STATUS_ROW(BS_STATUS_INTERNAL_ERROR, "The library is at fault: please report the message."),
};
#undef BS_STATUS_ROW

constexpr StatusText kUnknownStatus{-1, "BS_STATUS_UNKNOWN", "This number is not a status of this library."};

const StatusText& text_of(bsStatus_t status) {
  for (const StatusText& text : kStatusTexts)
    if (text.code == status) return text;
  return kUnknownStatus;
}

}  // namespace
}  // namespace bs

const char* bsStatusName(bsStatus_t status) {
  return bs::text_of(status).name;
}

const char* bsStatusString(bsStatus_t status) {
  return bs::text_of(status).sentence;
}

const char* bsGetLastErrorMessage(void) {
  return bs::last_error().text;
}

bsStatus_t bsGetVersion(int32_t* version) {
  return bs::api("bsGetVersion", [&]() -> bs::Status {
    BS_TRY(bs::check_pointer(version, "version"));
    *version = BSPARSE_VERSION;
    return bs::kSuccess;
  });
}
