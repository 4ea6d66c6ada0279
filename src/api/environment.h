// The environment variables, read by bsCreate and bsCreateOn and nowhere else.
#pragma once

#include <optional>

#include "api/context.h"
#include "model/device.h"
#include "platform/machine.h"

namespace bs {

// BSPARSE_BACKEND; without a value the library chooses.
Status read_backend(std::optional<Backend>* backend);
// BSPARSE_NUM_THREADS, else OMP_NUM_THREADS; BSPARSE_MAX_ISA.
Status read_cpu_settings(CpuSettings* settings);
// BSPARSE_LOG, BSPARSE_LOG_FILE.
Status read_log(LogSink* log);

}  // namespace bs
