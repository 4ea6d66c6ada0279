// Where a sparse matrix has entries: generated, or from a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bsbench/spec.h"

namespace bench {

// Lines of ascending indices: rows of CSR, columns of CSC, block rows of BSR. Counted from 0.
struct Structure {
  int64_t lines = 0, extent = 0;
  std::vector<int64_t> offsets{0}, indices;
  int64_t count() const { return static_cast<int64_t>(indices.size()); }
};

// `density` is met on average (uniform), to rounding (powerlaw, banded, blockdiag) or exactly (dlmc).
Structure generate(Pattern pattern, int64_t lines, int64_t extent, double density, double sigma, uint64_t seed);

Structure transposed(const Structure& structure);
// Blocks with an entry.
Structure blocks_of(const Structure& entries, int64_t block_rows, int64_t block_cols);
// The rows of the file. Throws std::runtime_error.
Structure read_structure(const std::string& path);

}  // namespace bench
