// Whether to run fewer sizes, as under sanitizers.
#pragma once

#include <cstdlib>

namespace bs::test {

inline bool reduced() {
  return std::getenv("BSPARSE_TEST_REDUCED") != nullptr;
}

}  // namespace bs::test
