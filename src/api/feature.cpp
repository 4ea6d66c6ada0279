// bsHasFeature: a name becomes a small canonical problem, and the registry is asked who supports it.
#include <optional>
#include <string_view>
#include <utility>

#include "api/boundary.h"
#include "engine/registry.h"
#include "engine/select.h"
#include "platform/machine.h"

namespace bs {
namespace {

// OP.FORMAT.TYPE[.t], taken apart.
enum class Op { spmm, spmv, sddmm };
struct Feature {
  std::optional<Backend> backend;  // none: any
  Op op = Op::spmm;
  bsFormat_t format = BS_FORMAT_CSR;
  DType type = DType::f32;
  bool transposed = false;
};

template <class Value, size_t kCount>
bool find(const std::pair<std::string_view, Value> (&names)[kCount], std::string_view name, Value* value) {
  for (const auto& [known, meaning] : names)
    if (known == name) return *value = meaning, true;
  return false;
}

constexpr std::pair<std::string_view, Backend> kBackends[] = {{"cpu", Backend::cpu}, {"cuda", Backend::cuda}};
constexpr std::pair<std::string_view, Op> kOps[] = {{"spmm", Op::spmm}, {"spmv", Op::spmv}, {"sddmm", Op::sddmm}};
constexpr std::pair<std::string_view, bsFormat_t> kFormats[] = {
    {"csr", BS_FORMAT_CSR}, {"csc", BS_FORMAT_CSC}, {"bsr", BS_FORMAT_BSR}};
constexpr std::pair<std::string_view, DType> kTypes[] = {
    {"f64", DType::f64}, {"f32", DType::f32}, {"f16", DType::f16}, {"bf16", DType::bf16}};

// The words of a name between its dots.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  bool done() const { return done_; }
  std::string_view next() {
    const size_t dot = rest_.find('.');
    const std::string_view word = rest_.substr(0, dot);
    done_ = dot == std::string_view::npos;
    rest_ = done_ ? std::string_view{} : rest_.substr(dot + 1);
    return word;
  }

 private:
  std::string_view rest_;
  bool done_ = false;
};

bool parse_operation(Words words, std::string_view op, Feature* feature) {
  if (!find(kOps, op, &feature->op) || !find(kFormats, words.next(), &feature->format) ||
      !find(kTypes, words.next(), &feature->type))
    return false;
  if (words.done()) return true;
  feature->transposed = words.next() == "t";
  return feature->transposed && words.done();
}

constexpr int64_t kExtent = 256, kBlock = 32;

SparseShape shape_of(const Feature& feature) {
  SparseShape s;
  s.rows = s.cols = kExtent;
  s.dtype = feature.type;
  s.nnz = kExtent;
  if (feature.format == BS_FORMAT_BSR) {
    s.format = Format::bsr;
    s.block_rows = s.block_cols = kBlock;
    s.nnz = kExtent / kBlock;
  }
  return s;
}

SpmmProblem spmm_of(const Feature& feature) {
  SpmmProblem problem;
  problem.s = shape_of(feature);
  problem.s.transposed = feature.transposed != (feature.format == BS_FORMAT_CSC);
  problem.m = problem.k = kExtent;
  problem.n = problem.ldb = problem.ldc = feature.op == Op::spmv ? 1 : kExtent;
  problem.b_type = problem.c_type = problem.bias_type = feature.type;
  return problem;
}

SddmmProblem sddmm_of(const Feature& feature) {
  SddmmProblem problem;
  problem.s = shape_of(feature);
  problem.m = problem.n = problem.k = problem.ldl = problem.ldr = kExtent;
  problem.l_type = problem.r_type = problem.bias_type = feature.type;
  return problem;
}

template <class K>
bool any_supports(const typename K::Problem& problem, const Device& device) {
  for (const K* kernel : kernels_of<K>())
    if (kernel->backend == device.backend && verdict_of(*kernel, problem, device).ok()) return true;
  return false;
}

bool supports(const Feature& feature, const Device& device) {
  if (feature.op != Op::sddmm) return any_supports<SpmmKernel>(spmm_of(feature), device);
  return !feature.transposed && any_supports<SddmmKernel>(sddmm_of(feature), device);  // a result has no op
}

// The processor at hand; for GPUs, of which there may be none, the one that the library is made for.
Status device_of(Backend backend, Device* device) {
  if (backend == Backend::cuda) return parse_device("h200", device);
  *device = host_device({});
  return kSuccess;
}

Status is_supported(const Feature& feature, bool* supported) {
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    if (feature.backend.value_or(backend) != backend || (backend == Backend::cuda && !cuda_compiled())) continue;
    Device device;
    BS_TRY(device_of(backend, &device));
    *supported |= supports(feature, device);
  }
  return kSuccess;
}

Status unknown(const char* feature) {
  return fail(
      BS_STATUS_INVALID_VALUE,
      "feature is '%.100s', must be cpu, cuda or OP.FORMAT.TYPE[.t] with OP spmm, spmv, sddmm, FORMAT csr, csc, "
      "bsr, TYPE f64, f32, f16, bf16, after cpu. or cuda. for one backend",
      feature);
}

Status has_feature(const char* name, bool* supported) {
  Words words(name);
  Feature feature;
  Backend backend;
  std::string_view word = words.next();
  if (find(kBackends, word, &backend)) {
    feature.backend = backend;
    if (words.done()) {
      *supported = backend == Backend::cpu || cuda_compiled();
      return kSuccess;
    }
    word = words.next();
  }
  return parse_operation(words, word, &feature) ? is_supported(feature, supported) : unknown(name);
}

}  // namespace
}  // namespace bs

bsStatus_t bsHasFeature(const char* feature, int32_t* supported) {
  return bs::api("bsHasFeature", [&]() -> bs::Status {
    BS_TRY(bs::check_pointer(feature, "feature"));
    BS_TRY(bs::check_pointer(supported, "supported"));
    bool found = false;
    BS_TRY(bs::has_feature(feature, &found));
    *supported = found;
    return bs::kSuccess;
  });
}
