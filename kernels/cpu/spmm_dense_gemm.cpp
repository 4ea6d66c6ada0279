// op(S) written out as a dense matrix, once a call or by BS_ANALYZE_PACK, times dense: for patterns so full that
// skipping zeros costs more than multiplying by them. Zeros do meet B, so non-finite values spread.
#include "cpu/common/block_strips.h"
#include "cpu/common/sparse_rows.h"
#include "cpu/common/spmm_cost.h"
#include "engine/kernel.h"

namespace bs::cpu {
namespace {

constexpr int64_t kHeight = 48;  // eight strips a tile
static_assert(kHeight <= kTileRows);

Verdict supports(const SpmmProblem&, const Device&) {
  return kAccept;
}

// 16-bit packed forms are not used: gates and duplicates were rounded into them.
bool uses_packed(const SparseShape& s) {
  return s.has_pack && size_of(s.dtype) >= 4;
}

int64_t dense_bytes(const SparseShape& s) {
  return uses_packed(s) ? 0 : part(saturating_mul(s.rows, s.cols, s.dtype == DType::f64 ? 8 : 4));
}

// Share of two FMA units. Measured in CPU time on one core of a Xeon at 2 GHz shared with other work: 49 GFLOP/s of
// dense product with AVX-512, 2048 x 2048 x 512 f32.
constexpr Efficiency kEfficiency{.memory = 0.6, .compute = 0.38};

Plan plan(const SpmmProblem& p, const Device& device) {
  const PanelPlan panels(p, lanes_of(p, device), true);
  const int64_t elements = saturating_mul(p.m, p.k);
  Work work = spmm_work(p, device, elements, 0);
  if (!uses_packed(p.s)) {
    const double scatter = (static_cast<double>(p.s.elements()) + static_cast<double>(elements)) * 16;
    work.bytes += scatter * static_cast<double>(inputs_of(p));
  }
  return {.cost_us = spmm_cost_us(p, device, work, kEfficiency),
          .workspace_bytes = saturating_add(dense_bytes(p.s), panels.bytes(), waiting_sums_bytes(p, panels))};
}

// The stored matrix of one input as dense row-major, values of duplicates added.
template <class T>
class Densifier {
 public:
  Densifier(const SpmmProblem& p, const SparseOperand& o, int64_t input, T* dense)
      : s_(stored_shape(p.s)),
        o_(o),
        input_(input),
        rows_(s_, o, input),
        values_(shifted(o.values, size_of(s_.dtype), input * o.value_stride)),
        dense_(dense) {}

  void run(Workers* workers) const {
    workers->for_ranges(s_.block_row_count(), std::max<int64_t>(1, 64 / s_.block_rows),
                        [&](int64_t begin, int64_t end) {
                          const int64_t top = begin * s_.block_rows, bottom = std::min(end * s_.block_rows, s_.rows);
                          std::fill(dense_ + top * s_.cols, dense_ + bottom * s_.cols, T{0});
                          for (int64_t row = begin; row < end; ++row) {
                            for (int64_t q = rows_.begin(row); q < rows_.end(row); ++q) add(row, rows_.index(q), q);
                          }
                        });
  }

 private:
  static SparseShape stored_shape(SparseShape s) {
    s.transposed = false;
    return s;
  }
  void add(int64_t block_row, int64_t block_col, int64_t entry) const {
    const float gate = s_.gated ? o_.gate[input_ * o_.gate_stride + entry] : 1.0f;
    if (gate == 0) return;
    const int64_t row = block_row * s_.block_rows, col = block_col * s_.block_cols;
    const int64_t first = entry * s_.block_rows * s_.block_cols;
    const int64_t ld = s_.block_layout == Layout::row ? s_.block_cols : s_.block_rows;
    const int64_t rows = std::min(s_.block_rows, s_.rows - row), cols = std::min(s_.block_cols, s_.cols - col);
    T* to = dense_ + row * s_.cols + col;
    HostTypes::with(s_.dtype, [&]<class E>() {
      const E* block = static_cast<const E*>(values_) + first;
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < cols; ++j) {
          to[i * s_.cols + j] += static_cast<T>(gate) * static_cast<T>(widened(block[at(s_.block_layout, ld, i, j)]));
        }
      }
    });
  }

  const SparseShape s_;
  const SparseOperand& o_;
  int64_t input_;
  const SparseRows rows_;
  const void* values_;
  T* dense_;
};

template <class T>
void add_dense(const SpmmProblem& p, const Microkernels& simd, const T* dense, const Tile<T>& tile) {
  const Steps steps = p.s.transposed ? Steps{1, p.s.cols} : Steps{p.s.cols, 1};
  for (int64_t d = 0; d < p.k; d += kSegmentDepth) {
    const Segment<T> segment{dense + tile.range.row * steps.row + d * steps.depth, d * tile.panel.ld,
                             std::min(kSegmentDepth, p.k - d)};
    multiply_strips(simd.of<T>(), tile, 0, tile.range.rows, &segment, 1, steps);
  }
}

template <class T>
void multiply(const SpmmProblem& p, const SpmmOperands& o, const Exec& exec) {
  const Microkernels& simd = microkernels(exec.isa);
  const bool one_for_all = !p.s.own_structure && o.s.value_stride == 0 && o.s.gate_stride == 0;
  Workspace workspace(exec.workspace);
  T* written = static_cast<T*>(workspace.take(dense_bytes(p.s)));
  const T* dense = uses_packed(p.s) ? static_cast<const T*>(o.s.packed) : written;
  const auto prepare = [&](int64_t input) {
    if (input > 0 && one_for_all) return;
    if (uses_packed(p.s))
      dense = static_cast<const T*>(o.s.packed) + input * p.s.rows * p.s.cols;
    else
      Densifier<T>(p, o.s, input, written).run(exec.workers);
  };
  TiledProduct<T> product(p, o, exec, RowTiles(p.m, 1, kHeight), true, workspace);
  product.run(prepare, [&](const Tile<T>& tile) { add_dense(p, simd, dense, tile); });
}

Status launch(const SpmmProblem& p, const Plan&, const SpmmOperands& o, const Exec& exec) {
  if (!reads_product(p, o))
    store_without_product(p, o, exec);
  else if (p.s.dtype == DType::f64)
    multiply<double>(p, o, exec);
  else
    multiply<float>(p, o, exec);
  return kSuccess;
}

}  // namespace
}  // namespace bs::cpu
BS_DEFINE_SPMM_KERNEL(cpu, dense_gemm, .isolates = false)
