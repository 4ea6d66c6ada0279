// From C++, with everything that throws and formats in the program itself: its libstdc++ beside the library's.
#include <bsparse.h>

#include <iostream>
#include <stdexcept>
#include <string>

int main() {
  bsHandle_t handle = nullptr;
  try {
    if (bsCreateOn(&handle, BS_BACKEND_CPU, 7) == BS_STATUS_SUCCESS) return 1;
    throw std::runtime_error(bsGetLastErrorMessage());
  } catch (const std::exception& error) {
    std::cout << "refused as it should be: " << error.what() << '\n';
    if (std::string(error.what()).find("bsCreateOn: device is 7") != 0) return 1;
  }
  const char* name = nullptr;
  const bool ok = bsCreateOn(&handle, BS_BACKEND_CPU, 0) == BS_STATUS_SUCCESS &&
                  bsGetDeviceName(handle, &name) == BS_STATUS_SUCCESS && !std::string(name).empty() &&
                  bsDestroy(handle) == BS_STATUS_SUCCESS;
  return !ok;
}
