// CUB's radix sort and prefix sum, compiled once: every instance costs the compiler seconds.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "engine/carver.h"
#include "model/saturate.h"
#include "model/status.h"

namespace bs::cuda {

// Two arrays of equal length; the sort says which one holds the result.
template <class T>
struct DoubleArray {
  T* current = nullptr;
  T* other = nullptr;
};

// Temporary memory that covers both functions for this many items; known without a GPU. With double buffers CUB needs
// little: look-back state of 256 digits a tile, a tile being at least 2048 items.
inline int64_t sort_bytes(int64_t items) {
  return saturating_add(int64_t{2} << 20, items);
}

template <class Key, class Value>
struct SortSpace {
  DoubleArray<Key> keys;
  DoubleArray<Value> values;
  char* temporary;

  SortSpace(int64_t count, Carver* carver)
      : keys{carver->take<Key>(count), carver->take<Key>(count)},
        values{carver->take<Value>(count), carver->take<Value>(count)},
        temporary(carver->take<char>(sort_bytes(count))) {}
};

// Stable, by the lowest `bits` of the keys. Stream-ordered and capturable.
Status sort_pairs(DoubleArray<uint32_t>* keys, DoubleArray<int32_t>* values, int64_t count, int bits, void* temporary,
                  cudaStream_t stream);
Status sort_pairs(DoubleArray<uint64_t>* keys, DoubleArray<int64_t>* values, int64_t count, int bits, void* temporary,
                  cudaStream_t stream);

// values[i] = values[0] + ... + values[i]
Status inclusive_sum(int64_t* values, int64_t count, void* temporary, cudaStream_t stream);

}  // namespace bs::cuda
