// Statuses and descriptors.
#include "mlp/device.h"

#include <stdexcept>
#include <string>

namespace mlp {

void check(bsStatus_t status) {
  if (status == BS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(bsStatusName(status)) + ": " + bsGetLastErrorMessage());
}

const char* Device::name() const {
  const char* name = nullptr;
  check(bsGetDeviceName(handle_, &name));
  return name;
}

Matrix dense_matrix(int64_t rows, int64_t cols, Array<float>& values) {
  bsMatDescr_t matrix = nullptr;
  check(bsCreateDense(&matrix, rows, cols, cols, values.data(), BS_R_32F, BS_ORDER_ROW));
  return Matrix(matrix);
}

Options make_options() {
  bsOptions_t options = nullptr;
  check(bsCreateOptions(&options));
  return Options(options);
}

}  // namespace mlp
