// From problem to choice: remembered, or selected now and remembered; and why there is none.
#pragma once

#include <optional>

#include "engine/choice_cache.h"
#include "engine/registry.h"
#include "engine/select.h"

namespace bs {

inline constexpr auto kNobodyWatches = [](const auto&, const Verdict&, const Plan&) {};

// A choice of the caller's (Filter::route) is neither looked up nor remembered: it says nothing about the next call.
template <class K>
std::optional<Choice<K>> choose(ChoiceCache<K>& cache, const typename K::Problem& problem, const Device& device,
                                const Filter& filter) {
  if (filter.route) return select<K>(kernels_of<K>(), problem, device, filter, kNobodyWatches);
  if (const Choice<K>* known = cache.find(problem, filter.workspace_limit)) return *known;
  const std::optional<Choice<K>> made = select<K>(kernels_of<K>(), problem, device, filter, kNobodyWatches);
  if (made) cache.put(problem, filter.workspace_limit, *made);
  return made;
}

// What to tell a caller for whom `select` found nothing: more workspace would help, or the topmost row's reason.
template <class K>
Status refusal(const typename K::Problem& problem, const Device& device, const Filter& filter) {
  const K* first = nullptr;
  Verdict reason;
  const auto top = [&](const K& kernel, const Verdict& verdict, const Plan&) {
    if (!first) first = &kernel, reason = verdict;
  };
  const std::optional<Choice<K>> unlimited = select<K>(kernels_of<K>(), problem, device, {.route = filter.route}, top);
  if (unlimited)
    return fail(BS_STATUS_INSUFFICIENT_WORKSPACE, "%s needs %lld bytes of workspace, got %lld", unlimited->kernel->name,
                static_cast<long long>(unlimited->plan.workspace_bytes),
                static_cast<long long>(filter.workspace_limit));
  if (first) return fail(BS_STATUS_NOT_SUPPORTED, "%s: %s", first->name, reason.unmet);
  if (filter.route)
    return fail(BS_STATUS_NOT_SUPPORTED, "%s is not a route of %s on backend %s", filter.route, K::Problem::op,
                name_of(device.backend));
  return fail(BS_STATUS_NOT_SUPPORTED, "the library has no route for %s on backend %s", K::Problem::op,
              name_of(device.backend));
}

}  // namespace bs
