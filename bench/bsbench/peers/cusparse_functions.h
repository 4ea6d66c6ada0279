// The functions of cuSPARSE that are used, resolved by name, and owners of its objects.
#pragma once

#include <cusparse.h>

#include <memory>

#include "bsbench/peers/library.h"

namespace bench {

// The formatter changes its mind about this list every time it runs.
// clang-format off
#define BENCH_CUSPARSE_FUNCTIONS(X) \
  X(Create) X(Destroy) X(SetStream) X(GetErrorString) \
  X(CreateCsr) X(CreateCsc) X(CreateBsr) X(CreateBlockedEll) X(DestroySpMat) \
  X(CreateDnMat) X(DestroyDnMat) X(CreateDnVec) X(DestroyDnVec) \
  X(SpMM_bufferSize) X(SpMM_preprocess) X(SpMM) \
  X(SDDMM_bufferSize) X(SDDMM_preprocess) X(SDDMM) \
  X(SpMV_bufferSize) X(SpMV_preprocess) X(SpMV)
// clang-format on

class Cusparse {
 public:
  explicit Cusparse(bsStream_t stream) {
    const Library library{"libcusparse.so.12", "libcusparse.so.13", "libcusparse.so"};
#define BENCH_RESOLVE(name) library.resolve(&name, "cusparse" #name);
    BENCH_CUSPARSE_FUNCTIONS(BENCH_RESOLVE)
#undef BENCH_RESOLVE
    check(Create(&handle));
    check(SetStream(handle, stream));
  }
  ~Cusparse() {
    Destroy(handle);
  }
  Cusparse(const Cusparse&) = delete;
  Cusparse& operator=(const Cusparse&) = delete;

  void check(cusparseStatus_t status) const {
    if (status != CUSPARSE_STATUS_SUCCESS) throw std::runtime_error(GetErrorString(status));
  }

#define BENCH_DECLARE(name) decltype(&cusparse##name) name = nullptr;
  BENCH_CUSPARSE_FUNCTIONS(BENCH_DECLARE)
#undef BENCH_DECLARE
  cusparseHandle_t handle = nullptr;
};

using SparseMatrix = std::shared_ptr<cusparseSpMatDescr>;
using DenseMatrix = std::shared_ptr<cusparseDnMatDescr>;
using DenseVector = std::shared_ptr<cusparseDnVecDescr>;

}  // namespace bench
