// The part of bsMatCheck that finds nothing wrong.
#pragma once

#include "engine/structure.h"

namespace bs::cpu {

// An index that a list has twice, else one that is smaller than the one before it. Offsets and indices are in range.
Finding find_legal(const MatrixView& m);

}  // namespace bs::cpu
