// Transposed index by a stable radix sort of the column indices. Nothing is read back: entries outside the structure's
// range get a key behind all columns, so that the sort can run over the whole capacity.
#include "cuda/common/transposed_index.h"

#include <bit>

#include "cuda/common/launch.h"
#include "cuda/common/radix_sort.h"
#include "cuda/device/items.cuh"
#include "cuda/device/sparse.cuh"

namespace bs::cuda {
namespace {

struct Structure {  // one batch of the stored pattern
  const void* offsets;
  const void* indices;
  int64_t rows, cols, capacity;
  int base;
  IndexType offset_type, index_type;

  __device__ int64_t offset(int64_t i) const { return load_index(offset_type, offsets, i) - base; }
  __device__ int64_t row_of(int64_t p) const {
    return list_of([this](int64_t i) { return offset(i); }, rows, p);
  }
};

template <class Key, class Position>
struct MakeKeys {
  Structure s;
  Key* keys;
  Position* positions;
  __device__ void operator()(int64_t p) const {
    const bool used = p >= s.offset(0) && p < s.offset(s.rows);
    keys[p] = static_cast<Key>(used ? load_index(s.index_type, s.indices, p) - s.base : s.cols);
    positions[p] = static_cast<Position>(p);
  }
};

// t_offsets[c]: the first place whose key is not below c, counted from the structure's own first entry.
template <class Key>
struct FindOffsets {
  Structure s;
  const Key* keys;
  void* t_offsets;
  __device__ void operator()(int64_t c) const {
    store_index(s.offset_type, t_offsets, c, s.offset(0) + lower_bound(keys, 0, s.capacity, static_cast<Key>(c)));
  }
};

template <class Key, class Position>
struct Place {
  Structure s;
  const Key* keys;
  const Position* sorted;
  void* t_indices;
  void* positions;
  __device__ void operator()(int64_t rank) const {
    if (static_cast<int64_t>(keys[rank]) >= s.cols) return;
    const int64_t q = s.offset(0) + rank, p = sorted[rank];
    store_index(s.index_type, t_indices, q, s.row_of(p));
    store_index(s.offset_type, positions, q, p);
  }
};

constexpr int64_t align(int64_t bytes) {
  return saturating_add(bytes, 255) / 256 * 256;
}

template <class Key, class Position>
Status build(const Structure& s, void* t_offsets, void* t_indices, void* positions, void* scratch,
             cudaStream_t stream) {
  const int64_t n = s.capacity;
  Carver carver(scratch);
  SortSpace<Key, Position> space(n, &carver);
  BS_TRY(for_items(n, "transposed index: keys", stream,
                   MakeKeys<Key, Position>{s, space.keys.current, space.values.current}));
  const int bits = std::bit_width(static_cast<uint64_t>(s.cols));
  BS_TRY(sort_pairs(&space.keys, &space.values, n, bits, space.temporary, stream));
  const Key* keys = space.keys.current;
  BS_TRY(for_items(s.cols + 1, "transposed index: offsets", stream, FindOffsets<Key>{s, keys, t_offsets}));
  return for_items(n, "transposed index: place", stream,
                   Place<Key, Position>{s, keys, space.values.current, t_indices, positions});
}

// 64-bit keys and positions only where a count needs them: the sort moves 8 bytes an entry and pass instead of 16.
bool is_wide(const SparseShape& s) {
  return s.nnz > INT32_MAX || s.block_col_count() >= INT32_MAX;
}

// Of no inputs there are none: the arrays may be NULL.
int64_t structures(const SparseShape& s, int64_t inputs) {
  return s.own_structure || inputs == 0 ? inputs : 1;
}

struct Parts {  // of the index itself in a workspace, for all structures
  int64_t offsets, indices, positions, scratch, bytes;
};
Parts parts_of(const SparseShape& s, int64_t inputs) {
  const int64_t count = structures(s, inputs);
  Parts parts{};
  const auto bytes = [&](int64_t each, int64_t element) { return align(saturating_mul(count, each, element)); };
  parts.indices = bytes(s.block_col_count() + 1, size_of(s.offset_type));
  parts.positions = saturating_add(parts.indices, bytes(s.nnz, size_of(s.index_type)));
  parts.scratch = saturating_add(parts.positions, bytes(s.nnz, size_of(s.offset_type)));
  parts.bytes = saturating_add(parts.scratch, transposed_index_scratch_bytes(s));
  return parts;
}

}  // namespace

int64_t transposed_index_scratch_bytes(const SparseShape& s) {
  Carver carver(nullptr);
  if (is_wide(s))
    SortSpace<uint64_t, int64_t>(s.nnz, &carver);
  else
    SortSpace<uint32_t, int32_t>(s.nnz, &carver);
  return carver.bytes();
}

Status build_transposed_index(const SparseShape& s, const Pattern& stored, int64_t batch, void* t_offsets,
                              void* t_indices, void* positions, void* scratch, const Exec& exec) {
  const auto shift = [](const void* array, int64_t bytes) {
    return array ? static_cast<const char*>(array) + bytes : nullptr;
  };
  const Structure structure{.offsets = shift(stored.offsets, batch * stored.offset_stride * size_of(s.offset_type)),
                            .indices = shift(stored.indices, batch * stored.index_stride * size_of(s.index_type)),
                            .rows = s.block_row_count(),
                            .cols = s.block_col_count(),
                            .capacity = s.nnz,
                            .base = s.base,
                            .offset_type = s.offset_type,
                            .index_type = s.index_type};
  auto* stream = static_cast<cudaStream_t>(exec.stream);
  return is_wide(s) ? build<uint64_t, int64_t>(structure, t_offsets, t_indices, positions, scratch, stream)
                    : build<uint32_t, int32_t>(structure, t_offsets, t_indices, positions, scratch, stream);
}

int64_t transposed_index_bytes(const SparseShape& s, int64_t inputs) {
  return s.transposed && !s.has_transpose ? parts_of(s, inputs).bytes : 0;
}

Status ensure_transposed_index(const SparseShape& s, int64_t inputs, void* workspace, const Exec& exec,
                               SparseOperand* o) {
  if (!s.transposed || s.has_transpose || s.nnz == 0) return kSuccess;  // without entries nothing reads it
  const Parts parts = parts_of(s, inputs);
  auto* memory = static_cast<char*>(workspace);
  const bool own = s.own_structure;
  o->transposed = {.offsets = memory,
                   .indices = memory + parts.indices,
                   .offset_stride = own ? s.block_col_count() + 1 : 0,
                   .index_stride = own ? s.nnz : 0};
  o->positions = memory + parts.positions;
  for (int64_t b = 0; b < structures(s, inputs); ++b)
    BS_TRY(build_transposed_index(s, o->stored, b, memory + b * o->transposed.offset_stride * size_of(s.offset_type),
                                  memory + parts.indices + b * o->transposed.index_stride * size_of(s.index_type),
                                  memory + parts.positions + b * o->transposed.index_stride * size_of(s.offset_type),
                                  memory + parts.scratch, exec));
  return kSuccess;
}

}  // namespace bs::cuda
