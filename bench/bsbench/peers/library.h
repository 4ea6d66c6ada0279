// A shared library opened by name, and what peers share.
#pragma once

#include <dlfcn.h>
#include <library_types.h>

#include <initializer_list>
#include <stdexcept>
#include <string>

#include "bsbench/peers/peer.h"

namespace bench {

// Stays open: what its contexts own outlives them.
class Library {
 public:
  explicit Library(std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (!library_) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error(std::string(*names.begin()) + " cannot be opened");
  }
  template <class Function>
  void resolve(Function* function, const char* name) const {
    *function = reinterpret_cast<Function>(dlsym(library_, name));
    if (!*function) throw std::runtime_error(std::string("the library has no ") + name);
  }

 private:
  void* library_ = nullptr;
};

inline cudaDataType_t cuda_type(bs::DType type) {
  return static_cast<cudaDataType_t>(type);
}

// The scalars of a call, in its compute type.
struct Scalars {
  explicit Scalars(const Spec& spec)
      : wide(spec.c_type == bs::DType::f64), beta64(spec.beta), beta32(static_cast<float>(spec.beta)) {}
  const void* alpha() const { return wide ? static_cast<const void*>(&one64) : &one32; }
  const void* beta() const { return wide ? static_cast<const void*>(&beta64) : &beta32; }
  bool wide;
  double one64 = 1, beta64;
  float one32 = 1, beta32;
};

// What no peer does: they compute C = op(A) op(B) + beta C, one product a call.
inline std::string beyond_peers(const Spec& s) {
  if (s.gate) return "gates";
  if (s.bias || s.activation || s.auxiliary || s.bias_gradient) return "an epilogue";
  if (s.reduce > 1) return "sums over a batch";
  if (s.own_structure) return "structures of their own a batch";
  return "";
}

}  // namespace bench
