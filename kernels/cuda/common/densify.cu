// A zero fill, then the stored elements: entries of CSR by one warp a row, blocks of BSR by vectors. Where indices may
// repeat, one thread meets all that fall on the same place, in stored order. Rows of CSR whose indices ascend are put
// together in shared memory instead, zeros and all, so that every line of the image is written once and whole.
#include "cuda/common/densify.h"

#include <algorithm>
#include <bit>

#include "cuda/common/launch.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/sparse.cuh"

namespace bs::cuda {
namespace {

constexpr int kWarps = 4;

struct Images {
  void* data;
  int64_t ld, stride;
  int64_t rows, cols;
  int64_t first, count;  // inputs
  bool adds;             // indices may repeat
};

__device__ int64_t warp_index() {
  return static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarpSize;
}
__device__ int64_t warp_count() {
  return static_cast<int64_t>(gridDim.x) * kWarps;
}

// Lanes of one call that meet the same column take turns.
template <class T>
__device__ void add_in_order(T* line, bool active, int64_t column, T value, int lane) {
  const unsigned peers = __match_any_sync(kFullWarp, static_cast<long long>(active ? column : -1 - lane));
  if (!__any_sync(kFullWarp, (peers & (peers - 1)) != 0)) {
    if (active) line[column] += value;
  } else {
    for (int turn = 0; turn < kWarpSize; ++turn) {
      if (active && lane == turn) line[column] += value;
      __syncwarp();
    }
  }
  __syncwarp();
}

constexpr int kWindowBytes = 4096;  // of a row, for one warp
constexpr int kUnroll = 4;          // entries of a lane whose loads are in flight together

// Entries from q on with columns in [first, first + width) into the window; how many they were.
template <class T>
__device__ int64_t scatter_window(const SparseRows& s, const T* values, int64_t input, int64_t q, int64_t end,
                                  int64_t first, int width, T* window) {
  const int lane = threadIdx.x % kWarpSize;
  for (int64_t begin = q;; q += kUnroll * kWarpSize) {
    int64_t column[kUnroll];
    T value[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const int64_t at = q + u * kWarpSize + lane;
      column[u] = at < end ? s.index(input, at) - first : width;
      value[u] = at < end ? values[at] : T(0);
    }
    int count = 0;
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const bool inside = column[u] < width;
      if (inside) window[column[u]] = value[u];
      count += __popc(__ballot_sync(kFullWarp, inside));
    }
    if (count < kUnroll * kWarpSize) return q + count - begin;
  }
}

// For indices that ascend. 16-bit values are moved as bits.
template <class T>
__global__ void __launch_bounds__(kWarps* kWarpSize) write_rows(SparseRows s, Images x) {
  constexpr int kWindow = kWindowBytes / static_cast<int>(sizeof(T)), kVector = 16 / static_cast<int>(sizeof(T));
  __shared__ uint4 windows[kWarps][kWindowBytes / 16];
  uint4* const window = windows[threadIdx.x / kWarpSize];
  const int lane = threadIdx.x % kWarpSize;
  for (int64_t unit = warp_index(); unit < x.rows * x.count; unit += warp_count()) {
    const int64_t input = x.first + unit / x.rows, row = unit % x.rows, end = s.end(input, row);
    const T* values = static_cast<const T*>(s.values) + input * s.value_stride;
    T* line = static_cast<T*>(x.data) + unit / x.rows * x.stride + row * x.ld;
    int64_t q = s.begin(input, row);
    for (int64_t first = 0; first < x.cols; first += kWindow) {
      const int width = static_cast<int>(min(int64_t{kWindow}, x.cols - first)),
                vectors = (width + kVector - 1) / kVector;
      for (int v = lane; v < vectors; v += kWarpSize) window[v] = uint4{};
      __syncwarp();
      q += scatter_window(s, values, input, q, end, first, width, reinterpret_cast<T*>(window));
      __syncwarp();
      for (int v = lane; v < vectors; v += kWarpSize) reinterpret_cast<uint4*>(line + first)[v] = window[v];
      __syncwarp();
    }
  }
}

template <class T>
__global__ void __launch_bounds__(kWarps* kWarpSize) scatter_entries(SparseRows s, Images x) {
  const int lane = threadIdx.x % kWarpSize;
  for (int64_t unit = warp_index(); unit < x.rows * x.count; unit += warp_count()) {
    const int64_t input = x.first + unit / x.rows, row = unit % x.rows, end = s.end(input, row);
    const T* values = static_cast<const T*>(s.values) + input * s.value_stride;
    T* line = static_cast<T*>(x.data) + unit / x.rows * x.stride + row * x.ld;
    for (int64_t q0 = s.begin(input, row); q0 < end; q0 += kWarpSize) {
      const int64_t q = q0 + lane;
      const bool active = q < end;
      const int64_t column = active ? s.index(input, q) : 0;
      const T value = active ? values[q] : T(0);
      add_in_order(line, active, column, value, lane);
    }
  }
}

struct Blocks {
  int64_t block_row_count;
  int height, width;
  int step_row, step_col;  // in memory
  int pieces;              // of a block
  int lanes;               // of a warp for one block
  int splits;              // warps that share the blocks of a row
};

// Consecutive columns of one row of a block.
template <class T, int kWidth>
struct alignas(sizeof(T) * kWidth) Piece {
  T element[kWidth];
};

template <class T, int kWidth>
__device__ void place(const Images& x, T* line, int64_t column, Piece<T, kWidth> piece, float gate) {
  const bool whole = column + kWidth <= x.cols;
  auto* place = reinterpret_cast<Piece<T, kWidth>*>(line + column);
  if constexpr (sizeof(T) > 2) {
#pragma unroll
    for (int e = 0; e < kWidth; ++e) {
      piece.element[e] *= static_cast<T>(gate);
      if (x.adds && column + e < x.cols) piece.element[e] += line[column + e];
    }
  }
  if (whole) {
    *place = piece;
    return;
  }
#pragma unroll
  for (int e = 0; e < kWidth; ++e)
    if (column + e < x.cols) line[column + e] = piece.element[e];
}

// A lane keeps its piece of the block from one block to the next, so equal blocks meet in the same thread.
template <class T, int kWidth>
__global__ void __launch_bounds__(kWarps* kWarpSize) copy_blocks(SparseRows s, Images x, Blocks b) {
  const int lane = threadIdx.x % kWarpSize, group = lane / b.lanes, groups = kWarpSize / b.lanes;
  const int parts = (b.pieces + b.lanes - 1) / b.lanes, across = b.width / kWidth;
  const int64_t per_row = static_cast<int64_t>(parts) * b.splits, per_input = per_row * b.block_row_count;
  const int64_t block_size = static_cast<int64_t>(b.height) * b.width;
  for (int64_t unit = warp_index(); unit < per_input * x.count; unit += warp_count()) {
    const int64_t local = unit / per_input, input = x.first + local, block_row = unit % per_input / per_row;
    const int part = static_cast<int>(unit % per_row) / b.splits, split = static_cast<int>(unit % per_row) % b.splits;
    const int piece = part * b.lanes + lane % b.lanes;
    const int in_row = piece / across, in_col = piece % across * kWidth;
    const int64_t row = block_row * b.height + in_row;
    if (piece >= b.pieces || row >= x.rows) continue;
    const T* from = static_cast<const T*>(s.values) + input * s.value_stride +
                    static_cast<int64_t>(in_row) * b.step_row + static_cast<int64_t>(in_col) * b.step_col;
    T* line = static_cast<T*>(x.data) + local * x.stride + row * x.ld;
    const int64_t end = s.end(input, block_row);
    for (int64_t q = s.begin(input, block_row) + split * groups + group; q < end; q += b.splits * groups) {
      const float gate = s.gate ? s.gate[input * s.gate_stride + q] : 1.0f;
      const int64_t column = s.index(input, q) * b.width + in_col;
      if (gate == 0 || column >= x.cols) continue;
      place<T, kWidth>(x, line, column, *reinterpret_cast<const Piece<T, kWidth>*>(from + q * block_size), gate);
    }
  }
}

unsigned grid_for(int64_t warps) {
  return static_cast<unsigned>(std::clamp<int64_t>(ceil_div(warps, kWarps), 1, int64_t{1} << 24));
}

template <class T>
Status launch_entries(const SparseRows& rows, const Images& x, cudaStream_t stream) {
  auto* kernel = write_rows<T>;
  if constexpr (sizeof(T) > 2)
    if (x.adds) kernel = scatter_entries<T>;
  kernel<<<grid_for(x.rows * x.count), kWarps * kWarpSize, 0, stream>>>(rows, x);
  return launched("densify: entries");
}

bool vectors_align(const SparseShape& s, const SparseOperand& o) {
  const auto steps = static_cast<uint64_t>(s.block_cols | o.value_stride) * static_cast<uint64_t>(size_of(s.dtype));
  return s.block_layout == Layout::row && (steps | reinterpret_cast<uintptr_t>(o.values)) % 16 == 0;
}

template <class T, int kWidth>
Status launch_blocks(const SparseShape& s, const SparseRows& rows, const Images& x, cudaStream_t stream) {
  const bool row = s.block_layout == Layout::row;
  Blocks b{.block_row_count = s.block_row_count(),
           .height = static_cast<int>(s.block_rows),
           .width = static_cast<int>(s.block_cols),
           .step_row = static_cast<int>(row ? s.block_cols : 1),
           .step_col = static_cast<int>(row ? 1 : s.block_rows),
           .pieces = static_cast<int>(s.block_rows * (s.block_cols / kWidth)),
           .lanes = kWarpSize,
           .splits = 1};
  if (!x.adds) {  // several threads may then meet in a place: no two blocks do
    b.lanes = std::min(kWarpSize, static_cast<int>(std::bit_ceil(static_cast<unsigned>(b.pieces))));
    b.splits = 4;
  }
  const int64_t warps = b.block_row_count * ceil_div(b.pieces, b.lanes) * b.splits * x.count;
  copy_blocks<T, kWidth><<<grid_for(warps), kWarps * kWarpSize, 0, stream>>>(rows, x, b);
  return launched("densify: blocks");
}

template <class T>
Status launch_as(const SparseShape& s, const SparseOperand& o, const Images& x, cudaStream_t stream) {
  SparseShape stored = s;
  stored.transposed = false;
  const SparseRows rows = SparseRows::from(stored, o);
  if (s.format == Format::csr) return launch_entries<T>(rows, x, stream);
  if (vectors_align(s, o)) return launch_blocks<T, 16 / static_cast<int>(sizeof(T))>(s, rows, x, stream);
  return launch_blocks<T, 1>(s, rows, x, stream);
}

}  // namespace

Status densify(const SparseShape& s, const SparseOperand& o, int64_t first, int64_t count, void* images,
               const Exec& exec) {
  if (s.rows * s.cols * count == 0) return kSuccess;
  auto* stream = static_cast<cudaStream_t>(exec.stream);
  const bool distinct = s.stats.known && s.stats.sorted, whole_rows = distinct && s.format == Format::csr;
  if (!whole_rows || s.nnz == 0)
    BS_TRY(cuda_status(cudaMemsetAsync(images, 0, static_cast<size_t>(image_bytes(s) * count), stream),
                       "densify: zero fill"));
  if (s.nnz == 0) return kSuccess;
  const Images x{.data = images,
                 .ld = image_ld(s),
                 .stride = image_bytes(s) / size_of(s.dtype),
                 .rows = s.rows,
                 .cols = s.cols,
                 .first = first,
                 .count = count,
                 .adds = !distinct};
  switch (size_of(s.dtype)) {
    case 2:
      return launch_as<uint16_t>(s, o, x, stream);
    case 4:
      return launch_as<float>(s, o, x, stream);
    default:
      return launch_as<double>(s, o, x, stream);
  }
}

}  // namespace bs::cuda
