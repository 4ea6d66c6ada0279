// The contract of a kernel, and the one macro that makes a registry row of a kernel file.
#pragma once

#include <cstdint>

#include "model/device.h"
#include "model/operands.h"
#include "model/problem.h"
#include "model/status.h"

namespace bs {

struct Plan {
  double cost_us = 0;  // predicted time, launch included
  int64_t workspace_bytes = 0;
  int32_t policy = 0;  // index into the kernel file's own policies
};

// What holds for a kernel whatever the problem.
struct Traits {
  bool isolates = true;       // NaN and Inf that the pattern does not refer to reach no output
  bool deterministic = true;  // the same bits every time
  bool reference = false;     // the definition: chosen only where nothing else accepts
};

template <class ProblemT, class OperandsT>
struct Kernel {
  using Problem = ProblemT;
  using Operands = OperandsT;
  const char* name;  // "cpu/spmm_csr_rowsplit"
  Backend backend;
  Traits traits;
  Verdict (*supports)(const Problem&, const Device&);  // pure
  Plan (*plan)(const Problem&, const Device&);         // pure; called for accepted problems only
  // Stream-ordered; no allocation, no synchronisation. Workspace of at least plan.workspace_bytes.
  Status (*launch)(const Problem&, const Plan&, const Operands&, const Exec&);
};

using SpmmKernel = Kernel<SpmmProblem, SpmmOperands>;
using SddmmKernel = Kernel<SddmmProblem, SddmmOperands>;
using GateGradKernel = Kernel<GateGradProblem, GateGradOperands>;

}  // namespace bs

// Ends a kernel file. What follows the names initialises Traits: .isolates = false. File, symbol and printed name
// come from the same tokens, so they cannot drift apart.
#define BS_DEFINE_KERNEL(type_, op_, backend_, method_, ...)           \
  namespace bs::backend_ {                                             \
  extern const type_ op_##_##method_;                                  \
  const type_ op_##_##method_{.name = #backend_ "/" #op_ "_" #method_, \
                              .backend = Backend::backend_,            \
                              .traits = Traits{__VA_ARGS__},           \
                              .supports = supports,                    \
                              .plan = plan,                            \
                              .launch = launch};                       \
  }
#define BS_DEFINE_SPMM_KERNEL(backend_, method_, ...) BS_DEFINE_KERNEL(SpmmKernel, spmm, backend_, method_, __VA_ARGS__)
#define BS_DEFINE_SDDMM_KERNEL(backend_, method_, ...) \
  BS_DEFINE_KERNEL(SddmmKernel, sddmm, backend_, method_, __VA_ARGS__)
#define BS_DEFINE_GATEGRAD_KERNEL(backend_, method_, ...) \
  BS_DEFINE_KERNEL(GateGradKernel, gategrad, backend_, method_, __VA_ARGS__)
