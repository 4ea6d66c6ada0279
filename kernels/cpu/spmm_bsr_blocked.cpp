// BSR times dense: the blocks of a block row, one after the other, against a panel of B, with a strip of rows by the
// panel's columns in registers.
#include "cpu/common/block_strips.h"
#include "cpu/common/convert.h"
#include "cpu/common/sparse_rows.h"
#include "cpu/common/spmm_cost.h"
#include "cpu/common/transposed_index.h"
#include "engine/kernel.h"

namespace bs::cpu {
namespace {

enum Policy : int32_t { kAsItLies, kPacked };

constexpr int64_t kReuseToPack = 2;
constexpr int64_t kHeight = 32;  // rows of a tile at most
static_assert(kHeight <= kTileRows);

Verdict supports(const SpmmProblem& p, const Device&) {
  BS_REQUIRE(p.s.format == Format::bsr);
  return kAccept;
}

// op(S) in blocks.
struct BlockShape {
  int64_t rows, cols;
  Steps steps;
  explicit BlockShape(const SparseShape& s)
      : rows(s.transposed ? s.block_cols : s.block_rows), cols(s.transposed ? s.block_rows : s.block_cols) {
    const bool contiguous_depth = (s.block_layout == Layout::row) != s.transposed;
    steps = contiguous_depth ? Steps{cols, 1} : Steps{1, rows};
  }
};

// Share of two FMA units. Measured in CPU time on one core of a Xeon at 2 GHz shared with other work: 42 GFLOP/s with
// AVX-512, 22 with AVX2, blocks of 32, 4096 x 4096 x 512 f32 at 10 % density.
constexpr Efficiency kEfficiency{.memory = 0.6, .compute = 0.33};

// Low blocks leave registers of the strip unused.
double efficiency_of_height(int64_t block_rows) {
  return static_cast<double>(std::min<int64_t>(block_rows, kBlockRows)) / static_cast<double>(kBlockRows);
}

Plan plan(const SpmmProblem& p, const Device& device) {
  const bool packed = packing_pays(p, kReuseToPack) || size_of(p.b_type) == 2;
  const PanelPlan panels(p, lanes_of(p, device), packed);
  const Work work = spmm_work(p, device, p.s.elements(), p.s.entries());
  const double height = efficiency_of_height(BlockShape(p.s).rows);
  const Efficiency efficiency{kEfficiency.memory, kEfficiency.compute * (0.4 + 0.6 * height)};
  const int64_t index_bytes = transposed_index_bytes(p.s, inputs_of(p));
  return {.cost_us = spmm_cost_us(p, device, work, efficiency),
          .workspace_bytes = saturating_add(index_bytes, panels.bytes(), waiting_sums_bytes(p, panels)),
          .policy = packed ? kPacked : kAsItLies};
}

// The blocks that wait to be multiplied with rows [first, first + rows) of a tile, as segments of kSegmentDepth columns
// in all. Blocks that are not of the sums' type, or gated, are first copied to `copies`.
template <class T>
class BlockRow {
 public:
  BlockRow(const SpmmProblem& p, const SparseOperand& s, const Microkernels& simd, const Tile<T>& tile)
      : p_(p),
        s_(s),
        simd_(simd),
        tile_(tile),
        shape_(p.s),
        rows_(p.s, s, tile.input),
        values_(shifted(s.values, size_of(p.s.dtype), tile.input * s.value_stride)),
        copied_(p.s.gated || p.s.dtype != dtype_of<T>),
        steps_(copied_ ? copy_steps() : shape_.steps) {}

  // The part of block row `row` that begins `skip` rows below its top, as `count` rows of the tile from `first` on.
  void add(int64_t row, int64_t skip, int64_t first, int64_t count) {
    skip_ = skip, first_ = first, count_ = count;
    for (int64_t q = rows_.begin(row); q < rows_.end(row); ++q) {
      const int64_t position = rows_.position(q);
      const float gate = p_.s.gated ? s_.gate[tile_.input * s_.gate_stride + position] : 1.0f;
      if (gate == 0) continue;
      const int64_t inner = rows_.index(q) * shape_.cols, end = std::min(inner + shape_.cols, p_.k);
      for (int64_t d = inner; d < end;) {
        const int64_t depth = std::min(end - d, kSegmentDepth - depth_);
        append(position, d - inner, d, depth, gate);
        d += depth;
        if (depth_ == kSegmentDepth) flush();
      }
    }
    flush();
  }

 private:
  Steps copy_steps() const { return shape_.steps.depth == 1 ? Steps{kSegmentDepth, 1} : Steps{1, kHeight}; }

  void append(int64_t position, int64_t block_depth, int64_t inner, int64_t depth, float gate) {
    const int64_t from =
        position * shape_.rows * shape_.cols + skip_ * shape_.steps.row + block_depth * shape_.steps.depth;
    const T* a = copied_ ? copy(from, depth, gate) : static_cast<const T*>(values_) + from;
    segments_[waiting_++] = {a, inner * tile_.panel.ld, depth};
    depth_ += depth;
  }

  const T* copy(int64_t from, int64_t depth, float gate) {
    const bool along_depth = shape_.steps.depth == 1;
    const int64_t runs = along_depth ? count_ : depth, length = along_depth ? depth : count_;
    const int64_t from_step = along_depth ? shape_.steps.row : shape_.steps.depth;
    const int64_t to_step = along_depth ? steps_.row : steps_.depth;
    T* to = copies_ + depth_ * steps_.depth;
    for (int64_t run = 0; run < runs; ++run) {
      widen_run(simd_, p_.s.dtype, values_, from + run * from_step, to + run * to_step, length);
      if (p_.s.gated) simd_.of<T>().scale(to + run * to_step, static_cast<T>(gate), length);
    }
    return to;
  }

  void flush() {
    if (waiting_ > 0) multiply_strips(simd_.of<T>(), tile_, first_, count_, segments_, waiting_, steps_);
    waiting_ = depth_ = 0;
  }

  const SpmmProblem& p_;
  const SparseOperand& s_;
  const Microkernels& simd_;
  const Tile<T>& tile_;
  const BlockShape shape_;
  const SparseRows rows_;
  const void* values_;
  const bool copied_;
  const Steps steps_;
  int64_t skip_ = 0, first_ = 0, count_ = 0, waiting_ = 0, depth_ = 0;
  Segment<T> segments_[kSegmentDepth];
  alignas(64) T copies_[kSegmentDepth * kHeight];
};

template <class T>
void add_blocks(const SpmmProblem& p, const SparseOperand& s, const Microkernels& simd, const Tile<T>& tile) {
  const int64_t height = BlockShape(p.s).rows;
  BlockRow<T> block_row(p, s, simd, tile);
  for (int64_t first = 0; first < tile.range.rows;) {
    const int64_t row = (tile.range.row + first) / height, skip = tile.range.row + first - row * height;
    const int64_t count = std::min(height - skip, tile.range.rows - first);
    block_row.add(row, skip, first, count);
    first += count;
  }
}

template <class T>
void multiply(const SpmmProblem& p, const Plan& plan, const SpmmOperands& o, const Exec& exec) {
  const Microkernels& simd = microkernels(exec.isa);
  Workspace workspace(exec.workspace);
  void* index = workspace.take(transposed_index_bytes(p.s, inputs_of(p)));
  const SparseOperand s = ensure_transposed_index(p.s, o.s, inputs_of(p), index);
  TiledProduct<T> product(p, o, exec, RowTiles(p.m, BlockShape(p.s).rows, kHeight), plan.policy == kPacked, workspace);
  product.run([](int64_t) {}, [&](const Tile<T>& tile) { add_blocks(p, s, simd, tile); });
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
BS_DEFINE_SPMM_KERNEL(cpu, bsr_blocked)
