// What holds for every matrix that a reader returns, whatever the text was.
#pragma once

#include <algorithm>

#include "io/matrix_files.h"

namespace bs::io {

inline bool is_sound(const CsrMatrix& matrix) {
  const auto nnz = static_cast<int64_t>(matrix.indices.size());
  return matrix.rows >= 0 && matrix.cols >= 0 && static_cast<int64_t>(matrix.offsets.size()) == matrix.rows + 1 &&
         matrix.offsets.front() == 0 && matrix.offsets.back() == nnz &&
         std::is_sorted(matrix.offsets.begin(), matrix.offsets.end()) &&
         std::all_of(matrix.indices.begin(), matrix.indices.end(),
                     [&](int64_t j) { return j >= 0 && j < matrix.cols; }) &&
         (matrix.values.empty() || matrix.values.size() == matrix.indices.size());
}

// A matrix that is sound, or an error with a line inside the text and a sentence.
inline bool is_sound(const Expected<CsrMatrix>& result, std::string_view text) {
  if (result) return is_sound(*result);
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  return !result.error().what.empty() && result.error().line >= 1 && result.error().line <= lines;
}

}  // namespace bs::io
