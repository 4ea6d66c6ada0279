// BS_ANALYZE_ORDER: lists by falling length, equal ones in order: a stable radix sort of what each list lacks of the
// longest one possible.
#include <bit>

#include "cuda/common/radix_sort.h"
#include "cuda/device/items.cuh"
#include "cuda/structure/stored_rows.cuh"
#include "cuda/structure/structure.h"
#include "model/saturate.h"

namespace bs::cuda {
namespace {

// A list has one length in each structure; their sum counts.
template <class Key, class List>
struct MakeKeys {
  SparseRows rows;
  int64_t structures, longest;
  Key* keys;
  List* lists;
  __device__ void operator()(int64_t list) const {
    int64_t length = 0;
    for (int64_t s = 0; s < structures; ++s) length += rows.end(s, list) - rows.begin(s, list);
    keys[list] = static_cast<Key>(longest - length);
    lists[list] = static_cast<List>(list);
  }
};

template <class List>
struct CopyOrder {
  const List* lists;
  int32_t* order;
  __device__ void operator()(int64_t i) const { order[i] = static_cast<int32_t>(lists[i]); }
};

int64_t longest_possible(const MatrixView& m) {
  return saturating_mul(m.nnz, m.structures());
}
bool is_wide(const MatrixView& m) {
  return longest_possible(m) > INT32_MAX;
}

template <class Key, class List>
Status order_as(const MatrixView& m, int32_t* order, void* start, cudaStream_t stream) {
  Carver carver(start);
  SortSpace<Key, List> space(m.lists(), &carver);
  const int64_t longest = longest_possible(m);
  BS_TRY(for_items(
      m.lists(), "order: keys", stream,
      MakeKeys<Key, List>{stored_rows(m), m.structures(), longest, space.keys.current, space.values.current}));
  const int bits = std::bit_width(static_cast<uint64_t>(longest));
  BS_TRY(sort_pairs(&space.keys, &space.values, m.lists(), bits, space.temporary, stream));
  return for_items(m.lists(), "order: copy", stream, CopyOrder<List>{space.values.current, order});
}

}  // namespace

int64_t order_scratch_bytes(const MatrixView& m) {
  Carver carver(nullptr);
  if (is_wide(m))
    SortSpace<uint64_t, int64_t>(m.lists(), &carver);
  else
    SortSpace<uint32_t, int32_t>(m.lists(), &carver);
  return carver.bytes();
}

Status order_lists(const MatrixView& m, int32_t* order, void* scratch, const Exec& exec) {
  auto* stream = static_cast<cudaStream_t>(exec.stream);
  return is_wide(m) ? order_as<uint64_t, int64_t>(m, order, scratch, stream)
                    : order_as<uint32_t, int32_t>(m, order, scratch, stream);
}

}  // namespace bs::cuda
