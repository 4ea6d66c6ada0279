// Names and sentences of statuses; the thread's last error.
#include "model/status.h"

#include <cstdarg>
#include <cstdio>

namespace bs {

LastError& last_error() {
  static thread_local LastError error;
  return error;
}

Status fail(bsStatus_t code, const char* format, ...) {
  LastError& error = last_error();
  const int prefix = error.function[0] ? std::snprintf(error.text, sizeof error.text, "%s: ", error.function) : 0;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(error.text + prefix, sizeof error.text - static_cast<size_t>(prefix), format, arguments);
  va_end(arguments);
  return {code};
}

}  // namespace bs
