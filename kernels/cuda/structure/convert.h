// Conversion on one straight path for all pairs of formats. The stored entries (blocks) of a sparse source are sorted
// by row, column and position; a dense source is read row by row. Destinations are lists (CSR, CSC turned, COO, BSR) or
// dense.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda/structure/sorted_tiles.h"
#include "engine/conversion.h"

namespace bs::cuda {

// The workspace, the same in both phases.
struct ConvertSpace {
  // Sparse destination: starts[i * pieces] is the first entry of list i, and the number of all for i = lists. A dense
  // source counts every list in pieces of its own.
  int64_t* starts = nullptr;
  int64_t pieces = 1;
  uint64_t* block_columns = nullptr;  // BSR from sparse: of all blocks, in order, from the count to the fill
  SortedTiles sorted;         // sparse source; of CSR, CSC and COO it holds the entries from the count to the fill
  char* temporary = nullptr;  // for the prefix sum of starts
  int64_t bytes = 0;

  ConvertSpace(const Conversion& c, void* workspace);
};

int64_t pieces_of_list(const MatrixView& destination);

// `starts`, and what the fill needs beside them.
Status count_from_sparse(const Conversion& c, ConvertSpace* space, cudaStream_t stream);
Status count_from_dense(const Conversion& c, const ConvertSpace& space, cudaStream_t stream);

Status fill_from_sparse(const Conversion& c, ConvertSpace* space, cudaStream_t stream);
Status fill_from_dense(const Conversion& c, const ConvertSpace& space, cudaStream_t stream);

}  // namespace bs::cuda
