// The temporary memory is bounded by arithmetic, because CUB's own answer needs a GPU, and checked against that answer.
#include "cuda/common/radix_sort.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <atomic>

#include "cuda/common/launch.h"

namespace bs::cuda {
namespace {

// CUB asks for the PTX version of a device once a process, keeps a failure for good and its lock if the question
// throws. So a failure is met here, where it is that of one call, and CUB is told the answer.
Status introduce_device() {
  constexpr int kKnown = 64;
  static std::atomic<bool> known[kKnown];
  int device = 0;
  cudaFuncAttributes attributes{};
  BS_TRY(cuda_status(cudaGetDevice(&device), "cudaGetDevice"));
  if (device < kKnown && known[device]) return kSuccess;
  BS_TRY(cuda_status(cudaFuncGetAttributes(&attributes, cub::detail::EmptyKernel<void>), "cudaFuncGetAttributes"));
  const auto answer = [&](int& version) {
    version = attributes.ptxVersion * 10;
    return cudaSuccess;
  };
  BS_TRY(cuda_status(cub::GetPerDeviceAttributeCache<cub::PtxVersionCacheTag>()(answer, device).error, "CUB"));
  if (device < kKnown) known[device] = true;
  return kSuccess;
}

// Calls cub_function(temporary, bytes): once for the size, once for the work.
template <class Function>
Status run(const char* what, int64_t items, void* temporary, Function&& cub_function) {
  size_t bytes = 0;
  BS_TRY(introduce_device());
  BS_TRY(cuda_status(cub_function(nullptr, bytes), what));
  if (static_cast<int64_t>(bytes) > sort_bytes(items))
    return fail(BS_STATUS_INTERNAL_ERROR, "%s needs %zu bytes, %lld were planned", what, bytes,
                static_cast<long long>(sort_bytes(items)));
  return cuda_status(cub_function(temporary, bytes), what);
}

template <class Key, class Value>
Status sort(DoubleArray<Key>* keys, DoubleArray<Value>* values, int64_t count, int bits, void* temporary,
            cudaStream_t stream) {
  if (count == 0 || bits == 0) return kSuccess;
  cub::DoubleBuffer<Key> k(keys->current, keys->other);
  cub::DoubleBuffer<Value> v(values->current, values->other);
  BS_TRY(run("radix sort", count, temporary, [&](void* memory, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(memory, bytes, k, v, count, 0, bits, stream);
  }));
  *keys = {k.Current(), k.Alternate()};
  *values = {v.Current(), v.Alternate()};
  return kSuccess;
}

}  // namespace

Status sort_pairs(DoubleArray<uint32_t>* keys, DoubleArray<int32_t>* values, int64_t count, int bits, void* temporary,
                  cudaStream_t stream) {
  return sort(keys, values, count, bits, temporary, stream);
}

Status sort_pairs(DoubleArray<uint64_t>* keys, DoubleArray<int64_t>* values, int64_t count, int bits, void* temporary,
                  cudaStream_t stream) {
  return sort(keys, values, count, bits, temporary, stream);
}

Status inclusive_sum(int64_t* values, int64_t count, void* temporary, cudaStream_t stream) {
  if (count == 0) return kSuccess;
  return run("prefix sum", count, temporary, [&](void* memory, size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(memory, bytes, values, values, count, stream);
  });
}

}  // namespace bs::cuda
