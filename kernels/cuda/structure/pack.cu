// BS_ANALYZE_PACK: the canonical matrix (the transpose of a CSC matrix) dense and row-major without gaps, gates
// applied, a batch after the other. A warp writes a piece of one row, which it adds up in shared memory first, so that
// entries with equal indices are rounded once.
#include "cuda/common/launch.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/numeric.cuh"
#include "cuda/structure/stored_rows.cuh"
#include "cuda/structure/structure.h"
#include "model/saturate.h"

namespace bs::cuda {
namespace {

constexpr int kWarps = 4;
constexpr int kPiece = 1024;  // columns: 8 KiB of sums a warp, 28 warps an SM of 228 KiB

struct Shape {
  int64_t rows, cols, batch, pieces;
  int64_t block_rows, block_cols;
  Layout block_layout;

  static Shape of(const MatrixView& m) {
    const SparseShape s = stored_shape(m);
    return {.rows = s.rows,
            .cols = s.cols,
            .batch = m.batch,
            .pieces = ceil_div(s.cols, kPiece),
            .block_rows = s.block_rows,
            .block_cols = s.block_cols,
            .block_layout = s.block_layout};
  }
};

struct Piece {
  int64_t batch, row, first;
  int width;
};

// Adds one value a lane, in the order of the lanes where two have the same column. -1: nothing to add.
__device__ void add(double* sums, int column, double value) {
  const unsigned same = __match_any_sync(kFullWarp, column);
  const bool alone = column < 0 || __popc(same) == 1;
  if (__all_sync(kFullWarp, alone)) {
    if (column >= 0) sums[column] += value;
    __syncwarp();
    return;
  }
  for (int lane = 0; lane < kWarpSize; ++lane) {
    if (lane == static_cast<int>(threadIdx.x % kWarpSize) && column >= 0) sums[column] += value;
    __syncwarp();
  }
}

template <class T>
__device__ void add_entries(const SparseRows& rows, const Shape& shape, const Piece& piece, double* sums) {
  const int64_t list = piece.row / shape.block_rows, r = piece.row % shape.block_rows;
  const int64_t begin = rows.begin(piece.batch, list);
  const int64_t items = (rows.end(piece.batch, list) - begin) * shape.block_cols;
  const bool by_rows = shape.block_layout == Layout::row;
  const int64_t block_size = shape.block_rows * shape.block_cols;
  const int64_t row_start = by_rows ? r * shape.block_cols : r, step = by_rows ? 1 : shape.block_rows;
  const T* values = static_cast<const T*>(rows.values) + piece.batch * rows.value_stride;
  for (int64_t start = 0; start < items; start += kWarpSize) {
    const int64_t item = start + threadIdx.x % kWarpSize;
    int column = -1;
    double value = 0;
    if (item < items) {
      const int64_t q = begin + item / shape.block_cols, c = item % shape.block_cols;
      const int64_t place = rows.index(piece.batch, q) * shape.block_cols + c - piece.first;
      if (place >= 0 && place < piece.width) {
        const double gate = rows.gate ? rows.gate[piece.batch * rows.gate_stride + q] : 1.0;
        if (gate != 0) {
          column = static_cast<int>(place);
          value = gate * widen<double>(values[q * block_size + row_start + c * step]);
        }
      }
    }
    add(sums, column, value);
  }
}

template <class T>
__global__ void __launch_bounds__(kWarps* kWarpSize) pack_rows(SparseRows rows, Shape shape, T* packed) {
  __shared__ double all_sums[kWarps][kPiece];
  double* sums = all_sums[threadIdx.x / kWarpSize];
  const int lane = threadIdx.x % kWarpSize;
  const int64_t units = shape.batch * shape.rows * shape.pieces, step = static_cast<int64_t>(gridDim.x) * kWarps;
  for (int64_t unit = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.x / kWarpSize; unit < units; unit += step) {
    const int64_t line = unit / shape.pieces, first = unit % shape.pieces * kPiece;
    const Piece piece{.batch = line / shape.rows,
                      .row = line % shape.rows,
                      .first = first,
                      .width = static_cast<int>(min(static_cast<int64_t>(kPiece), shape.cols - first))};
    for (int j = lane; j < piece.width; j += kWarpSize) sums[j] = 0;
    __syncwarp();
    add_entries<T>(rows, shape, piece, sums);
    T* row = packed + line * shape.cols + first;
    for (int j = lane; j < piece.width; j += kWarpSize) row[j] = narrow<T>(sums[j]);
    __syncwarp();
  }
}

}  // namespace

int64_t packed_bytes(const MatrixView& m) {
  return saturating_mul(saturating_mul(saturating_mul(m.rows, m.cols), m.batch), size_of(m.dtype));
}

Status pack(const MatrixView& m, void* packed, const Exec& exec) {
  const Shape shape = Shape::of(m);
  const int64_t units = shape.batch * shape.rows * shape.pieces;
  if (units == 0) return kSuccess;
  const auto grid = static_cast<unsigned>(std::min<int64_t>(ceil_div(units, kWarps), int64_t{1} << 20));
  HostTypes::with(m.dtype, [&]<class T>() {
    pack_rows<<<grid, kWarps * kWarpSize, 0, static_cast<cudaStream_t>(exec.stream)>>>(
        stored_rows(m), shape, static_cast<on_device_t<T>*>(packed));
  });
  return launched("pack");
}

}  // namespace bs::cuda
