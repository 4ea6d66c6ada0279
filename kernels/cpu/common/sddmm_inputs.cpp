// Packing of the dense operands of an SDDMM, and its bias gradient.
#include "cpu/common/sddmm_inputs.h"

#include <algorithm>
#include <array>

namespace bs::cpu {
namespace {

constexpr int64_t kVectorsAPiece = 64;

}  // namespace

template <class T>
ReadyVectors<T> SddmmInputs<T>::vectors(const VectorSet& v, Inner inner, int64_t batch, void* space) const {
  if (ready(problem_, v, inner))
    return {static_cast<const T*>(v.data) + batch * v.input_stride, v.stride, v.inner_stride};
  T* packed = static_cast<T*>(space);
  const int64_t extent = inner_extent(problem_);
  if (!packed_before(v, batch))
    exec_.workers->for_ranges(v.count, kVectorsAPiece, [&](int64_t begin, int64_t end) {
      for (int64_t r = 0; r < problem_.reduce; ++r)
        functions_.pack(v.rows_from(batch + r, begin), end - begin, problem_.k,
                        packed + begin * extent + r * problem_.k, extent);
    });
  return {packed, extent, 1};
}

template <class T>
void SddmmInputs<T>::pack_group(const VectorSet& v, const PanelGrid& grid, int64_t batch, int64_t g, T* space) const {
  const int64_t columns = std::min(grid.group, v.count - g * grid.group);
  for (int64_t first = 0; first < grid.group; first += kPanelWidth) {
    const int width = grid.width(first);
    const int64_t present = std::clamp<int64_t>(columns - first, 0, width);
    T* panel = space + grid.offset(g, first);
    if (present < width) std::fill(panel, panel + grid.inner * width, T(0));
    for (int64_t r = 0; r < problem_.reduce; ++r)
      functions_.pack(v.columns_from(batch + r, g * grid.group + first), problem_.k, present,
                      panel + r * problem_.k * width, width);
  }
}

template <class T>
const T* SddmmInputs<T>::panels(const VectorSet& v, const PanelGrid& grid, int64_t batch, void* space) const {
  T* packed = static_cast<T*>(space);
  if (!packed_before(v, batch))
    exec_.workers->for_ranges(grid.groups(), std::max<int64_t>(1, kVectorsAPiece / grid.group),
                              [&](int64_t begin, int64_t end) {
                                for (int64_t g = begin; g < end; ++g) pack_group(v, grid, batch, g, packed);
                              });
  return packed;
}

template <class T>
void SddmmInputs<T>::write_bias_gradient() const {
  if (problem_.bias_gradient == Axis::none) return;
  const bool by_row = problem_.bias_gradient == Axis::row;
  const VectorSet v = by_row ? left_vectors(problem_, operands_) : right_vectors(problem_, operands_);
  const auto sum_piece = [&](int64_t batch, int64_t first, int64_t count) {
    std::array<double, kVectorsAPiece> sums{};
    for (int64_t r = 0; r < problem_.reduce; ++r)
      functions_.add_row_sums(v.rows_from(batch + r, first), count, problem_.k, sums.data());
    for (int64_t i = 0; i < count; ++i)
      store_double(problem_.bias_type, operands_.bias_gradient, batch * v.count + first + i,
                   sums[static_cast<size_t>(i)]);
  };
  for (int64_t batch = 0; batch < problem_.batch; ++batch)
    exec_.workers->for_ranges(v.count, kVectorsAPiece, [&](int64_t begin, int64_t end) {
      for (int64_t first = begin; first < end; first += kVectorsAPiece)
        sum_piece(batch, first, std::min(kVectorsAPiece, end - first));
    });
}

double sddmm_cost_us(const SddmmProblem& p, const Device& d, double flops, const Efficiency& efficiency) {
  constexpr double kCallUs = 2;
  const auto real = [](int64_t x) { return static_cast<double>(x); };
  const double vectors = real(p.m) * real(size_of(p.l_type)) + real(p.n) * real(size_of(p.r_type));
  const double results =
      real(p.s.elements()) * 2 * real(size_of(p.s.dtype)) + real(p.s.entries()) * real(size_of(p.s.index_type));
  const Work work{.bytes = real(p.batch) * (vectors * real(inner_extent(p)) + results), .flops = real(p.batch) * flops};
  const int element_bytes = static_cast<int>(size_of(compute_type(p.s)));
  return roofline_us(work, cpu_peak_flops_per_us(d, element_bytes), d.memory_gbs, efficiency, kCallUs);
}

template class SddmmInputs<float>;
template class SddmmInputs<double>;

}  // namespace bs::cpu
