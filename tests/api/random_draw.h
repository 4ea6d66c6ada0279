// What random products have in common: handles, scalars, sizes, options, and comparisons of whole arrays.
#pragma once

#include <cstdlib>
#include <functional>
#include <string>

#include "api/random_matrices.h"

namespace bs::test {

class Handles {
 public:
  Handles() {
    for (const char* isa : {"base", "avx2", "avx512"}) {
      setenv("BSPARSE_MAX_ISA", isa, 1);
      setenv("BSPARSE_NUM_THREADS", std::to_string(handles_.size() + 1).c_str(), 1);
      ok(bsCreateOn(&handles_.emplace_back(nullptr), backend(), 0));
      ok(bsSetLogCallback(
          handles_.back(), [](void* to, const char* line) { *static_cast<std::string*>(to) = line; }, &line));
    }
    unsetenv("BSPARSE_MAX_ISA");
    unsetenv("BSPARSE_NUM_THREADS");
  }
  ~Handles() {
    for (bsHandle_t handle : handles_) bsDestroy(handle);
  }
  void set_stream(bsStream_t stream) const {
    for (bsHandle_t handle : handles_) ok(bsSetStream(handle, stream));
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

// In host memory or, for calls in pointer mode DEVICE, in device memory.
struct Scalar {
  double f64;
  float f32;
  bool on_device;
  Shared<double> wide;
  Shared<float> narrow;
  Scalar(double value, bool device)
      : f64(value), f32(static_cast<float>(value)), on_device(device), wide{f64}, narrow{f32} {}
  const void* as(bsDataType_t compute) const {
    if (on_device) return compute == BS_R_64F ? static_cast<const void*>(wide.data()) : narrow.data();
    return compute == BS_R_64F ? static_cast<const void*>(&f64) : &f32;
  }
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
  bool device_scalars;
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
        device_scalars(random.chance(0.3)),
        alpha(scalar(), device_scalars),
        beta(scalar(), device_scalars) {
    const int64_t batch = random.of({1, 1, 1, 2, 3, 0});
    batch_a = random.of({batch, int64_t{1}}), batch_b = random.of({batch, int64_t{1}});
    const int64_t inputs = batch_a != 1 ? batch_a : batch_b;
    batch_c = inputs == 1 ? batch : random.of({inputs, int64_t{1}});
    ok(bsCreateOptions(&options));
    ok(bsOptionsSetInt(options, BS_OPTION_STRICT, special || random.chance(0.2)));
  }
  ~Draw() { bsDestroyOptions(options); }
  Draw(const Draw&) = delete;

  // The handle as this product needs it; others may use it too.
  bsHandle_t ready() const {
    ok(bsSetPointerMode(handle, device_scalars ? BS_POINTER_MODE_DEVICE : BS_POINTER_MODE_HOST));
    return handle;
  }
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
    ok(bsSynchronize(handle));  // a product on another stream may follow
  }
};

// A dense operand as the product sees it.
inline double under(const RandomDense& x, bsOperation_t op, int64_t b, int64_t i, int64_t j) {
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

inline bool same(double got, double want, double tolerance = 0) {
  if (std::isnan(want)) return std::isnan(got);
  return got == want || std::abs(got - want) <= tolerance;
}

// Every element, also those that no call may touch.
inline void compare(const char* what, const Array& got, const std::vector<double>& want,
                    const std::vector<double>& tolerance = {}) {
  for (int64_t i = 0; i < got.count(); ++i) {
    if (same(got[i], want[i], tolerance.empty() ? 0 : tolerance[i])) continue;
    INFO(what << "[" << i << "] is " << got[i] << ", must be " << want[i]);
    CHECK(false);
    return;
  }
}
inline std::vector<double> numbers(const Array& array) {
  std::vector<double> all(array.count());
  for (int64_t i = 0; i < array.count(); ++i) all[i] = array[i];
  return all;
}

// The route chosen, and in half of the cases some accepted route forced on the options first.
inline std::string explained(Draw& d, const std::function<bsStatus_t(bsReport_t*)>& explain) {
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
// The same with arrays in place: a route that was forced before may not like their addresses.
inline std::string explained_now(Draw& d, const std::function<bsStatus_t(bsReport_t*)>& explain) {
  std::string chosen = explained(d, explain);
  if (!chosen.empty()) return chosen;
  ok(bsOptionsSetRoute(d.options, nullptr));
  return explained(d, explain);
}
inline void check_logged(const std::string& line, const std::string& route) {
  INFO(line);
  CHECK(line.rfind("bsparse,v1,select," + route + ",", 0) == 0);
}

// Other numbers where there are any; what must not matter stays as it is.
inline void renew(Array& array, Random& random, const std::function<double(Random&)>& number = small_number) {
  for (int64_t i = 0; i < array.count(); ++i)
    if (std::isfinite(array[i])) array.set(i, number(random));
}

}  // namespace bs::test
