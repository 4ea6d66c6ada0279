#include "cuda/common/csr_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cuda/common/launch.h"
#include "cuda/common/tensor_map.h"
#include "model/saturate.h"

namespace bs::cuda::csr_panel {
namespace {

template <int... I>
int fixed_bytes(int policy, std::integer_sequence<int, I...>) {
  int bytes = 0;
  ((policy == I && (bytes = kFixedBytes<I>, true)) || ...);
  return bytes;
}

}  // namespace

Cut::Cut(const SpmmProblem& p, const Device& d, int policy) {
  const Policy& P = kPolicies[policy];
  strips = ceil_div(p.n, P.row_bytes() / size_of(p.b_type));
  // As many row blocks as fill the SMs evenly, in as few rounds as the registers allow.
  const int64_t fewest = std::max<int64_t>(ceil_div(p.m, kWarps * P.rows() * P.slots), 1),
                columns = std::max<int64_t>(saturating_mul(strips, p.batch), 1), sms = std::max(d.sms, 1);
  const int64_t rounds = (saturating_mul(fewest, columns) - 1) / sms + 1;
  row_blocks = std::min(std::max<int64_t>(saturating_mul(rounds, sms) / columns, 1), std::max<int64_t>(p.m, 1));
  // A multiple of 12: whatever the number of boxes, up to four, panels of equal boxes fit.
  const int64_t room = d.smem_per_cta - fixed_bytes(policy, std::make_integer_sequence<int, kPolicyCount>());
  const int64_t most = std::max<int64_t>(room / kPanels / P.row_bytes() / 12 * 12, 12);
  panels = ceil_div(std::max<int64_t>(p.k, 1), most);
  boxes = static_cast<int>(ceil_div(ceil_div(std::max<int64_t>(p.k, 1), panels), kMaxBox));
  height = static_cast<int>(ceil_div(std::max<int64_t>(p.k, 1), panels * boxes)) * boxes;

  clocks = estimate(p, policy, rounds);
}

// Calibrated on an H200: 4096 x 4096 x (512, 4096) at 10 and 30 %, and layers of pruned Transformers.
double Cut::estimate(const SpmmProblem& p, int policy, int64_t rounds) const {
  const Policy& P = kPolicies[policy];
  const double rows = static_cast<double>(ceil_div(p.m, row_blocks)), at_once = kWarps * P.rows(),
               mean = static_cast<double>(p.s.entries()) / static_cast<double>(std::max<int64_t>(p.m, 1)),
               longest = p.s.stats.known && !p.s.transposed ? static_cast<double>(p.s.stats.row_length_max) : mean;
  const auto chunks = [&](double entries) {
    return static_cast<double>(panels) * std::ceil(entries / static_cast<double>(panels) / P.chunk() + 0.1);
  };
  // Passes through shared memory, or instructions where those of widening are more; staging costs 17 a chunk.
  const double passes = P.row_bytes() / 128.0 + 1.0 / P.groups();
  const double issue = size_of(p.b_type) < 4 ? (2.0 + P.vectors * 17) / P.groups() / 4 * 1.5 : 0;
  const double one_row = mean * std::max(passes, issue) + chunks(mean) * 17 * P.loads;
  const auto alone = [&](double entries) {  // one slot of a warp, by itself
    return entries / P.sharing * 110 / P.unroll + chunks(entries) * (P.ahead ? 700 : 1500);
  };
  const double full = std::floor(rows / at_once), rest = rows - full * at_once, used = std::ceil(rows / at_once);
  const double adding =
      full * std::max(at_once * one_row, alone(mean)) + (rest > 0 ? std::max(rest * one_row, alone(mean)) : 0);
  const double lagging = alone(longest) + (used - 1) * alone(mean);
  const double panel = height * P.row_bytes() / 30.0, filling = panel * static_cast<double>(panels);
  return static_cast<double>(rounds) * static_cast<double>(std::max<int64_t>(p.reduce, 1)) *
         (panel + 2000 + 1.18 * std::max(std::max(adding, lagging), filling));
}

int policy_for(const SpmmProblem& p, const Device& d) {
  int best = 0;
  double clocks = 0;
  for (int i = 0; i < kPolicyCount; ++i) {
    if (!has_policy(p.b_type, i)) continue;
    const Cut cut(p, d, i);
    if (clocks == 0 || cut.clocks < clocks) best = i, clocks = cut.clocks;
  }
  return best;
}

}  // namespace bs::cuda::csr_panel
