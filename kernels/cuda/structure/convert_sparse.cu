// Sparse sources, sorted: entries that stay apart (CSR, COO), or sums of those with equal places (BSR, dense). Sums are
// formed in double, in the order of the positions, and rounded once.
#include "cuda/device/items.cuh"
#include "cuda/device/numeric.cuh"
#include "cuda/device/sparse.cuh"
#include "cuda/structure/convert.h"

namespace bs::cuda {
namespace {

struct Sorted {  // read by kernels
  const uint64_t* rows;
  const uint64_t* cols;
  const int64_t* positions;
  int64_t count;
  uint64_t row_count;

  static Sorted of(const SortedTiles& sorted, const Tiling2D& tiles) {
    return {sorted.rows, sorted.cols, sorted.items, sorted.count, static_cast<uint64_t>(tiles.row_count)};
  }
  __device__ bool is_used(int64_t k) const { return rows[k] < row_count; }
  // Whether this is the first of its place.
  __device__ bool is_head(int64_t k) const { return is_used(k) && (k == 0 || !is_same(k - 1, k)); }
  __device__ bool is_same(int64_t k, int64_t l) const { return rows[k] == rows[l] && cols[k] == cols[l]; }
  __device__ int64_t row_begin(int64_t row) const { return lower_bound(rows, 0, count, static_cast<uint64_t>(row)); }
};

// The source's blocks, 1 x 1 for CSR, CSC and COO.
struct Shape {
  int64_t rows, cols, block_rows, block_cols;
  int64_t row_step, col_step;  // inside a block

  static Shape of(const MatrixView& m) {
    const bool by_rows = m.block_order == Layout::row;
    return {.rows = m.rows,
            .cols = m.cols,
            .block_rows = m.block_rows,
            .block_cols = m.block_cols,
            .row_step = by_rows ? m.block_cols : 1,
            .col_step = by_rows ? 1 : m.block_rows};
  }
  __device__ int64_t size() const { return block_rows * block_cols; }
};

// Element number `index` of all stored ones, in the order of the sorted blocks.
struct Element {
  int64_t k, r, c;
  __device__ Element(const Shape& shape, int64_t index)
      : k(index / shape.size()),
        r(index % shape.size() / shape.block_cols),
        c(index % shape.size() % shape.block_cols) {}
};

template <class T>
struct Values {
  const T* values;
  const float* gate;

  static Values of(const MatrixView& m) { return {static_cast<const T*>(m.values), m.gate}; }
  // A gate of exactly 0 stands for zeros, whatever the block holds.
  __device__ double gated(int64_t position, int64_t place) const {
    const double factor = gate ? gate[position] : 1.0;
    return factor == 0 ? 0.0 : factor * widen<double>(values[place]);
  }
  // Without a gate the bits stay as they are.
  __device__ T value(int64_t position, int64_t place) const {
    return gate ? narrow<T>(gated(position, place)) : values[place];
  }
};

struct CountRows {  // starts[i + 1] = elements of row i
  Sorted sorted;
  Shape shape;
  int64_t* starts;
  __device__ void operator()(int64_t i) const {
    if (i == 0) starts[0] = 0;
    if (i == shape.rows) return;
    const int64_t block_row = i / shape.block_rows, last = (shape.cols - 1) / shape.block_cols;
    const int64_t begin = sorted.row_begin(block_row), end = sorted.row_begin(block_row + 1);
    const int64_t cut = end - lower_bound(sorted.cols, begin, end, static_cast<uint64_t>(last));
    const int64_t missing = (last + 1) * shape.block_cols - shape.cols;  // columns of the last block column
    starts[i + 1] = (end - begin) * shape.block_cols - cut * missing;
  }
};

struct MarkHeads {
  Sorted sorted;
  int64_t* ranks;
  __device__ void operator()(int64_t k) const { ranks[k] = sorted.is_head(k); }
};

struct FindStarts {
  Sorted sorted;
  const int64_t* ranks;  // of heads, counted from 1
  int64_t* starts;
  __device__ void operator()(int64_t i) const {
    const int64_t begin = sorted.row_begin(i);
    starts[i] = begin > 0 ? ranks[begin - 1] : 0;
  }
};

struct KeepColumns {
  Sorted sorted;
  const int64_t* ranks;
  uint64_t* columns;
  __device__ void operator()(int64_t k) const {
    if (sorted.is_head(k)) columns[ranks[k] - 1] = sorted.cols[k];
  }
};

struct Indices {
  IndexType type;
  int64_t base, count;
  void* rows;  // COO, else null
  void* indices;
  static Indices of(const MatrixView& d) {
    return {d.index_type, d.base, d.nnz, d.format == BS_FORMAT_COO ? d.offsets : nullptr, d.indices};
  }
  __device__ void store(int64_t q, int64_t row, int64_t column) const {
    if (rows) store_index(type, rows, q, row + base);
    store_index(type, indices, q, column + base);
  }
};

template <class T>
struct FillEntries {
  Sorted sorted;
  Shape shape;
  Values<T> source;
  const int64_t* starts;
  Indices indices;
  T* values;

  __device__ void operator()(int64_t index) const {
    const Element e(shape, index);
    if (!sorted.is_used(e.k)) return;
    const int64_t i = static_cast<int64_t>(sorted.rows[e.k]) * shape.block_rows + e.r;
    const int64_t j = static_cast<int64_t>(sorted.cols[e.k]) * shape.block_cols + e.c;
    if (i >= shape.rows || j >= shape.cols) return;
    const int64_t q = shape.size() == 1 ? e.k : place_of(e, i);
    if (q >= indices.count) return;  // the source has changed since it was counted
    const int64_t position = sorted.positions[e.k];
    indices.store(q, i, j);
    values[q] = source.value(position, position * shape.size() + e.r * shape.row_step + e.c * shape.col_step);
  }

 private:
  // Blocks of equal place lie over one another: their elements of a column follow each other. All blocks before them
  // are whole, since only the last block column may be cut.
  __device__ int64_t place_of(const Element& e, int64_t i) const {
    const uint64_t row = sorted.rows[e.k], column = sorted.cols[e.k];
    const int64_t begin = sorted.row_begin(row), end = sorted.row_begin(row + 1);
    const int64_t first = lower_bound(sorted.cols, begin, end, column);
    const int64_t copies = lower_bound(sorted.cols, first, end, column + 1) - first;
    return starts[i] + (first - begin) * shape.block_cols + e.c * copies + (e.k - first);
  }
};

struct FillIndices {
  const uint64_t* columns;
  Indices indices;
  __device__ void operator()(int64_t q) const { indices.store(q, 0, static_cast<int64_t>(columns[q])); }
};

// Where element (i, j) of the destination lies; -1: nowhere, because the source has changed since it was counted.
struct DensePlaces {
  int64_t ld;
  static DensePlaces of(const MatrixView& d, const int64_t*) { return {d.ld}; }
  __device__ int64_t operator()(int64_t i, int64_t j) const { return i * ld + j; }
};

struct BlockPlaces {
  const int64_t* starts;
  Shape shape;
  Indices indices;
  static BlockPlaces of(const MatrixView& d, const int64_t* starts) { return {starts, Shape::of(d), Indices::of(d)}; }
  __device__ int64_t operator()(int64_t i, int64_t j) const {
    const int64_t list = i / shape.block_rows, column = j / shape.block_cols;
    const int64_t end = min(starts[list + 1], indices.count);
    int64_t q = starts[list], high = end;
    while (q < high) {
      const int64_t middle = (q + high) / 2;
      if (column_of(middle) < column)
        q = middle + 1;
      else
        high = middle;
    }
    if (q >= end || column_of(q) != column) return -1;
    return q * shape.size() + i % shape.block_rows * shape.row_step + j % shape.block_cols * shape.col_step;
  }
  __device__ int64_t column_of(int64_t q) const { return load_index(indices.type, indices.indices, q) - indices.base; }
};

// The first of the blocks of a place writes the sums of all.
template <class T, class Places>
struct FillSums {
  Sorted sorted;
  Shape shape;
  Values<T> source;
  Places places;
  T* values;

  __device__ void operator()(int64_t index) const {
    const Element e(shape, index);
    if (!sorted.is_head(e.k)) return;
    const int64_t i = static_cast<int64_t>(sorted.rows[e.k]) * shape.block_rows + e.r;
    const int64_t j = static_cast<int64_t>(sorted.cols[e.k]) * shape.block_cols + e.c;
    if (i >= shape.rows || j >= shape.cols) return;
    const int64_t place = places(i, j);
    if (place >= 0) values[place] = sum(e.k, e.r * shape.row_step + e.c * shape.col_step);
  }

 private:
  __device__ T sum(int64_t head, int64_t inside) const {
    const auto place = [&](int64_t k) { return sorted.positions[k] * shape.size() + inside; };
    int64_t k = head + 1;
    if (k == sorted.count || !sorted.is_same(head, k)) return source.value(sorted.positions[head], place(head));
    double total = source.gated(sorted.positions[head], place(head));
    for (; k < sorted.count && sorted.is_same(head, k); ++k) total += source.gated(sorted.positions[k], place(k));
    return narrow<T>(total);
  }
};

template <class T>
struct ClearDense {
  T* values;
  int64_t cols, ld;
  __device__ void operator()(int64_t e) const { values[e / cols * ld + e % cols] = T{}; }
};

Tiling2D own_blocks(const MatrixView& m) {
  return Tiling2D::of(m, m.block_rows, m.block_cols);
}

Status count_blocks(const Conversion& c, ConvertSpace* space, cudaStream_t stream) {
  const MatrixView& d = c.destination;
  const Tiling2D tiles = Tiling2D::of(c.source, d.block_rows, d.block_cols);
  SortedTiles& sorted = space->sorted;
  BS_TRY(sort_tiles(c.source, c.by_columns, tiles, &sorted, stream));
  const Sorted order = Sorted::of(sorted, tiles);
  BS_TRY(for_items(sorted.count, "conversion: blocks", stream, MarkHeads{order, sorted.spare}));
  BS_TRY(inclusive_sum(sorted.spare, sorted.count, sorted.temporary, stream));
  BS_TRY(for_items(d.lists() + 1, "conversion: starts", stream, FindStarts{order, sorted.spare, space->starts}));
  return for_items(sorted.count, "conversion: columns", stream, KeepColumns{order, sorted.spare, space->block_columns});
}

template <class T, class Places>
Status fill_sums(const Conversion& c, ConvertSpace* space, cudaStream_t stream) {
  const MatrixView &s = c.source, &d = c.destination;
  BS_TRY(sort_tiles(s, c.by_columns, own_blocks(s), &space->sorted, stream));
  return for_items(s.nnz * s.block_rows * s.block_cols, "conversion: sums", stream,
                   FillSums<T, Places>{Sorted::of(space->sorted, own_blocks(s)), Shape::of(s), Values<T>::of(s),
                                       Places::of(d, space->starts), static_cast<T*>(d.values)});
}

template <class T>
Status fill_entries(const Conversion& c, ConvertSpace* space, cudaStream_t stream) {
  const MatrixView &s = c.source, &d = c.destination;
  space->sorted.count = s.nnz;  // sorted when they were counted
  return for_items(s.nnz * s.block_rows * s.block_cols, "conversion: entries", stream,
                   FillEntries<T>{Sorted::of(space->sorted, own_blocks(s)), Shape::of(s), Values<T>::of(s),
                                  space->starts, Indices::of(d), static_cast<T*>(d.values)});
}

template <class T>
Status fill_blocks(const Conversion& c, ConvertSpace* space, cudaStream_t stream) {
  const MatrixView& d = c.destination;
  if (d.nnz == 0) return kSuccess;
  const auto bytes = static_cast<size_t>(d.nnz * d.block_rows * d.block_cols * size_of(d.dtype));
  BS_TRY(cuda_status(cudaMemsetAsync(d.values, 0, bytes, stream), "conversion: clear"));
  BS_TRY(for_items(d.nnz, "conversion: indices", stream, FillIndices{space->block_columns, Indices::of(d)}));
  return fill_sums<T, BlockPlaces>(c, space, stream);
}

template <class T>
Status fill_dense(const Conversion& c, ConvertSpace* space, cudaStream_t stream) {
  const MatrixView& d = c.destination;
  BS_TRY(
      for_items(d.rows * d.cols, "conversion: clear", stream, ClearDense<T>{static_cast<T*>(d.values), d.cols, d.ld}));
  return fill_sums<T, DensePlaces>(c, space, stream);
}

}  // namespace

Status count_from_sparse(const Conversion& c, ConvertSpace* space, cudaStream_t stream) {
  const MatrixView& d = c.destination;
  if (d.format == BS_FORMAT_BSR) return count_blocks(c, space, stream);
  BS_TRY(sort_tiles(c.source, c.by_columns, own_blocks(c.source), &space->sorted, stream));
  BS_TRY(for_items(d.rows + 1, "conversion: rows", stream,
                   CountRows{Sorted::of(space->sorted, own_blocks(c.source)), Shape::of(c.source), space->starts}));
  return inclusive_sum(space->starts, d.rows + 1, space->temporary, stream);
}

Status fill_from_sparse(const Conversion& c, ConvertSpace* space, cudaStream_t stream) {
  Status status;
  HostTypes::with(c.source.dtype, [&]<class Host>() {
    using T = on_device_t<Host>;
    status = c.destination.format == BS_FORMAT_BSR ? fill_blocks<T>(c, space, stream)
             : c.destination.sparse()              ? fill_entries<T>(c, space, stream)
                                                   : fill_dense<T>(c, space, stream);
  });
  return status;
}

}  // namespace bs::cuda
