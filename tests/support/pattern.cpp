// Row by row: how many entries a row should have, then which.
#include "support/pattern.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/random.h"

namespace bs::test {
namespace {

int64_t row_length(const PatternSpec& spec, int64_t row, int64_t rows, int64_t cols, Random* random) {
  const double mean = spec.density * static_cast<double>(cols);
  double length = mean;
  switch (spec.kind) {
    case PatternKind::powerlaw:
      length = mean * 0.5 / std::sqrt(random->unit() + 1e-3);
      break;
    case PatternKind::full_row:
      length = row == rows / 2 ? static_cast<double>(cols) : 1;
      break;
    case PatternKind::alternating:
      length = row % 2 ? 0 : 2 * mean;
      break;
    case PatternKind::diagonal:
      length = 1;
      break;
    case PatternKind::full:
      length = static_cast<double>(cols);
      break;
    case PatternKind::empty:
      return 0;
    default:
      length = mean * (0.5 + random->unit());
  }
  return std::clamp(static_cast<int64_t>(length + random->unit()), int64_t{0}, cols);
}

void append_row(const PatternSpec& spec, int64_t row, int64_t rows, int64_t cols, Random* random, Pattern0* out) {
  int64_t needed = row_length(spec, row, rows, cols, random);
  const size_t start = out->indices.size();
  const bool contiguous = spec.kind == PatternKind::banded || spec.kind == PatternKind::diagonal;
  const int64_t first = contiguous ? std::min(row * cols / std::max<int64_t>(rows, 1), cols - needed) : 0;
  for (int64_t col = first; col < cols && needed > 0; ++col) {
    if (!contiguous && random->below(cols - col) >= needed) continue;
    out->indices.push_back(col);
    --needed;
    if (spec.duplicates && random->chance(0.2)) out->indices.push_back(col);
  }
  const int64_t count = static_cast<int64_t>(out->indices.size() - start);
  for (int64_t i = count - 1; spec.shuffled && i > 0; --i) {
    std::swap(out->indices[start + static_cast<size_t>(i)],
              out->indices[start + static_cast<size_t>(random->below(i + 1))]);
  }
  out->offsets.push_back(static_cast<int64_t>(out->indices.size()));
}

}  // namespace

const char* name_of(PatternKind kind) {
  static constexpr const char* names[] = {"uniform",     "powerlaw", "banded", "full_row",
                                          "alternating", "diagonal", "full",   "empty"};
  return names[static_cast<size_t>(kind)];
}

Pattern0 make_pattern(const PatternSpec& spec, int64_t rows, int64_t cols) {
  Random random(spec.seed);
  Pattern0 out{.rows = rows, .cols = cols, .offsets = {0}, .indices = {}};
  for (int64_t row = 0; row < rows; ++row) append_row(spec, row, rows, cols, &random, &out);
  return out;
}

}  // namespace bs::test
