// To be written.
#include "engine/structure.h"

namespace bs::cpu {

const StructureFunctions& structure_functions() {
  static constexpr StructureFunctions functions{};
  return functions;
}

}  // namespace bs::cpu
