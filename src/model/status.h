// Outcomes: Status of a call, Verdict of a kernel about a problem, and the sentence that goes with a failure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bsparse.h"

namespace bs {

struct [[nodiscard]] Status {
  bsStatus_t code = BS_STATUS_SUCCESS;
  constexpr bool ok() const { return code == BS_STATUS_SUCCESS; }
};
inline constexpr Status kSuccess{};

// The thread's last failure. Plain storage, so that no destructor runs at thread exit and reporting never allocates.
struct LastError {
  const char* function = "";  // set by the API boundary
  char text[512] = "";
};
LastError& last_error();

// Formats "<function>: <text>" into last_error() and returns the code.
Status fail(bsStatus_t code, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Yes, or the text of the first requirement that is not met.
struct [[nodiscard]] Verdict {
  const char* unmet = nullptr;
  constexpr bool ok() const { return unmet == nullptr; }
};
inline constexpr Verdict kAccept{};

}  // namespace bs

// Forwards a failure.
#define BS_TRY(expression)                                                        \
  do {                                                                            \
    if (const ::bs::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)

// For `supports` of a kernel: the unmet condition's own text is the reason that the trace prints.
#define BS_REQUIRE(condition)                                             \
  do {                                                                    \
    if (!(condition)) return ::bs::Verdict{.unmet = "needs " #condition}; \
  } while (false)
