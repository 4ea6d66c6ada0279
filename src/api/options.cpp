// Options of one call.
#include "api/options.h"

#include <string_view>

#include "api/arguments.h"
#include "api/matrix.h"
#include "engine/registry.h"

namespace bs {
namespace {

template <class K>
bool has_route(std::string_view name) {
  for (const K* kernel : kernels_of<K>())
    if (name == kernel->name) return true;
  return false;
}

Status check_between(int64_t value, int64_t largest) {
  if (value >= 0 && value <= largest) return kSuccess;
  return fail(BS_STATUS_INVALID_VALUE, "value is %lld, must be between 0 and %lld for this option",
              static_cast<long long>(value), static_cast<long long>(largest));
}

Status unknown_option(bsOption_t option) {
  return fail(BS_STATUS_INVALID_VALUE, "option is %d, not a member of bsOption_t", option);
}

bool* switch_of(bsOptionSet& options, bsOption_t option) {
  switch (option) {
    case BS_OPTION_STRICT:
      return &options.strict;
    case BS_OPTION_DETERMINISTIC:
      return &options.deterministic;
    case BS_OPTION_ALLOW_TF32:
      return &options.allow_tf32;
    default:
      return nullptr;
  }
}

Status set_int(bsOptionSet& options, bsOption_t option, int64_t value) {
  if (bool* flag = switch_of(options, option)) {
    BS_TRY(check_between(value, 1));
    *flag = value == 1;
    return kSuccess;
  }
  if (option != BS_OPTION_ACTIVATION) return unknown_option(option);
  BS_TRY(check_between(value, BS_ACTIVATION_SILU));
  options.activation = static_cast<bsActivation_t>(value);
  return kSuccess;
}

// What a bias and a bias gradient have in common.
Status check_vector(const void* array, const char* name, bsDataType_t type, bsAxis_t axis) {
  BS_TRY(check_data_type(type, "type"));
  BS_TRY(check_alignment(array, size_of(static_cast<DType>(type)), name));
  return check_axis(axis, "axis");
}

}  // namespace
}  // namespace bs

using bs::Status;

bsStatus_t bsCreateOptions(bsOptions_t* options) {
  return bs::api("bsCreateOptions", [&]() -> Status {
    BS_TRY(bs::check_pointer(options, "options"));
    *options = nullptr;
    *options = new bsOptionSet;
    return bs::kSuccess;
  });
}

bsStatus_t bsDestroyOptions(bsOptions_t options) {
  return bs::api("bsDestroyOptions", [&]() -> Status {
    if (!options) return bs::kSuccess;
    BS_TRY(bs::check_object(options, "options"));
    delete options;
    return bs::kSuccess;
  });
}

bsStatus_t bsOptionsSetInt(bsOptions_t options, bsOption_t option, int64_t value) {
  return bs::api("bsOptionsSetInt", [&]() -> Status {
    BS_TRY(bs::check_object(options, "options"));
    return bs::set_int(*options, option, value);
  });
}

bsStatus_t bsOptionsGetInt(bsConstOptions_t options, bsOption_t option, int64_t* value) {
  return bs::api("bsOptionsGetInt", [&]() -> Status {
    BS_TRY(bs::check_object(options, "options"));
    const bool* flag = bs::switch_of(const_cast<bsOptionSet&>(*options), option);
    if (!flag && option != BS_OPTION_ACTIVATION) return bs::unknown_option(option);
    BS_TRY(bs::check_pointer(value, "value"));
    *value = flag ? *flag : options->activation;
    return bs::kSuccess;
  });
}

bsStatus_t bsOptionsSetRoute(bsOptions_t options, const char* route) {
  return bs::api("bsOptionsSetRoute", [&]() -> Status {
    BS_TRY(bs::check_object(options, "options"));
    if (route && !bs::has_route<bs::SpmmKernel>(route) && !bs::has_route<bs::SddmmKernel>(route))
      return bs::fail(BS_STATUS_INVALID_VALUE, "route is '%.100s', which is not a route of this library", route);
    options->route = route ? route : "";
    return bs::kSuccess;
  });
}

bsStatus_t bsOptionsGetRoute(bsConstOptions_t options, const char** route) {
  return bs::api("bsOptionsGetRoute", [&]() -> Status {
    BS_TRY(bs::check_object(options, "options"));
    BS_TRY(bs::check_pointer(route, "route"));
    *route = options->route.empty() ? nullptr : options->route.c_str();
    return bs::kSuccess;
  });
}

bsStatus_t bsOptionsSetBias(bsOptions_t options, const void* bias, bsDataType_t type, bsAxis_t axis, int64_t stride) {
  return bs::api("bsOptionsSetBias", [&]() -> Status {
    BS_TRY(bs::check_object(options, "options"));
    if (bias) {
      BS_TRY(bs::check_vector(bias, "bias", type, axis));
      BS_TRY(bs::check_not_negative(stride, "stride"));
      options->bias_type = type;
      options->bias_axis = axis;
      options->bias_stride = stride;
    }
    options->bias = bias;
    return bs::kSuccess;
  });
}

bsStatus_t bsOptionsGetBias(bsConstOptions_t options, const void** bias, bsDataType_t* type, bsAxis_t* axis,
                            int64_t* stride) {
  return bs::api("bsOptionsGetBias", [&]() -> Status {
    BS_TRY(bs::check_object(options, "options"));
    BS_TRY(bs::check_pointer(bias, "bias"));
    BS_TRY(bs::check_pointer(type, "type"));
    BS_TRY(bs::check_pointer(axis, "axis"));
    BS_TRY(bs::check_pointer(stride, "stride"));
    *bias = options->bias;
    *type = options->bias_type;
    *axis = options->bias_axis;
    *stride = options->bias_stride;
    return bs::kSuccess;
  });
}

bsStatus_t bsOptionsSetAuxiliary(bsOptions_t options, bsMatDescr_t auxiliary) {
  return bs::api("bsOptionsSetAuxiliary", [&]() -> Status {
    BS_TRY(bs::check_object(options, "options"));
    if (auxiliary) {
      BS_TRY(bs::check_object(auxiliary, "auxiliary"));
      if (auxiliary->view.sparse()) return bs::fail(BS_STATUS_INVALID_SHAPE, "auxiliary is sparse, must be dense");
    }
    options->auxiliary = auxiliary;
    return bs::kSuccess;
  });
}

bsStatus_t bsOptionsGetAuxiliary(bsConstOptions_t options, bsMatDescr_t* auxiliary) {
  return bs::api("bsOptionsGetAuxiliary", [&]() -> Status {
    BS_TRY(bs::check_object(options, "options"));
    BS_TRY(bs::check_pointer(auxiliary, "auxiliary"));
    *auxiliary = options->auxiliary;
    return bs::kSuccess;
  });
}

bsStatus_t bsOptionsSetBiasGradient(bsOptions_t options, void* gradient, bsDataType_t type, bsAxis_t axis) {
  return bs::api("bsOptionsSetBiasGradient", [&]() -> Status {
    BS_TRY(bs::check_object(options, "options"));
    if (gradient) {
      BS_TRY(bs::check_vector(gradient, "gradient", type, axis));
      options->bias_gradient_type = type;
      options->bias_gradient_axis = axis;
    }
    options->bias_gradient = gradient;
    return bs::kSuccess;
  });
}

bsStatus_t bsOptionsGetBiasGradient(bsConstOptions_t options, void** gradient, bsDataType_t* type, bsAxis_t* axis) {
  return bs::api("bsOptionsGetBiasGradient", [&]() -> Status {
    BS_TRY(bs::check_object(options, "options"));
    BS_TRY(bs::check_pointer(gradient, "gradient"));
    BS_TRY(bs::check_pointer(type, "type"));
    BS_TRY(bs::check_pointer(axis, "axis"));
    *gradient = options->bias_gradient;
    *type = options->bias_gradient_type;
    *axis = options->bias_gradient_axis;
    return bs::kSuccess;
  });
}
