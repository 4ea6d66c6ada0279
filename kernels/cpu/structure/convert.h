// Conversion on one straight path for all pairs of formats: op(source) is read row by row in ascending columns
// (RowReader), and the rows are written as entries, blocks or dense rows.
#pragma once

#include <cstdint>

#include "engine/conversion.h"
#include "model/operands.h"

namespace bs::cpu {

// A stored entry (block) of the source: where it stands in its row, and in the arrays.
struct Entry {
  int64_t column, position;
  auto operator<=>(const Entry&) const = default;
};

// The workspace, the same in both phases.
struct ConvertSpace {
  int64_t* starts = nullptr;   // sparse destination: first entry of each list, and their number at the end
  int64_t* marks = nullptr;    // BSR destination: the last block row that had this block column
  int64_t* offsets = nullptr;  // sparse source: first of `entries` of each (block) row
  Entry* entries = nullptr;    // sparse source: ordered by row, column and position
  int64_t bytes = 0;
};
ConvertSpace space_of(const Conversion& c, void* workspace);

// Fills offsets and entries.
void sort_entries(const Conversion& c, const ConvertSpace& space, Workers& workers);

// `starts` of the destination, from the sorted source.
void count_entries(const Conversion& c, const ConvertSpace& space, Workers& workers);
void count_blocks(const Conversion& c, const ConvertSpace& space);

void fill_entries(const Conversion& c, const ConvertSpace& space, Workers& workers);
void fill_blocks(const Conversion& c, const ConvertSpace& space, Workers& workers);
void fill_dense(const Conversion& c, const ConvertSpace& space, Workers& workers);

constexpr int64_t kRowGrain = 64;  // rows a piece of parallel work

}  // namespace bs::cpu
