// Which kernel: the cheapest that accepts. Pure; `visit` sees every row tried, and that is the whole of the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engine/kernel.h"

namespace bs {

template <class K>
struct Choice {
  const K* kernel = nullptr;
  Plan plan;
};

struct Filter {
  const char* route = nullptr;          // only the row of this name
  int64_t workspace_limit = INT64_MAX;  // only rows that fit
};

// The row's own verdict and the caller's constraints, in that order.
template <class K>
Verdict verdict_of(const K& kernel, const typename K::Problem& problem, const Device& device) {
  if (problem.constraints.strict && !kernel.traits.isolates)
    return {"BS_OPTION_STRICT admits only routes that isolate non-finite values"};
  if (problem.constraints.deterministic && !kernel.traits.deterministic)
    return {"BS_OPTION_DETERMINISTIC admits only routes that repeat bit for bit"};
  return kernel.supports(problem, device);
}

// More bytes than processors address. Sizes in plans saturate far beyond.
inline constexpr int64_t kMostWorkspace = int64_t{1} << 56;

// A reference row wins only where no other row accepts the problem: too small a workspace is an error for the caller to
// see, not a reason to become a thousand times slower. Earlier rows win ties.
template <class K, class Visit>
std::optional<Choice<K>> select(std::span<const K* const> kernels, const typename K::Problem& problem,
                                const Device& device, const Filter& filter, Visit&& visit) {
  std::optional<Choice<K>> best;
  bool reference_only = true;
  for (const K* kernel : kernels) {
    if (kernel->backend != device.backend) continue;
    if (filter.route && std::string_view(filter.route) != kernel->name) continue;
    Verdict verdict = verdict_of(*kernel, problem, device);
    const Plan plan = verdict.ok() ? kernel->plan(problem, device) : Plan{};
    if (plan.workspace_bytes > kMostWorkspace) verdict = {"needs a workspace that some memory can hold"};
    visit(*kernel, verdict, plan);
    if (!verdict.ok()) continue;
    if (kernel->traits.reference && !reference_only) continue;
    if (!kernel->traits.reference && reference_only) {
      reference_only = false;
      best.reset();
    }
    if (plan.workspace_bytes > filter.workspace_limit) continue;
    if (!best || plan.cost_us < best->plan.cost_us) best = Choice<K>{kernel, plan};
  }
  return best;
}

}  // namespace bs
