// Choices for literal CPUs, so that a changed cost model shows as a readable difference.
#include "support/catch.h"

#include <string>

#include "engine/choose.h"
#include "engine/trace.h"

namespace bs::test {
namespace {

Device cpu(int cores, Isa isa, double memory_gbs) {
  Device d;
  d.cores = cores;
  d.isa = isa;
  d.ghz = 3;
  d.memory_gbs = memory_gbs;
  d.l2_bytes = 1 << 20;
  return d;
}

SpmmProblem square(Format format, int64_t block, int64_t size, int64_t n, double density) {
  SpmmProblem p;
  p.s.format = format;
  p.s.rows = p.s.cols = p.m = p.k = size;
  p.s.block_rows = p.s.block_cols = block;
  p.s.nnz = static_cast<int64_t>(density * static_cast<double>(size / block * (size / block)));
  p.n = p.ldb = p.ldc = n;
  return p;
}

struct Golden {
  Format format;
  int64_t block, size, n;
  double density;
  const char* laptop;
  const char* server;
};

// clang-format off
constexpr Golden kGoldens[] = {
    {Format::csr, 1,  4096, 512, 0.1,  "cpu/spmm_csr_rowsplit", "cpu/spmm_csr_rowsplit"},
    {Format::csr, 1,  4096, 512, 0.9,  "cpu/spmm_dense_gemm",   "cpu/spmm_dense_gemm"},
    {Format::csr, 1,  4096, 1,   0.1,  "cpu/spmm_csr_dot",      "cpu/spmm_csr_dot"},
    {Format::csr, 1,  64,   16,  0.1,  "cpu/spmm_csr_rowsplit", "cpu/spmm_csr_rowsplit"},
    {Format::bsr, 32, 4096, 512, 0.1,  "cpu/spmm_bsr_blocked",  "cpu/spmm_bsr_blocked"},
    {Format::bsr, 32, 4096, 512, 0.9,  "cpu/spmm_dense_gemm",   "cpu/spmm_dense_gemm"},
    {Format::bsr, 8,  4096, 16,  0.25, "cpu/spmm_bsr_blocked",  "cpu/spmm_bsr_blocked"},
    {Format::bsr, 16, 4096, 1,   0.25, "cpu/spmm_bsr_blocked",  "cpu/spmm_bsr_blocked"},
};
// clang-format on

std::string chosen(const SpmmProblem& p, const Device& device) {
  const auto choice = select<SpmmKernel>(kernels_of<SpmmKernel>(), p, device, {}, kNobodyWatches);
  return choice ? choice->kernel->name : "none";
}

TEST_CASE("choices of bsSpMM for a laptop and a server are the recorded ones") {
  const Device laptop = cpu(4, Isa::avx2, 40), server = cpu(64, Isa::avx512, 300);
  for (const Golden& g : kGoldens) {
    const SpmmProblem p = square(g.format, g.block, g.size, g.n, g.density);
    CAPTURE(describe_arguments(p));
    CHECK(chosen(p, laptop) == g.laptop);
    CHECK(chosen(p, server) == g.server);
  }
}

}  // namespace
}  // namespace bs::test
