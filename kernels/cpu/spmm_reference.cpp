// To be written.
#include "engine/kernel.h"
namespace bs::cpu {
namespace {
Verdict supports(const SpmmProblem&, const Device&) { return {"to be written"}; }
Plan plan(const SpmmProblem&, const Device&) { return {.cost_us = 1e12}; }
Status launch(const SpmmProblem&, const Plan&, const SpmmOperands&, const Exec&) { return kSuccess; }
}  // namespace
}  // namespace bs::cpu
BS_DEFINE_SPMM_KERNEL(cpu, reference, .reference = true)
