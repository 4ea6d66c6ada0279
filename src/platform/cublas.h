// cuBLASLt opened at run time: the dense rows' engine, absent on machines without it.
#pragma once

#include <memory>

#include "model/status.h"

namespace bs {

class CublasLt {
 public:
  // Null if the library cannot be opened; the dense rows then decline.
  static std::unique_ptr<CublasLt> open();
  ~CublasLt();

 private:
  explicit CublasLt(void* library) : library_(library) {}
  void* library_;
};

}  // namespace bs
