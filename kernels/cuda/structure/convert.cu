// The two phases of a conversion.
#include "cuda/structure/convert.h"

#include <algorithm>

#include "cuda/device/items.cuh"
#include "cuda/device/sparse.cuh"
#include "cuda/structure/structure.h"
#include "model/saturate.h"

namespace bs::cuda {
namespace {

// Nothing is written if the offsets cannot count the entries: the host refuses then, and outputs stay as they were.
struct StoreOffsets {
  const int64_t* starts;
  int64_t pieces, lists, base, limit;
  IndexType type;
  void* offsets;
  __device__ void operator()(int64_t i) const {
    if (starts[lists * pieces] <= limit) store_index(type, offsets, i, starts[i * pieces] + base);
  }
};

Status count(const Conversion& c, ConvertSpace* space, cudaStream_t stream) {
  BS_TRY(c.source.sparse() ? count_from_sparse(c, space, stream) : count_from_dense(c, *space, stream));
  const MatrixView& d = c.destination;
  if (d.format == BS_FORMAT_COO) return kSuccess;
  return for_items(
      d.lists() + 1, "conversion: offsets", stream,
      StoreOffsets{space->starts, space->pieces, d.lists(), d.base, countable_entries(d), d.offset_type, d.offsets});
}

}  // namespace

ConvertSpace::ConvertSpace(const Conversion& c, void* workspace) {
  const MatrixView& d = c.destination;
  Carver carver(workspace);
  if (c.source.sparse()) {
    int64_t items = c.source.nnz;
    if (d.format == BS_FORMAT_BSR) {
      const int64_t tiles = item_count(c.source, Tiling2D::of(c.source, d.block_rows, d.block_cols));
      block_columns = carver.take<uint64_t>(tiles);
      items = std::max(items, tiles);
    }
    sorted = SortedTiles(items, &carver);
  } else if (d.sparse()) {
    pieces = pieces_of_list(d);
  }
  if (d.sparse()) {
    const int64_t count = saturating_add(saturating_mul(d.lists(), pieces), 1);
    starts = carver.take<int64_t>(count);
    temporary = carver.take<char>(sort_bytes(count));
  }
  bytes = carver.bytes();
}

int64_t convert_bytes(bool transposed, const MatrixView& source, const MatrixView& destination) {
  return ConvertSpace(Conversion(transposed, source, destination), nullptr).bytes;
}

Status convert_count(bool transposed, const MatrixView& source, const MatrixView& destination, int64_t* nnz,
                     const Exec& exec) {
  const Conversion c(transposed, source, destination);
  if (!c.destination.sparse()) {
    *nnz = c.destination.rows * c.destination.cols;
    return kSuccess;
  }
  ConvertSpace space(c, exec.workspace);
  auto* stream = static_cast<cudaStream_t>(exec.stream);
  BS_TRY(count(c, &space, stream));
  int64_t total = 0;
  const int64_t* end = space.starts + c.destination.lists() * space.pieces;
  BS_TRY(cuda_status(cudaMemcpyAsync(&total, end, sizeof total, cudaMemcpyDeviceToHost, stream), "conversion: copy"));
  BS_TRY(cuda_status(cudaStreamSynchronize(stream), "conversion"));
  BS_TRY(check_countable_entries(c.destination, total));
  *nnz = total;
  return kSuccess;
}

// That the destination has the counted number of entries is checked by the caller, who remembers it.
Status convert_fill(bool transposed, const MatrixView& source, const MatrixView& destination, const Exec& exec) {
  const Conversion c(transposed, source, destination);
  ConvertSpace space(c, exec.workspace);
  auto* stream = static_cast<cudaStream_t>(exec.stream);
  return c.source.sparse() ? fill_from_sparse(c, &space, stream) : fill_from_dense(c, space, stream);
}

}  // namespace bs::cuda
