// The CPU backend's machine: ordinary memory, a thread pool, and what is known of the processor.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "platform/machine.h"
#include "platform/thread_pool.h"

namespace bs {
namespace {

constexpr size_t kAlignment = BSPARSE_WORKSPACE_ALIGNMENT;

// What the processor and the operating system can run. Elsewhere than on x86-64 the library holds base code only.
Isa detect_isa() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return avx512 ? Isa::avx512 : avx2 ? Isa::avx2 : Isa::base;
#else
  return Isa::base;
#endif
}

// "Intel(R) Xeon(R) Platinum 8480+", where the processor tells.
void read_name(char (&name)[sizeof Device::name]) {
#if defined(__x86_64__)
  constexpr unsigned kBrand = 0x80000002u;  // three leaves of 16 characters
  unsigned words[12];
  static_assert(sizeof words < sizeof name);
  for (unsigned i = 0; i < 3; ++i)
    if (!__get_cpuid(kBrand + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2], &words[4 * i + 3])) return;
  char brand[sizeof words + 1] = {};
  std::memcpy(brand, words, sizeof words);
  const char* start = brand + std::strspn(brand, " ");
  if (*start) std::strcpy(name, start);
#else
  (void)name;
#endif
}

int64_t read_l2_bytes(int64_t unknown) {
#if defined(_SC_LEVEL2_CACHE_SIZE)
  const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? bytes : unknown;
#else
  return unknown;
#endif
}

// Asked once a process: in a virtual machine every cpuid instruction costs tens of microseconds, and handles are cheap.
struct Processor {
  char name[sizeof Device::name] = "cpu";
  Isa isa = detect_isa();
  int64_t l2_bytes = read_l2_bytes(Device{}.l2_bytes);
};
const Processor& processor() {
  static const Processor found = [] {
    Processor p;
    read_name(p.name);
    return p;
  }();
  return found;
}

class CpuMachine final : public Machine {
 public:
  explicit CpuMachine(const CpuSettings& settings)
      : max_isa_(settings.max_isa),
        device_(host_device(settings)),
        pool_(ThreadPool::of_size(settings.threads > 0 ? settings.threads : device_.cores)) {}

  const Device& device() const override { return device_; }
  const StructureFunctions& structure() const override { return cpu::structure_functions(); }

  Status allocate(void** pointer, int64_t bytes) override {
    // A longer array could not be indexed; posix_memalign itself would round the size up past the end.
    if (bytes > PTRDIFF_MAX - static_cast<int64_t>(kAlignment))
      return fail(BS_STATUS_ALLOC_FAILED, "bytes is %lld, more than can be addressed", static_cast<long long>(bytes));
    void* memory = nullptr;
    if (posix_memalign(&memory, kAlignment, static_cast<size_t>(bytes)) != 0)
      return fail(BS_STATUS_ALLOC_FAILED, "the system has no %lld bytes of memory", static_cast<long long>(bytes));
    *pointer = memory;
    return kSuccess;
  }
  Status release(void* pointer) override {
    std::free(pointer);
    return kSuccess;
  }
  Status copy(void* destination, const void* source, int64_t bytes, void*) override {
    std::memcpy(destination, source, static_cast<size_t>(bytes));
    return kSuccess;
  }
  Status synchronize(void*) override { return kSuccess; }
  void set_threads(int threads) override {
    pool_ = ThreadPool::of_size(threads);
    device_ = host_device({.threads = threads, .max_isa = max_isa_});
  }
  int threads() const override { return pool_->threads(); }
  Exec exec(void* stream, void* workspace, int64_t workspace_bytes) override {
    return {.stream = stream,
            .workspace = workspace,
            .workspace_bytes = workspace_bytes,
            .workers = pool_.get(),
            .isa = static_cast<int>(device_.isa),
            .device = &device_};
  }

 private:
  Isa max_isa_;
  Device device_;
  std::shared_ptr<ThreadPool> pool_;
};

}  // namespace

Device host_device(const CpuSettings& settings) {
  Device device;
  const int available = available_cores();
  device.cores = settings.threads > 0 ? std::min(settings.threads, available) : available;
  device.isa = std::min(processor().isa, settings.max_isa);
  // Neither is known without measuring. Servers sustain about 2.5 GHz with all cores in wide vector code. One core
  // draws about 10 GB/s from memory, and the sockets of the last ten years saturate at 80 GB/s or more. Costs are
  // compared with each other, so being low by the same factor everywhere changes no choice.
  device.ghz = 2.5;
  device.memory_gbs = std::min(10.0 * device.cores, 80.0);
  device.l2_bytes = processor().l2_bytes;
  std::memcpy(device.name, processor().name, sizeof device.name);
  return device;
}

Status open_cpu(const CpuSettings& settings, std::unique_ptr<Machine>* machine) {
  *machine = std::make_unique<CpuMachine>(settings);
  return kSuccess;
}

}  // namespace bs
