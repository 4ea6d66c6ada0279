// CSR times dense: each row of op(S) walks the rows of a panel of B that it refers to, with the sums of the panel in
// registers.
#include "cpu/common/convert.h"
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
          .workspace_bytes = index_bytes + panels.bytes() + waiting_sums_bytes(p, panels),
          .policy = packed ? kPacked : kAsItLies};
}

template <class T>
class RowProduct {
 public:
  RowProduct(const SpmmProblem& p, const SparseOperand& s, const Microkernels& simd) : p_(p), s_(s), simd_(simd) {}

  void add(const Tile<T>& tile) const {
    const SparseRows rows(p_.s, s_, tile.input);
    const void* values = shifted(s_.values, size_of(p_.s.dtype), tile.input * s_.value_stride);
    const auto multiply = kernel_for(tile.panel.type);
    for (int64_t i = 0; i < tile.range.rows; ++i) {
      const int64_t begin = rows.begin(tile.range.row + i), end = rows.end(tile.range.row + i);
      RowTask<T> task{.sums = tile.sums + i * tile.ld,
                      .indices = nullptr,
                      .values = nullptr,
                      .count = 0,
                      .dense = tile.panel.dense,
                      .base = rows.base(),
                      .ld = tile.panel.ld,
                      .vectors = tile.panel.vectors};
      T buffer[kChunk];
      const int64_t step = values_as_they_lie() ? std::max<int64_t>(end - begin, 1) : kChunk;
      for (int64_t q = begin; q < end; q += step) {
        task.count = std::min(step, end - q);
        task.indices = rows.index_array(q);
        task.values = values_of(rows, values, q, task.count, buffer);
        multiply(task);
      }
    }
  }

 private:
  static constexpr int64_t kChunk = 256;

  auto kernel_for(DType dense) const {
    const TypedMicrokernels<T>& simd = simd_.of<T>();
    const int slot = index_slot(p_.s.index_type);
    return dense == DType::f16 ? simd.row_f16[slot] : dense == DType::bf16 ? simd.row_bf16[slot] : simd.row[slot];
  }
  bool values_as_they_lie() const { return p_.s.dtype == dtype_of<T> && !p_.s.transposed; }

  const T* values_of(const SparseRows& rows, const void* values, int64_t q, int64_t count, T* buffer) const {
    if (values_as_they_lie()) return static_cast<const T*>(values) + q;
    if (p_.s.transposed) {
      for (int64_t e = 0; e < count; ++e) {
        buffer[e] = static_cast<T>(load_double(p_.s.dtype, values, rows.position(q + e)));
      }
    } else {
      widen_run(simd_, p_.s.dtype, values, q, buffer, count);
    }
    return buffer;
  }

  const SpmmProblem& p_;
  const SparseOperand& s_;
  const Microkernels& simd_;
};

template <class T>
void multiply(const SpmmProblem& p, const Plan& plan, const SpmmOperands& o, const Exec& exec) {
  const Microkernels& simd = microkernels(exec.isa);
  Workspace workspace(exec.workspace);
  void* index = workspace.take(transposed_index_bytes(p.s, inputs_of(p)));
  const SparseOperand s = ensure_transposed_index(p.s, o.s, inputs_of(p), index);
  const RowProduct<T> rows(p, s, simd);
  TiledProduct<T> product(p, o, exec, RowTiles(p.m, 1, kTileRows), plan.policy == kPacked, workspace);
  product.run([](int64_t) {}, [&](const Tile<T>& tile) { rows.add(tile); });
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
