// A kernel of the program's own breaks the CUDA context for good; then every function of the library says that it was
// so before, and handles still go away. Exit status 0, 1 or 77 (no GPU).
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>

#include "bsparse.h"

namespace {

__global__ void write_nowhere(int* nowhere) {
  *nowhere = 1;
}

int wrong = 0;

void expect(const char* call, bsStatus_t status, bsStatus_t wanted) {
  const bool right = status == wanted;
  std::printf("%s %s: %s %s\n", right ? "ok" : "not ok", call, bsStatusName(status),
              status == BS_STATUS_SUCCESS ? "" : bsGetLastErrorMessage());
  wrong += !right;
}
#define EXPECT(call, wanted) expect(#call, call, wanted)

constexpr int64_t kSize = 4, kSpace = 1 << 22;
constexpr float kOne = 1, kZero = 0;

struct Session {
  bsHandle_t handle = nullptr;
  char* memory = nullptr;
  bsMatDescr_t csr = nullptr, b = nullptr, c = nullptr;

  bsStatus_t multiply() const {
    return bsSpMM(handle, BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_NON_TRANSPOSE, &kOne, csr, b, &kZero, c, BS_R_32F,
                  nullptr, memory + 4096, kSpace - 4096);
  }
  void open() {
    const int32_t structure[] = {0, 1, 2, 3, 4, 0, 1, 2, 3};
    void* pointer = nullptr;
    EXPECT(bsMalloc(handle, &pointer, kSpace), BS_STATUS_SUCCESS);
    memory = static_cast<char*>(pointer);
    EXPECT(bsMemcpy(handle, memory, structure, sizeof structure), BS_STATUS_SUCCESS);
    EXPECT(bsCreateCsr(&csr, kSize, kSize, 4, memory, memory + 20, memory + 256, BS_INDEX_32I, BS_INDEX_32I,
                       BS_INDEX_BASE_ZERO, BS_R_32F),
           BS_STATUS_SUCCESS);
    EXPECT(bsCreateDense(&b, kSize, kSize, kSize, memory + 512, BS_R_32F, BS_ORDER_ROW), BS_STATUS_SUCCESS);
    EXPECT(bsCreateDense(&c, kSize, kSize, kSize, memory + 1024, BS_R_32F, BS_ORDER_ROW), BS_STATUS_SUCCESS);
    EXPECT(multiply(), BS_STATUS_SUCCESS);
    EXPECT(bsSynchronize(handle), BS_STATUS_SUCCESS);
  }
  void use_broken() {
    void* pointer = nullptr;
    const bsStatus_t before = BS_STATUS_EARLIER_CUDA_ERROR;
    EXPECT(multiply(), before);
    EXPECT(multiply(), before);
    EXPECT(bsMatAnalyze(handle, csr, BS_ANALYZE_ORDER, memory + 4096, kSpace - 4096), before);
    EXPECT(bsMatCheck(handle, csr, nullptr, nullptr), before);
    EXPECT(bsMalloc(handle, &pointer, 1024), before);
    EXPECT(bsMemcpy(handle, memory, memory + 512, 16), before);
    EXPECT(bsSynchronize(handle), before);
    EXPECT(bsFree(handle, memory), before);
  }
  void close() {
    for (const bsMatDescr_t mat : {csr, b, c}) EXPECT(bsDestroyMat(mat), BS_STATUS_SUCCESS);
    EXPECT(bsDestroy(handle), BS_STATUS_SUCCESS);
  }
};

}  // namespace

int main() {
  Session session;
  if (bsCreateOn(&session.handle, BS_BACKEND_CUDA, 0) != BS_STATUS_SUCCESS) {
    std::printf("%s\n", bsGetLastErrorMessage());
    return 77;
  }
  session.open();
  write_nowhere<<<1, 1>>>(nullptr);
  std::printf("the program's kernel: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  session.use_broken();
  session.close();
  bsHandle_t another = nullptr;
  const bsStatus_t status = bsCreateOn(&another, BS_BACKEND_CUDA, 0);
  std::printf("bsCreateOn: %s %s\n", bsStatusName(status), bsGetLastErrorMessage());
  wrong += status == BS_STATUS_SUCCESS || another;
  return wrong ? 1 : 0;
}
