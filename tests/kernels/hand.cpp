// The references against answers worked out by hand: one a format and operation.
#include "kernels/launch.h"
#include "kernels/rows.h"

namespace bs::test {
namespace {

template <class K>
const K& reference() {
  return *kernels_of<K>().back();
}

struct Cpu {
  Machine* machine = machine_of(Backend::cpu, Isa::base);
  float alpha = 2, beta = 10;
  Scalars scalars() const { return {&alpha, &beta, false}; }
};

// [1 0 2]
// [0 3 0]
constexpr int32_t kOffsets[] = {0, 2, 3}, kColumns[] = {0, 2, 1};
constexpr float kValues[] = {1, 2, 3};

SparseShape csr_shape() {
  return {.rows = 2, .cols = 3, .nnz = 3, .format = Format::csr, .stats = {}};
}

SparseOperand csr_operand() {
  return {.stored = {kOffsets, kColumns}, .transposed = {}, .values = kValues};
}

TEST_CASE("hand: 2 A B + 10 C with A in CSR") {
  const float b[] = {1, 10, 2, 20, 3, 30};
  float c[] = {1, 2, 3, 4};
  const Cpu cpu;
  const SpmmProblem problem{.s = csr_shape(), .m = 2, .n = 2, .k = 3, .ldb = 2, .ldc = 2, .constraints = {}};

  const std::string wrong = launch(reference<SpmmKernel>(), cpu.machine, problem,
                                   {.s = csr_operand(), .b = b, .c = c, .scalars = cpu.scalars()});

  CHECK(wrong.empty());
  CHECK(c[0] == 2 * (1 * 1 + 2 * 3) + 10);
  CHECK(c[1] == 2 * (1 * 10 + 2 * 30) + 20);
  CHECK(c[2] == 2 * (3 * 2) + 30);
  CHECK(c[3] == 2 * (3 * 20) + 40);
}

TEST_CASE("hand: the transpose of a CSR matrix, column-major C") {
  const float b[] = {1, 10};
  float c[] = {0, 0, 1};
  const Cpu cpu;
  SpmmProblem problem{
      .s = csr_shape(), .m = 3, .n = 1, .k = 2, .ldb = 1, .ldc = 3, .c_layout = Layout::col, .constraints = {}};
  problem.s.transposed = true;

  const std::string wrong = launch(reference<SpmmKernel>(), cpu.machine, problem,
                                   {.s = csr_operand(), .b = b, .c = c, .scalars = cpu.scalars()});

  CHECK(wrong.empty());
  CHECK(c[0] == 2 * 1);
  CHECK(c[1] == 2 * 30);
  CHECK(c[2] == 2 * 2 + 10);
}

// A 3 x 3 matrix in 2 x 2 blocks, block 0 at (0, 1) with gate 2, block 1 at (1, 0) with gate 0. What the edges cut off
// and the second block hold 99.
constexpr int32_t kBlockOffsets[] = {0, 1, 2}, kBlockColumns[] = {1, 0};
constexpr float kBlocks[] = {1, 99, 2, 99, 99, 99, 99, 99}, kGates[] = {2, 0};

SparseShape bsr_shape() {
  return {.rows = 3,
          .cols = 3,
          .nnz = 2,
          .block_rows = 2,
          .block_cols = 2,
          .format = Format::bsr,
          .gated = true,
          .stats = {}};
}

TEST_CASE("hand: gated BSR with cut blocks") {
  const float b[] = {1, 2, 5};
  float c[] = {1, 1, 1};
  const Cpu cpu;
  const SpmmProblem problem{.s = bsr_shape(), .m = 3, .n = 1, .k = 3, .ldb = 1, .ldc = 1, .constraints = {}};
  const SparseOperand s{.stored = {kBlockOffsets, kBlockColumns}, .transposed = {}, .values = kBlocks, .gate = kGates};

  const std::string wrong =
      launch(reference<SpmmKernel>(), cpu.machine, problem, {.s = s, .b = b, .c = c, .scalars = cpu.scalars()});

  CHECK(wrong.empty());
  CHECK(c[0] == 2 * 2 * 1 * 5 + 10);
  CHECK(c[1] == 2 * 2 * 2 * 5 + 10);
  CHECK(c[2] == 10);
}

TEST_CASE("hand: SDDMM into CSR") {
  const float l[] = {1, 2, 3, 4}, r[] = {1, 10, 100, 2, 20, 200};
  float c[] = {1, 2, 3};
  const Cpu cpu;
  const SddmmProblem problem{.s = csr_shape(), .m = 2, .n = 3, .k = 2, .ldl = 2, .ldr = 3, .constraints = {}};

  const std::string wrong = launch(reference<SddmmKernel>(), cpu.machine, problem,
                                   {.s = csr_operand(), .c = c, .l = l, .r = r, .scalars = cpu.scalars()});

  CHECK(wrong.empty());
  CHECK(c[0] == 2 * (1 * 1 + 2 * 2) + 10);
  CHECK(c[1] == 2 * (1 * 100 + 2 * 200) + 20);
  CHECK(c[2] == 2 * (3 * 10 + 4 * 20) + 30);
}

TEST_CASE("hand: SDDMM into BSR writes padding as zero, and the bias gradient") {
  const float l[] = {1, 2, 3}, r[] = {1, 10, 100};
  float c[] = {1, 99, 2, 99, 3, 4, 99, 99}, gradient[3] = {};
  const Cpu cpu;
  SddmmProblem problem{
      .s = bsr_shape(), .m = 3, .n = 3, .k = 1, .ldl = 1, .ldr = 3, .bias_gradient = Axis::col, .constraints = {}};
  problem.s.gated = false;
  const SparseOperand s{.stored = {kBlockOffsets, kBlockColumns}, .transposed = {}};

  const std::string wrong =
      launch(reference<SddmmKernel>(), cpu.machine, problem,
             {.s = s, .c = c, .l = l, .r = r, .bias_gradient = gradient, .scalars = cpu.scalars()});

  CHECK(wrong.empty());
  const float expected[] = {2 * 100 + 10, 0, 2 * 200 + 20, 0, 2 * 3 + 30, 2 * 30 + 40, 0, 0};
  for (int i = 0; i < 8; ++i) CHECK(c[i] == expected[i]);
  for (int i = 0; i < 3; ++i) CHECK(gradient[i] == r[i]);
}

TEST_CASE("hand: gate gradient of cut blocks") {
  const float w[] = {1, 99, 2, 99, 3, 4, 99, 99}, dw[] = {10, 99, 20, 99, 30, 40, 99, 99};
  float gradient[2] = {};
  const Cpu cpu;
  const GateGradProblem problem{.s = bsr_shape(), .constraints = {}};
  const SparseOperand s{.stored = {kBlockOffsets, kBlockColumns}, .transposed = {}, .values = w, .gate = kGates};

  const std::string wrong =
      launch(reference<GateGradKernel>(), cpu.machine, problem, {.s = s, .dw = dw, .gradient = gradient});

  CHECK(wrong.empty());
  CHECK(gradient[0] == 1 * 10 + 2 * 20);
  CHECK(gradient[1] == 3 * 30 + 4 * 40);
}

}  // namespace
}  // namespace bs::test
