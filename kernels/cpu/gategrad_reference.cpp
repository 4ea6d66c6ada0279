// To be written.
#include "engine/kernel.h"
namespace bs::cpu {
namespace {
Verdict supports(const GateGradProblem&, const Device&) { return {"to be written"}; }
Plan plan(const GateGradProblem&, const Device&) { return {.cost_us = 1e12}; }
Status launch(const GateGradProblem&, const Plan&, const GateGradOperands&, const Exec&) { return kSuccess; }
}  // namespace
}  // namespace bs::cpu
BS_DEFINE_GATEGRAD_KERNEL(cpu, reference, .reference = true)
