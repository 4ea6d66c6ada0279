// What a call leaves alone, and what it says when a pointer lies on the wrong side.
#include "api/matrices.h"
#include "gpu_ring/stream.h"

namespace {

using namespace bs::test;

// A product with scalars anywhere.
struct Product {
  std::mt19937 random{1};
  Table table_a = random_table(9, 7, 0.5, random), table_b = random_table(7, 5, 1, random);
  Sparse a{table_a, Form::csr};
  Dense b{table_b, BS_ORDER_ROW}, c{Table(9, 5), BS_ORDER_ROW};
  bsOperation_t op = BS_OPERATION_NON_TRANSPOSE;

  bsStatus_t run(bsHandle_t handle, const void* alpha, const void* beta) const {
    int64_t bytes = 0;
    void* workspace = nullptr;
    REQUIRE(bsSpMM_bufferSize(handle, op, op, alpha, a.mat, b.mat, beta, c.mat, BS_R_32F, nullptr, &bytes) == 0);
    REQUIRE(bsMalloc(handle, &workspace, bytes) == 0);
    const bsStatus_t status =
        bsSpMM(handle, op, op, alpha, a.mat, b.mat, beta, c.mat, BS_R_32F, nullptr, workspace, bytes);
    REQUIRE(bsFree(handle, workspace) == 0);
    return status;
  }
  bool right() {
    bool all = true;
    for (int64_t i = 0; i < 9; ++i)
      for (int64_t j = 0; j < 5; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < 7; ++k) sum += table_a.at(i, k) * table_b.at(k, j);
        all = all && c.at(i, j) == static_cast<float>(sum);
      }
    return all;
  }
};

int current_device() {
  int device = -1;
  CUDA_OK(cudaGetDevice(&device));
  return device;
}

}  // namespace

BACKEND_TEST_CASE("scalars on the wrong side for the pointer mode are named") {
  const Handle handle;
  Product product;
  const float one = 1, zero = 0;
  const Shared<float> device_one{1}, device_zero{0};
  const struct {
    bsPointerMode_t mode;
    const void *alpha, *beta;
    const char* message;  // nullptr: right
  } calls[] = {
      {BS_POINTER_MODE_HOST, &one, &zero, nullptr},
      {BS_POINTER_MODE_HOST, device_one.data(), &zero, "bsSpMM: alpha"},
      {BS_POINTER_MODE_HOST, &one, device_zero.data(), "bsSpMM: beta"},
      {BS_POINTER_MODE_DEVICE, device_one.data(), device_zero.data(), nullptr},
      {BS_POINTER_MODE_DEVICE, &one, device_zero.data(), "bsSpMM: alpha"},
      {BS_POINTER_MODE_DEVICE, device_one.data(), &zero, "bsSpMM: beta"},
  };
  for (const auto& call : calls) {
    CAPTURE(call.mode, call.message ? call.message : "right");
    REQUIRE(bsSetPointerMode(handle, call.mode) == BS_STATUS_SUCCESS);
    const bsStatus_t status = product.run(handle, call.alpha, call.beta);
    CHECK(status == (call.message ? BS_STATUS_INVALID_POINTER_MODE : BS_STATUS_SUCCESS));
    if (call.message)
      CHECK_THAT(bsGetLastErrorMessage(), bs::test::contains(call.message));
    else
      CHECK(product.right());
  }
}

BACKEND_TEST_CASE("pinned and managed scalars serve both pointer modes") {
  const Handle handle;
  Product product;
  float *pinned = nullptr, *managed = nullptr;
  CUDA_OK(cudaMallocHost(reinterpret_cast<void**>(&pinned), 2 * sizeof(float)));
  CUDA_OK(cudaMallocManaged(reinterpret_cast<void**>(&managed), 2 * sizeof(float)));
  for (float* scalars : {pinned, managed}) {
    scalars[0] = 1, scalars[1] = 0;
    for (const bsPointerMode_t mode : {BS_POINTER_MODE_HOST, BS_POINTER_MODE_DEVICE}) {
      CAPTURE(mode, scalars == pinned);
      REQUIRE(bsSetPointerMode(handle, mode) == BS_STATUS_SUCCESS);
      CHECK(product.run(handle, scalars, scalars + 1) == BS_STATUS_SUCCESS);
      CHECK(product.right());
    }
  }
  cudaFree(managed), cudaFreeHost(pinned);
}

BACKEND_TEST_CASE("the caller's current device stays current") {
  int count = 0;
  CUDA_OK(cudaGetDeviceCount(&count));
  if (count < 2) BS_SKIP("needs two GPUs, there is one");
  const float one = 1, zero = 0;
  CUDA_OK(cudaSetDevice(1));
  {
    const Handle handle;  // on device 0
    CHECK(current_device() == 1);
    Product product;
    CHECK(product.run(handle, &one, &zero) == BS_STATUS_SUCCESS);
    CHECK(current_device() == 1);
    CHECK(product.right());
    bsContent_t finding = -1;
    CHECK(bsMatCheck(handle, product.a.mat, &finding, nullptr) == BS_STATUS_SUCCESS);
    CHECK(finding == BS_CONTENT_OK);
    CHECK(bsSynchronize(handle) == BS_STATUS_SUCCESS);
    CHECK(current_device() == 1);
  }
  CHECK(current_device() == 1);
  CUDA_OK(cudaSetDevice(0));
}

BACKEND_TEST_CASE("a copy that cannot be made fails once, and the handle works on") {
  const Handle handle;
  Product product;
  const float one = 1, zero = 0;
  std::vector<char> host(64);
  const Shared<float> device{1};
  // Behind any allocation: cudaErrorInvalidValue.
  CHECK(bsMemcpy(handle, device.data(), host.data(), int64_t{1} << 50) != BS_STATUS_SUCCESS);
  CHECK(std::string(bsGetLastErrorMessage()).rfind("bsMemcpy: ", 0) == 0);
  void* memory = &host;
  CHECK(bsMalloc(handle, &memory, int64_t{1} << 50) == BS_STATUS_ALLOC_FAILED);
  CHECK(memory == nullptr);
  CHECK(bsFree(handle, host.data()) == BS_STATUS_CUDA_ERROR);  // not the backend's memory
  CHECK(product.run(handle, &one, &zero) == BS_STATUS_SUCCESS);
  CHECK(product.right());
}
