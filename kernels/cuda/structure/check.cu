// bsMatCheck: every offence lowers the first position of its kind; the host then looks at the first kind there is and
// fetches what its sentence needs. Indices are looked at only if all offsets are right. Stored values are compared with
// limits that include the base, so that no content of an array can overflow.
#include <cuda_runtime_api.h>

#include <utility>

#include "cuda/device/items.cuh"
#include "cuda/device/sparse.cuh"
#include "cuda/structure/sorted_tiles.h"
#include "cuda/structure/structure.h"
#include "engine/findings.h"
#include "engine/stored.h"

namespace bs::cuda {
namespace {

using Place = unsigned long long;  // the 64-bit type that atomics take
constexpr Place kNowhere = ~Place{0};

// First positions: of offsets over all structures, of entries likewise, of legal findings as they are reported.
struct Report {
  Place offset_range, offset_order, index_range, duplicate, unsorted;
};

__device__ void found(Place* first, int64_t position) {
  atomicMin(first, static_cast<Place>(position));
}
__device__ bool is_inside(int64_t stored, int64_t base, int64_t extent) {
  return stored >= base && stored < base + extent;
}

// Values as stored, base included. Rows of COO stand in `offsets`.
struct Stored {
  const void* offsets;
  const void* indices;
  IndexType offset_type, index_type;
  int64_t base, nnz, lists, extent, offset_stride, index_stride;

  static Stored of(const MatrixView& m) {
    return {.offsets = m.offsets,
            .indices = m.indices,
            .offset_type = m.offset_type,
            .index_type = m.index_type,
            .base = m.base,
            .nnz = m.nnz,
            .lists = m.lists(),
            .extent = m.list_extent(),
            .offset_stride = m.offset_stride,
            .index_stride = m.index_stride};
  }
  __device__ int64_t offset(int64_t structure, int64_t i) const {
    return load_index(offset_type, offsets, structure * offset_stride + i);
  }
  __device__ int64_t index(int64_t place) const { return load_index(index_type, indices, place); }
  __device__ int64_t row(int64_t place) const { return load_index(index_type, offsets, place); }
};

struct CheckOffsets {
  Stored stored;
  Report* report;
  __device__ void operator()(int64_t item) const {
    const int64_t structure = item / (stored.lists + 1), i = item % (stored.lists + 1);
    const int64_t offset = stored.offset(structure, i);
    if (offset < stored.base || offset > stored.base + stored.nnz) found(&report->offset_range, item);
    if (i > 0 && offset < stored.offset(structure, i - 1)) found(&report->offset_order, item);
  }
};

// Neighbours tell whether a list is sorted, and duplicates if it is.
struct CheckIndices {
  Stored stored;
  Report* report;
  __device__ void operator()(int64_t item) const {
    if (report->offset_range != kNowhere || report->offset_order != kNowhere) return;
    const int64_t structure = item / stored.nnz, q = item % stored.nnz;
    const int64_t first = stored.offset(structure, 0) - stored.base;
    if (q < first || q >= stored.offset(structure, stored.lists) - stored.base) return;
    const int64_t place = structure * stored.index_stride + q, index = stored.index(place);
    if (!is_inside(index, stored.base, stored.extent)) found(&report->index_range, item);
    if (q == first || index > stored.index(place - 1)) return;
    const auto offset = [&](int64_t i) { return stored.offset(structure, i) - stored.base; };
    if (offset(list_of(offset, stored.lists, q)) == q) return;
    found(index == stored.index(place - 1) ? &report->duplicate : &report->unsorted, place);
  }
};

struct CheckCoordinates {
  Stored stored;
  int64_t rows, cols;
  Report* report;
  __device__ void operator()(int64_t q) const {
    const int64_t row = stored.row(q), column = stored.index(q);
    if (!is_inside(row, stored.base, rows) || !is_inside(column, stored.base, cols)) found(&report->index_range, q);
    if (q == 0) return;
    const int64_t row_before = stored.row(q - 1), column_before = stored.index(q - 1);
    if (row < row_before || (row == row_before && column < column_before)) found(&report->unsorted, q);
    if (row == row_before && column == column_before) found(&report->duplicate, q);
  }
};

struct FindDuplicates {
  const uint64_t* rows;
  const uint64_t* cols;
  const int64_t* positions;
  uint64_t row_count;
  int64_t start;  // of the structure's index array
  Report* report;
  __device__ void operator()(int64_t k) const {
    if (k > 0 && rows[k] < row_count && rows[k] == rows[k - 1] && cols[k] == cols[k - 1])
      found(&report->duplicate, start + positions[k]);
  }
};

class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  ~DeviceMemory() {
    if (memory_ && cudaFree(memory_) != cudaSuccess) cudaGetLastError();  // the call has failed already, and said why
  }
  Status allocate(int64_t bytes) {
    return cuda_status(cudaMalloc(&memory_, static_cast<size_t>(bytes)), "check: temporary memory");
  }
  Status release() { return cuda_status(cudaFree(std::exchange(memory_, nullptr)), "check: temporary memory"); }
  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

template <class T>
Status fetch(T* value, const void* from, cudaStream_t stream) {
  BS_TRY(cuda_status(cudaMemcpyAsync(value, from, sizeof(T), cudaMemcpyDeviceToHost, stream), "check: copy"));
  return cuda_status(cudaStreamSynchronize(stream), "check");
}

Status fetch_index(int64_t* value, IndexType type, const void* array, int64_t i, cudaStream_t stream) {
  if (type == IndexType::i64) return fetch(value, static_cast<const int64_t*>(array) + i, stream);
  int32_t narrow = 0;
  BS_TRY(fetch(&narrow, static_cast<const int32_t*>(array) + i, stream));
  *value = narrow;
  return kSuccess;
}

class Checker {
 public:
  Checker(const MatrixView& m, Finding* finding, cudaStream_t stream) : m_(m), finding_(finding), stream_(stream) {}

  Status run() {
    BS_TRY(memory_.allocate(sizeof(Report)));
    report_ = static_cast<Report*>(memory_.get());
    BS_TRY(cuda_status(cudaMemsetAsync(report_, 0xff, sizeof(Report), stream_), "check: clear"));
    BS_TRY(m_.format == BS_FORMAT_COO ? look_at_coordinates() : look_at_lists());
    Report report;
    BS_TRY(fetch(&report, report_, stream_));
    BS_TRY(name_error(report));
    if (report.unsorted != kNowhere) {
      BS_TRY(look_for_duplicates());
      BS_TRY(fetch(&report, report_, stream_));
    }
    if (report.duplicate != kNowhere)
      *finding_ = {BS_CONTENT_DUPLICATE, static_cast<int64_t>(report.duplicate)};
    else if (report.unsorted != kNowhere)
      *finding_ = {BS_CONTENT_UNSORTED, static_cast<int64_t>(report.unsorted)};
    return memory_.release();
  }

 private:
  Status look_at_coordinates() {
    return for_items(m_.nnz, "check: entries", stream_, CheckCoordinates{Stored::of(m_), m_.rows, m_.cols, report_});
  }
  Status look_at_lists() {
    const int64_t structures = m_.structures();
    BS_TRY(for_items(structures * (m_.lists() + 1), "check: offsets", stream_, CheckOffsets{Stored::of(m_), report_}));
    return for_items(structures * m_.nnz, "check: indices", stream_, CheckIndices{Stored::of(m_), report_});
  }

  // Neighbours are not enough: all structures sorted, one after the other.
  Status look_for_duplicates() {
    const Tiling2D tiles = Tiling2D::of(m_, m_.block_rows, m_.block_cols);
    Carver size(nullptr);
    SortedTiles(m_.nnz, &size);
    DeviceMemory memory;
    BS_TRY(memory.allocate(size.bytes()));
    Carver carver(memory.get());
    SortedTiles sorted(m_.nnz, &carver);
    for (int64_t b = 0; b < m_.structures(); ++b) {
      const bool by_columns = m_.format == BS_FORMAT_CSC;
      BS_TRY(sort_tiles(structure(b), by_columns, tiles, &sorted, stream_));
      BS_TRY(for_items(sorted.count, "check: duplicates", stream_,
                       FindDuplicates{sorted.rows, sorted.cols, sorted.items, static_cast<uint64_t>(tiles.row_count),
                                      b * m_.index_stride, report_}));
    }
    BS_TRY(cuda_status(cudaStreamSynchronize(stream_), "check"));  // before the memory goes
    return memory.release();
  }

  MatrixView structure(int64_t b) const {
    MatrixView one = m_;
    if (b == 0) return one;
    one.offsets = static_cast<char*>(m_.offsets) + b * m_.offset_stride * size_of(m_.offset_type);
    one.indices = static_cast<char*>(m_.indices) + b * m_.index_stride * size_of(m_.index_type);
    return one;
  }

  Status name_error(const Report& report) {
    if (report.offset_range != kNowhere) return name_offset(BS_CONTENT_OFFSET_RANGE, report.offset_range);
    if (report.offset_order != kNowhere) return name_offset(BS_CONTENT_OFFSET_DECREASING, report.offset_order);
    if (report.index_range == kNowhere) return kSuccess;
    const auto item = static_cast<int64_t>(report.index_range);
    return m_.format == BS_FORMAT_COO ? name_coordinates(item) : name_index(item / m_.nnz, item % m_.nnz);
  }

  Status fetch_offset(int64_t structure, int64_t i, int64_t* offset) const {
    return fetch_index(offset, m_.offset_type, m_.offsets, structure * m_.offset_stride + i, stream_);
  }

  Status name_offset(bsContent_t content, Place place) {
    const int64_t structure = static_cast<int64_t>(place) / (m_.lists() + 1);
    const int64_t i = static_cast<int64_t>(place) % (m_.lists() + 1);
    int64_t offset = 0, before = 0;
    BS_TRY(fetch_offset(structure, i, &offset));
    if (content == BS_CONTENT_OFFSET_DECREASING) BS_TRY(fetch_offset(structure, i - 1, &before));
    *finding_ = {content, i};
    return content == BS_CONTENT_OFFSET_RANGE ? fail_offset_range(m_, structure, i, offset)
                                              : fail_offset_order(m_, structure, i, offset, before);
  }

  Status name_index(int64_t structure, int64_t q) {
    const int64_t place = structure * m_.index_stride + q;
    int64_t index = 0, low = 0, high = m_.lists();  // offset(low) <= q < offset(high)
    BS_TRY(fetch_index(&index, m_.index_type, m_.indices, place, stream_));
    while (high - low > 1) {
      const int64_t middle = (low + high) / 2;
      int64_t offset = 0;
      BS_TRY(fetch_offset(structure, middle, &offset));
      (offset - m_.base <= q ? low : high) = middle;
    }
    *finding_ = {BS_CONTENT_INDEX_RANGE, place};
    return fail_list_index(m_, structure, low, index);
  }

  Status name_coordinates(int64_t q) {
    int64_t row = 0, column = 0;
    BS_TRY(fetch_index(&row, m_.index_type, m_.offsets, q, stream_));
    BS_TRY(fetch_index(&column, m_.index_type, m_.indices, q, stream_));
    *finding_ = {BS_CONTENT_INDEX_RANGE, q};
    return fail_coordinates(m_, q, row, column);
  }

  const MatrixView& m_;
  Finding* finding_;
  cudaStream_t stream_;
  DeviceMemory memory_;
  Report* report_ = nullptr;
};

}  // namespace

Status check(const MatrixView& m, Finding* finding, const Exec& exec) {
  *finding = {};
  if (m.format == BS_FORMAT_DENSE) return kSuccess;
  return Checker(m, finding, static_cast<cudaStream_t>(exec.stream)).run();
}

}  // namespace bs::cuda
