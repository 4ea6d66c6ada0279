// A GPU as a Machine: device properties, memory, streams. The static CUDA runtime opens the driver itself at first use,
// so the library loads where there is none.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>

#include "cuda/structure/structure.h"
#include "platform/cublas.h"
#include "platform/machine.h"

namespace bs {
namespace {

Status cuda_status(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return kSuccess;
  const bsStatus_t code = error == cudaErrorMemoryAllocation ? BS_STATUS_ALLOC_FAILED : BS_STATUS_CUDA_ERROR;
  return fail(code, "%s: %s (%s)", what, cudaGetErrorString(error), cudaGetErrorName(error));
}

// Keeps the caller's current device across a call.
class CurrentDevice {
 public:
  explicit CurrentDevice(int wanted) {
    if (cudaGetDevice(&before_) != cudaSuccess) before_ = wanted;
    if (before_ != wanted) cudaSetDevice(wanted);
    wanted_ = wanted;
  }
  ~CurrentDevice() {
    if (before_ != wanted_) cudaSetDevice(before_);
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int before_ = 0, wanted_ = 0;
};

// Measured figures where the profile table has this GPU, else arithmetic from its properties.
Device device_of(int ordinal, const cudaDeviceProp& properties) {
  Device d;
  const char* profile = std::strstr(properties.name, "H200")   ? "h200"
                        : std::strstr(properties.name, "H100") ? "h100"
                        : std::strstr(properties.name, "A100") ? "a100"
                        : std::strstr(properties.name, "4090") ? "rtx4090"
                                                               : nullptr;
  int clock_khz = 0, memory_khz = 0;
  cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, ordinal);
  cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, ordinal);
  if (!profile || !parse_device(profile, &d).ok()) {
    const double clock_ghz = clock_khz * 1e-6;
    d = Device{};
    d.memory_gbs = 2e-6 * memory_khz * properties.memoryBusWidth / 8 * 0.85;  // double data rate, sustained share
    d.l2_gbs = 32.0 * properties.multiProcessorCount * clock_ghz;             // 32 bytes a clock and SM
    d.f32_tflops = 256e-3 * properties.multiProcessorCount * clock_ghz;       // 128 FMA a clock and SM
    d.tensor_tflops = 1024e-3 * properties.multiProcessorCount * clock_ghz;   // what sm_80 tensor cores do
    d.launch_us = 2;
  }
  d.backend = Backend::cuda;
  d.ordinal = ordinal;
  std::snprintf(d.name, sizeof d.name, "%.*s", static_cast<int>(sizeof d.name) - 1, properties.name);
  d.compute_capability = properties.major * 10 + properties.minor;
  d.sms = properties.multiProcessorCount;
  d.smem_per_cta = static_cast<int64_t>(properties.sharedMemPerBlockOptin);
  d.l2_bytes = properties.l2CacheSize;
  d.has_cusparse = false;
  return d;
}

class CudaMachine final : public Machine {
 public:
  CudaMachine(const Device& device, std::unique_ptr<CublasLt> cublas) : device_(device), cublas_(std::move(cublas)) {
    device_.has_cublas = cublas_ != nullptr;
  }

  const Device& device() const override { return device_; }
  const StructureFunctions& structure() const override { return cuda::structure_functions(); }

  Status allocate(void** pointer, int64_t bytes) override {
    const CurrentDevice current(device_.ordinal);
    const Status status = cuda_status(cudaMalloc(pointer, static_cast<size_t>(bytes)), "cudaMalloc");
    if (!status.ok()) cudaGetLastError();  // an allocation that failed is not an error of the context
    return status;
  }
  Status release(void* pointer) override {
    const CurrentDevice current(device_.ordinal);
    return cuda_status(cudaFree(pointer), "cudaFree");
  }
  Status copy(void* destination, const void* source, int64_t bytes, void* stream) override {
    const CurrentDevice current(device_.ordinal);
    auto* s = static_cast<cudaStream_t>(stream);
    BS_TRY(cuda_status(cudaMemcpyAsync(destination, source, static_cast<size_t>(bytes), cudaMemcpyDefault, s),
                       "cudaMemcpyAsync"));
    return cuda_status(cudaStreamSynchronize(s), "cudaStreamSynchronize");
  }
  Status synchronize(void* stream) override {
    const CurrentDevice current(device_.ordinal);
    return cuda_status(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "cudaStreamSynchronize");
  }
  Exec exec(void* stream, void* workspace, int64_t workspace_bytes) override {
    return {.stream = stream,
            .workspace = workspace,
            .workspace_bytes = workspace_bytes,
            .cublas = cublas_.get(),
            .device = &device_};
  }

  // An error that an earlier, unrelated launch left in the context is named as such and never taken for ours.
  Status enter() override {
    if (cudaGetDevice(&caller_device_) != cudaSuccess) caller_device_ = device_.ordinal;
    if (caller_device_ != device_.ordinal) BS_TRY(cuda_status(cudaSetDevice(device_.ordinal), "cudaSetDevice"));
    const cudaError_t earlier = cudaPeekAtLastError();
    if (earlier == cudaSuccess) return kSuccess;
    leave();
    return fail(BS_STATUS_EARLIER_CUDA_ERROR, "the CUDA context was in error before this call: %s (%s)",
                cudaGetErrorString(earlier), cudaGetErrorName(earlier));
  }
  void leave() override {
    if (caller_device_ != device_.ordinal) cudaSetDevice(caller_device_);
  }

  // Host scalars are read by the host: an address that only the device can read is the wrong side, and the reverse.
  bool scalar_accessible(const void* pointer, bool device_mode) const override {
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
      cudaGetLastError();
      return !device_mode;
    }
    const bool unregistered = attributes.type == cudaMemoryTypeUnregistered;
    return device_mode ? attributes.devicePointer != nullptr : unregistered || attributes.hostPointer != nullptr;
  }

 private:
  Device device_;
  std::unique_ptr<CublasLt> cublas_;
  int caller_device_ = 0;
};

}  // namespace

bool cuda_compiled() {
  return true;
}

bool cuda_present() {
  int count = 0;
  const bool present = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  if (!present) cudaGetLastError();
  return present;
}

Status open_cuda(int ordinal, std::unique_ptr<Machine>* machine) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) {
    cudaGetLastError();
    return fail(BS_STATUS_MISSING_LIBRARY, "no usable CUDA driver or GPU: %s", cudaGetErrorString(error));
  }
  if (ordinal < 0) BS_TRY(cuda_status(cudaGetDevice(&ordinal), "cudaGetDevice"));
  if (ordinal >= count) return fail(BS_STATUS_INVALID_SIZE, "device is %d, there are %d", ordinal, count);
  const CurrentDevice current(ordinal);
  cudaDeviceProp properties{};
  BS_TRY(cuda_status(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties"));
  if (!cuda::kernels_load())
    return fail(BS_STATUS_ARCH_MISMATCH, "the library has no code for %s (compute capability %d.%d)", properties.name,
                properties.major, properties.minor);
  *machine = std::make_unique<CudaMachine>(device_of(ordinal, properties), CublasLt::open());
  return kSuccess;
}

}  // namespace bs
