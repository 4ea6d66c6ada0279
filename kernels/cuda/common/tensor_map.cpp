#include "cuda/common/tensor_map.h"

#include <algorithm>
#include <atomic>

#include "cuda/common/launch.h"

namespace bs::cuda {
namespace {

using Encoder = decltype(&cuTensorMapEncodeTiled);

// Asked of the runtime, so that the library is not linked against the driver; a failure is that of one call.
Status find_encoder(Encoder* encoder) {
  static std::atomic<Encoder> found{nullptr};
  *encoder = found;
  if (*encoder) return kSuccess;
  void* function = nullptr;
  cudaDriverEntryPointQueryResult result{};
  BS_TRY(cuda_status(
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &result),
      "cudaGetDriverEntryPointByVersion"));
  if (!function) return fail(BS_STATUS_NOT_SUPPORTED, "this driver has no cuTensorMapEncodeTiled");
  found = *encoder = reinterpret_cast<Encoder>(function);
  return kSuccess;
}

CUtensorMapDataType data_type(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    case DType::bf16:
      return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    case DType::f32:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    case DType::f64:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  }
  return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
}

}  // namespace

Status make_tensor_map(const TensorBox& b, CUtensorMap* map) {
  Encoder encode = nullptr;
  BS_TRY(find_encoder(&encode));
  const auto lines = static_cast<uint64_t>(std::max<int64_t>(b.lines, 1));
  // A single line may have any stride, a single input any distance: there are none to lead to.
  const int64_t line_stride = b.lines > 1 ? b.line_stride : (b.length + 7) / 8 * 8;
  const bool many = b.inputs > 1 && b.input_stride != 0;
  const auto line_bytes = static_cast<uint64_t>(line_stride) * 2;
  const auto length = static_cast<uint64_t>(b.length);
  const uint64_t sizes[4] = {b.box_groups ? 64 : length, lines, b.box_groups ? length / 64 : 1,
                             static_cast<uint64_t>(many ? b.inputs : 1)};
  const uint64_t strides[3] = {line_bytes, 64 * 2,
                               many ? static_cast<uint64_t>(b.input_stride) * 2 : line_bytes * lines};
  const uint32_t box[4] = {static_cast<uint32_t>(b.box_length), static_cast<uint32_t>(b.box_lines),
                           static_cast<uint32_t>(std::max(b.box_groups, 1)), 1};
  const uint32_t element_strides[4] = {1, 1, 1, 1};
  const auto swizzle = b.box_length == 64   ? CU_TENSOR_MAP_SWIZZLE_128B
                       : b.box_length == 32 ? CU_TENSOR_MAP_SWIZZLE_64B
                                            : CU_TENSOR_MAP_SWIZZLE_32B;
  const CUresult result = encode(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 4, const_cast<void*>(b.data), sizes, strides,
                                 box, element_strides, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                 CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result == CUDA_SUCCESS) return kSuccess;
  return fail(BS_STATUS_CUDA_ERROR, "tensor map of %lld x %lld elements: driver error %d",
              static_cast<long long>(b.lines), static_cast<long long>(b.length), static_cast<int>(result));
}

Status make_panel_map(const TensorPanel& p, CUtensorMap* map) {
  Encoder encode = nullptr;
  BS_TRY(find_encoder(&encode));
  const auto row_bytes = static_cast<uint64_t>(p.ld * size_of(p.dtype));
  const uint64_t sizes[4] = {static_cast<uint64_t>(p.cols), static_cast<uint64_t>(p.rows), 1,
                             static_cast<uint64_t>(p.stride != 0 ? p.inputs : 1)};
  const uint64_t one = row_bytes * sizes[1],
                 strides[3] = {row_bytes, one,
                               p.stride != 0 ? static_cast<uint64_t>(p.stride * size_of(p.dtype)) : one};
  const uint32_t box[4] = {static_cast<uint32_t>(p.box_cols), static_cast<uint32_t>(p.box_rows), 1, 1};
  const uint32_t element_strides[4] = {1, 1, 1, 1};
  const CUresult result = encode(map, data_type(p.dtype), 4, const_cast<void*>(p.data), sizes, strides, box,
                                 element_strides, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                 CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result == CUDA_SUCCESS) return kSuccess;
  return fail(BS_STATUS_CUDA_ERROR, "tensor map of %lld x %lld elements: driver error %d",
              static_cast<long long>(p.rows), static_cast<long long>(p.cols), static_cast<int>(result));
}

}  // namespace bs::cuda
