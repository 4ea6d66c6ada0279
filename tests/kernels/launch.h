// One launch of a row, with a workspace of exactly the planned size between guards.
#pragma once

#include <string>

#include "engine/select.h"
#include "platform/machine.h"
#include "support/guarded.h"

namespace bs::test {

// What analysis gives an operand, in memory of the machine that owns it.
struct AnalysisData {
  AnalysisData(Machine* machine, const MatrixView& view, bsAnalyzeFlags_t flags);
  void apply(SparseShape* shape, SparseOperand* operand) const;

  AnalysisLayout layout;
  Guarded buffer;
  SparsityStats stats;
  bsAnalyzeFlags_t flags;
  bool ok = true;
};

// "" or what went wrong.
template <class K>
std::string launch(const K& kernel, Machine* machine, const typename K::Problem& problem,
                   const typename K::Operands& operands) {
  const Plan plan = kernel.plan(problem, machine->device());
  if (plan.workspace_bytes < 0 || !(plan.cost_us > 0)) return "the plan is not one";
  const Guarded workspace(machine, plan.workspace_bytes);
  const Exec exec = machine->exec(nullptr, workspace.data(), plan.workspace_bytes);
  if (const Status status = kernel.launch(problem, plan, operands, exec); !status.ok())
    return "launch gave " + std::to_string(status.code) + " " + last_error().text;
  if (!machine->synchronize(nullptr).ok()) return std::string("synchronize: ") + last_error().text;
  return workspace.intact() ? "" : "wrote outside its workspace of " + std::to_string(plan.workspace_bytes) + " bytes";
}

}  // namespace bs::test
