// Products with random operands and every option at once, and what they must give: sums in double over plain tables.
// Each call gets exactly the workspace that it asked for while its arrays were still NULL.
#pragma once

#include "api/random_draw.h"

namespace bs::test {

inline double activated(bsActivation_t activation, double x) {
  if (activation == BS_ACTIVATION_RELU) return x <= 0 ? 0 : x;
  if (activation == BS_ACTIVATION_GELU_ERF) return x / 2 * std::erfc(-x / std::sqrt(2.0));
  if (activation == BS_ACTIVATION_GELU_TANH)
    return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
  return activation == BS_ACTIVATION_SILU ? x / (1 + std::exp(-x)) : x;
}

struct SpmmCase {
  Draw d;
  bool sparse_left = d.random.chance(0.5);
  bool vector = sparse_left && d.n == 1 && d.op_b == BS_OPERATION_NON_TRANSPOSE && d.random.chance(0.7);
  bsOperation_t op_s = sparse_left ? d.op_a : d.op_b, op_x = sparse_left ? d.op_b : d.op_a;
  RandomSparse s;
  RandomDense x, c, auxiliary;
  bool has_auxiliary = d.random.chance(0.3);
  bsAxis_t bias_axis = d.random.of({BS_AXIS_ROW, BS_AXIS_COL});
  int64_t bias_length = bias_axis == BS_AXIS_ROW ? d.m : d.n;
  int64_t bias_stride = d.random.of({int64_t{0}, bias_length, bias_length + 3});
  Array bias;
  bsActivation_t activation = static_cast<bsActivation_t>(d.random.chance(0.5) ? 0 : d.random.below(5));
  std::unique_ptr<Memory> analysis;

  static int64_t turned(bsOperation_t op, int64_t plain, int64_t other) { return op ? other : plain; }
  SpmmCase(const Handles& handles, uint64_t seed)
      : d(handles, seed),
        s(d.format(), sparse_left ? turned(op_s, d.m, d.k) : turned(op_s, d.k, d.n),
          sparse_left ? turned(op_s, d.k, d.m) : turned(op_s, d.n, d.k), d.type(), sparse_left ? d.batch_a : d.batch_b,
          false, d.random),
        x(sparse_left ? turned(op_x, d.k, d.n) : turned(op_x, d.m, d.k),
          sparse_left ? turned(op_x, d.n, d.k) : turned(op_x, d.k, d.m), d.type(), sparse_left ? d.batch_b : d.batch_a,
          false, d.random),
        c(d.m, d.n, d.type(), d.batch_c, true, d.random),
        auxiliary(d.m, d.n, c.type, d.batch_c, true, d.random) {
    while (auxiliary.order != c.order) redraw_auxiliary();
    if (d.random.chance(0.5)) draw_bias();
    ok(bsOptionsSetInt(d.options, BS_OPTION_ACTIVATION, activation));
    if (has_auxiliary) ok(bsOptionsSetAuxiliary(d.options, auxiliary.mat));
    d.spoil(s.values);
    d.spoil(x.values);
    if (d.beta.f64 == 0) c.values.fill(kNaN);
    auxiliary.values.fill(kNaN);
  }
  void redraw_auxiliary() {
    auxiliary.~RandomDense();
    new (&auxiliary) RandomDense(d.m, d.n, c.type, d.batch_c, true, d.random);
  }
  void draw_bias() {
    const bsDataType_t type = d.vector_type(c.type);
    bias = Array(d.batch_c && bias_length ? (d.batch_c - 1) * bias_stride + bias_length : 0, type, d.random);
    for (int64_t i = 0; i < bias.count(); ++i) bias.set(i, small_number(d.random));
    if (bias.count()) ok(bsOptionsSetBias(d.options, bias.get(), type, bias_axis, bias_stride));
  }

  bsConstMatDescr_t a() const { return sparse_left ? s.mat : x.mat; }
  bsConstMatDescr_t b() const { return sparse_left ? x.mat : s.mat; }
  bsStatus_t size(int64_t* bytes) const {
    const void *alpha = d.alpha.as(d.compute), *beta = d.beta.as(d.compute);
    if (vector) return bsSpMV_bufferSize(d.handle, d.op_a, alpha, a(), b(), beta, c.mat, d.compute, d.options, bytes);
    return bsSpMM_bufferSize(d.handle, d.op_a, d.op_b, alpha, a(), b(), beta, c.mat, d.compute, d.options, bytes);
  }
  bsStatus_t execute() const {
    const Memory& w = *workspace;
    const void *alpha = d.alpha.as(d.compute), *beta = d.beta.as(d.compute);
    if (vector)
      return bsSpMV(d.ready(), d.op_a, alpha, a(), b(), beta, c.mat, d.compute, d.options, w.pointer, w.bytes);
    return bsSpMM(d.ready(), d.op_a, d.op_b, alpha, a(), b(), beta, c.mat, d.compute, d.options, w.pointer, w.bytes);
  }
  bsStatus_t explain(bsReport_t* report) const {
    return bsSpMM_explain(d.handle, d.op_a, d.op_b, d.alpha.as(d.compute), a(), b(), d.beta.as(d.compute), c.mat,
                          d.compute, d.options, nullptr, report);
  }

  double sum(const Plain& plain, int64_t r, int64_t i, int64_t j) const {
    double total = 0;
    for (int64_t k = 0; k < d.k; ++k) {
      const int64_t row = sparse_left ? i : k, col = sparse_left ? k : j;
      const double other = sparse_left ? under(x, op_x, r, k, j) : under(x, op_x, r, i, k);
      for (const double value : plain.cells[plain.place(r, op_s ? col : row, op_s ? row : col)]) total += value * other;
    }
    return total;
  }
  double before_activation(const Plain& plain, int64_t b, int64_t i, int64_t j) const {
    double total = 0;
    if (d.alpha.f64 != 0)
      for (int64_t r = d.first(b); r < d.last(b); ++r) total += sum(plain, r, i, j);
    double value = d.scaled(total, b) + d.old(c.at(b, i, j));
    if (bias.count()) value += bias[b * bias_stride + (bias_axis == BS_AXIS_ROW ? i : j)];
    return value;
  }
  // Sizes, choice and analysis.
  void prepare() {
    int64_t early = -1, bytes = -1;
    const std::string route_before = explained(d, [&](bsReport_t* report) { return explain(report); });
    ok(size(&early));
    s.give(), x.give(), c.give(), auxiliary.give();
    d.analyze(s.mat, &analysis);
    route = explained_now(d, [&](bsReport_t* report) { return explain(report); });
    ok(size(&bytes));
    if (!analysis && route == route_before) CHECK(bytes <= early);
    workspace = std::make_unique<Memory>(d.handle, bytes);
  }
  // What the next call must give.
  void expect() {
    const Plain plain(s);
    want = numbers(c.values), kept = numbers(auxiliary.values);
    tolerance.assign(want.size(), 0);
    for (int64_t b = 0; b < d.batch_c; ++b)
      for (int64_t i = 0; i < d.m; ++i)
        for (int64_t j = 0; j < d.n; ++j) {
          const double value = before_activation(plain, b, i, j), result = activated(activation, value);
          if (has_auxiliary) kept[auxiliary.place(b, i, j)] = rounded(c.type, value);
          want[c.place(b, i, j)] = rounded(c.type, result);
          if (activation > BS_ACTIVATION_RELU && std::isfinite(result))
            tolerance[c.place(b, i, j)] =
                1e-5 * std::max(1.0, std::abs(value)) + std::abs(result) * (c.type == BS_R_16F    ? 0x1p-10
                                                                            : c.type == BS_R_16BF ? 0x1p-7
                                                                                                  : 0);
        }
  }
  void check() const {
    INFO("route " << route << " forced or chosen");
    compare("C", c.values, want, tolerance);
    compare("auxiliary", auxiliary.values, kept);
  }
  void change(Random& random, const std::function<double(Random&)>& number = small_number) {
    for (Array* array : {&s.values, &x.values, &c.values, &bias}) renew(*array, random, number);
  }
  void repack() { ok(bsMatValuesChanged(d.handle, s.mat)); }
  Array& result() { return c.values; }

  std::string route;
  std::unique_ptr<Memory> workspace;
  std::vector<double> want, tolerance, kept;
};

struct SddmmCase {
  Draw d;
  RandomDense a, b;
  RandomSparse c;
  bool by_row = d.random.chance(0.5);
  Array gradient;
  std::unique_ptr<Memory> analysis;

  SddmmCase(const Handles& handles, uint64_t seed)
      : d(handles, seed),
        a(d.op_a ? d.k : d.m, d.op_a ? d.m : d.k, d.type(), d.batch_a, false, d.random),
        b(d.op_b ? d.n : d.k, d.op_b ? d.k : d.n, d.type(), d.batch_b, false, d.random),
        c(d.format(), d.m, d.n, d.type(), d.batch_c, true, d.random) {
    if (d.random.chance(0.4)) {
      const bsDataType_t type = d.vector_type(c.type);
      gradient = Array(d.batch_c * length(), type, d.random);
      gradient.fill(kNaN);
      if (gradient.count())
        ok(bsOptionsSetBiasGradient(d.options, gradient.get(), type, by_row ? BS_AXIS_ROW : BS_AXIS_COL));
    }
    if (gradient.count() == 0 || d.alpha.f64 != 0) d.spoil(a.values), d.spoil(b.values);
    if (d.beta.f64 == 0) c.values.fill(kNaN);
  }
  int64_t length() const { return by_row ? d.m : d.n; }
  bsStatus_t size(int64_t* bytes) const {
    return bsSDDMM_bufferSize(d.handle, d.op_a, d.op_b, d.alpha.as(d.compute), a.mat, b.mat, d.beta.as(d.compute),
                              c.mat, d.compute, d.options, bytes);
  }
  bsStatus_t explain(bsReport_t* report) const {
    return bsSDDMM_explain(d.handle, d.op_a, d.op_b, d.alpha.as(d.compute), a.mat, b.mat, d.beta.as(d.compute), c.mat,
                           d.compute, d.options, nullptr, report);
  }
  double element(const Stored& s) const {
    if (!s.inside) return 0;
    double total = 0;
    if (d.alpha.f64 != 0 && c.gate_of(s) != 0)
      for (int64_t r = d.first(s.batch); r < d.last(s.batch); ++r)
        for (int64_t k = 0; k < d.k; ++k) total += under(a, d.op_a, r, s.row, k) * under(b, d.op_b, r, k, s.col);
    return d.scaled(total, s.batch, c.gate_of(s)) + d.old(c.values[s.place]);
  }
  bsStatus_t execute() const {
    return bsSDDMM(d.ready(), d.op_a, d.op_b, d.alpha.as(d.compute), a.mat, b.mat, d.beta.as(d.compute), c.mat,
                   d.compute, d.options, workspace->pointer, workspace->bytes);
  }
  void prepare() {
    int64_t bytes = -1;
    explained(d, [&](bsReport_t* report) { return explain(report); });
    ok(size(&bytes));
    a.give(), b.give(), c.give();
    if (d.random.chance(0.5)) d.analyze(c.mat, &analysis), ok(size(&bytes));
    route = explained_now(d, [&](bsReport_t* report) { return explain(report); });
    ok(size(&bytes));
    workspace = std::make_unique<Memory>(d.handle, bytes);
  }
  double gradient_of(int64_t batch, int64_t at) const {
    double sum = 0;
    for (int64_t r = d.first(batch); r < d.last(batch); ++r)
      for (int64_t k = 0; k < d.k; ++k) sum += by_row ? under(a, d.op_a, r, at, k) : under(b, d.op_b, r, k, at);
    return rounded(gradient.type(), sum);
  }
  void expect() {
    want = numbers(c.values), sums = numbers(gradient);
    for (const Stored& s : c.stored) want[s.place] = rounded(c.type, element(s));
    for (int64_t i = 0; i < gradient.count(); ++i) sums[i] = gradient_of(i / length(), i % length());
  }
  void check() const {
    INFO("route " << route << " forced or chosen");
    compare("C", c.values, want);
    compare("the bias gradient", gradient, sums);
  }
  void change(Random& random, const std::function<double(Random&)>& number = small_number) {
    for (Array* array : {&a.values, &b.values, &c.values}) renew(*array, random, number);
  }
  void repack() { ok(bsMatValuesChanged(d.handle, c.mat)); }
  Array& result() { return c.values; }

  std::string route;
  std::unique_ptr<Memory> workspace;
  std::vector<double> want, sums;
};

}  // namespace bs::test
