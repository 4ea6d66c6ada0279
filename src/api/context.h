// bsHandle_t.
#pragma once

#include <cstdio>
#include <memory>

#include "api/boundary.h"
#include "engine/choice_cache.h"
#include "platform/machine.h"

namespace bs {

// Where the trace goes: a callback, else a file named by the environment, else standard error.
struct LogSink {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  bool select = false;  // BSPARSE_LOG is "select", or a callback is set
  bsLogCallback_t callback = nullptr;
  void* user = nullptr;
  std::unique_ptr<std::FILE, Close> file;  // BSPARSE_LOG_FILE; null: standard error
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
  bs::ChoiceCache<bs::GateGradKernel> gategrad_choices;
  // After a change of what costs depend on.
  void forget_choices() {
    spmm_choices = {};
    sddmm_choices = {};
    gategrad_choices = {};
  }
  ~bsContext() { bs::bury(tag); }
};

namespace bs {

// body(Machine&) between the machine's enter() and leave().
template <class Body>
Status on_machine(bsContext& context, Body&& body) {
  Machine& machine = *context.machine;
  BS_TRY(machine.enter(context.stream));
  const struct Leave {
    Machine& machine;
    ~Leave() { machine.leave(); }
  } leave{machine};
  return body(machine);
}

}  // namespace bs
