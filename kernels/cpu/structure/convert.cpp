// The two phases of a conversion.
#include "cpu/structure/convert.h"

#include "cpu/common/scalar.h"
#include "engine/carver.h"
#include "cpu/structure/structure.h"
#include "model/status.h"

namespace bs::cpu {

ConvertSpace space_of(const Conversion& c, void* workspace) {
  Carver carver(workspace);
  ConvertSpace space;
  if (c.destination.sparse()) space.starts = carver.take<int64_t>(c.destination.lists() + 1);
  if (c.destination.format == BS_FORMAT_BSR) space.marks = carver.take<int64_t>(c.destination.list_extent());
  if (c.source.sparse()) {
    space.offsets = carver.take<int64_t>(c.source_block_rows() + 1);
    space.entries = carver.take<Entry>(c.source.nnz);
  }
  space.bytes = carver.bytes();
  return space;
}

int64_t convert_bytes(bool transposed, const MatrixView& source, const MatrixView& destination) {
  return space_of(Conversion(transposed, source, destination), nullptr).bytes;
}

Status convert_count(bool transposed, const MatrixView& source, const MatrixView& destination, int64_t* nnz,
                     const Exec& exec) {
  const Conversion c(transposed, source, destination);
  const ConvertSpace space = space_of(c, exec.workspace);
  if (!c.destination.sparse()) {
    *nnz = c.destination.rows * c.destination.cols;
    return kSuccess;
  }
  if (c.source.sparse()) sort_entries(c, space, *exec.workers);
  if (c.destination.format == BS_FORMAT_BSR)
    count_blocks(c, space);
  else
    count_entries(c, space, *exec.workers);

  const int64_t lists = c.destination.lists();
  for (int64_t i = 0; i < lists; ++i) space.starts[i + 1] += space.starts[i];
  BS_TRY(check_countable_entries(c.destination, space.starts[lists]));
  *nnz = space.starts[lists];
  if (c.destination.format == BS_FORMAT_COO) return kSuccess;
  for (int64_t i = 0; i <= lists; ++i)
    store_index(c.destination.offset_type, c.destination.offsets, i, space.starts[i] + c.destination.base);
  return kSuccess;
}

Status convert_fill(bool transposed, const MatrixView& source, const MatrixView& destination, const Exec& exec) {
  const Conversion c(transposed, source, destination);
  const ConvertSpace space = space_of(c, exec.workspace);
  if (!c.destination.sparse()) {
    if (c.source.sparse()) sort_entries(c, space, *exec.workers);
    fill_dense(c, space, *exec.workers);
    return kSuccess;
  }
  const int64_t counted = space.starts[c.destination.lists()];
  if (c.destination.nnz != counted)
    return fail(BS_STATUS_INVALID_SIZE, "destination nnz is %lld, bsConvert_count counted %lld",
                static_cast<long long>(c.destination.nnz), static_cast<long long>(counted));
  if (c.destination.format == BS_FORMAT_BSR)
    fill_blocks(c, space, *exec.workers);
  else
    fill_entries(c, space, *exec.workers);
  return kSuccess;
}

}  // namespace bs::cpu
