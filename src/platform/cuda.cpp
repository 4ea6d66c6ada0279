// A GPU as a Machine: device properties, memory, streams. The static CUDA runtime opens the driver itself at first use,
// so the library loads where there is none.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <utility>

#include "cuda/common/launch.h"
#include "cuda/structure/structure.h"
#include "platform/cublas.h"
#include "platform/machine.h"

namespace bs {
namespace {

using cuda::cuda_status;

// What a kernel did to the context before this call. The runtime tells of it only where it asks the driver, as in a
// question about the stream, which is allowed while graphs are captured; its other answers are not about the context.
cudaError_t broken_context(cudaStream_t stream) {
  cudaStreamCaptureStatus capture;
  const cudaError_t error = cudaStreamIsCapturing(stream, &capture);
  if (error == cudaSuccess) return error;
  cudaGetLastError();
  return error == cudaErrorStreamCaptureImplicit || error == cudaErrorInvalidResourceHandle ? cudaSuccess : error;
}

Status earlier(cudaError_t error) {
  return fail(BS_STATUS_EARLIER_CUDA_ERROR, "the CUDA context was in error before this call: %s (%s)",
              cudaGetErrorString(error), cudaGetErrorName(error));
}

// Makes a device current, and the caller's own again.
class CurrentDevice {
 public:
  CurrentDevice() = default;
  ~CurrentDevice() { leave(); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

  Status enter(int wanted) {
    BS_TRY(cuda_status(cudaGetDevice(&callers_), "cudaGetDevice"));
    if (callers_ == wanted) return kSuccess;
    BS_TRY(cuda_status(cudaSetDevice(wanted), "cudaSetDevice"));
    changed_ = true;
    return kSuccess;
  }
  void leave() {
    if (std::exchange(changed_, false)) cudaSetDevice(callers_);  // it was current a moment ago
  }

 private:
  int callers_ = 0;
  bool changed_ = false;
};

// Measured figures where the profile table has this GPU, else arithmetic from its properties.
Status describe_device(int ordinal, const cudaDeviceProp& properties, Device* device) {
  Device d;
  const char* profile = std::strstr(properties.name, "H200")   ? "h200"
                        : std::strstr(properties.name, "H100") ? "h100"
                        : std::strstr(properties.name, "A100") ? "a100"
                        : std::strstr(properties.name, "4090") ? "rtx4090"
                                                               : nullptr;
  int clock_khz = 0, memory_khz = 0;
  BS_TRY(cuda_status(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, ordinal), "cudaDeviceGetAttribute"));
  BS_TRY(
      cuda_status(cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, ordinal), "cudaDeviceGetAttribute"));
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
  *device = d;
  return kSuccess;
}

class CudaMachine final : public Machine {
 public:
  CudaMachine(const Device& device, std::unique_ptr<CublasLt> cublas) : device_(device), cublas_(std::move(cublas)) {
    device_.has_cublas = cublas_ != nullptr;
  }

  const Device& device() const override { return device_; }
  const StructureFunctions& structure() const override { return cuda::structure_functions(); }

  Status allocate(void** pointer, int64_t bytes) override {
    return cuda_status(cudaMalloc(pointer, static_cast<size_t>(bytes)), "cudaMalloc");
  }
  Status release(void* pointer) override { return cuda_status(cudaFree(pointer), "cudaFree"); }
  Status copy(void* destination, const void* source, int64_t bytes, void* stream) override {
    auto* s = static_cast<cudaStream_t>(stream);
    BS_TRY(cuda_status(cudaMemcpyAsync(destination, source, static_cast<size_t>(bytes), cudaMemcpyDefault, s),
                       "cudaMemcpyAsync"));
    return cuda_status(cudaStreamSynchronize(s), "cudaStreamSynchronize");
  }
  Status synchronize(void* stream) override {
    return cuda_status(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "cudaStreamSynchronize");
  }
  Exec exec(void* stream, void* workspace, int64_t workspace_bytes) override {
    return {.stream = stream,
            .workspace = workspace,
            .workspace_bytes = workspace_bytes,
            .cublas = cublas_.get(),
            .device = &device_};
  }

  // An error that waits in the runtime belongs to whoever caused it, and stays there.
  Status enter(void* stream) override {
    if (const cudaError_t waiting = cudaPeekAtLastError(); waiting != cudaSuccess) return earlier(waiting);
    BS_TRY(current_.enter(device_.ordinal));
    const cudaError_t broken = broken_context(static_cast<cudaStream_t>(stream));
    if (broken == cudaSuccess) return kSuccess;
    leave();
    return earlier(broken);
  }
  void leave() override { current_.leave(); }

  // Host scalars are read by the host: an address that only the device can read is the wrong side, and the reverse.
  Status look_at_scalar(const void* pointer, bool device_mode, bool* accessible) const override {
    cudaPointerAttributes attributes{};
    BS_TRY(cuda_status(cudaPointerGetAttributes(&attributes, pointer), "cudaPointerGetAttributes"));
    const bool unregistered = attributes.type == cudaMemoryTypeUnregistered;
    *accessible = device_mode ? attributes.devicePointer != nullptr : unregistered || attributes.hostPointer != nullptr;
    return kSuccess;
  }

 private:
  Device device_;
  std::unique_ptr<CublasLt> cublas_;
  CurrentDevice current_;
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
  CurrentDevice current;
  Device device;
  cudaDeviceProp properties{};
  BS_TRY(current.enter(ordinal));
  BS_TRY(cuda_status(cudaGetDeviceProperties(&properties, ordinal), "cudaGetDeviceProperties"));
  BS_TRY(describe_device(ordinal, properties, &device));
  BS_TRY(cuda::check_code(properties.name));
  *machine = std::make_unique<CudaMachine>(device, CublasLt::open());
  return kSuccess;
}

}  // namespace bs
