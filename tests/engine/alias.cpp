// Overlap of dense matrices in one array, against every element's address.
#include "support/catch.h"

#include <random>
#include <set>

#include "api/alias.h"

namespace bs::test {
namespace {

MatrixView random_view(std::mt19937& random, char* memory) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<>(low, high)(random); };
  MatrixView v;
  v.rows = pick(0, 4);
  v.cols = pick(0, 4);
  v.order = pick(0, 1) ? Layout::row : Layout::col;
  v.dtype = pick(0, 3) ? DType::f16 : DType::f32;
  v.ld = pick(4, 6) * 2;
  v.batch = pick(1, 3);
  v.value_stride = pick(0, 2) * 4;
  v.values = memory + 4 * pick(0, 30);
  return v;
}

std::set<const char*> addresses(const MatrixView& v) {
  std::set<const char*> all;
  const int64_t element = size_of(v.dtype);
  for (int64_t b = 0; b < v.batch; ++b)
    for (int64_t i = 0; i < v.rows; ++i)
      for (int64_t j = 0; j < v.cols; ++j) {
        const int64_t at = b * v.value_stride + (v.order == Layout::row ? i * v.ld + j : i + j * v.ld);
        for (int64_t byte = 0; byte < element; ++byte)
          all.insert(static_cast<const char*>(v.values) + at * element + byte);
      }
  return all;
}

// Whether the header promises an exact answer, rather than one for the ranges.
bool exact(const MatrixView& x, const MatrixView& y) {
  return x.dtype == y.dtype && x.value_stride == y.value_stride;
}

TEST_CASE("coinciding elements are always found, and interleaving matrices of equal pitch are never taken for it") {
  std::mt19937 random(1);
  alignas(16) static char memory[1024];
  int coincide = 0, interleave = 0;
  for (int round = 0; round < 20000; ++round) {
    const MatrixView x = random_view(random, memory);
    MatrixView y = random_view(random, memory);
    y.ld = x.ld;
    Arrays arrays;
    REQUIRE(arrays.add_values("x", x, Use::read).ok());
    REQUIRE(arrays.add_values("y", y, Use::write).ok());

    const std::set<const char*> of_x = addresses(x), of_y = addresses(y);
    bool shared = false;
    for (const char* byte : of_x) shared = shared || of_y.count(byte) != 0;
    const bool refused = !arrays.check_aliases().ok();
    if (shared) REQUIRE(refused);
    if (!shared && exact(x, y)) REQUIRE(!refused);
    const bool mixed =
        !of_x.empty() && !of_y.empty() && *of_x.begin() < *of_y.rbegin() && *of_y.begin() < *of_x.rbegin();
    coincide += shared;
    interleave += !shared && mixed && exact(x, y);
  }
  CHECK(coincide > 1000);
  CHECK(interleave > 100);
}

}  // namespace
}  // namespace bs::test
