// The loop that SpMM rows share: tiles of C, rows by a panel of columns, over all inputs of a result, on all threads. A
// tile's sums are formed by one thread in one order, so results do not depend on how many there are.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/common/dense_panels.h"
#include "cpu/common/epilogue.h"

namespace bs::cpu {

inline constexpr int64_t kTileRows = 64;  // at most

struct RowRange {
  int64_t row, rows;
};

template <class T>
struct Tile {
  RowRange range;
  Panel panel;
  T* sums;  // of element (i, j) of the tile at sums[i * ld + j]
  int64_t ld;
  int64_t input;
};

// How C's rows fall into tiles: groups of (block) rows, or pieces of one block row where that is higher than a tile.
struct RowTiles {
  int64_t m, block_rows, height, per_block;

  RowTiles(int64_t m, int64_t block_rows, int64_t wanted)
      : m(m), block_rows(block_rows), height(wanted), per_block((block_rows + wanted - 1) / wanted) {
    if (per_block > 1)
      height = (block_rows + per_block - 1) / per_block;
    else
      height = wanted / block_rows * block_rows;
  }
  int64_t count() const {
    return per_block > 1 ? (m + block_rows - 1) / block_rows * per_block : (m + height - 1) / height;
  }
  // Empty for pieces of the last block row that lie below the matrix.
  RowRange range(int64_t tile) const {
    if (per_block == 1) return {tile * height, std::min(height, m - tile * height)};
    const int64_t top = tile / per_block * block_rows, row = top + tile % per_block * height;
    const int64_t end = std::min({row + height, top + block_rows, m});
    return {row, std::max<int64_t>(end - row, 0)};
  }
};

// Workspace for sums that wait for the next input.
inline int64_t waiting_sums_bytes(const SpmmProblem& p, const PanelPlan& panels) {
  return p.reduce > 1 ? part(saturating_mul(p.m, panels.padded_n(), panels.element)) : 0;
}

template <class T>
class TiledProduct {
 public:
  // Takes PanelPlan::bytes() and waiting_sums_bytes() from the workspace.
  TiledProduct(const SpmmProblem& p, const SpmmOperands& o, const Exec& exec, const RowTiles& rows, bool packed,
               Workspace& workspace)
      : p_(p),
        o_(o),
        workers_(exec.workers),
        simd_(microkernels(exec.isa)),
        rows_(rows),
        plan_(p, simd_.of<T>().lanes, packed),
        panels_(p, plan_, simd_, workspace.take(plan_.bytes())),
        waiting_sums_(static_cast<T*>(workspace.take(waiting_sums_bytes(p, plan_)))) {}

  // prepare(input) comes before the tiles of an input; multiply(tile) adds to the tile's sums.
  template <class Prepare, class Multiply>
  void run(Prepare&& prepare, Multiply&& multiply) {
    for (int64_t b = 0; b < p_.batch; ++b) {
      for (int64_t r = 0; r < p_.reduce; ++r) {
        const int64_t input = b + r;
        if (input == 0 || o_.b_stride != 0) {
          panels_.load(shifted(o_.b, size_of(p_.b_type), input * o_.b_stride), workers_);
        }
        prepare(input);
        run_input(b, r, multiply);
      }
    }
  }

 private:
  template <class Multiply>
  void run_input(int64_t b, int64_t r, Multiply& multiply) {
    const Epilogue<T> epilogue(p_, o_, b, simd_);
    const int64_t tiles = rows_.count(), items = tiles * plan_.count();
    const int64_t grain = std::clamp<int64_t>(items / (8 * workers_->threads()), 1, 16);
    workers_->for_ranges(items, grain, [&](int64_t begin, int64_t end) {
      alignas(64) T own_sums[kTileRows * kPanelVectors * 64 / sizeof(T)];
      for (int64_t item = begin; item < end; ++item) {
        const Panel panel = panels_.panel(item / tiles);
        Tile<T> tile{rows_.range(item % tiles), panel, own_sums, plan_.width(), b + r};
        if (p_.reduce > 1) {
          tile.ld = plan_.padded_n();
          tile.sums = waiting_sums_ + tile.range.row * tile.ld + panel.col;
        }
        if (r == 0) clear(tile);
        multiply(tile);
        if (r + 1 == p_.reduce) {
          epilogue.store(tile.sums, tile.ld, tile.range.row, panel.col, tile.range.rows, panel.cols);
        }
      }
    });
  }
  void clear(const Tile<T>& tile) const {
    const int64_t width = tile.panel.vectors * plan_.lanes;
    for (int64_t i = 0; i < tile.range.rows; ++i) std::fill_n(tile.sums + i * tile.ld, width, T{0});
  }

  const SpmmProblem& p_;
  const SpmmOperands& o_;
  Workers* workers_;
  const Microkernels& simd_;
  const RowTiles rows_;
  const PanelPlan plan_;
  DensePanels<T> panels_;
  T* waiting_sums_;
};

}  // namespace bs::cpu
