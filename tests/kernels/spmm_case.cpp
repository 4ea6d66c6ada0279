#include "kernels/spmm_case.h"

#include <cmath>
#include <limits>
#include <algorithm>

namespace bs::test {
namespace {

SparseSpec sparse_spec(const SpmmSpec& spec) {
  SparseSpec s = spec.s;
  s.rows = spec.transposed ? spec.k : spec.m;
  s.cols = spec.transposed ? spec.m : spec.k;
  s.instances = spec.batch * spec.reduce;
  s.nan_values = spec.alpha == 0;
  return s;
}

DenseSpec sized(DenseSpec dense, int64_t rows, int64_t cols, int64_t instances, bool poison, uint64_t seed) {
  dense.rows = rows, dense.cols = cols, dense.instances = instances;
  dense.poison = poison;
  dense.seed = seed;
  return dense;
}

DenseSpec auxiliary_spec(const SpmmSpec& spec) {
  DenseSpec d = sized(spec.c, spec.auxiliary ? spec.m : 0, spec.n, spec.batch, true, 0);
  d.ld_padding += 2;
  return d;
}

DenseSpec bias_spec(const SpmmSpec& spec) {
  const int64_t length = spec.bias == Axis::none ? 0 : spec.bias == Axis::row ? spec.m : spec.n;
  return {.rows = length,
          .cols = 1,
          .layout = Layout::col,
          .dtype = spec.bias_type,
          .instances = spec.batch,
          .broadcast = spec.one_bias,
          .shift = spec.c.shift,
          .seed = 5};
}

double activate(Activation activation, double x) {
  switch (activation) {
    case Activation::none:
      return x;
    case Activation::relu:
      return x > 0 || std::isnan(x) ? x : 0;
    case Activation::gelu_erf:
      return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
    case Activation::gelu_tanh:
      return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    case Activation::silu:
      return x / (1 + std::exp(-x));
  }
  return x;
}

}  // namespace

SpmmCase::SpmmCase(Machine* machine, const SpmmSpec& spec)
    : spec_(spec),
      s_(machine, sparse_spec(spec)),
      b_(machine, sized(spec.b, spec.k, spec.n, spec.batch * spec.reduce, spec.alpha == 0, 3)),
      c_(machine, sized(spec.c, spec.m, spec.n, spec.batch, spec.beta == 0, 4)),
      auxiliary_(machine, auxiliary_spec(spec)),
      bias_(machine, bias_spec(spec)),
      scalars_(machine, spec.s.dtype, spec.alpha, spec.beta, spec.device_scalars) {
  if (spec.poison_unreferenced) poison_unreferenced();
  b_.commit(), c_.commit(), bias_.commit();
  if (spec.analysis) analysis_.emplace(machine, s_.view(), spec.analysis);
  describe_problem();
  describe_operands();
  expect();
}

void SpmmCase::poison_unreferenced() {
  for (int64_t i = 0; i < (b_.spec.broadcast ? 1 : b_.spec.instances); ++i) {
    std::vector<char> referenced(static_cast<size_t>(spec_.k), 0);
    for (int64_t r = i; r < (b_.spec.broadcast ? b_.spec.instances : i + 1); ++r) {
      s_.for_elements(r, [&](const SparseData::Element& e) {
        referenced[static_cast<size_t>(spec_.transposed ? e.row : e.col)] = 1;
      });
    }
    for (int64_t row = 0; row < spec_.k; ++row) {
      const double poison = row % 2 ? std::numeric_limits<double>::infinity() : std::nan("");
      for (int64_t col = 0; col < spec_.n && !referenced[static_cast<size_t>(row)]; ++col) b_.set(i, row, col, poison);
    }
  }
}

void SpmmCase::describe_problem() {
  problem_.s = s_.shape();
  problem_.s.transposed = spec_.transposed;
  problem_.m = spec_.m, problem_.n = spec_.n, problem_.k = spec_.k;
  problem_.ldb = b_.ld(), problem_.ldc = c_.ld();
  problem_.batch = spec_.batch, problem_.reduce = spec_.reduce;
  problem_.b_type = b_.spec.dtype, problem_.c_type = c_.spec.dtype, problem_.bias_type = spec_.bias_type;
  problem_.b_layout = b_.spec.layout, problem_.c_layout = c_.spec.layout;
  problem_.activation = spec_.activation;
  problem_.bias = spec_.bias;
  problem_.auxiliary = spec_.auxiliary;
  problem_.constraints.alignment =
      std::min({b_.alignment(), c_.alignment(), spec_.auxiliary ? auxiliary_.alignment() : uint8_t{16}});
  problem_.constraints.block_alignment = s_.alignment();
  problem_.constraints.strict = spec_.poison_unreferenced;
}

void SpmmCase::describe_operands() {
  operands_.s = s_.operand();
  if (analysis_) analysis_->apply(&problem_.s, &operands_.s);
  operands_.scalars = scalars_.scalars();
  operands_.b = b_.data(), operands_.b_stride = b_.stride();
  operands_.c = c_.data(), operands_.c_stride = c_.stride();
  operands_.bias = bias_.data(), operands_.bias_stride = bias_.stride();
  operands_.auxiliary = auxiliary_.data(), operands_.auxiliary_ld = auxiliary_.ld();
  operands_.auxiliary_stride = auxiliary_.stride();
}

std::string SpmmCase::name() const {
  std::string text = std::to_string(spec_.m) + "x" + std::to_string(spec_.k) + "x" + std::to_string(spec_.n) + " " +
                     describe(s_.spec) + (spec_.transposed ? " transposed" : "") + describe("B", b_.spec) +
                     describe("C", c_.spec) + " | alpha " + std::to_string(spec_.alpha) + " beta " +
                     std::to_string(spec_.beta) + (spec_.device_scalars ? " on device" : "");
  if (spec_.analysis) text += " analysis " + std::to_string(spec_.analysis);
  if (spec_.batch != 1 || spec_.reduce != 1)
    text += " batch " + std::to_string(spec_.batch) + " reduce " + std::to_string(spec_.reduce);
  if (spec_.activation != Activation::none) text += " activation " + std::to_string(static_cast<int>(spec_.activation));
  if (spec_.bias != Axis::none)
    text += std::string(" bias ") + (spec_.bias == Axis::row ? "row " : "col ") + bs::name_of(spec_.bias_type);
  return text + (spec_.auxiliary ? " auxiliary" : "") + (spec_.poison_unreferenced ? " strict" : "");
}

void SpmmCase::add_products(int64_t result, std::vector<Expected>* sums, std::vector<int64_t>* terms) const {
  for (int64_t r = 0; r < spec_.reduce; ++r) {
    const int64_t instance = result + r;
    s_.for_elements(instance, [&](const SparseData::Element& e) {
      if (e.gate == 0) return;
      const int64_t row = spec_.transposed ? e.col : e.row, inner = spec_.transposed ? e.row : e.col;
      ++(*terms)[static_cast<size_t>(row)];
      for (int64_t col = 0; col < spec_.n; ++col) {
        Expected& sum = (*sums)[static_cast<size_t>(row * spec_.n + col)];
        const double product = e.gate * e.value * b_.before(instance, inner, col);
        sum.value += product;
        sum.magnitude += std::abs(product);
      }
    });
  }
}

void SpmmCase::expect_element(int64_t result, int64_t row, int64_t col, const Expected& sum) {
  const double old = spec_.beta == 0 ? 0 : spec_.beta * c_.before(result, row, col);
  const int64_t position = spec_.bias == Axis::row ? row : col;
  const double bias = spec_.bias == Axis::none ? 0 : bias_.before(result, position, 0);
  Expected pre{spec_.alpha * sum.value + old + bias,
               std::abs(spec_.alpha) * sum.magnitude + std::abs(old) + std::abs(bias)};
  if (spec_.alpha == 0) pre = {old + bias, std::abs(old) + std::abs(bias)};
  const size_t index = static_cast<size_t>(at(result, row, col));
  if (spec_.auxiliary) expected_auxiliary_[index] = pre;
  // No activation is steeper than 1.13; the function itself is off by a few units in the last place.
  const double steepness = spec_.activation == Activation::none ? 1 : 1.2;
  expected_[index] = {activate(spec_.activation, pre.value), steepness * pre.magnitude};
}

void SpmmCase::expect() {
  const size_t count = static_cast<size_t>(spec_.batch * spec_.m * spec_.n);
  expected_.resize(count);
  if (spec_.auxiliary) expected_auxiliary_.resize(count);
  for (int64_t result = 0; result < spec_.batch; ++result) {
    std::vector<Expected> sums(static_cast<size_t>(spec_.m * spec_.n));
    std::vector<int64_t> terms(static_cast<size_t>(spec_.m), 0);
    if (spec_.alpha != 0) add_products(result, &sums, &terms);
    for (int64_t row = 0; row < spec_.m; ++row)
      for (int64_t col = 0; col < spec_.n; ++col)
        expect_element(result, row, col, sums[static_cast<size_t>(row * spec_.n + col)]);
    terms_.insert(terms_.end(), terms.begin(), terms.end());
  }
}

std::string SpmmCase::compare(const char* what, const DenseData& data, const std::vector<Expected>& expected) const {
  const std::vector<char> bytes = data.after();
  if (!data.only_elements_written(bytes)) return std::string(what) + ": bytes between or around the elements changed";
  for (int64_t result = 0; result < spec_.batch; ++result) {
    for (int64_t row = 0; row < spec_.m; ++row) {
      for (int64_t col = 0; col < spec_.n; ++col) {
        const double got = data.value(bytes, result, row, col);
        const Expected& wanted = expected[static_cast<size_t>(at(result, row, col))];
        if (within_bound(got, wanted, terms_[static_cast<size_t>(result * spec_.m + row)], data.spec.dtype)) continue;
        return std::string(what) + "(" + std::to_string(row) + ", " + std::to_string(col) + ") of result " +
               std::to_string(result) + " is " + std::to_string(got) + ", not " + std::to_string(wanted.value);
      }
    }
  }
  return "";
}

std::string SpmmCase::check(const SpmmKernel& kernel, Machine* machine) {
  c_.commit(), auxiliary_.commit();
  std::string wrong = launch(kernel, machine, problem_, operands_);
  if (wrong.empty()) wrong = compare("C", c_, expected_);
  if (wrong.empty() && spec_.auxiliary) wrong = compare("auxiliary", auxiliary_, expected_auxiliary_);
  if (wrong.empty() && !(s_.unharmed() && b_.unharmed() && bias_.unharmed())) wrong = "an input was written to";
  if (wrong.empty() && analysis_ && !(analysis_->ok && analysis_->buffer.intact())) wrong = "analysis failed";
  return wrong.empty() ? "" : name() + ": " + wrong;
}

std::optional<std::vector<char>> SpmmCase::result(const SpmmKernel& kernel, Machine* machine) {
  c_.commit(), auxiliary_.commit();
  if (!launch(kernel, machine, problem_, operands_).empty()) return std::nullopt;
  return c_.after();
}

}  // namespace bs::test
