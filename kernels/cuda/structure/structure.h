// What platform/ needs of the CUDA kernels beyond the registry.
#pragma once

#include "engine/structure.h"

namespace bs::cuda {

// Whether the library holds code that the current device can run.
bool kernels_load();

}  // namespace bs::cuda
