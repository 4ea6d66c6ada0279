// Descriptors and copies.
#include "bsbench/peers/cusparse_operands.h"

#include <algorithm>
#include <cstring>

namespace bench {
namespace {

cusparseIndexType_t index_number(bsIndexType_t type) {
  return type == BS_INDEX_64I ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
}
cusparseIndexBase_t base_number(int base) {
  return base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
}

// op(source) in another order, element by element.
Dense rearranged(const Dense& source, bool transposed, bsOrder_t order) {
  const int64_t rows = transposed ? source.cols : source.rows, cols = transposed ? source.rows : source.cols;
  Dense d = Dense::of(rows, cols, order, 0, source.type, 1);
  d.values.resize(d.bytes());
  const int64_t size = bs::size_of(d.type);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      std::memcpy(d.values.data() + d.index(0, i, j) * size,
                  source.values.data() + (transposed ? source.index(0, j, i) : source.index(0, i, j)) * size,
                  static_cast<size_t>(size));
  return d;
}

}  // namespace

cusparseOrder_t order_number(bsOrder_t order) {
  return order == BS_ORDER_ROW ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
}

std::string refuses_sparse(const Spec& spec, const Sparse& s) {
  if (spec.offset_type != spec.index_type) return "offsets and indices of different types";
  if (s.format != BS_FORMAT_BSR) return "";
  if (s.block_rows != s.block_cols) return "blocks that are not square";
  if (s.block_order != BS_ORDER_ROW && !spec.sparse_result()) return "blocks by columns";
  if (s.rows % s.block_rows || s.cols % s.block_cols) return "sizes that blocks do not divide";
  return "";
}

SparseMatrix sparse_descriptor(const Cusparse& library, const Spec& spec, const Sparse& s, const Instance& on) {
  const auto offset_type = index_number(spec.offset_type), index_type = index_number(spec.index_type);
  const auto base = base_number(spec.base);
  cusparseSpMatDescr_t made = nullptr;
  if (s.format == BS_FORMAT_BSR) {
    library.check(library.CreateBsr(&made, s.rows / s.block_rows, s.cols / s.block_cols, s.structure.count(),
                                    s.block_rows, s.block_cols, on.offsets.get(), on.indices.get(), on.values.get(),
                                    offset_type, index_type, base, cuda_type(s.type), order_number(s.block_order)));
  } else {
    const auto create = s.format == BS_FORMAT_CSC ? library.CreateCsc : library.CreateCsr;
    library.check(create(&made, s.rows, s.cols, s.structure.count(), on.offsets.get(), on.indices.get(),
                         on.values.get(), offset_type, index_type, base, cuda_type(s.type)));
  }
  return {made, library.DestroySpMat};
}

std::string refuses_blocked_ell(const Spec& spec, const Sparse& s) {
  if (s.type == bs::DType::f32) return "f32 (it computes in TF32)";
  if (spec.transpose_a) return "op T";
  int64_t width = 0;
  for (int64_t i = 0; i < s.structure.lines; ++i)
    width = std::max(width, s.structure.offsets[i + 1] - s.structure.offsets[i]);
  return width * s.structure.lines > 4 * s.structure.count() ? "block rows this uneven" : "";
}

BlockedEll blocked_ell(const Sparse& s) {
  const Structure& structure = s.structure;
  const int64_t block = s.block_rows, size = bs::size_of(s.type);
  BlockedEll ell;
  for (int64_t i = 0; i < structure.lines; ++i)
    ell.width = std::max(ell.width, structure.offsets[i + 1] - structure.offsets[i]);
  ell.columns.assign(structure.lines * ell.width, -1);
  ell.values.assign(s.rows * ell.width * block * size, 0);
  for (int64_t i = 0; i < structure.lines; ++i) {
    for (int64_t p = structure.offsets[i]; p < structure.offsets[i + 1]; ++p) {
      const int64_t slot = p - structure.offsets[i];
      ell.columns[i * ell.width + slot] = static_cast<int32_t>(structure.indices[p]);
      for (int64_t r = 0; r < block; ++r)
        std::memcpy(ell.values.data() + (((i * block + r) * ell.width + slot) * block) * size,
                    s.values.data() + (p * block + r) * block * size, static_cast<size_t>(block * size));
    }
  }
  return ell;
}

Copies::Copies(const Cusparse& library, Problem& problem, const Dense& source, bool transposed, bsOrder_t order)
    : shape_(rearranged(source, transposed, order)) {
  for (int i = 0; i < problem.instances(); ++i) {
    memory_.emplace_back(problem.handle(), shape_.values.data(), shape_.bytes());
    void* data = memory_.back().get();
    cusparseDnMatDescr_t matrix = nullptr;
    library.check(library.CreateDnMat(&matrix, shape_.rows, shape_.cols, shape_.ld, data, cuda_type(shape_.type),
                                      order_number(order)));
    matrices_.emplace_back(matrix, library.DestroyDnMat);
    if (shape_.cols != 1) continue;
    cusparseDnVecDescr_t vector = nullptr;
    library.check(library.CreateDnVec(&vector, shape_.rows, data, cuda_type(shape_.type)));
    vectors_.emplace_back(vector, library.DestroyDnVec);
  }
  shape_.values = {};
}

}  // namespace bench
