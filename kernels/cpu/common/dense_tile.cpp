// The table of dense tile functions for the instruction set that a handle runs with.
#include "cpu/common/dense_tile.h"

#include "model/device.h"

#define BS_DECLARE_DENSE_TILE(isa_)                          \
  namespace bs::cpu::isa_ {                                  \
  extern const DenseTileFunctions<float> dense_tile_float;   \
  extern const DenseTileFunctions<double> dense_tile_double; \
  DotFunction dot_function(DType x, DType y);                \
  }
BS_DECLARE_DENSE_TILE(base)
#if BSPARSE_X86
BS_DECLARE_DENSE_TILE(avx2)
BS_DECLARE_DENSE_TILE(avx512)
#endif

namespace bs::cpu {

template <>
const DenseTileFunctions<float>& dense_tile_functions<float>([[maybe_unused]] int isa) {
#if BSPARSE_X86
  if (isa == static_cast<int>(Isa::avx512)) return avx512::dense_tile_float;
  if (isa == static_cast<int>(Isa::avx2)) return avx2::dense_tile_float;
#endif
  return base::dense_tile_float;
}

template <>
const DenseTileFunctions<double>& dense_tile_functions<double>([[maybe_unused]] int isa) {
#if BSPARSE_X86
  if (isa == static_cast<int>(Isa::avx512)) return avx512::dense_tile_double;
  if (isa == static_cast<int>(Isa::avx2)) return avx2::dense_tile_double;
#endif
  return base::dense_tile_double;
}

DotFunction dot_function([[maybe_unused]] int isa, DType x, DType y) {
#if BSPARSE_X86
  if (isa == static_cast<int>(Isa::avx512)) return avx512::dot_function(x, y);
  if (isa == static_cast<int>(Isa::avx2)) return avx2::dot_function(x, y);
#endif
  return base::dot_function(x, y);
}

}  // namespace bs::cpu
