// The CUDA backend: not usable yet, for it has no kernels.
#include "platform/machine.h"

namespace bs {

Status open_cuda(int, std::unique_ptr<Machine>*) {
  return fail(BS_STATUS_NOT_SUPPORTED, "the CUDA backend has no kernels yet");
}

bool cuda_compiled() {
  return false;
}  // whether a program can use it
bool cuda_present() {
  return false;
}

}  // namespace bs
