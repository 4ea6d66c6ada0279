// How spmm_csr_panel cuts a product: its policies, what a CTA keeps in shared memory beside the panels, and the choice
// between them. Host code but for the structs.
#pragma once

#include <cstdint>

#include "model/device.h"
#include "model/problem.h"

namespace bs::cuda::csr_panel {

struct Policy {
  int lanes;    // of a warp, for one entry
  int sharing;  // groups of lanes that share a row, each with every sharing-th entry
  int vectors;  // of 16 bytes of a row of B, for one lane
  int slots;    // rows of a group, at most
  int unroll;   // entries of a group whose loads are in flight together
  int loads;    // entries of a row staged at a time, for one lane
  bool ahead;   // the next ones are on their way meanwhile, as far as registers allow it
  constexpr int groups() const { return 32 / lanes; }
  constexpr int rows() const { return groups() / sharing; }         // of a warp at a time
  constexpr int row_bytes() const { return lanes * vectors * 16; }  // of a panel
  constexpr int chunk() const { return loads * 32; }
};
inline constexpr Policy kPolicies[] = {
    // f32: the fewest passes an entry
    {.lanes = 8, .sharing = 1, .vectors = 4, .slots = 4, .unroll = 2, .loads = 1, .ahead = false},
    // 16 bits: no group waits for the longest row of its warp
    {.lanes = 32, .sharing = 1, .vectors = 1, .slots = 8, .unroll = 4, .loads = 1, .ahead = true},
    // few rows: narrow strips, and the work of a row in four hands
    {.lanes = 8, .sharing = 4, .vectors = 2, .slots = 4, .unroll = 2, .loads = 4, .ahead = true},
    {.lanes = 8, .sharing = 4, .vectors = 1, .slots = 8, .unroll = 4, .loads = 4, .ahead = true},
};
inline constexpr int kPolicyCount = 4;
inline constexpr int kWarps = 16;
inline constexpr int kThreads = kWarps * 32;
inline constexpr int kPanels = 2;  // in shared memory

struct Staged {
  int offset;  // of the row of B, in shared memory
  float value;
};
struct Cursor {  // entries of a row that are still to be added, counted from the input's first one
  int next, end;
};

template <int kPolicy>
struct Shared {
  static constexpr Policy P = kPolicies[kPolicy];
  uint64_t full[kPanels];
  unsigned left[kPanels];  // times that a warp left the panel
  Cursor cursors[kWarps][P.slots][P.rows()];
  Staged staged[kWarps][P.rows()][P.chunk() + 1];  // odd: the groups of a warp read from different banks
};

template <int kPolicy>
constexpr int kFixedBytes = (static_cast<int>(sizeof(Shared<kPolicy>)) + 127) / 128 * 128;

// Which policies a type is compiled for: 16 bits have too many sums for the first one's registers, and f32 never gains
// by the second one.
constexpr bool has_policy(DType type, int policy) {
  return type == DType::f32 ? policy != 1 : policy != 0;
}

// How a policy cuts a problem.
struct Cut {
  int64_t strips = 0, row_blocks = 0, panels = 0;
  int height = 0, boxes = 0;
  double clocks = 0;  // of the whole product

  Cut(const SpmmProblem& p, const Device& d, int policy);

 private:
  double estimate(const SpmmProblem& p, int policy, int64_t rounds) const;
};

// The fastest by estimate.
int policy_for(const SpmmProblem& p, const Device& d);

}  // namespace bs::cuda::csr_panel
