// The CUDA backend of a library built without CUDA.
#include "platform/machine.h"

namespace bs {

Status open_cuda(int, std::unique_ptr<Machine>*) {
  return fail(BS_STATUS_NOT_SUPPORTED, "this library was built without CUDA");
}

bool cuda_compiled() {
  return false;
}
bool cuda_present() {
  return false;
}

}  // namespace bs
