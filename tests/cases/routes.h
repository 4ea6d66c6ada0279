// One product by the engine's own choice and by every route there is; a route that refuses must say why and write
// nothing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bsparse.h"
#include "cases/memory.h"

namespace bs::cases {

class Handle {
 public:
  Handle();
  ~Handle() { bsDestroy(handle_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator bsHandle_t() const { return handle_; }

 private:
  bsHandle_t handle_ = nullptr;
};

class Options {
 public:
  Options();
  ~Options() { bsDestroyOptions(options_); }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  operator bsOptions_t() const { return options_; }

 private:
  bsOptions_t options_ = nullptr;
};

enum class Op { spmm, sddmm };

// The arguments of a product. Scalars are kept in both types.
struct Call {
  Op op = Op::spmm;
  bsOperation_t op_a = BS_OPERATION_NON_TRANSPOSE, op_b = BS_OPERATION_NON_TRANSPOSE;
  double alpha = 1, beta = 0;
  bsMatDescr_t a = nullptr, b = nullptr, c = nullptr;
  bsDataType_t compute = BS_R_32F;
};

struct Route {
  std::string name;  // "" for the engine's choice
  std::string reason;
  bool accepted = true, isolates = false, deterministic = true;
  double microseconds = 0;  // predicted
  int64_t workspace = 0;    // bytes
};

// The engine's choice first, then what explain lists. Settings of `options` other than its route stay in force.
std::vector<Route> routes_of(bsHandle_t handle, const Call& call, bsOptions_t options);

// The call with exactly the workspace it asks for, in memory that ends with it.
bsStatus_t run(bsHandle_t handle, const Call& call, bsOptions_t options);

// Before each run `output` gets back what it holds now. Returns how many routes accepted.
int on_every_route(bsHandle_t handle, const Call& call, bsOptions_t options, const Array& output,
                   const std::function<void(const Route&)>& verify);

}  // namespace bs::cases
