// bsOptions_t.
#pragma once

#include <string>

#include "api/boundary.h"
#include "model/dtype.h"
#include "model/problem.h"

struct bsOptionSet {
  static constexpr bs::Tag kTag = bs::Tag::options;
  static constexpr const char* kKind = "an options object";
  bs::Tag tag = kTag;
  bool strict = false, deterministic = false, allow_tf32 = false;
  bsActivation_t activation = BS_ACTIVATION_NONE;
  std::string route;  // empty: the engine chooses
  const void* bias = nullptr;
  bsDataType_t bias_type = BS_R_32F;
  bsAxis_t bias_axis = BS_AXIS_ROW;
  int64_t bias_stride = 0;
  bsMatDescr_t auxiliary = nullptr;
  void* bias_gradient = nullptr;
  bsDataType_t bias_gradient_type = BS_R_32F;
  bsAxis_t bias_gradient_axis = BS_AXIS_ROW;
  ~bsOptionSet() { bs::bury(tag); }
};
