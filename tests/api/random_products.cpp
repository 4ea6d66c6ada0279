// Products with random operands and every option at once, against sums in double over plain tables. Each call gets
// exactly the workspace that it asked for while its arrays were still NULL, and takes the route that explain foretold.
#include <cstdlib>
#include <functional>
#include <string>

#include "api/random_matrices.h"

namespace {

using namespace bs::test;

constexpr uint64_t kCases = 400;  // of each operation; BSPARSE_RANDOM_CASES in the environment for more

class Handles {
 public:
  Handles() {
    for (const char* isa : {"base", "avx2", "avx512"}) {
      setenv("BSPARSE_MAX_ISA", isa, 1);
      setenv("BSPARSE_NUM_THREADS", std::to_string(handles_.size() + 1).c_str(), 1);
      ok(bsCreateOn(&handles_.emplace_back(nullptr), BS_BACKEND_CPU, 0));
      ok(bsSetLogCallback(
          handles_.back(), [](void* to, const char* line) { *static_cast<std::string*>(to) = line; }, &line));
    }
    unsetenv("BSPARSE_MAX_ISA");
    unsetenv("BSPARSE_NUM_THREADS");
  }
  ~Handles() {
    for (bsHandle_t handle : handles_) bsDestroy(handle);
  }
  bsHandle_t any(Random& random) const { return handles_[random.below(3)]; }
  std::string line;

 private:
  std::vector<bsHandle_t> handles_;
};

class Memory {
 public:
  Memory(bsHandle_t handle, int64_t size) : bytes(size), handle_(handle) { ok(bsMalloc(handle, &pointer, size)); }
  ~Memory() { bsFree(handle_, pointer); }
  Memory(const Memory&) = delete;
  void* pointer = nullptr;
  int64_t bytes;

 private:
  bsHandle_t handle_;
};

struct Scalar {
  double f64;
  float f32;
  Scalar(double value) : f64(value), f32(static_cast<float>(value)) {}
  const void* as(bsDataType_t compute) const { return compute == BS_R_64F ? static_cast<const void*>(&f64) : &f32; }
};

// What all products draw.
struct Draw {
  Random random;
  bsHandle_t handle;
  bsDataType_t compute;
  int64_t m, k, n;
  bsOperation_t op_a, op_b;
  int64_t batch_a, batch_b, batch_c;
  bool special;  // infinities and NaN, which only isolating routes keep in their place
  Scalar alpha, beta;
  bsOptions_t options = nullptr;

  Draw(const Handles& handles, uint64_t seed)
      : random(seed),
        handle(handles.any(random)),
        compute(random.chance(0.15) ? BS_R_64F : BS_R_32F),
        m(extent()),
        k(extent()),
        n(random.chance(0.3) ? 1 : extent()),
        op_a(random.of({BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE, BS_OPERATION_CONJUGATE_TRANSPOSE})),
        op_b(random.of({BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE})),
        special(random.chance(0.15)),
        alpha(scalar()),
        beta(scalar()) {
    const int64_t batch = random.of({1, 1, 1, 2, 3, 0});
    batch_a = random.of({batch, int64_t{1}}), batch_b = random.of({batch, int64_t{1}});
    const int64_t inputs = batch_a != 1 ? batch_a : batch_b;
    batch_c = inputs == 1 ? batch : random.of({inputs, int64_t{1}});
    ok(bsCreateOptions(&options));
    ok(bsOptionsSetInt(options, BS_OPTION_STRICT, special || random.chance(0.2)));
  }
  ~Draw() { bsDestroyOptions(options); }
  Draw(const Draw&) = delete;

  int64_t extent() { return random.chance(0.04) ? 0 : random.of({1, 2, 3, 5, 8, 16, 17, 33, 48, 65, 70}); }
  double scalar() {
    if (special && random.chance(0.2)) return random.of({static_cast<double>(INFINITY), kNaN});
    return random.of({0.0, 1.0, 1.0, -0.5, 2.0});
  }
  bsDataType_t type() { return compute == BS_R_64F ? BS_R_64F : random.of({BS_R_32F, BS_R_16F, BS_R_16BF}); }
  bsDataType_t vector_type(bsDataType_t of_c) { return compute == BS_R_64F || random.chance(0.5) ? of_c : BS_R_32F; }
  bsFormat_t format() { return random.of({BS_FORMAT_CSR, BS_FORMAT_CSC, BS_FORMAT_BSR}); }

  int64_t inputs() const { return batch_a != 1 ? batch_a : batch_b; }
  // The inputs that result b sums.
  int64_t first(int64_t b) const { return batch_c == 1 && inputs() != 1 ? 0 : b; }
  int64_t last(int64_t b) const { return batch_c == 1 && inputs() != 1 ? inputs() : b + 1; }
  double scaled(double sum, int64_t b, double factor = 1) const {
    return alpha.f64 == 0 || factor == 0 || k == 0 || first(b) == last(b) ? 0 : alpha.f64 * factor * sum;
  }
  double old(double value) const { return beta.f64 == 0 ? 0 : beta.f64 * value; }

  // Spoils one element of an operand, or all of it where it must not be read.
  void spoil(Array& values) {
    if (alpha.f64 == 0) return values.fill(kNaN);
    if (!special || values.count() == 0 || random.chance(0.3)) return;
    values.set(random.below(values.count()),
               random.of({static_cast<double>(INFINITY), -static_cast<double>(INFINITY), kNaN}));
  }
  void analyze(bsMatDescr_t mat, std::unique_ptr<Memory>* buffer) {
    if (random.chance(0.5)) return;
    const auto flags = static_cast<bsAnalyzeFlags_t>(random.below(16));
    int64_t bytes = -1;
    ok(bsMatAnalyze_bufferSize(handle, mat, flags, &bytes));
    *buffer = std::make_unique<Memory>(handle, bytes);
    ok(bsMatAnalyze(handle, mat, flags, (*buffer)->pointer, bytes));
  }
};

// A dense operand as the product sees it.
double under(const RandomDense& x, bsOperation_t op, int64_t b, int64_t i, int64_t j) {
  return op == BS_OPERATION_NON_TRANSPOSE ? x.at(b, i, j) : x.at(b, j, i);
}
// The sparse one: the values of each place, which may have several. Added up they would hide what a zero does to NaN.
struct Plain {
  const RandomSparse& s;
  std::vector<std::vector<double>> cells;
  explicit Plain(const RandomSparse& sparse) : s(sparse), cells(std::max<int64_t>(s.batch, 1) * s.rows * s.cols) {
    for (const Stored& e : s.stored)
      if (e.inside && s.gate_of(e) != 0)
        cells[place(e.batch, e.row, e.col)].push_back(s.gate_of(e) * s.values[e.place]);
  }
  int64_t place(int64_t b, int64_t i, int64_t j) const { return ((s.batch > 1 ? b : 0) * s.rows + i) * s.cols + j; }
};

bool same(double got, double want, double tolerance = 0) {
  if (std::isnan(want)) return std::isnan(got);
  return got == want || std::abs(got - want) <= tolerance;
}

// Every element, also those that no call may touch.
void compare(const char* what, const Array& got, const std::vector<double>& want,
             const std::vector<double>& tolerance = {}) {
  for (int64_t i = 0; i < got.count(); ++i) {
    if (same(got[i], want[i], tolerance.empty() ? 0 : tolerance[i])) continue;
    INFO(what << "[" << i << "] is " << got[i] << ", must be " << want[i]);
    CHECK(false);
    return;
  }
}
std::vector<double> numbers(const Array& array) {
  std::vector<double> all(array.count());
  for (int64_t i = 0; i < array.count(); ++i) all[i] = array[i];
  return all;
}

// The route chosen, and in half of the cases some accepted route forced on the options first.
std::string explained(Draw& d, const std::function<bsStatus_t(bsReport_t*)>& explain) {
  std::string chosen;
  for (bool force : {d.random.chance(0.5), false}) {
    bsReport_t report = nullptr;
    int64_t count = 0;
    ok(explain(&report));
    ok(bsReportGetCount(report, &count));
    for (int64_t i = 0; i < count; ++i) {
      const char* route = nullptr;
      int32_t accepted = 0, isolates = 0, is_chosen = 0;
      ok(bsReportGet(report, i, BS_REPORT_ROUTE, &route, sizeof route));
      ok(bsReportGet(report, i, BS_REPORT_ACCEPTED, &accepted, sizeof accepted));
      ok(bsReportGet(report, i, BS_REPORT_ISOLATES, &isolates, sizeof isolates));
      ok(bsReportGet(report, i, BS_REPORT_CHOSEN, &is_chosen, sizeof is_chosen));
      if (d.special) CHECK((!accepted || isolates));
      if (is_chosen) chosen = route;
      if (force && accepted && d.random.chance(0.4)) ok(bsOptionsSetRoute(d.options, route));
    }
    ok(bsDestroyReport(report));
  }
  return chosen;
}
void check_logged(const std::string& line, const std::string& route) {
  INFO(line);
  CHECK(line.rfind("bsparse,v1,select," + route + ",", 0) == 0);
}

double activated(bsActivation_t activation, double x) {
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
  bsStatus_t execute(const Memory& w) const {
    const void *alpha = d.alpha.as(d.compute), *beta = d.beta.as(d.compute);
    if (vector) return bsSpMV(d.handle, d.op_a, alpha, a(), b(), beta, c.mat, d.compute, d.options, w.pointer, w.bytes);
    return bsSpMM(d.handle, d.op_a, d.op_b, alpha, a(), b(), beta, c.mat, d.compute, d.options, w.pointer, w.bytes);
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
  void run(const std::string& line) {
    int64_t early = -1, bytes = -1;
    const std::string route_before = explained(d, [&](bsReport_t* report) { return explain(report); });
    ok(size(&early));
    s.give(), x.give(), c.give(), auxiliary.give();
    d.analyze(s.mat, &analysis);
    const std::string route = explained(d, [&](bsReport_t* report) { return explain(report); });
    ok(size(&bytes));
    if (!analysis && route == route_before) CHECK(bytes <= early);
    const Memory workspace(d.handle, bytes);
    const Plain plain(s);
    std::vector<double> want = numbers(c.values), tolerance(want.size()), kept = numbers(auxiliary.values);
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
    INFO("route " << route << " forced or chosen");
    ok(execute(workspace));
    check_logged(line, route);
    compare("C", c.values, want, tolerance);
    compare("auxiliary", auxiliary.values, kept);
  }
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
  void run(const std::string& line) {
    int64_t bytes = -1;
    explained(d, [&](bsReport_t* report) { return explain(report); });
    ok(size(&bytes));
    a.give(), b.give(), c.give();
    if (d.random.chance(0.5)) d.analyze(c.mat, &analysis), ok(size(&bytes));
    const std::string route = explained(d, [&](bsReport_t* report) { return explain(report); });
    ok(size(&bytes));
    const Memory w(d.handle, bytes);
    std::vector<double> want = numbers(c.values), sums = numbers(gradient);
    for (const Stored& s : c.stored) want[s.place] = rounded(c.type, element(s));
    for (int64_t i = 0; i < gradient.count(); ++i) {
      const int64_t batch = i / length(), at = i % length();
      sums[i] = 0;
      for (int64_t r = d.first(batch); r < d.last(batch); ++r)
        for (int64_t k = 0; k < d.k; ++k) sums[i] += by_row ? under(a, d.op_a, r, at, k) : under(b, d.op_b, r, k, at);
      sums[i] = rounded(gradient.type(), sums[i]);
    }
    INFO("route " << route << " forced or chosen");
    ok(bsSDDMM(d.handle, d.op_a, d.op_b, d.alpha.as(d.compute), a.mat, b.mat, d.beta.as(d.compute), c.mat, d.compute,
               d.options, w.pointer, w.bytes));
    check_logged(line, route);
    compare("C", c.values, want);
    compare("the bias gradient", gradient, sums);
  }
};

uint64_t cases() {
  const char* many = std::getenv("BSPARSE_RANDOM_CASES");
  return many ? std::strtoull(many, nullptr, 10) : kCases;
}

}  // namespace

TEST_CASE("bsSpMM and bsSpMV with random operands and options are what plain sums are") {
  Handles handles;
  for (uint64_t seed = 1; seed <= cases(); ++seed) {
    INFO("seed " << seed);
    SpmmCase one(handles, seed);
    one.run(handles.line);
  }
}

TEST_CASE("bsSDDMM with random operands and options is what plain sums are") {
  Handles handles;
  for (uint64_t seed = 1; seed <= cases(); ++seed) {
    INFO("seed " << seed);
    SddmmCase one(handles, seed);
    one.run(handles.line);
  }
}
