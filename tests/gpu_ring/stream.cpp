#include <cstdlib>

namespace {

// These tests are for a GPU whatever the environment says. Looked at when the first test begins.
[[maybe_unused]] const int chosen = setenv("BSPARSE_TEST_BACKEND", "cuda", 1);

}  // namespace
