// The dense right-hand side in column panels, as the inner loops read it: as it lies, or packed in the workspace,
// widened to the type of the sums and without gaps, so that a panel's rows meet few pages and all cache sets.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/common/scalar.h"
#include "cpu/simd/microkernels.h"
#include "model/operands.h"
#include "model/problem.h"

namespace bs::cpu {

// Pure arithmetic, for plan and launch. Panels before `first_packed` are read as they lie; the last panel is packed if
// its width is no whole number of vectors.
struct PanelPlan {
  int64_t n = 0, k = 0, lanes = 1, element = 4, first_packed = 0;

  PanelPlan(const SpmmProblem& p, int64_t lanes, bool packed);

  int64_t width() const { return kPanelVectors * lanes; }
  int64_t count() const { return (n + width() - 1) / width(); }
  int64_t cols(int64_t panel) const { return std::min(width(), n - panel * width()); }
  int64_t vectors(int64_t panel) const { return (cols(panel) + lanes - 1) / lanes; }
  int64_t padded_n() const { return (n + lanes - 1) / lanes * lanes; }
  int64_t bytes() const {
    return part(saturating_mul(k, padded_n() - std::min(first_packed * width(), padded_n()), element));
  }
};

struct Panel {
  const void* dense;
  int64_t ld, col, cols;
  DType type;
  int vectors;
};

// One input's dense operand.
template <class T>
class DensePanels {
 public:
  DensePanels(const SpmmProblem& p, const PanelPlan& plan, const Microkernels& simd, void* workspace)
      : p_(p), plan_(plan), simd_(simd), packed_(static_cast<T*>(workspace)) {}

  void load(const void* dense, Workers* workers);
  Panel panel(int64_t index) const;

 private:
  T* packed_panel(int64_t index) const { return packed_ + (index - plan_.first_packed) * plan_.width() * plan_.k; }
  void pack(int64_t index, int64_t begin, int64_t end) const;

  const SpmmProblem& p_;
  PanelPlan plan_;
  const Microkernels& simd_;
  T* packed_;
  const void* dense_ = nullptr;
};

extern template class DensePanels<float>;
extern template class DensePanels<double>;

}  // namespace bs::cpu
