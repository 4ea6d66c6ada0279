// Properties of every row's supports and plan: pure functions, so literal devices do.
#include "support/catch.h"

#include <algorithm>
#include <vector>

#include "engine/registry.h"
#include "engine/select.h"

namespace bs::test {
namespace {

Device device_of(Backend backend) {
  if (backend == Backend::cpu) return {.cores = 16, .isa = Isa::avx512, .memory_gbs = 80};
  return {.backend = Backend::cuda,
          .compute_capability = 90,
          .sms = 132,
          .smem_per_cta = 227 << 10,
          .l2_gbs = 8900,
          .f32_tflops = 60,
          .tensor_tflops = 790,
          .launch_us = 3,
          .has_cublas = true,
          .has_cusparse = true,
          .l2_bytes = int64_t{50} << 20,
          .memory_gbs = 4600};
}

// As analysis finds them where every row has the same length and ascends.
SparsityStats even_rows(const SparseShape& s) {
  const int64_t length = s.nnz / std::max<int64_t>(s.block_row_count(), 1);
  return {.known = 1,
          .nnz = s.nnz,
          .row_length_min = length,
          .row_length_median = length,
          .row_length_p95 = length,
          .row_length_max = length,
          .row_length_mean_milli = length * 1000,
          .sorted = 1};
}

SparseShape shape(int64_t rows, int64_t cols, int64_t block, double density, DType type) {
  const int64_t blocks = (rows / block) * (cols / block);
  return {.rows = rows,
          .cols = cols,
          .nnz = static_cast<int64_t>(static_cast<double>(blocks) * density),
          .block_rows = block,
          .block_cols = block,
          .format = block == 1 ? Format::csr : Format::bsr,
          .dtype = type,
          .stats = {}};
}

SpmmProblem make(const SpmmKernel&, int64_t m, int64_t n, int64_t k, int64_t block, double density, DType type) {
  return {.s = shape(m, k, block, density, type),
          .m = m,
          .n = n,
          .k = k,
          .ldb = n,
          .ldc = n,
          .b_type = type,
          .c_type = type,
          .bias_type = type,
          .constraints = {}};
}
SddmmProblem make(const SddmmKernel&, int64_t m, int64_t n, int64_t k, int64_t block, double density, DType type) {
  return {.s = shape(m, n, block, density, type),
          .m = m,
          .n = n,
          .k = k,
          .ldl = k,
          .ldr = k,
          .l_type = type,
          .r_type = type,
          .bias_type = type,
          .r_layout = Layout::col,
          .constraints = {}};
}
GateGradProblem make(const GateGradKernel&, int64_t m, int64_t, int64_t k, int64_t block, double density, DType type) {
  return {.s = shape(m, k, block, density, type), .dw_type = type, .constraints = {}};
}

// Cost along one growing quantity must not fall; rows that refuse a point are silent about it.
template <class K, class At>
void never_cheaper(const K& kernel, bool analysed, const char* what, At&& problem_at) {
  const Device device = device_of(kernel.backend);
  double last = 0;
  for (const double step : {1.0, 2.0, 4.0, 8.0, 16.0}) {
    auto problem = problem_at(step);
    if (analysed) problem.s.stats = even_rows(problem.s);
    if (!verdict_of(kernel, problem, device).ok()) continue;
    const Plan plan = kernel.plan(problem, device);
    INFO(kernel.name << ": cost when " << what << " grows by " << step << ": " << plan.cost_us << " after " << last);
    CHECK(plan.cost_us >= last * (1 - 1e-9));
    CHECK(plan.workspace_bytes >= 0);
    last = plan.cost_us;
  }
}

template <class K>
void check_costs(bool analysed) {
  for (const K* kernel : kernels_of<K>()) {
    for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
      for (const int64_t block : {1, 16, 32, 64, 128}) {
        const auto scaled = [](double by, int64_t size) {
          return static_cast<int64_t>(by * static_cast<double>(size));
        };
        never_cheaper(*kernel, analysed, "nnz",
                      [&](double by) { return make(*kernel, 1024, 256, 1024, block, 0.05 * by, type); });
        never_cheaper(*kernel, analysed, "n",
                      [&](double by) { return make(*kernel, 1024, scaled(by, 128), 1024, block, 0.1, type); });
        never_cheaper(*kernel, analysed, "m",
                      [&](double by) { return make(*kernel, scaled(by, 256), 256, 1024, block, 0.1, type); });
        never_cheaper(*kernel, analysed, "k",
                      [&](double by) { return make(*kernel, 1024, 256, scaled(by, 256), block, 0.1, type); });
      }
    }
  }
}

TEST_CASE("no row becomes cheaper when a problem grows") {
  for (const bool analysed : {false, true}) {
    check_costs<SpmmKernel>(analysed);
    check_costs<SddmmKernel>(analysed);
    check_costs<GateGradKernel>(analysed);
  }
}

template <class K>
bool accepts_something(const K& kernel) {
  const Device device = device_of(kernel.backend);
  for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16})
    for (const int64_t block : {1, 16, 32, 64, 128})
      for (const int64_t n : {1, 256}) {
        auto problem = make(kernel, 1024, n, 1024, block, 0.1, type);
        if (verdict_of(kernel, problem, device).ok()) return true;
        problem.s.stats = even_rows(problem.s);
        if (verdict_of(kernel, problem, device).ok()) return true;
      }
  return false;
}

template <class K>
void check_accepts_something() {
  for (const K* kernel : kernels_of<K>()) {
    INFO(kernel->name);
    CHECK(accepts_something(*kernel));
  }
}

TEST_CASE("every row accepts some plain problem on its kind of device") {
  check_accepts_something<SpmmKernel>();
  check_accepts_something<SddmmKernel>();
  check_accepts_something<GateGradKernel>();
}

template <class K>
bool some_row_isolates(int64_t block, DType type) {
  auto problem = make(*kernels_of<K>().back(), 1024, 256, 1024, block, 0.1, type);
  problem.constraints.strict = problem.constraints.deterministic = true;
  const Device device = device_of(Backend::cpu);
  return select(kernels_of<K>(), problem, device, {}, [](auto&&...) {}).has_value();
}

TEST_CASE("every operation, format and type has a strict and deterministic row on the CPU") {
  for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
    for (const int64_t block : {1, 16}) {
      CHECK(some_row_isolates<SpmmKernel>(block, type));
      CHECK(some_row_isolates<SddmmKernel>(block, type));
    }
    CHECK(some_row_isolates<GateGradKernel>(16, type));
  }
}

}  // namespace
}  // namespace bs::test
