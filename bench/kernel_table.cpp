// Prints docs/kernels.md from the registry: what each row accepts, asked of the row itself.
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include "engine/registry.h"
#include "platform/machine.h"

namespace {

using namespace bs;

constexpr DType kTypes[] = {DType::f64, DType::f32, DType::f16, DType::bf16};

SparseShape sample_shape(Format format, DType dtype) {
  SparseShape s;
  s.rows = s.cols = 256;
  s.format = format;
  s.dtype = dtype;
  s.block_rows = s.block_cols = format == Format::bsr ? 32 : 1;
  s.nnz = format == Format::bsr ? 16 : 4096;
  s.stats.known = s.stats.sorted = 1;
  s.stats.nnz = s.nnz;
  return s;
}

SpmmProblem sample(const SpmmKernel*, Format format, DType dtype, int64_t n) {
  SpmmProblem p;
  p.s = sample_shape(format, dtype);
  p.m = p.k = 256;
  p.n = p.ldb = p.ldc = n;
  p.b_type = p.c_type = p.bias_type = dtype;
  return p;
}

SddmmProblem sample(const SddmmKernel*, Format format, DType dtype, int64_t k) {
  SddmmProblem p;
  p.s = sample_shape(format, dtype);
  p.m = p.n = p.ldr = 256;
  p.k = p.ldl = k;
  p.l_type = p.r_type = p.bias_type = dtype;
  return p;
}

GateGradProblem sample(const GateGradKernel*, Format format, DType dtype, int64_t) {
  GateGradProblem p;
  p.s = sample_shape(format, dtype);
  p.dw_type = dtype;
  return p;
}

// "f64 f32" of the types accepted, for any of two extents: a row made for one column accepts only the first.
template <class K>
std::string types_accepted(const K& kernel, Format format, const Device& device) {
  std::string names;
  for (const DType type : kTypes) {
    const bool accepted = kernel.supports(sample(&kernel, format, type, 1), device).ok() ||
                          kernel.supports(sample(&kernel, format, type, 128), device).ok();
    if (accepted) names.append(names.empty() ? "" : " ").append(name_of(type));
  }
  return names.empty() ? "–" : names;
}

template <class K>
void print_rows(const Device& device) {
  constexpr bool only_blocks = std::is_same_v<K, GateGradKernel>;  // the interface takes BSR there
  for (const K* kernel : kernels_of<K>()) {
    if (kernel->backend != device.backend) continue;
    std::printf("| `%s` | %s | %s | %s | %s | %s |\n", kernel->name,
                only_blocks ? "–" : types_accepted(*kernel, Format::csr, device).c_str(),
                types_accepted(*kernel, Format::bsr, device).c_str(), kernel->traits.isolates ? "yes" : "no",
                kernel->traits.deterministic ? "yes" : "no", kernel->traits.reference ? "the definition" : "");
  }
}

void print_backend(const char* title, const Device& device) {
  std::printf("\n## %s\n\n| row | CSR | BSR | isolates | deterministic | |\n|---|---|---|---|---|---|\n", title);
  print_rows<SpmmKernel>(device);
  print_rows<SddmmKernel>(device);
  print_rows<GateGradKernel>(device);
}

}  // namespace

int main() {
  std::puts(
      "# Kernels\n\n"
      "Printed from the registry by `kernel_table`; the tests compare. Types are those accepted with all operands of "
      "one\n"
      "type and no other peculiarity; `bsSpMM_explain` answers for a whole problem. *Isolates*: admitted by\n"
      "`BS_OPTION_STRICT`. *Deterministic*: admitted by `BS_OPTION_DETERMINISTIC`.");
  Device device;
  print_backend("CPU", device);
  if (parse_device("h200", &device).ok() && cuda_compiled()) print_backend("CUDA, on an H200", device);
}
