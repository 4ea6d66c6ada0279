// Checks of single arguments, each with the message that names the argument, its value and the limit.
#pragma once

#include <cstdint>

#include "model/dtype.h"
#include "model/status.h"

namespace bs {

inline Status check_not_negative(int64_t value, const char* argument) {
  if (value >= 0) return kSuccess;
  return fail(BS_STATUS_INVALID_SIZE, "%s is %lld, must be >= 0", argument, static_cast<long long>(value));
}

inline Status check_data_type(bsDataType_t type, const char* argument) {
  if (type == BS_R_32F || type == BS_R_64F || type == BS_R_16F || type == BS_R_16BF) return kSuccess;
  return fail(BS_STATUS_INVALID_TYPE, "%s is %d, must be BS_R_32F (0), BS_R_64F (1), BS_R_16F (2) or BS_R_16BF (14)",
              argument, type);
}

inline Status check_index_type(bsIndexType_t type, const char* argument) {
  if (type == BS_INDEX_32I || type == BS_INDEX_64I) return kSuccess;
  return fail(BS_STATUS_INVALID_VALUE, "%s is %d, must be BS_INDEX_32I (2) or BS_INDEX_64I (3)", argument, type);
}

inline Status check_index_base(bsIndexBase_t base, const char* argument) {
  if (base == BS_INDEX_BASE_ZERO || base == BS_INDEX_BASE_ONE) return kSuccess;
  return fail(BS_STATUS_INVALID_VALUE, "%s is %d, must be BS_INDEX_BASE_ZERO (0) or BS_INDEX_BASE_ONE (1)", argument,
              base);
}

inline Status check_order(bsOrder_t order, const char* argument) {
  if (order == BS_ORDER_COL || order == BS_ORDER_ROW) return kSuccess;
  return fail(BS_STATUS_INVALID_VALUE, "%s is %d, must be BS_ORDER_COL (1) or BS_ORDER_ROW (2)", argument, order);
}

inline Status check_axis(bsAxis_t axis, const char* argument) {
  if (axis == BS_AXIS_ROW || axis == BS_AXIS_COL) return kSuccess;
  return fail(BS_STATUS_INVALID_VALUE, "%s is %d, must be BS_AXIS_ROW (1) or BS_AXIS_COL (2)", argument, axis);
}

// NULL passes: arrays without elements, and arrays that do not exist yet.
inline Status check_alignment(const void* pointer, int64_t alignment, const char* argument) {
  if (reinterpret_cast<uintptr_t>(pointer) % static_cast<uintptr_t>(alignment) == 0) return kSuccess;
  return fail(BS_STATUS_INVALID_POINTER, "%s is %p, must be aligned to %lld bytes", argument, pointer,
              static_cast<long long>(alignment));
}

// Whether a * b (a + b) is at most INT64_MAX; writes the result then.
inline bool product_fits(int64_t a, int64_t b, int64_t* result) {
  return !__builtin_mul_overflow(a, b, result);
}
inline bool sum_fits(int64_t a, int64_t b, int64_t* result) {
  return !__builtin_add_overflow(a, b, result);
}

}  // namespace bs
