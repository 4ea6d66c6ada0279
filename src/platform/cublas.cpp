// The few functions of cuBLASLt that are used, resolved by name.
#include "platform/cublas.h"

#include <dlfcn.h>

namespace bs {

std::unique_ptr<CublasLt> CublasLt::open() {
  for (const char* name : {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"})
    if (void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return std::unique_ptr<CublasLt>(new CublasLt(library));
  return nullptr;
}

CublasLt::~CublasLt() { dlclose(library_); }

}  // namespace bs
