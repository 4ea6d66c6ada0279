// kernels/registry.def read twice an operation: declarations, then the table.
#include "engine/registry.h"

#define BS_SPMM_KERNEL(backend, method)  \
  namespace bs::backend {                \
  extern const SpmmKernel spmm_##method; \
  }
#define BS_SDDMM_KERNEL(backend, method)   \
  namespace bs::backend {                  \
  extern const SddmmKernel sddmm_##method; \
  }
#define BS_GATEGRAD_KERNEL(backend, method)      \
  namespace bs::backend {                        \
  extern const GateGradKernel gategrad_##method; \
  }
#include "registry.def"

namespace bs {

std::span<const SpmmKernel* const> spmm_kernels() {
  static constexpr const SpmmKernel* table[] = {
#define BS_SPMM_KERNEL(backend, method) &backend::spmm_##method,
#include "registry.def"
  };
  return table;
}

std::span<const SddmmKernel* const> sddmm_kernels() {
  static constexpr const SddmmKernel* table[] = {
#define BS_SDDMM_KERNEL(backend, method) &backend::sddmm_##method,
#include "registry.def"
  };
  return table;
}

std::span<const GateGradKernel* const> gategrad_kernels() {
  static constexpr const GateGradKernel* table[] = {
#define BS_GATEGRAD_KERNEL(backend, method) &backend::gategrad_##method,
#include "registry.def"
  };
  return table;
}

}  // namespace bs
