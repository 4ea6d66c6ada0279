#include "gpu_ring/failing_runtime.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

// __wrap_NAME is what the library calls for NAME (CMakeLists.txt has the list for the linker), __real_NAME the
// runtime's.
#define RUNTIME_FUNCTION(name, parameters)         \
  extern "C" cudaError_t __real_##name parameters; \
  extern "C" cudaError_t __wrap_##name parameters

namespace bs::test {
namespace {

int64_t countdown = -1;
bool failed = false;
std::string failed_name, spared;
cudaError_t pending = cudaSuccess;  // of a failure that was made here
std::map<void*, size_t> live;

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) pending = error;
  return error;
}

// Success, or the failure that was asked for.
cudaError_t turn(const char* name, cudaError_t error = cudaErrorUnknown) {
  if (spared == name) return cudaSuccess;
  if (countdown < 0 || countdown-- > 0) return cudaSuccess;
  failed = true;
  failed_name = name;
  return remember(error);
}

}  // namespace

bool pretended() {
  static const bool answer = [] {
    const char* backend = std::getenv("BSPARSE_TEST_BACKEND");
    return !backend || std::strcmp(backend, "cuda") != 0;
  }();
  return answer;
}
void fail_call(int64_t k) {
  countdown = k;
  failed = false;
}
bool call_failed() {
  return failed;
}
void spare_call(const std::string& name) {
  spared = name;
}
const std::string& failed_call() {
  return failed_name;
}
int64_t live_device_memory() {
  return static_cast<int64_t>(live.size());
}
bool take_error() {
  return cudaGetLastError() != cudaSuccess;
}
void leave_error_behind() {
  if (pretended())
    remember(cudaErrorInvalidValue);
  else
    cudaFuncSetAttribute(nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, -1);
}

}  // namespace bs::test

using namespace bs::test;

RUNTIME_FUNCTION(cudaGetLastError, ()) {
  const cudaError_t ours = std::exchange(pending, cudaSuccess);
  if (pretended()) return ours;
  const cudaError_t real = __real_cudaGetLastError();
  return ours != cudaSuccess ? ours : real;
}

RUNTIME_FUNCTION(cudaPeekAtLastError, ()) {
  return pretended() || pending != cudaSuccess ? pending : __real_cudaPeekAtLastError();
}

RUNTIME_FUNCTION(cudaGetDeviceCount, (int* count)) {
  if (const cudaError_t error = turn("cudaGetDeviceCount")) return error;
  if (!pretended()) return __real_cudaGetDeviceCount(count);
  *count = 1;
  return cudaSuccess;
}

RUNTIME_FUNCTION(cudaGetDevice, (int* device)) {
  if (const cudaError_t error = turn("cudaGetDevice")) return error;
  if (!pretended()) return __real_cudaGetDevice(device);
  *device = 0;
  return cudaSuccess;
}

RUNTIME_FUNCTION(cudaSetDevice, (int device)) {
  if (const cudaError_t error = turn("cudaSetDevice")) return error;
  return pretended() ? cudaSuccess : __real_cudaSetDevice(device);
}

RUNTIME_FUNCTION(cudaGetDeviceProperties, (cudaDeviceProp * properties, int device)) {
  if (const cudaError_t error = turn("cudaGetDeviceProperties")) return error;
  if (!pretended()) return __real_cudaGetDeviceProperties(properties, device);
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "pretended H200");
  properties->major = 9;
  properties->multiProcessorCount = 132;
  properties->sharedMemPerBlockOptin = 227 * 1024;
  properties->l2CacheSize = 50 << 20;
  return cudaSuccess;
}

RUNTIME_FUNCTION(cudaDeviceGetAttribute, (int* value, cudaDeviceAttr attribute, int device)) {
  if (const cudaError_t error = turn("cudaDeviceGetAttribute")) return error;
  if (!pretended()) return __real_cudaDeviceGetAttribute(value, attribute, device);
  *value = attribute == cudaDevAttrMaxGridDimX ? INT32_MAX : 132;
  return cudaSuccess;
}

RUNTIME_FUNCTION(cudaFuncGetAttributes, (cudaFuncAttributes * attributes, const void* function)) {
  if (const cudaError_t error = turn("cudaFuncGetAttributes")) return error;
  if (!pretended()) return __real_cudaFuncGetAttributes(attributes, function);
  *attributes = {};
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxThreadsPerBlock = 1024;
  return cudaSuccess;
}

RUNTIME_FUNCTION(cudaFuncSetAttribute, (const void* function, cudaFuncAttribute attribute, int value)) {
  if (const cudaError_t error = turn("cudaFuncSetAttribute")) return error;
  return pretended() ? cudaSuccess : __real_cudaFuncSetAttribute(function, attribute, value);
}

RUNTIME_FUNCTION(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
                 (int* blocks, const void* function, int threads, size_t shared, unsigned flags)) {
  if (const cudaError_t error = turn("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags")) return error;
  if (!pretended())
    return __real_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, flags);
  *blocks = 2;
  return cudaSuccess;
}

RUNTIME_FUNCTION(cudaPointerGetAttributes, (cudaPointerAttributes * attributes, const void* pointer)) {
  if (const cudaError_t error = turn("cudaPointerGetAttributes")) return error;
  if (!pretended()) return __real_cudaPointerGetAttributes(attributes, pointer);
  *attributes = {};
  attributes->type = cudaMemoryTypeUnregistered;
  auto after = live.upper_bound(const_cast<void*>(pointer));
  if (after == live.begin()) return cudaSuccess;
  const auto& [start, bytes] = *--after;
  if (static_cast<const char*>(pointer) >= static_cast<char*>(start) + bytes) return cudaSuccess;
  attributes->type = cudaMemoryTypeDevice;
  attributes->devicePointer = const_cast<void*>(pointer);
  return cudaSuccess;
}

RUNTIME_FUNCTION(cudaMalloc, (void** pointer, size_t bytes)) {
  if (const cudaError_t error = turn("cudaMalloc", cudaErrorMemoryAllocation)) return error;
  cudaError_t error = cudaSuccess;
  if (pretended()) {
    *pointer = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    std::memset(*pointer, 0, bytes);
  } else {
    error = __real_cudaMalloc(pointer, bytes);
  }
  if (error == cudaSuccess) live[*pointer] = bytes;
  return error;
}

// A failure is that of earlier work, which the real one reports as well: the memory is gone, and free once only.
RUNTIME_FUNCTION(cudaFree, (void* pointer)) {
  const cudaError_t error = turn("cudaFree");
  if (pointer && live.erase(pointer) == 0) return error;
  if (pretended())
    std::free(pointer);
  else if (const cudaError_t real = __real_cudaFree(pointer))
    return real;
  return error;
}

RUNTIME_FUNCTION(cudaMemcpyAsync,
                 (void* destination, const void* source, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)) {
  if (const cudaError_t error = turn("cudaMemcpyAsync")) return error;
  if (!pretended()) return __real_cudaMemcpyAsync(destination, source, bytes, kind, stream);
  std::memcpy(destination, source, bytes);
  return cudaSuccess;
}

RUNTIME_FUNCTION(cudaMemsetAsync, (void* pointer, int value, size_t bytes, cudaStream_t stream)) {
  if (const cudaError_t error = turn("cudaMemsetAsync")) return error;
  if (!pretended()) return __real_cudaMemsetAsync(pointer, value, bytes, stream);
  std::memset(pointer, value, bytes);
  return cudaSuccess;
}

RUNTIME_FUNCTION(cudaStreamSynchronize, (cudaStream_t stream)) {
  if (const cudaError_t error = turn("cudaStreamSynchronize")) return error;
  return pretended() ? cudaSuccess : __real_cudaStreamSynchronize(stream);
}

RUNTIME_FUNCTION(cudaStreamIsCapturing, (cudaStream_t stream, cudaStreamCaptureStatus* status)) {
  if (const cudaError_t error = turn("cudaStreamIsCapturing", cudaErrorIllegalAddress)) return error;
  if (!pretended()) return __real_cudaStreamIsCapturing(stream, status);
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

CUresult encode_nothing(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                        const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                        CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return CUDA_SUCCESS;
}

RUNTIME_FUNCTION(cudaGetDriverEntryPointByVersion,
                 (const char* name, void** function, unsigned version, unsigned long long flags,
                  cudaDriverEntryPointQueryResult* result)) {
  if (const cudaError_t error = turn("cudaGetDriverEntryPointByVersion")) return error;
  if (!pretended()) return __real_cudaGetDriverEntryPointByVersion(name, function, version, flags, result);
  *function = reinterpret_cast<void*>(encode_nothing);
  return cudaSuccess;
}

// What <<<>>> becomes. Kernels are looked up once a process, whatever the answer, so that look-up does not fail.
RUNTIME_FUNCTION(__cudaGetKernel, (cudaKernel_t * kernel, const void* function)) {
  if (!pretended()) return __real___cudaGetKernel(kernel, function);
  *kernel = static_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}

RUNTIME_FUNCTION(__cudaLaunchKernel,
                 (cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream)) {
  if (const cudaError_t error = turn("__cudaLaunchKernel")) return error;
  return pretended() ? cudaSuccess : __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
