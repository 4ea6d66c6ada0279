// Transposed index by CUB's stable radix sort of the column indices. Nothing is read back: entries outside the structure's
// range get a key behind all columns, so that the sort can run over the whole capacity.
#include "cuda/common/transposed_index.h"

#include <bit>
#include <utility>

#include <cub/device/device_radix_sort.cuh>

#include "cuda/common/launch.h"
#include "cuda/device/sparse.cuh"

namespace bs::cuda {
namespace {

constexpr int kThreads = 256;

struct Structure {  // one batch of the stored pattern
  const void* offsets;
  const void* indices;
  int64_t rows, cols, capacity;
  int base;
  IndexType offset_type, index_type;

  __device__ int64_t offset(int64_t i) const { return load_index(offset_type, offsets, i) - base; }
  // The row that uses entry p: the last one whose offset is not beyond p.
  __device__ int64_t row_of(int64_t p) const {
    int64_t low = 0, high = rows;  // offset(low) <= p < offset(high)
    while (high - low > 1) {
      const int64_t middle = (low + high) / 2;
      (offset(middle) <= p ? low : high) = middle;
    }
    return low;
  }
};

__device__ int64_t thread_index() { return static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; }

template <class Key, class Position>
__global__ void __launch_bounds__(kThreads) make_keys(Structure s, Key* keys, Position* positions) {
  const int64_t p = thread_index();
  if (p >= s.capacity) return;
  const bool used = p >= s.offset(0) && p < s.offset(s.rows);
  keys[p] = static_cast<Key>(used ? load_index(s.index_type, s.indices, p) - s.base : s.cols);
  positions[p] = static_cast<Position>(p);
}

// t_offsets[c]: the first place whose key is not below c, counted from the structure's own first entry.
template <class Key>
__global__ void __launch_bounds__(kThreads) find_offsets(Structure s, const Key* keys, void* t_offsets) {
  const int64_t c = thread_index();
  if (c > s.cols) return;
  int64_t low = 0, high = s.capacity;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (static_cast<int64_t>(keys[middle]) < c) low = middle + 1;
    else high = middle;
  }
  store_index(s.offset_type, t_offsets, c, s.offset(0) + low);
}

template <class Key, class Position>
__global__ void __launch_bounds__(kThreads)
    place(Structure s, const Key* keys, const Position* sorted, void* t_indices, void* positions) {
  const int64_t rank = thread_index();
  if (rank >= s.capacity || static_cast<int64_t>(keys[rank]) >= s.cols) return;
  const int64_t q = s.offset(0) + rank, p = sorted[rank];
  store_index(s.index_type, t_indices, q, s.row_of(p));
  store_index(s.offset_type, positions, q, p);
}

constexpr int64_t align(int64_t bytes) { return (bytes + 255) / 256 * 256; }
// With double buffers CUB needs little: look-back state of 256 digits a tile, a tile being at least 2048 items.
constexpr int64_t sort_bytes(int64_t items) { return (int64_t{2} << 20) + items; }

template <class Key, class Position>
Status build(const Structure& s, void* t_offsets, void* t_indices, void* positions, char* scratch, cudaStream_t stream) {
  const int64_t n = s.capacity;
  const auto slice = [&](int64_t bytes) { return std::exchange(scratch, scratch + align(bytes)); };
  auto* keys_a = reinterpret_cast<Key*>(slice(n * sizeof(Key)));
  auto* keys_b = reinterpret_cast<Key*>(slice(n * sizeof(Key)));
  auto* positions_a = reinterpret_cast<Position*>(slice(n * sizeof(Position)));
  auto* positions_b = reinterpret_cast<Position*>(slice(n * sizeof(Position)));
  cub::DoubleBuffer<Key> keys(keys_a, keys_b);
  cub::DoubleBuffer<Position> order(positions_a, positions_b);

  if (n > 0) {
    make_keys<<<static_cast<unsigned>(ceil_div(n, kThreads)), kThreads, 0, stream>>>(s, keys_a, positions_a);
    BS_TRY(launched("transposed index: keys"));
    const int bits = std::bit_width(static_cast<uint64_t>(s.cols));
    size_t bytes = 0;
    BS_TRY(cuda_status(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, order, n, 0, bits, stream), "radix sort size"));
    if (static_cast<int64_t>(bytes) > sort_bytes(n))
      return fail(BS_STATUS_INTERNAL_ERROR, "radix sort needs %zu bytes, %lld were planned", bytes,
                  static_cast<long long>(sort_bytes(n)));
    BS_TRY(cuda_status(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, order, n, 0, bits, stream), "radix sort"));
  }
  find_offsets<<<static_cast<unsigned>(ceil_div(s.cols + 1, kThreads)), kThreads, 0, stream>>>(s, keys.Current(), t_offsets);
  BS_TRY(launched("transposed index: offsets"));
  if (n == 0) return kSuccess;
  place<<<static_cast<unsigned>(ceil_div(n, kThreads)), kThreads, 0, stream>>>(s, keys.Current(), order.Current(), t_indices,
                                                                               positions);
  return launched("transposed index: place");
}

// 64-bit keys and positions only where a count needs them: the sort moves 8 bytes an entry and pass instead of 16.
bool is_wide(const SparseShape& s) { return s.nnz > INT32_MAX || s.block_col_count() >= INT32_MAX; }

int64_t structures(const SparseShape& s, int64_t inputs) { return s.own_structure ? inputs : 1; }

struct Parts {  // of the index itself in a workspace, for all structures
  int64_t offsets, indices, positions, scratch, bytes;
};
Parts parts_of(const SparseShape& s, int64_t inputs) {
  const int64_t count = structures(s, inputs);
  Parts parts{};
  parts.indices = align(count * (s.block_col_count() + 1) * size_of(s.offset_type));
  parts.positions = parts.indices + align(count * s.nnz * size_of(s.index_type));
  parts.scratch = parts.positions + align(count * s.nnz * size_of(s.offset_type));
  parts.bytes = parts.scratch + transposed_index_scratch_bytes(s);
  return parts;
}

}  // namespace

int64_t transposed_index_scratch_bytes(const SparseShape& s) {
  const int64_t item = is_wide(s) ? 8 : 4;
  return 4 * align(s.nnz * item) + align(sort_bytes(s.nnz));
}

Status build_transposed_index(const SparseShape& s, const Pattern& stored, int64_t batch, void* t_offsets, void* t_indices,
                              void* positions, void* scratch, const Exec& exec) {
  const auto shift = [](const void* array, int64_t bytes) {
    return array ? static_cast<const char*>(array) + bytes : nullptr;
  };
  const Structure structure{.offsets = shift(stored.offsets, batch * stored.offset_stride * size_of(s.offset_type)),
                            .indices = shift(stored.indices, batch * stored.index_stride * size_of(s.index_type)),
                            .rows = s.block_row_count(), .cols = s.block_col_count(), .capacity = s.nnz,
                            .base = s.base, .offset_type = s.offset_type, .index_type = s.index_type};
  auto* memory = static_cast<char*>(scratch);
  auto* stream = static_cast<cudaStream_t>(exec.stream);
  return is_wide(s) ? build<uint64_t, int64_t>(structure, t_offsets, t_indices, positions, memory, stream)
                    : build<uint32_t, int32_t>(structure, t_offsets, t_indices, positions, memory, stream);
}

int64_t transposed_index_bytes(const SparseShape& s, int64_t inputs) {
  return s.transposed && !s.has_transpose ? parts_of(s, inputs).bytes : 0;
}

Status ensure_transposed_index(const SparseShape& s, int64_t inputs, void* workspace, const Exec& exec, SparseOperand* o) {
  if (!s.transposed || s.has_transpose) return kSuccess;
  const Parts parts = parts_of(s, inputs);
  auto* memory = static_cast<char*>(workspace);
  const bool own = s.own_structure;
  o->transposed = {.offsets = memory, .indices = memory + parts.indices,
                   .offset_stride = own ? s.block_col_count() + 1 : 0, .index_stride = own ? s.nnz : 0};
  o->positions = memory + parts.positions;
  for (int64_t b = 0; b < structures(s, inputs); ++b)
    BS_TRY(build_transposed_index(s, o->stored, b, memory + b * o->transposed.offset_stride * size_of(s.offset_type),
                                  memory + parts.indices + b * o->transposed.index_stride * size_of(s.index_type),
                                  memory + parts.positions + b * o->transposed.index_stride * size_of(s.offset_type),
                                  memory + parts.scratch, exec));
  return kSuccess;
}

}  // namespace bs::cuda
