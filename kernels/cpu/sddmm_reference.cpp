// To be written.
#include "engine/kernel.h"
namespace bs::cpu {
namespace {
Verdict supports(const SddmmProblem&, const Device&) { return {"to be written"}; }
Plan plan(const SddmmProblem&, const Device&) { return {.cost_us = 1e12}; }
Status launch(const SddmmProblem&, const Plan&, const SddmmOperands&, const Exec&) { return kSuccess; }
}  // namespace
}  // namespace bs::cpu
BS_DEFINE_SDDMM_KERNEL(cpu, reference, .reference = true)
