// CSR times dense: each row of op(S) walks the rows of a panel of B that it refers to, with the sums of the panel in
// registers.
#include "cpu/common/entry_values.h"
#include "cpu/common/sparse_rows.h"
#include "cpu/common/spmm_cost.h"
#include "cpu/common/tiles.h"
#include "cpu/common/transposed_index.h"
#include "engine/kernel.h"

namespace bs::cpu {
namespace {

enum Policy : int32_t { kAsItLies, kPacked };

constexpr int64_t kReuseToPack = 8;

Verdict supports(const SpmmProblem& p, const Device&) {
  BS_REQUIRE(p.s.format == Format::csr);
  BS_REQUIRE(!p.s.gated);
  return kAccept;
}

// Shares of two FMA units, by instruction set: vectors get wider, caches not faster. Measured in CPU time on one core
// of a Xeon at 2 GHz shared with other work: 12 GFLOP/s with AVX2 and AVX-512, 4096 x 4096 x 512 f32 at 10 % density.
constexpr double kComputeShare[] = {0.3, 0.19, 0.1};

Plan plan(const SpmmProblem& p, const Device& device) {
  const bool packed = packing_pays(p, kReuseToPack);
  const PanelPlan panels(p, lanes_of(p, device), packed);
  const int64_t index_bytes = transposed_index_bytes(p.s, inputs_of(p));
  const Work work = spmm_work(p, device, p.s.elements(), p.s.entries());
  const Efficiency efficiency{.memory = 0.6, .compute = kComputeShare[static_cast<int>(device.isa)]};
  return {.cost_us = spmm_cost_us(p, device, work, efficiency),
          .workspace_bytes = saturating_add(index_bytes, panels.bytes(), waiting_sums_bytes(p, panels)),
          .policy = packed ? kPacked : kAsItLies};
}

template <class T>
void add_rows(const SpmmProblem& p, const SparseOperand& s, const Microkernels& simd, const Tile<T>& tile) {
  const SparseRows rows(p.s, s, tile.input);
  const EntryValues<T> values(p.s, s, rows, tile.input, simd);
  const TypedMicrokernels<T>& typed = simd.of<T>();
  const int slot = index_slot(p.s.index_type);
  const auto multiply = tile.panel.type == DType::f16    ? typed.row_f16[slot]
                        : tile.panel.type == DType::bf16 ? typed.row_bf16[slot]
                                                         : typed.row[slot];
  for (int64_t i = 0; i < tile.range.rows; ++i) {
    const int64_t row = tile.range.row + i;
    values.for_chunks(rows.begin(row), rows.end(row), [&](int64_t q, const T* chunk, int64_t count) {
      multiply({.sums = tile.sums + i * tile.ld,
                .indices = rows.index_array(q),
                .values = chunk,
                .count = count,
                .dense = tile.panel.dense,
                .base = rows.base(),
                .ld = tile.panel.ld,
                .vectors = tile.panel.vectors});
    });
  }
}

template <class T>
void multiply(const SpmmProblem& p, const Plan& plan, const SpmmOperands& o, const Exec& exec) {
  const Microkernels& simd = microkernels(exec.isa);
  Workspace workspace(exec.workspace);
  void* index = workspace.take(transposed_index_bytes(p.s, inputs_of(p)));
  const SparseOperand s = ensure_transposed_index(p.s, o.s, inputs_of(p), index);
  TiledProduct<T> product(p, o, exec, RowTiles(p.m, 1, kTileRows), plan.policy == kPacked, workspace);
  product.run([](int64_t) {}, [&](const Tile<T>& tile) { add_rows(p, s, simd, tile); });
}

Status launch(const SpmmProblem& p, const Plan& plan, const SpmmOperands& o, const Exec& exec) {
  if (!reads_product(p, o))
    store_without_product(p, o, exec);
  else if (p.s.dtype == DType::f64)
    multiply<double>(p, plan, o, exec);
  else
    multiply<float>(p, plan, o, exec);
  return kSuccess;
}

}  // namespace
}  // namespace bs::cpu
BS_DEFINE_SPMM_KERNEL(cpu, csr_rowsplit)
