#include "kernels/sddmm_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace bs::test {
namespace {

SparseSpec result_spec(const SddmmSpec& spec) {
  SparseSpec s = spec.s;
  s.rows = spec.m, s.cols = spec.n, s.instances = spec.batch;
  s.nan_values = spec.beta == 0;
  s.output = true;
  if (spec.batch > 1 && s.sharing == Sharing::all) s.sharing = Sharing::structure;
  return s;
}

DenseSpec sized(DenseSpec dense, int64_t rows, int64_t cols, const SddmmSpec& spec, uint64_t seed) {
  dense.rows = rows, dense.cols = cols, dense.instances = spec.batch * spec.reduce;
  dense.poison = spec.alpha == 0;
  dense.seed = seed;
  return dense;
}

}  // namespace

SddmmCase::SddmmCase(Machine* machine, const SddmmSpec& spec)
    : spec_(spec),
      s_(machine, result_spec(spec)),
      l_(machine, sized(spec.l, spec.m, spec.k, spec, 6)),
      r_(machine, sized(spec.r, spec.k, spec.n, spec, 7)),
      gradient_(machine, spec.batch * gradient_length() * size_of(spec.bias_type),
                spec.l.shift * size_of(spec.bias_type)),
      scalars_(machine, spec.s.dtype, spec.alpha, spec.beta, spec.device_scalars) {
  l_.commit(), r_.commit();
  if (spec.analysis) analysis_.emplace(machine, s_.view(), spec.analysis);
  describe_problem();
  describe_operands();
  expect();
}

int64_t SddmmCase::gradient_length() const {
  return spec_.bias_gradient == Axis::none ? 0 : spec_.bias_gradient == Axis::row ? spec_.m : spec_.n;
}

void SddmmCase::describe_problem() {
  problem_.s = s_.shape();
  problem_.m = spec_.m, problem_.n = spec_.n, problem_.k = spec_.k;
  problem_.ldl = l_.ld(), problem_.ldr = r_.ld();
  problem_.batch = spec_.batch, problem_.reduce = spec_.reduce;
  problem_.l_type = l_.spec.dtype, problem_.r_type = r_.spec.dtype, problem_.bias_type = spec_.bias_type;
  problem_.l_layout = l_.spec.layout, problem_.r_layout = r_.spec.layout;
  problem_.bias_gradient = spec_.bias_gradient;
  problem_.constraints.alignment = std::min(l_.alignment(), r_.alignment());
  problem_.constraints.block_alignment = s_.alignment();
}

void SddmmCase::describe_operands() {
  operands_.s = s_.operand();
  if (analysis_) analysis_->apply(&problem_.s, &operands_.s);
  operands_.c = s_.value_array().data(), operands_.c_stride = s_.value_stride();
  operands_.l = l_.data(), operands_.l_stride = l_.stride();
  operands_.r = r_.data(), operands_.r_stride = r_.stride();
  operands_.bias_gradient = gradient_.data();
  operands_.scalars = scalars_.scalars();
}

std::string SddmmCase::name() const {
  std::string text = std::to_string(spec_.m) + "x" + std::to_string(spec_.k) + "x" + std::to_string(spec_.n) + " " +
                     describe(s_.spec) + describe("L", l_.spec) + describe("R", r_.spec) + " | alpha " +
                     std::to_string(spec_.alpha) + " beta " + std::to_string(spec_.beta) +
                     (spec_.device_scalars ? " on device" : "");
  if (spec_.analysis) text += " analysis " + std::to_string(spec_.analysis);
  if (spec_.batch != 1 || spec_.reduce != 1)
    text += " batch " + std::to_string(spec_.batch) + " reduce " + std::to_string(spec_.reduce);
  if (spec_.bias_gradient != Axis::none)
    text +=
        std::string(" gradient ") + (spec_.bias_gradient == Axis::row ? "row " : "col ") + bs::name_of(spec_.bias_type);
  return text;
}

Expected SddmmCase::product(int64_t result, int64_t row, int64_t col) const {
  Expected sum;
  for (int64_t i = result; i < result + spec_.reduce; ++i) {
    for (int64_t k = 0; k < spec_.k; ++k) {
      const double product = l_.before(i, row, k) * r_.before(i, k, col);
      sum.value += product;
      sum.magnitude += std::abs(product);
    }
  }
  return sum;
}

void SddmmCase::expect() {
  for (int64_t result = 0; result < spec_.batch; ++result) {
    s_.for_elements(result, [&](const SparseData::Element& e) {
      const double scale = spec_.alpha * e.gate, old = spec_.beta == 0 ? 0 : spec_.beta * e.value;
      const Expected sum = scale == 0 ? Expected{} : product(result, e.row, e.col);
      wanted_.push_back({e.value_index, {scale * sum.value + old, std::abs(scale) * sum.magnitude + std::abs(old)}});
    });
  }
}

Expected SddmmCase::line_sum(int64_t result, int64_t position) const {
  Expected sum;
  for (int64_t i = result; i < result + spec_.reduce; ++i) {
    for (int64_t k = 0; k < spec_.k; ++k) {
      const double term = spec_.bias_gradient == Axis::row ? l_.before(i, position, k) : r_.before(i, k, position);
      sum.value += term;
      sum.magnitude += std::abs(term);
    }
  }
  return sum;
}

// The bytes with everything a call may write blanked: elements and padding of stored blocks.
std::vector<char> SddmmCase::untouchable(std::vector<char> bytes) const {
  const size_t block_bytes = static_cast<size_t>(s_.block_size() * size_of(spec_.s.dtype));
  for (int64_t result = 0; result < spec_.batch; ++result) {
    const size_t first = static_cast<size_t>((result * s_.value_stride()) * size_of(spec_.s.dtype)) +
                         static_cast<size_t>(s_.first_entry(result)) * block_bytes;
    const size_t length = static_cast<size_t>(s_.structure(result).nnz()) * block_bytes;
    if (length) std::memset(&bytes[first], 0, length);
  }
  return bytes;
}

std::string SddmmCase::compare_values() const {
  const std::vector<char> bytes = s_.value_array().read();
  if (untouchable(bytes) != untouchable(s_.value_bytes())) return "values outside the structure changed";
  const DType type = spec_.s.dtype;
  std::vector<char> rest = bytes;  // what remains after the elements are blanked is padding, and must be zero
  for (const Wanted& w : wanted_) {
    const double got = load(type, bytes.data(), w.index);
    if (!within_bound(got, w.value, spec_.k * spec_.reduce, type))
      return "value " + std::to_string(w.index) + " is " + std::to_string(got) + ", not " +
             std::to_string(w.value.value);
    std::memset(&rest[static_cast<size_t>(w.index * size_of(type))], 0, static_cast<size_t>(size_of(type)));
  }
  for (int64_t result = 0; result < spec_.batch; ++result) {
    const int64_t first = result * s_.value_stride() + s_.first_entry(result) * s_.block_size();
    for (int64_t i = first; i < first + s_.structure(result).nnz() * s_.block_size(); ++i)
      if (load(type, rest.data(), i) != 0)
        return "padding " + std::to_string(i) + " of a block was not written as zero";
  }
  return "";
}

std::string SddmmCase::compare_gradient() const {
  const std::vector<char> bytes = gradient_.read();
  for (int64_t i = 0; i < spec_.batch * gradient_length(); ++i) {
    const Expected wanted = line_sum(i / gradient_length(), i % gradient_length());
    const double got = load(spec_.bias_type, bytes.data(), i);
    if (!within_bound(got, wanted, spec_.k * spec_.reduce, spec_.bias_type))
      return "gradient " + std::to_string(i) + " is " + std::to_string(got) + ", not " + std::to_string(wanted.value);
  }
  return gradient_.intact() ? "" : "wrote around the bias gradient";
}

std::string SddmmCase::check(const SddmmKernel& kernel, Machine* machine) {
  s_.reset_values();
  std::string wrong = launch(kernel, machine, problem_, operands_);
  if (wrong.empty()) wrong = compare_values();
  if (wrong.empty()) wrong = compare_gradient();
  if (wrong.empty() && !(s_.structure_unharmed() && l_.unharmed() && r_.unharmed())) wrong = "an input was written to";
  if (wrong.empty() && analysis_ && !(analysis_->ok && analysis_->buffer.intact())) wrong = "analysis failed";
  return wrong.empty() ? "" : name() + ": " + wrong;
}

std::optional<std::vector<char>> SddmmCase::result(const SddmmKernel& kernel, Machine* machine) {
  s_.reset_values();
  if (!launch(kernel, machine, problem_, operands_).empty()) return std::nullopt;
  return s_.value_array().read();
}

}  // namespace bs::test
