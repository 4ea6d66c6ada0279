// Every kernel of the library, one constexpr table an operation, made from kernels/registry.def.
#pragma once

#include <span>

#include "engine/kernel.h"

namespace bs {

std::span<const SpmmKernel* const> spmm_kernels();
std::span<const SddmmKernel* const> sddmm_kernels();
std::span<const GateGradKernel* const> gategrad_kernels();

template <class K>
std::span<const K* const> kernels_of() {
  if constexpr (std::is_same_v<K, SpmmKernel>) return spmm_kernels();
  if constexpr (std::is_same_v<K, SddmmKernel>) return sddmm_kernels();
  if constexpr (std::is_same_v<K, GateGradKernel>) return gategrad_kernels();
}

}  // namespace bs
