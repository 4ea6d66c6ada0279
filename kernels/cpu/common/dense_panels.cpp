// Packing of the dense right-hand side.
#include "cpu/common/dense_panels.h"

#include "cpu/common/convert.h"

namespace bs::cpu {

PanelPlan::PanelPlan(const SpmmProblem& p, int64_t vector_lanes, bool packed)
    : n(p.n), k(p.k), lanes(vector_lanes), element(p.s.dtype == DType::f64 ? 8 : 4) {
  const bool ragged = n % lanes != 0;
  if (!packed && p.b_layout == Layout::row) first_packed = ragged ? count() - 1 : count();
}

template <class T>
Panel DensePanels<T>::panel(int64_t index) const {
  const int64_t col = index * plan_.width(), cols = plan_.cols(index), vectors = plan_.vectors(index);
  if (index < plan_.first_packed) {
    return {shifted(dense_, size_of(p_.b_type), col), p_.ldb, col, cols, p_.b_type, static_cast<int>(vectors)};
  }
  return {packed_panel(index), vectors * plan_.lanes, col, cols, dtype_of<T>, static_cast<int>(vectors)};
}

// Rows [begin, end) of a panel. Columns beyond n are zero and their sums are never stored.
template <class T>
void DensePanels<T>::pack(int64_t index, int64_t begin, int64_t end) const {
  const int64_t ld = plan_.vectors(index) * plan_.lanes, cols = plan_.cols(index), col = index * plan_.width();
  T* to = packed_panel(index);
  if (p_.b_layout == Layout::row) {
    for (int64_t i = begin; i < end; ++i) widen_run(simd_, p_.b_type, dense_, i * p_.ldb + col, to + i * ld, cols);
  } else {
    constexpr int64_t kRun = 64;
    T run[kRun];
    for (int64_t i = begin; i < end; i += kRun) {
      const int64_t rows = std::min(kRun, end - i);
      for (int64_t j = 0; j < cols; ++j) {
        widen_run(simd_, p_.b_type, dense_, i + (col + j) * p_.ldb, run, rows);
        for (int64_t r = 0; r < rows; ++r) to[(i + r) * ld + j] = run[r];
      }
    }
  }
  for (int64_t i = begin; i < end && cols < ld; ++i) std::fill(to + i * ld + cols, to + (i + 1) * ld, T{0});
}

template <class T>
void DensePanels<T>::load(const void* dense, Workers* workers) {
  dense_ = dense;
  constexpr int64_t kRows = 256;  // of one piece of work
  const int64_t pieces = (plan_.k + kRows - 1) / kRows, panels = plan_.count() - plan_.first_packed;
  workers->for_ranges(panels * pieces, 4, [&](int64_t begin, int64_t end) {
    for (int64_t piece = begin; piece < end; ++piece) {
      const int64_t row = piece % pieces * kRows;
      pack(plan_.first_packed + piece / pieces, row, std::min(row + kRows, plan_.k));
    }
  });
}

template class DensePanels<float>;
template class DensePanels<double>;

}  // namespace bs::cpu
