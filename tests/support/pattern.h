// Random sparsity patterns.
#pragma once

#include <cstdint>
#include <vector>

namespace bs::test {

enum class PatternKind : uint8_t { uniform, powerlaw, banded, full_row, alternating, diagonal, full, empty };
constexpr PatternKind kPatternKinds[] = {PatternKind::uniform,  PatternKind::powerlaw,    PatternKind::banded,
                                         PatternKind::full_row, PatternKind::alternating, PatternKind::diagonal,
                                         PatternKind::full,     PatternKind::empty};
const char* name_of(PatternKind kind);

struct PatternSpec {
  PatternKind kind = PatternKind::uniform;
  double density = 0.2;
  bool shuffled = false;    // columns of a row in any order
  bool duplicates = false;  // some columns twice
  uint64_t seed = 1;
};

// Lists of indices, counted from 0.
struct Pattern0 {
  int64_t rows = 0, cols = 0;
  std::vector<int64_t> offsets, indices;
  int64_t nnz() const { return offsets.back(); }
};

Pattern0 make_pattern(const PatternSpec& spec, int64_t rows, int64_t cols);

}  // namespace bs::test
