#include "cases/matrices.h"

#include <algorithm>
#include <cstring>

#include "support/catch.h"

namespace bs::cases {

double small_integer(test::Random* random) {
  return static_cast<double>(random->below(7) - 3);
}

Entries random_entries(int64_t rows, int64_t cols, double density, uint64_t seed) {
  test::Random random(seed);
  Entries entries;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      if (random.chance(density)) entries.push_back({i, j, small_integer(&random)});
  return entries;
}

Entries transposed(Entries entries) {
  for (Entry& e : entries) std::swap(e.row, e.col);
  return entries;
}

std::vector<Storage> every_format(bsDataType_t type) {
  return {{.format = BS_FORMAT_CSR, .type = type},
          {.format = BS_FORMAT_CSC, .type = type},
          {.format = BS_FORMAT_BSR, .type = type, .block_rows = 4, .block_cols = 4},
          {.format = BS_FORMAT_BSR, .type = type, .block_rows = 3, .block_cols = 5, .block_order = BS_ORDER_COL}};
}

Sparse::Sparse(int64_t r, int64_t c, const Entries& entries, const Storage& s) : rows(r), cols(c), storage(s) {
  s.format == BS_FORMAT_BSR ? add_blocks(entries) : add_entries(entries);
  upload();
  create();
}

void Sparse::add_entries(const Entries& entries) {
  const bool by_col = storage.format == BS_FORMAT_CSC;
  std::vector<Entry> sorted(entries);
  const auto line = [by_col](const Entry& e) { return by_col ? e.col : e.row; };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Entry& x, const Entry& y) { return line(x) < line(y); });
  offsets_.assign(static_cast<size_t>(by_col ? cols : rows) + 1, 0);
  for (const Entry& e : sorted) {
    ++offsets_[static_cast<size_t>(line(e)) + 1];
    elements.push_back({e.row, e.col, static_cast<int64_t>(elements.size())});
    indices_.push_back(by_col ? e.row : e.col);
    values_.push_back(e.value);
  }
  for (size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
}

void Sparse::add_blocks(const Entries& entries) {
  const int64_t br = storage.block_rows, bc = storage.block_cols, size = br * bc;
  struct Block {
    int64_t col;
    std::vector<double> values;
    std::vector<bool> given;
  };
  std::vector<std::vector<Block>> block_rows(static_cast<size_t>((rows + br - 1) / br));
  for (const Entry& e : entries) {
    std::vector<Block>& row = block_rows[static_cast<size_t>(e.row / br)];
    const int64_t i = e.row % br, j = e.col % bc;
    const size_t inside = static_cast<size_t>(storage.block_order == BS_ORDER_ROW ? i * bc + j : i + j * br);
    auto block =
        std::find_if(row.begin(), row.end(), [&](const Block& b) { return b.col == e.col / bc && !b.given[inside]; });
    if (block == row.end()) {
      row.push_back({e.col / bc, std::vector<double>(static_cast<size_t>(size), 0.0),
                     std::vector<bool>(static_cast<size_t>(size), false)});
      block = row.end() - 1;
    }
    block->values[inside] = e.value, block->given[inside] = true;
  }
  offsets_.push_back(0);
  for (size_t r = 0; r < block_rows.size(); ++r) {
    for (const Block& block : block_rows[r]) {
      for (int64_t inside = 0; inside < size; ++inside) {
        const bool by_row = storage.block_order == BS_ORDER_ROW;
        const int64_t i = static_cast<int64_t>(r) * br + (by_row ? inside / bc : inside % br);
        const int64_t j = block.col * bc + (by_row ? inside % bc : inside / br);
        const bool in_matrix = i < rows && j < cols;
        if (in_matrix) elements.push_back({i, j, static_cast<int64_t>(values_.size())});
        values_.push_back(in_matrix ? block.values[static_cast<size_t>(inside)] : kNaN);  // padding must not matter
      }
      indices_.push_back(block.col);
    }
    offsets_.push_back(static_cast<int64_t>(indices_.size()));
  }
}

void Sparse::upload() {
  const int64_t offset_count = static_cast<int64_t>(offsets_.size());
  const int64_t value_count = static_cast<int64_t>(values_.size());
  offsets = Array(offset_count * index_bytes(storage.offset_type), storage.place);
  indices = Array(nnz() * index_bytes(storage.index_type), storage.place);
  values = Array(value_count * size_of(storage.type), storage.place);
  for (int64_t i = 0; i < offset_count; ++i)
    put_index(storage.offset_type, offsets.data(), i, offsets_[static_cast<size_t>(i)] + storage.base);
  for (int64_t i = 0; i < nnz(); ++i)
    put_index(storage.index_type, indices.data(), i, indices_[static_cast<size_t>(i)] + storage.base);
  for (int64_t i = 0; i < value_count; ++i) put(storage.type, values.data(), i, values_[static_cast<size_t>(i)]);
}

void Sparse::create() {
  void *o = offsets.device(), *i = indices.device(), *v = values.device();
  const Storage& s = storage;
  if (s.format == BS_FORMAT_BSR)
    REQUIRE(bsCreateBsr(&mat, rows, cols, nnz(), s.block_rows, s.block_cols, o, i, v, s.offset_type, s.index_type,
                        s.base, s.type, s.block_order) == BS_STATUS_SUCCESS);
  else
    REQUIRE((s.format == BS_FORMAT_CSR ? bsCreateCsr : bsCreateCsc)(&mat, rows, cols, nnz(), o, i, v, s.offset_type,
                                                                    s.index_type, s.base, s.type) == BS_STATUS_SUCCESS);
}

void Sparse::fill(double value) {
  for (int64_t i = 0; i < values.bytes() / size_of(storage.type); ++i) put(storage.type, values.data(), i, value);
}

Dense::Dense(int64_t r, int64_t c, const Layout& l) : rows(r), cols(c), layout(l) {
  const int64_t line = l.order == BS_ORDER_ROW ? cols : rows, lines = l.order == BS_ORDER_ROW ? rows : cols;
  ld = std::max<int64_t>(line, 1) + l.gap;
  values = Array(line == 0 || lines == 0 ? 0 : ((lines - 1) * ld + line) * size_of(l.type), l.place);
  REQUIRE(bsCreateDense(&mat, rows, cols, ld, values.device(), l.type, l.order) == BS_STATUS_SUCCESS);
}

Dense::Dense(int64_t r, int64_t c, const Layout& l, uint64_t seed) : Dense(r, c, l) {
  test::Random random(seed);
  fill([&](int64_t, int64_t) { return small_integer(&random); });
}

void Dense::fill(const std::function<double(int64_t, int64_t)>& value) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j) set(i, j, value(i, j));
}

bool Dense::gaps_intact() const {
  const int64_t bytes = size_of(layout.type), line = layout.order == BS_ORDER_ROW ? cols : rows;
  const auto* all = static_cast<const unsigned char*>(values.data());
  for (int64_t i = 0; i < values.bytes(); ++i)
    if (i / bytes % ld >= line && all[i] != 0xCD) return false;
  return true;
}

}  // namespace bs::cases
