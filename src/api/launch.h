// The last steps of every operation: choose, fit, launch; and the size of the workspace that makes any of them fit.
#pragma once

#include <algorithm>

#include "api/context.h"
#include "api/describe.h"
#include "api/options.h"
#include "engine/choose.h"
#include "engine/trace.h"

namespace bs {

template <class K>
ChoiceCache<K>& choices_of(bsContext& context) {
  if constexpr (std::is_same_v<K, SpmmKernel>) return context.spmm_choices;
  if constexpr (std::is_same_v<K, SddmmKernel>) return context.sddmm_choices;
  if constexpr (std::is_same_v<K, GateGradKernel>) return context.gategrad_choices;
}

inline const char* route_of(bsConstOptions_t options) {
  return options && !options->route.empty() ? options->route.c_str() : nullptr;
}

template <class K>
Status launch(bsContext& context, const typename K::Problem& problem, const typename K::Operands& operands,
              bsConstOptions_t options, const Workspace& workspace) {
  const Device& device = context.machine->device();
  const Filter filter{.route = route_of(options), .workspace_limit = workspace.bytes};
  const std::optional<Choice<K>> choice = choose<K>(choices_of<K>(context), problem, device, filter);
  if (!choice) return refusal<K>(problem, device, filter);
  const auto& [kernel, plan] = *choice;
  if (context.log.select)
    context.log.write(select_line(kernel->name, plan.cost_us, describe_arguments(problem)).c_str());
  return kernel->launch(problem, plan, operands,
                        context.machine->exec(context.stream, workspace.pointer, workspace.bytes));
}

template <class K, class Call>
Status run_product(const Product& p, const Call& call, const Workspace& workspace) {
  return on_machine(*p.handle, [&](Machine&) -> Status {
    BS_TRY(check_scalars(p));
    return launch<K>(*p.handle, call.problem, call.operands, p.options, workspace);
  });
}

// The most over all alignment classes: the arrays need not be known yet, nor be the same at every call.
template <class K, class Call>
Status product_workspace(const Product& p, const Call& call, int64_t* bytes) {
  return on_machine(*p.handle, [&](Machine& machine) -> Status {
    const Device& device = machine.device();
    const Filter filter{.route = route_of(p.options)};
    typename K::Problem problem = call.problem;
    int64_t most = -1;
    for (const uint8_t blocks : {call.block_alignment.worst(), call.block_alignment.best()}) {
      problem.constraints.block_alignment = blocks;
      for (int a = call.alignment.worst(); a <= call.alignment.best(); a *= 2) {
        problem.constraints.alignment = static_cast<uint8_t>(a);
        if (const auto choice = choose<K>(choices_of<K>(*p.handle), problem, device, filter))
          most = std::max(most, choice->plan.workspace_bytes);
      }
    }
    if (most < 0) return refusal<K>(problem, device, filter);
    *bytes = most;
    return kSuccess;
  });
}

}  // namespace bs
