// Dense sources: elements that are not zero, or blocks with one, in ascending order; and copies into another dense
// matrix.
#include <algorithm>

#include "cuda/common/launch.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/numeric.cuh"
#include "cuda/device/sparse.cuh"
#include "cuda/structure/convert.h"

namespace bs::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kPieceElements = 1024;  // columns of a piece, as long as its blocks are narrow

// Lists are cut into pieces of this many columns (of blocks): a whole number of warps.
int64_t piece_columns(const MatrixView& d) {
  return std::max<int64_t>(kWarpSize, kPieceElements / d.block_cols / kWarpSize * kWarpSize);
}

template <class T>
__device__ __forceinline__ bool is_zero(T value) {
  return widen<accumulator_t<T>>(value) == 0;
}

template <class T>
struct Elements {
  const T* values;
  int64_t rows, cols, row_step, col_step;

  static Elements of(const MatrixView& m) {
    const bool by_rows = m.order == Layout::row;
    return {.values = static_cast<const T*>(m.values),
            .rows = m.rows,
            .cols = m.cols,
            .row_step = by_rows ? m.ld : 1,
            .col_step = by_rows ? 1 : m.ld};
  }
  // Zeros of both signs become the one that unstored elements have.
  __device__ T at(int64_t i, int64_t j) const {
    const T value = values[i * row_step + j * col_step];
    return is_zero(value) ? T{} : value;
  }
};

// The destination's entries are blocks of the matrix, 1 x 1 for CSR and COO.
struct Blocks {
  int64_t block_rows, block_cols, lists, columns, pieces, piece_columns;
  int64_t row_step, col_step;  // inside a stored block
  IndexType index_type;
  int64_t base, nnz;
  void* row_indices;  // COO, else null
  void* indices;

  static Blocks of(const MatrixView& d) {
    const bool by_rows = d.block_order == Layout::row, coordinates = d.format == BS_FORMAT_COO;
    return {.block_rows = d.block_rows,
            .block_cols = d.block_cols,
            .lists = d.lists(),
            .columns = d.list_extent(),
            .pieces = pieces_of_list(d),
            .piece_columns = bs::cuda::piece_columns(d),
            .row_step = by_rows ? d.block_cols : 1,
            .col_step = by_rows ? 1 : d.block_rows,
            .index_type = d.index_type,
            .base = d.base,
            .nnz = d.nnz,
            .row_indices = coordinates ? d.offsets : nullptr,
            .indices = d.indices};
  }
  __device__ int64_t size() const { return block_rows * block_cols; }
};

// Whether a block has an element that is not zero. Goes along the source's lines and looks back after each.
template <class T>
__device__ bool is_occupied(const Elements<T>& source, const Blocks& blocks, int64_t list, int64_t column) {
  const int64_t i = list * blocks.block_rows, j = column * blocks.block_cols;
  const int64_t height = min(blocks.block_rows, source.rows - i), width = min(blocks.block_cols, source.cols - j);
  const bool by_rows = source.col_step == 1;
  const int64_t lines = by_rows ? height : width, length = by_rows ? width : height;
  const int64_t line_step = by_rows ? source.row_step : source.col_step,
                step = by_rows ? source.col_step : source.row_step;
  const T* line = source.values + i * source.row_step + j * source.col_step;
  for (int64_t l = 0; l < lines; ++l, line += line_step) {
    bool found = false;
    for (int64_t e = 0; e < length; ++e) found |= !is_zero(line[e * step]);
    if (found) return true;
  }
  return false;
}

// Calls body(list, column, mask) for every warp of columns of a piece; each lane has a column, the mask its occupied
// ones.
template <class T, class Body>
__device__ void for_each_mask(const Elements<T>& source, const Blocks& blocks, int64_t unit, Body&& body) {
  const int64_t list = unit / blocks.pieces, first = unit % blocks.pieces * blocks.piece_columns;
  const int64_t end = min(first + blocks.piece_columns, blocks.columns);
  for (int64_t start = first; start < end; start += kWarpSize) {
    const int64_t column = start + threadIdx.x % kWarpSize;
    const bool occupied = column < end && is_occupied(source, blocks, list, column);
    body(list, start, __ballot_sync(kFullWarp, occupied));
  }
}

template <class T>
__global__ void __launch_bounds__(kWarps* kWarpSize) count_blocks(Elements<T> source, Blocks blocks, int64_t* starts) {
  const int64_t units = blocks.lists * blocks.pieces, step = static_cast<int64_t>(gridDim.x) * kWarps;
  if (blockIdx.x == 0 && threadIdx.x == 0) starts[0] = 0;
  for (int64_t unit = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarpSize; unit < units; unit += step) {
    int64_t count = 0;
    for_each_mask(source, blocks, unit, [&](int64_t, int64_t, unsigned mask) { count += __popc(mask); });
    if (threadIdx.x % kWarpSize == 0) starts[unit + 1] = count;
  }
}

// By a warp together, in the order of the stored block; what lies outside the matrix becomes zero.
template <class T>
__device__ void copy_block(const Elements<T>& source, const Blocks& blocks, int64_t list, int64_t column, T* block) {
  const bool by_rows = blocks.col_step == 1;
  const auto length = static_cast<uint32_t>(by_rows ? blocks.block_cols : blocks.block_rows);
  for (int64_t e = threadIdx.x % kWarpSize; e < blocks.size(); e += kWarpSize) {
    const uint32_t line = static_cast<uint32_t>(e) / length, inside = static_cast<uint32_t>(e) % length;  // e < 2^32
    const int64_t r = by_rows ? line : inside, c = by_rows ? inside : line;
    const int64_t i = list * blocks.block_rows + r, j = column * blocks.block_cols + c;
    block[e] = i < source.rows && j < source.cols ? source.at(i, j) : T{};
  }
}

// Entries beyond nnz are not written even if the source has changed since it was counted.
template <class T>
__device__ void fill_mask(const Elements<T>& source, const Blocks& blocks, int64_t list, int64_t start, unsigned mask,
                          int64_t first, T* values) {
  const int lane = threadIdx.x % kWarpSize;
  const int64_t q = first + __popc(mask & ((1u << lane) - 1));
  if (mask >> lane & 1 && q < blocks.nnz) {
    if (blocks.row_indices) store_index(blocks.index_type, blocks.row_indices, q, list + blocks.base);
    store_index(blocks.index_type, blocks.indices, q, start + lane + blocks.base);
    if (blocks.size() == 1) values[q] = source.at(list, start + lane);
  }
  if (blocks.size() == 1) return;
  for (int64_t block = first; mask != 0 && block < blocks.nnz; ++block, mask &= mask - 1)
    copy_block(source, blocks, list, start + __ffs(mask) - 1, values + block * blocks.size());
}

template <class T>
__global__ void __launch_bounds__(kWarps* kWarpSize)
    fill_blocks(Elements<T> source, Blocks blocks, const int64_t* starts, T* values) {
  const int64_t units = blocks.lists * blocks.pieces, step = static_cast<int64_t>(gridDim.x) * kWarps;
  for (int64_t unit = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarpSize; unit < units; unit += step) {
    int64_t q = starts[unit];
    for_each_mask(source, blocks, unit, [&](int64_t list, int64_t start, unsigned mask) {
      fill_mask(source, blocks, list, start, mask, q, values);
      q += __popc(mask);
    });
  }
}

constexpr int kTile = 32, kRowsAtOnce = 8;

// Tile after tile: the rows of a tile that a CTA takes later find their sectors of a column-major source in the L1.
template <class T>
__global__ void __launch_bounds__(kTile* kRowsAtOnce)
    copy_tiles(Elements<T> source, T* values, int64_t ld, int64_t across, int64_t tiles) {
  for (int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int64_t row = t / across * kTile, j = t % across * kTile + threadIdx.x % kTile;
    for (int64_t i = row + threadIdx.x / kTile; i < min(row + kTile, source.rows); i += kRowsAtOnce)
      if (j < source.cols) values[i * ld + j] = source.at(i, j);
  }
}

unsigned grid_for(int64_t ctas) {
  return static_cast<unsigned>(std::min<int64_t>(ctas, int64_t{1} << 22));
}

template <class T>
void fill_dense(const Conversion& c, cudaStream_t stream) {
  const MatrixView& d = c.destination;
  const int64_t across = ceil_div(d.cols, kTile), tiles = across * ceil_div(d.rows, kTile);
  if (tiles == 0) return;
  copy_tiles<T><<<grid_for(tiles), kTile * kRowsAtOnce, 0, stream>>>(Elements<T>::of(c.source),
                                                                     static_cast<T*>(d.values), d.ld, across, tiles);
}

}  // namespace

int64_t pieces_of_list(const MatrixView& d) {
  return ceil_div(d.list_extent(), piece_columns(d));
}

Status count_from_dense(const Conversion& c, const ConvertSpace& space, cudaStream_t stream) {
  const Blocks blocks = Blocks::of(c.destination);
  const int64_t units = blocks.lists * blocks.pieces;
  if (units == 0) return cuda_status(cudaMemsetAsync(space.starts, 0, sizeof(int64_t), stream), "conversion: clear");
  HostTypes::with(c.source.dtype, [&]<class Host>() {
    using T = on_device_t<Host>;
    count_blocks<T><<<grid_for(ceil_div(units, kWarps)), kWarps * kWarpSize, 0, stream>>>(Elements<T>::of(c.source),
                                                                                          blocks, space.starts);
  });
  BS_TRY(launched("conversion: count"));
  return inclusive_sum(space.starts, units + 1, space.temporary, stream);
}

Status fill_from_dense(const Conversion& c, const ConvertSpace& space, cudaStream_t stream) {
  const MatrixView& d = c.destination;
  if (d.sparse() && d.nnz == 0) return kSuccess;
  const Blocks blocks = Blocks::of(d);
  HostTypes::with(c.source.dtype, [&]<class Host>() {
    using T = on_device_t<Host>;
    if (!d.sparse()) return fill_dense<T>(c, stream);
    fill_blocks<T><<<grid_for(ceil_div(blocks.lists * blocks.pieces, kWarps)), kWarps * kWarpSize, 0, stream>>>(
        Elements<T>::of(c.source), blocks, space.starts, static_cast<T*>(d.values));
  });
  return launched("conversion: fill");
}

}  // namespace bs::cuda
