// Catch2 2.x or 3.x, and what both lack: test cases made from a table, and skips that are counted by name.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#define BS_CATCH_MAJOR 3
using Catch::Approx;  // global in 2.x
#else
#include <catch2/catch.hpp>
#define BS_CATCH_MAJOR 2
#endif

#include <functional>
#include <string>

#include "support/reduced.h"

namespace bs::test {

// Notes that the running test case cannot do its work here; main.cpp reports it as skipped.
void note_skip(const std::string& reason);

// Matches a text that has `part` in it: 3.x gave the name that 2.x has for this to ranges.
inline auto contains(const std::string& part) {
#if BS_CATCH_MAJOR >= 3
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Matchers::Contains(part);
#endif
}

// Adds a test case at run time, before main: one a row of a table.
void add_test(const std::string& name, const std::string& tags, std::function<void()> body);

}  // namespace bs::test

#define BS_SKIP(reason)            \
  do {                             \
    ::bs::test::note_skip(reason); \
    SUCCEED();                     \
    return;                        \
  } while (false)
