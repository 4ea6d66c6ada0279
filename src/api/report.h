// bsReport_t: what the engine thought of every row of the registry for one problem.
#pragma once

#include <string>
#include <vector>

#include "api/boundary.h"
#include "engine/registry.h"
#include "engine/select.h"

namespace bs {

struct Candidate {
  std::string route;
  std::string reason;  // empty: accepted
  double microseconds = 0;
  int64_t workspace = 0;
  size_t tried = 0;  // place among those tried
  bool accepted = false, deterministic = false, isolates = false, chosen = false;
};

}  // namespace bs

struct bsReportData {
  static constexpr bs::Tag kTag = bs::Tag::report;
  static constexpr const char* kKind = "a report";
  bs::Tag tag = kTag;
  std::vector<bs::Candidate> candidates;  // accepted ones by predicted time, then refused ones as registered
  std::string text;
  ~bsReportData() { bs::bury(tag); }
};

namespace bs {

// Sorts the candidates and writes the text: problem and device first, then a table.
void finish_report(bsReportData* report, const std::string& problem, const Device& device);

// All rows are asked, also when the options name one: it is the one chosen then, if it accepts.
template <class K>
void fill_report(bsReportData* report, const typename K::Problem& problem, const Device& device, const char* route) {
  const auto note = [&](const K& kernel, const Verdict& verdict, const Plan& plan) {
    report->candidates.push_back({.route = kernel.name,
                                  .reason = verdict.ok() ? "" : verdict.unmet,
                                  .microseconds = plan.cost_us,
                                  .workspace = plan.workspace_bytes,
                                  .tried = report->candidates.size(),
                                  .accepted = verdict.ok(),
                                  .deterministic = kernel.traits.deterministic,
                                  .isolates = kernel.traits.isolates});
  };
  const auto ignore = [](const K&, const Verdict&, const Plan&) {};
  select<K>(kernels_of<K>(), problem, device, {}, note);
  const auto choice = select<K>(kernels_of<K>(), problem, device, {.route = route}, ignore);
  for (Candidate& candidate : report->candidates) candidate.chosen = choice && candidate.route == choice->kernel->name;
}

}  // namespace bs
