// The outside of the library: one Machine a handle, the only thing that asks the operating system or a driver for
// anything.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/structure.h"
#include "model/device.h"
#include "model/operands.h"
#include "model/status.h"

namespace bs {

class Machine {
 public:
  virtual ~Machine() = default;
  virtual const Device& device() const = 0;
  virtual const StructureFunctions& structure() const = 0;

  // These four between enter() and leave().
  virtual Status allocate(void** pointer, int64_t bytes) = 0;  // bytes > 0, 256-byte aligned
  virtual Status release(void* pointer) = 0;
  virtual Status copy(void* destination, const void* source, int64_t bytes, void* stream) = 0;
  virtual Status synchronize(void* stream) = 0;
  virtual Exec exec(void* stream, void* workspace, int64_t workspace_bytes) = 0;

  // Called on entering and leaving an API function that launches: keep the caller's device current, name errors that
  // were there before. Nothing to do on the CPU.
  virtual Status enter(void* stream) {
    (void)stream;
    return kSuccess;
  }
  virtual void leave() {}
  // The CPU threads of later calls; a machine without such has 0 and ignores the setting. Started before anything is
  // changed, so what it throws leaves the machine as it was.
  virtual void set_threads(int) {}
  virtual int threads() const { return 0; }
  // Whether `pointer` may be read as a scalar in this pointer mode.
  virtual Status look_at_scalar(const void* pointer, bool device_mode, bool* accessible) const {
    (void)pointer, (void)device_mode;
    *accessible = true;
    return kSuccess;
  }
};

constexpr int kMaxThreads = 1024;

struct CpuSettings {
  int threads = 0;  // 0: all cores
  Isa max_isa = Isa::avx512;
};

// The processor the program runs on, without opening it.
Device host_device(const CpuSettings& settings);

// May throw std::bad_alloc and std::system_error (threads); the API boundary catches both.
Status open_cpu(const CpuSettings& settings, std::unique_ptr<Machine>* machine);
// Built without CUDA: NOT_SUPPORTED. No driver or no GPU: MISSING_LIBRARY or CUDA_ERROR. ordinal -1: the current
// device.
Status open_cuda(int ordinal, std::unique_ptr<Machine>* machine);
bool cuda_compiled();
bool cuda_present();  // a driver and at least one device; never fails

// "h200", "cpu", or properties: the text form of bsSpMM_explain.
Status parse_device(const char* text, Device* device);

}  // namespace bs
