// Choices already made, in a fixed array: a hit costs one hash and one comparison, a miss allocates nothing.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "engine/select.h"

namespace bs {

// FNV-1a over 64-bit words: problems are bytes without padding (model/problem.h).
template <class Problem>
uint64_t hash_of(const Problem& problem) {
  static_assert(sizeof(Problem) % 8 == 0);
  std::array<uint64_t, sizeof(Problem) / 8> words;
  std::memcpy(words.data(), &problem, sizeof(Problem));
  uint64_t hash = 14695981039346656037ull;
  for (const uint64_t word : words) hash = (hash ^ word) * 1099511628211ull;
  return hash ^ (hash >> 29);
}

template <class K>
class ChoiceCache {
 public:
  using Problem = typename K::Problem;

  const Choice<K>* find(const Problem& problem, int64_t workspace_limit) const {
    const Slot& slot = slots_[slot_of(problem, workspace_limit)];
    const bool hit = slot.choice.kernel && slot.workspace_limit == workspace_limit && slot.problem == problem;
    return hit ? &slot.choice : nullptr;
  }
  void put(const Problem& problem, int64_t workspace_limit, const Choice<K>& choice) {
    slots_[slot_of(problem, workspace_limit)] = {problem, workspace_limit, choice};
  }

 private:
  struct Slot {
    Problem problem;
    int64_t workspace_limit = 0;
    Choice<K> choice;
  };
  static constexpr int kSlots = 64;  // a model has a few dozen layer shapes
  static int slot_of(const Problem& problem, int64_t limit) {
    return static_cast<int>((hash_of(problem) ^ static_cast<uint64_t>(limit)) % kSlots);
  }
  std::array<Slot, kSlots> slots_{};
};

}  // namespace bs
