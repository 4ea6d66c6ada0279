// Two stable sorts, by column and then by row, so that no key needs more than 64 bits.
#include "cuda/structure/sorted_tiles.h"

#include <bit>
#include <utility>

#include "cuda/device/items.cuh"
#include "cuda/device/sparse.cuh"
#include "model/saturate.h"

namespace bs::cuda {
namespace {

// Tiles that a block may meet along one axis, wherever it starts: one or few where the sizes divide each other.
int64_t most_tiles(int64_t block, int64_t tile) {
  if (tile % block == 0) return 1;
  if (block % tile == 0) return block / tile;
  return (block + tile - 2) / tile + 1;
}

// Along one axis.
struct Axis1D {
  int64_t extent, block, tile, most, tile_count;

  static Axis1D of(int64_t extent, int64_t block, int64_t tile) {
    return {extent, block, tile, most_tiles(block, tile), (extent + tile - 1) / tile};
  }
  // The tile that a block meets, counted from its first one; tile_count if it meets fewer.
  __device__ int64_t tile_of(int64_t block_index, int64_t which) const {
    const int64_t first = block_index * block, last = min(first + block, extent) - 1;
    const int64_t found = first / tile + which;
    return found <= last / tile ? found : tile_count;
  }
};

struct Entries {
  const void* offsets;  // row indices for COO
  const void* indices;
  IndexType offset_type, index_type;
  int64_t base, lists, capacity;
  bool coordinates, by_columns;

  static Entries of(const MatrixView& m, bool by_columns) {
    const int64_t rows = (m.rows + m.block_rows - 1) / m.block_rows, cols = (m.cols + m.block_cols - 1) / m.block_cols;
    return {.offsets = m.offsets,
            .indices = m.indices,
            .offset_type = m.offset_type,
            .index_type = m.index_type,
            .base = m.base,
            .lists = by_columns ? cols : rows,
            .capacity = m.nnz,
            .coordinates = m.format == BS_FORMAT_COO,
            .by_columns = by_columns};
  }
  __device__ int64_t offset(int64_t i) const { return load_index(offset_type, offsets, i) - base; }
  __device__ int64_t index(int64_t p) const { return load_index(index_type, indices, p) - base; }
  __device__ bool is_used(int64_t p) const { return coordinates || (p >= offset(0) && p < offset(lists)); }
  __device__ int64_t list(int64_t p) const {
    if (coordinates) return load_index(index_type, offsets, p) - base;
    return list_of([this](int64_t i) { return offset(i); }, lists, p);
  }
  __device__ int64_t row(int64_t p) const { return by_columns ? index(p) : list(p); }
  __device__ int64_t col(int64_t p) const { return by_columns ? list(p) : index(p); }
};

struct Items {
  Entries entries;
  Axis1D rows, cols;

  static Items of(const MatrixView& m, bool by_columns, const Tiling2D& tiles) {
    return {.entries = Entries::of(m, by_columns),
            .rows = Axis1D::of(m.rows, m.block_rows, tiles.tile_rows),
            .cols = Axis1D::of(m.cols, m.block_cols, tiles.tile_cols)};
  }
  __device__ int64_t entry(int64_t item) const { return item / (rows.most * cols.most); }
  __device__ int64_t row(int64_t item) const {
    const int64_t p = entry(item);
    return entries.is_used(p) ? rows.tile_of(entries.row(p), item / cols.most % rows.most) : rows.tile_count;
  }
  __device__ int64_t col(int64_t item) const {
    const int64_t p = entry(item);
    return entries.is_used(p) ? cols.tile_of(entries.col(p), item % cols.most) : cols.tile_count;
  }
};

// An item is unused if either of its tiles is.
struct FirstKeys {
  Items items;
  uint64_t* keys;
  int64_t* order;
  __device__ void operator()(int64_t i) const {
    keys[i] = static_cast<uint64_t>(items.col(i));
    order[i] = i;
  }
};

struct RowKeys {
  Items items;
  const uint64_t* cols;
  const int64_t* order;
  uint64_t* keys;
  __device__ void operator()(int64_t k) const {
    const bool used = static_cast<int64_t>(cols[k]) < items.cols.tile_count;
    keys[k] = static_cast<uint64_t>(used ? items.row(order[k]) : items.rows.tile_count);
  }
};

struct Columns {
  Items items;
  const int64_t* order;
  uint64_t* cols;
  __device__ void operator()(int64_t k) const { cols[k] = static_cast<uint64_t>(items.col(order[k])); }
};

int bits_of(int64_t largest) {
  return std::bit_width(static_cast<uint64_t>(largest));
}

// The sorted array into the one that has its name, so that a later call finds it without knowing what the sort did.
template <class T>
Status settle(DoubleArray<T>* array, T* home, int64_t count, cudaStream_t stream) {
  if (array->current == home || count == 0) return kSuccess;
  std::swap(array->current, array->other);
  return cuda_status(cudaMemcpyAsync(array->current, array->other, static_cast<size_t>(count) * sizeof(T),
                                     cudaMemcpyDeviceToDevice, stream),
                     "sorted tiles: copy");
}

}  // namespace

int64_t item_count(const MatrixView& m, const Tiling2D& tiles) {
  const int64_t each = most_tiles(m.block_rows, tiles.tile_rows) * most_tiles(m.block_cols, tiles.tile_cols);
  return saturating_mul(m.nnz, each);
}

SortedTiles::SortedTiles(int64_t capacity, Carver* carver) {
  const SortSpace<uint64_t, int64_t> space(capacity, carver);
  rows = space.keys.current;
  cols = space.keys.other;
  items = space.values.current;
  spare = space.values.other;
  temporary = space.temporary;
}

Status sort_tiles(const MatrixView& m, bool by_columns, const Tiling2D& tiles, SortedTiles* sorted,
                  cudaStream_t stream) {
  const int64_t count = item_count(m, tiles);
  const Items items = Items::of(m, by_columns, tiles);
  DoubleArray<uint64_t> keys{sorted->rows, sorted->cols};
  DoubleArray<int64_t> order{sorted->items, sorted->spare};
  sorted->count = count;
  BS_TRY(for_items(count, "sorted tiles: columns", stream, FirstKeys{items, keys.current, order.current}));
  BS_TRY(sort_pairs(&keys, &order, count, bits_of(tiles.col_count), sorted->temporary, stream));
  BS_TRY(for_items(count, "sorted tiles: rows", stream, RowKeys{items, keys.current, order.current, keys.other}));
  std::swap(keys.current, keys.other);
  BS_TRY(sort_pairs(&keys, &order, count, bits_of(tiles.row_count), sorted->temporary, stream));
  BS_TRY(settle(&keys, sorted->rows, count, stream));
  BS_TRY(settle(&order, sorted->items, count, stream));
  return for_items(count, "sorted tiles: columns", stream, Columns{items, sorted->items, sorted->cols});
}

}  // namespace bs::cuda
