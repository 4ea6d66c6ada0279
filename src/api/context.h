// bsHandle_t.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "api/boundary.h"
#include "engine/choice_cache.h"
#include "platform/machine.h"

namespace bs {

// Where the trace goes: a callback, else a file named by the environment, else nowhere.
struct LogSink {
  bool select = false;                   // BSPARSE_LOG contains "select", or a callback is set
  bsLogCallback_t callback = nullptr;
  void* user = nullptr;
  std::string file;                      // BSPARSE_LOG_FILE; empty: standard error
  void write(const char* line) const;
};

}  // namespace bs

struct bsContext {
  static constexpr bs::Tag kTag = bs::Tag::context;
  static constexpr const char* kKind = "a library handle";
  bs::Tag tag = kTag;
  std::unique_ptr<bs::Machine> machine;
  bsStream_t stream = nullptr;
  bsPointerMode_t pointer_mode = BS_POINTER_MODE_HOST;
  bs::LogSink log;
  bs::ChoiceCache<bs::SpmmKernel> spmm_choices;
  bs::ChoiceCache<bs::SddmmKernel> sddmm_choices;
  ~bsContext() { tag = bs::Tag::dead; }
};
