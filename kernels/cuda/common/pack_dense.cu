// Copies through a shared tile, so that reads follow the source's layout and writes the rows: both in full sectors.
#include "cuda/common/pack_dense.h"

#include "cuda/common/launch.h"
#include "cuda/device/arch.cuh"

namespace bs::cuda {
namespace {

constexpr int kTile = 32, kRowsAtOnce = 8;

// Elements are moved as bits: 2, 4 or 8 bytes.
template <class Bits>
__global__ void __launch_bounds__(kTile* kRowsAtOnce)
    pack(DenseSource source, Bits* packed, int64_t ld, int64_t stride, int64_t tiles_across, int64_t tiles) {
  __shared__ Bits tile[kTile][kTile + 1];  // one element of padding: a column lies in 32 different banks
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  for (int64_t t = blockIdx.x; t < tiles * source.inputs; t += gridDim.x) {
    const int64_t input = t / tiles, row0 = t % tiles / tiles_across * kTile, col0 = t % tiles % tiles_across * kTile;
    const Bits* from = static_cast<const Bits*>(source.data) + input * source.stride;
    __syncthreads();
    for (int s = y; s < kTile; s += kRowsAtOnce) {
      const int64_t i = row0 + (source.layout == Layout::row ? s : x),
                    j = col0 + (source.layout == Layout::row ? x : s);
      if (i < source.rows && j < source.cols)
        tile[i - row0][j - col0] = from[source.layout == Layout::row ? i * source.ld + j : i + j * source.ld];
    }
    __syncthreads();
    for (int s = y; s < kTile; s += kRowsAtOnce)
      if (row0 + s < source.rows && col0 + x < source.cols)
        packed[input * stride + (row0 + s) * ld + col0 + x] = tile[s][x];
  }
}

template <class Bits>
Status launch_as(const DenseSource& source, void* memory, const PackedDense& packed, const Exec& exec) {
  const int64_t across = ceil_div(source.cols, kTile), tiles = across * ceil_div(source.rows, kTile);
  if (tiles * source.inputs == 0) return kSuccess;
  const auto grid = static_cast<unsigned>(std::min<int64_t>(tiles * source.inputs, int64_t{1} << 20));
  pack<Bits><<<grid, kTile * kRowsAtOnce, 0, static_cast<cudaStream_t>(exec.stream)>>>(
      source, static_cast<Bits*>(memory), packed.ld, packed.stride, across, tiles);
  return launched("pack_dense");
}

}  // namespace

Status pack_dense(const DenseSource& source, void* memory, const Exec& exec, PackedDense* packed) {
  DenseSource once = source;
  if (source.stride == 0) once.inputs = std::min<int64_t>(source.inputs, 1);  // shared: packed once
  *packed = {.data = memory,
             .ld = packed_ld(source.cols, source.dtype),
             .stride = source.stride == 0 ? 0 : source.rows * packed_ld(source.cols, source.dtype)};
  switch (size_of(source.dtype)) {
    case 2:
      return launch_as<uint16_t>(once, memory, *packed, exec);
    case 4:
      return launch_as<uint32_t>(once, memory, *packed, exec);
    default:
      return launch_as<uint64_t>(once, memory, *packed, exec);
  }
}

}  // namespace bs::cuda
