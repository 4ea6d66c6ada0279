// Sampling, reference sums and the bound of rounding.
#include "bsbench/check.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "bsbench/random.h"

namespace bench {
namespace {

double activated(bsActivation_t activation, double x) {
  switch (activation) {
    case BS_ACTIVATION_RELU:
      return x > 0 ? x : 0;
    case BS_ACTIVATION_GELU_ERF:
      return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
    case BS_ACTIVATION_GELU_TANH:
      return x / 2 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
    case BS_ACTIVATION_SILU:
      return x / (1 + std::exp(-x));
    default:
      return x;
  }
}

constexpr double unit_roundoff(bs::DType type) {
  return type == bs::DType::f64   ? 0x1p-53
         : type == bs::DType::f32 ? 0x1p-24
         : type == bs::DType::f16 ? 0x1p-11
                                  : 0x1p-8;
}

// Sums are formed in f32 or f64; tensor cores truncate, so a term may cost four roundings.
double accumulator_roundoff(const Spec& spec) {
  return spec.c_type == bs::DType::f64 ? 0x1p-51 : 0x1p-22;
}

// The ends, where tiles are cut, and others at random.
std::vector<int64_t> sampled(int64_t extent, int count, Random& random) {
  std::vector<int64_t> all;
  for (int64_t i = 0; i < std::min<int64_t>(count / 4, extent); ++i) {
    all.push_back(i);
    all.push_back(extent - 1 - i);
  }
  for (int i = 0; i < count / 2 && extent > 0; ++i) all.push_back(random.below(extent));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

struct Entry {
  int64_t k, position;
};

}  // namespace

Result Result::of(const Dense& d, void* data) {
  const bool by_rows = d.order == BS_ORDER_ROW;
  return {data, d.bytes(), d.stride(), by_rows ? d.ld : 1, by_rows ? 1 : d.ld, d.type, false};
}

Result Result::of(const Sparse& s, void* data) {
  return {data, static_cast<int64_t>(s.values.size()), s.elements(), 0, 0, s.type, true};
}

Checker::Checker(Problem& problem, int lines, uint64_t seed) : problem_(&problem) {
  if (problem.spec().sparse_result()) {
    sample_sparse(lines * lines, seed);
  } else {
    sample_dense(lines, seed);
  }
}

// Everything behind the sum: beta C, bias, activation.
void Checker::finish(Sample* s, double old) const {
  const Spec& spec = problem_->spec();
  s->expected += spec.beta * old;
  s->absolute += std::fabs(spec.beta * old);
  if (spec.bias) {
    const double bias = load(spec.bias_type, problem_->host().bias.data(), spec.bias == BS_AXIS_ROW ? s->i : s->j);
    s->expected += bias;
    s->absolute += std::fabs(bias);
  }
  s->expected = activated(spec.activation, s->expected);
}

void Checker::sample_dense(int lines, uint64_t seed) {
  const Spec& spec = problem_->spec();
  const HostOperands& host = problem_->host();
  Random random(seed);
  const std::vector<int64_t> columns = sampled(spec.n, lines, random);
  std::map<int64_t, std::vector<Entry>> rows;
  for (const int64_t i : sampled(spec.m, lines, random)) rows[i] = {};
  std::vector<std::vector<Entry>*> wanted(spec.m, nullptr);
  for (auto& [i, entries] : rows) wanted[i] = &entries;
  host.sparse.visit([&](int64_t r, int64_t c, int64_t position) {
    if (auto* entries = wanted[spec.transpose_a ? c : r]) entries->push_back({spec.transpose_a ? r : c, position});
  });
  for (const int64_t b : {int64_t{0}, spec.batch - 1}) {
    for (const auto& [i, entries] : rows) {
      for (const int64_t j : columns) {
        Sample s{b, i, j, 0, 0, 0, static_cast<double>(entries.size() * spec.reduce)};
        for (int64_t r = 0; r < spec.reduce; ++r) {
          const int64_t from = b + r, values = host.sparse.batch > 1 ? from * host.sparse.elements() : 0;
          for (const Entry& e : entries) {
            const double term = load(host.sparse.type, host.sparse.values.data(), values + e.position) *
                                host.sparse.gate(e.position) *
                                (spec.transpose_b ? host.b.at(from, j, e.k) : host.b.at(from, e.k, j));
            s.expected += term;
            s.absolute += std::fabs(term);
          }
        }
        finish(&s, host.c.at(b, i, j));
        samples_.push_back(s);
      }
    }
    if (spec.batch == 1) break;
  }
}

void Checker::sample_sparse(int count, uint64_t seed) {
  const Spec& spec = problem_->spec();
  const HostOperands& host = problem_->host();
  const int64_t elements = host.sparse.elements();
  Random random(seed);
  const std::vector<int64_t> positions = sampled(elements, count, random);
  auto next = positions.begin();
  std::vector<int64_t> inside;  // visit gives positions in order, except inside column-major blocks that are cut
  std::vector<uint8_t> wanted(elements, 0);
  for (; next != positions.end(); ++next) wanted[*next] = 1;
  host.sparse.visit([&](int64_t i, int64_t j, int64_t position) {
    if (wanted[position]) samples_.push_back({0, i, j, position, 0, 0, static_cast<double>(spec.k * spec.reduce)});
  });
  for (size_t at = 0; at < samples_.size(); ++at) {
    Sample& s = samples_[at];
    s.b = at % 2 ? spec.batch - 1 : 0;
    for (int64_t r = 0; r < spec.reduce; ++r) {
      const int64_t from = s.b + r;
      for (int64_t k = 0; k < spec.k; ++k) {
        const double term = (spec.transpose_a ? host.a.at(from, k, s.i) : host.a.at(from, s.i, k)) *
                            (spec.transpose_b ? host.b.at(from, s.j, k) : host.b.at(from, k, s.j)) *
                            host.sparse.gate(s.position);
        s.expected += term;
        s.absolute += std::fabs(term);
      }
    }
    finish(&s, load(host.sparse.type, host.sparse.values.data(), s.b * elements + s.position));
  }
}

// NaN where the old content must not be read, else the old content in the contender's layout.
Bytes Checker::primed(const Result& result) const {
  const Spec& spec = problem_->spec();
  const HostOperands& host = problem_->host();
  if (spec.beta == 0) return Bytes(result.bytes, 0xff);
  if (result.sparse) return host.sparse.values;
  Bytes bytes(result.bytes, 0xff);
  for (int64_t b = 0; b < spec.batch; ++b)
    for (int64_t i = 0; i < spec.m; ++i)
      for (int64_t j = 0; j < spec.n; ++j)
        store(result.type, bytes.data(), b * result.batch + i * result.row + j * result.col, host.c.at(b, i, j));
  return bytes;
}

std::string Checker::check(const Contender& contender) {
  const Result& result = contender.result;
  bsHandle_t handle = problem_->handle().get();
  Bytes bytes = primed(result);
  bsparse::check(bsMemcpy(handle, result.data, bytes.data(), result.bytes));
  contender.enqueue(0);
  bsparse::check(bsSynchronize(handle));
  bsparse::check(bsMemcpy(handle, bytes.data(), result.data, result.bytes));
  const double per_term = accumulator_roundoff(problem_->spec());
  for (const Sample& s : samples_) {
    const int64_t at =
        result.sparse ? s.b * result.batch + s.position : s.b * result.batch + s.i * result.row + s.j * result.col;
    const double value = load(result.type, bytes.data(), at);
    const double bound = 1.2 * (unit_roundoff(result.type) * std::fabs(s.expected) +
                                ((s.terms + 8) * per_term + contender.tolerance) * s.absolute) +
                         1e-7;
    if (std::fabs(value - s.expected) <= bound) continue;  // false for NaN
    char text[160];
    std::snprintf(text, sizeof text, "C(%lld, %lld) of batch %lld is %.9g, must be %.9g within %.2g",
                  static_cast<long long>(s.i), static_cast<long long>(s.j), static_cast<long long>(s.b), value,
                  s.expected, bound);
    return text;
  }
  return "";
}

}  // namespace bench
