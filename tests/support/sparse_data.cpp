#include "support/sparse_data.h"

#include <cstring>

#include "support/random.h"

namespace bs::test {
namespace {

constexpr int64_t kSlack = 3;  // entries before the first offset; two more beyond the last

template <class T>
std::vector<char> bytes_of(const std::vector<T>& values) {
  std::vector<char> out(values.size() * sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

}  // namespace

std::string describe(const SparseSpec& s) {
  static constexpr const char* sharing[] = {"all", "structure", "none", "absolute"};
  std::string text =
      s.format == Format::csr ? "csr" : "bsr" + std::to_string(s.block_rows) + "x" + std::to_string(s.block_cols);
  if (s.block_layout == Layout::col) text += "c";
  text += std::string(" ") + name_of(s.dtype) + " " + std::to_string(s.rows) + "x" + std::to_string(s.cols) + " " +
          name_of(s.pattern.kind) + " " + std::to_string(s.pattern.density).substr(0, 4) + " seed " +
          std::to_string(s.pattern.seed) + " offsets" + std::to_string(8 * size_of(s.offset_type)) + " indices" +
          std::to_string(8 * size_of(s.index_type)) + " base" + std::to_string(s.base);
  if (s.instances != 1)
    text += " instances" + std::to_string(s.instances) + " sharing-" + sharing[static_cast<int>(s.sharing)];
  if (s.pattern.shuffled) text += " shuffled";
  if (s.pattern.duplicates) text += " duplicates";
  if (s.gated) text += " gated";
  if (s.slack) text += " slack";
  if (s.shift) text += " shift" + std::to_string(s.shift);
  return text;
}

SparseData::SparseData(Machine* machine, const SparseSpec& s) : spec(s) {
  make_structures();
  make_values();
  upload(machine);
}

void SparseData::make_structures() {
  const int64_t rows = (spec.rows + spec.block_rows - 1) / spec.block_rows;
  const int64_t cols = (spec.cols + spec.block_cols - 1) / spec.block_cols;
  const int64_t slack = spec.slack ? kSlack : 0;
  int64_t next = slack;
  for (int64_t i = 0; i < (own_structure() ? instance_count() : 1); ++i) {
    PatternSpec pattern = spec.pattern;
    pattern.seed += static_cast<uint64_t>(i);
    structures_.push_back(make_pattern(pattern, rows, cols));
    first_entry_.push_back(spec.sharing == Sharing::absolute ? next : slack);
    next += structures_.back().nnz();
    capacity_ = std::max(capacity_, first_entry_.back() + structures_.back().nnz());
  }
  capacity_ += spec.slack ? 2 : 0;
  if (own_structure()) offset_stride_ = rows + 1;
  if (spec.sharing == Sharing::none) index_stride_ = capacity_;
  if (spec.sharing == Sharing::none || spec.sharing == Sharing::structure) {
    value_stride_ = capacity_ * block_size();
    gate_stride_ = spec.gated ? capacity_ : 0;
  }
}

// Everything that no product may read is NaN: slack, padding of cut blocks, blocks whose gate is 0.
void SparseData::make_values() {
  Random random(spec.pattern.seed + 77);
  const int64_t count = value_stride_ ? value_stride_ * instance_count() : capacity_ * block_size();
  values_.assign(static_cast<size_t>(count * size_of(spec.dtype)), static_cast<char>(0xff));
  gates_.assign(static_cast<size_t>(spec.gated ? std::max(gate_stride_ * instance_count(), capacity_) : 0), 0.0f);
  for (float& gate : gates_) gate = random.chance(0.25) ? 0.0f : static_cast<float>(random.symmetric());
  if (spec.nan_values) return;
  for (int64_t i = 0; i < instance_count(); ++i) {
    for_elements(i, [&](const Element& e) {
      const double value = spec.stored_zeros && random.chance(0.3) ? 0.0 : random.symmetric();
      if (e.gate != 0 || spec.output) store(spec.dtype, values_.data(), e.value_index, value);
    });
  }
}

std::vector<char> SparseData::offset_bytes() const {
  std::vector<char> out(static_cast<size_t>((structures_[0].rows + 1) * size_of(spec.offset_type)) *
                        structures_.size());
  int64_t position = 0;
  for (size_t i = 0; i < structures_.size(); ++i)
    for (const int64_t offset : structures_[i].offsets)
      store(spec.offset_type, out.data(), position++, first_entry_[i] + offset + spec.base);
  return out;
}

std::vector<char> SparseData::index_bytes() const {
  const int64_t count = index_stride_ ? index_stride_ * instance_count() : capacity_;
  std::vector<char> out(static_cast<size_t>(count * size_of(spec.index_type)), static_cast<char>(0x7f));
  for (size_t i = 0; i < structures_.size(); ++i) {
    int64_t position = static_cast<int64_t>(i) * index_stride_ + first_entry_[i];
    for (const int64_t index : structures_[i].indices)
      store(spec.index_type, out.data(), position++, index + spec.base);
  }
  return out;
}

void SparseData::upload(Machine* machine) {
  offsets_before_ = offset_bytes();
  indices_before_ = index_bytes();
  offsets_ = Guarded(machine, offsets_before_, spec.shift * size_of(spec.offset_type));
  indices_ = Guarded(machine, indices_before_, spec.shift * size_of(spec.index_type));
  value_array_ = Guarded(machine, values_, spec.shift * size_of(spec.dtype));
  gate_array_ = Guarded(machine, bytes_of(gates_), spec.shift * 4);
}

bool SparseData::structure_unharmed() const {
  return offsets_.intact() && indices_.intact() && value_array_.intact() && gate_array_.intact() &&
         offsets_.read() == offsets_before_ && indices_.read() == indices_before_ &&
         gate_array_.read() == bytes_of(gates_);
}

bool SparseData::unharmed() const {
  return structure_unharmed() && value_array_.read() == values_;
}

SparseShape SparseData::shape() const {
  return {.rows = spec.rows,
          .cols = spec.cols,
          .nnz = capacity_,
          .block_rows = spec.block_rows,
          .block_cols = spec.block_cols,
          .format = spec.format,
          .block_layout = spec.block_layout,
          .dtype = spec.dtype,
          .offset_type = spec.offset_type,
          .index_type = spec.index_type,
          .base = spec.base,
          .gated = spec.gated,
          .own_structure = own_structure() && spec.instances > 1,
          .stats = {}};
}

SparseOperand SparseData::operand() const {
  return {.stored = {offsets_.data(), indices_.data(), offset_stride_, index_stride_},
          .transposed = {},
          .values = value_array_.data(),
          .value_stride = value_stride_,
          .gate = static_cast<const float*>(gate_array_.data()),
          .gate_stride = gate_stride_};
}

MatrixView SparseData::view() const {
  return {.format = static_cast<bsFormat_t>(spec.format),
          .rows = spec.rows,
          .cols = spec.cols,
          .nnz = capacity_,
          .dtype = spec.dtype,
          .offset_type = spec.offset_type,
          .index_type = spec.index_type,
          .base = spec.base,
          .block_rows = spec.block_rows,
          .block_cols = spec.block_cols,
          .block_order = spec.block_layout,
          .offsets = offsets_.data(),
          .indices = indices_.data(),
          .values = value_array_.data(),
          .gate = static_cast<const float*>(gate_array_.data()),
          .gate_stride = gate_stride_,
          .batch = spec.instances,
          .value_stride = value_stride_,
          .offset_stride = offset_stride_,
          .index_stride = index_stride_};
}

uint8_t SparseData::alignment() const {
  if (spec.format != Format::bsr) return 16;
  return alignment_of(value_array_.data(), {block_size() * size_of(spec.dtype), value_stride_ * size_of(spec.dtype)});
}

}  // namespace bs::test
