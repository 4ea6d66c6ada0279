// Handles: where the environment puts them, what they refuse, and that they come and go on many threads.
#include "support/catch.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "bsparse.h"

namespace {

// Sets a variable for the life of the object.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

bool message_has(const std::string& text) {
  return std::string(bsGetLastErrorMessage()).find(text) != std::string::npos;
}

struct Malformed {
  const char* variable;
  const char* value;
};
constexpr Malformed kMalformed[] = {
    {"BSPARSE_NUM_THREADS", "0"},  {"BSPARSE_NUM_THREADS", "-2"},   {"BSPARSE_NUM_THREADS", "two"},
    {"BSPARSE_NUM_THREADS", "2x"}, {"BSPARSE_NUM_THREADS", "1025"}, {"BSPARSE_NUM_THREADS", "99999999999999999999"},
    {"BSPARSE_NUM_THREADS", " 2"}, {"OMP_NUM_THREADS", "x,2"},      {"BSPARSE_MAX_ISA", "sse"},
    {"BSPARSE_LOG", "everything"},
};

}  // namespace

TEST_CASE("a malformed environment variable is named with its value, and gives no handle") {
  for (const Malformed& malformed : kMalformed) {
    const Variable variable(malformed.variable, malformed.value);
    CAPTURE(malformed.variable, malformed.value);
    bsHandle_t handle = reinterpret_cast<bsHandle_t>(8);

    CHECK(bsCreateOn(&handle, BS_BACKEND_CPU, 0) == BS_STATUS_INVALID_VALUE);

    CHECK(handle == nullptr);
    CHECK(message_has(malformed.variable));
    CHECK(message_has(malformed.value));
  }
}

TEST_CASE("BSPARSE_BACKEND decides for bsCreate and not for bsCreateOn") {
  bsHandle_t handle = nullptr;
  bsBackend_t backend = 0;
  {
    const Variable variable("BSPARSE_BACKEND", "cpu");
    REQUIRE(bsCreate(&handle) == BS_STATUS_SUCCESS);
    CHECK(bsGetBackend(handle, &backend) == BS_STATUS_SUCCESS);
    CHECK(backend == BS_BACKEND_CPU);
    CHECK(bsDestroy(handle) == BS_STATUS_SUCCESS);
  }
  const Variable variable("BSPARSE_BACKEND", "abacus");

  CHECK(bsCreate(&handle) == BS_STATUS_INVALID_VALUE);
  CHECK(message_has("BSPARSE_BACKEND is 'abacus'"));
  CHECK(handle == nullptr);
  REQUIRE(bsCreateOn(&handle, BS_BACKEND_CPU, 0) == BS_STATUS_SUCCESS);
  CHECK(bsDestroy(handle) == BS_STATUS_SUCCESS);
}

TEST_CASE("a log file that cannot be opened is an error when the handle is made") {
  const Variable log("BSPARSE_LOG", "select"), file("BSPARSE_LOG_FILE", "/no/such/directory/log");
  bsHandle_t handle = nullptr;

  CHECK(bsCreateOn(&handle, BS_BACKEND_CPU, 0) == BS_STATUS_INVALID_VALUE);

  CHECK(message_has("BSPARSE_LOG_FILE is '/no/such/directory/log'"));
}

TEST_CASE("the number of CPU threads is set and read back") {
  const Variable variable("BSPARSE_NUM_THREADS", "2");
  bsHandle_t handle = nullptr;
  int32_t threads = 0;
  REQUIRE(bsCreateOn(&handle, BS_BACKEND_CPU, 0) == BS_STATUS_SUCCESS);

  CHECK(bsGetNumThreads(handle, &threads) == BS_STATUS_SUCCESS);
  CHECK(threads == 2);
  CHECK(bsSetNumThreads(handle, 3) == BS_STATUS_SUCCESS);
  CHECK(bsGetNumThreads(handle, &threads) == BS_STATUS_SUCCESS);
  CHECK(threads == 3);
  CHECK(bsSetNumThreads(handle, 0) == BS_STATUS_INVALID_SIZE);
  CHECK(message_has("bsSetNumThreads: threads is 0, must be from 1 to 1024"));
  CHECK(bsGetNumThreads(handle, &threads) == BS_STATUS_SUCCESS);
  CHECK(threads == 3);

  CHECK(bsDestroy(handle) == BS_STATUS_SUCCESS);
}

TEST_CASE("the place of a handle is checked") {
  bsHandle_t handle = reinterpret_cast<bsHandle_t>(8);

  CHECK(bsCreateOn(&handle, 3, 0) == BS_STATUS_INVALID_VALUE);
  CHECK(bsCreateOn(&handle, BS_BACKEND_CPU, 1) == BS_STATUS_INVALID_SIZE);
  CHECK(bsCreateOn(&handle, BS_BACKEND_CUDA, -1) == BS_STATUS_INVALID_SIZE);

  CHECK(handle == nullptr);
}

TEST_CASE("an object of another kind is refused by name") {
  bsOptions_t options = nullptr;
  REQUIRE(bsCreateOptions(&options) == BS_STATUS_SUCCESS);

  CHECK(bsDestroy(reinterpret_cast<bsHandle_t>(options)) == BS_STATUS_INVALID_HANDLE);
  CHECK(message_has("handle is not a library handle"));
  CHECK(bsSynchronize(reinterpret_cast<bsHandle_t>(reinterpret_cast<char*>(options) + 1)) == BS_STATUS_INVALID_HANDLE);

  CHECK(bsDestroyOptions(options) == BS_STATUS_SUCCESS);
}

TEST_CASE("memory of a CPU handle is aligned, copied, and refused where it cannot be had") {
  bsHandle_t handle = nullptr;
  REQUIRE(bsCreateOn(&handle, BS_BACKEND_CPU, 0) == BS_STATUS_SUCCESS);
  void* memory = nullptr;
  char text[] = "0123456789", back[sizeof text] = {};

  REQUIRE(bsMalloc(handle, &memory, sizeof text) == BS_STATUS_SUCCESS);
  CHECK(reinterpret_cast<uintptr_t>(memory) % 256 == 0);
  CHECK(bsMemcpy(handle, memory, text, sizeof text) == BS_STATUS_SUCCESS);
  CHECK(bsMemcpy(handle, back, memory, sizeof text) == BS_STATUS_SUCCESS);
  CHECK(std::strcmp(text, back) == 0);
  CHECK(bsMemcpy(handle, text + 1, text, 2) == BS_STATUS_INVALID_ALIAS);
  CHECK(bsFree(handle, memory) == BS_STATUS_SUCCESS);

  memory = text;
  CHECK(bsMalloc(handle, &memory, INT64_MAX) == BS_STATUS_ALLOC_FAILED);
  CHECK(memory == nullptr);
  CHECK(bsDestroy(handle) == BS_STATUS_SUCCESS);
}

TEST_CASE("features have names, and other names are refused") {
  int32_t supported = -1;

  CHECK(bsHasFeature("cpu", &supported) == BS_STATUS_SUCCESS);
  CHECK(supported == 1);
  CHECK(bsHasFeature("cpu.spmm.bsr.bf16.t", &supported) == BS_STATUS_SUCCESS);
  CHECK(supported == 1);
  CHECK(bsHasFeature("sddmm.csr.f32.t", &supported) == BS_STATUS_SUCCESS);
  CHECK(supported == 0);
  for (const char* name : {"", "cpu.", "gpu", "spmm", "spmm.csr", "spmm.coo.f32", "spmm.csr.f32.", "spmm.csr.f32.t.t",
                           "cpu.cuda.spmm.csr.f32", "spmm.csr.i8"}) {
    CAPTURE(name);
    CHECK(bsHasFeature(name, &supported) == BS_STATUS_INVALID_VALUE);
  }
}

TEST_CASE("handles come and go on several threads") {
  const Variable variable("BSPARSE_NUM_THREADS", "3");
  std::vector<std::thread> threads;
  std::vector<int> failures(4, 0);

  for (int& failed : failures)
    threads.emplace_back([&failed] {
      for (int i = 0; i < 20; ++i) {
        bsHandle_t handle = nullptr;
        failed += bsCreateOn(&handle, BS_BACKEND_CPU, 0) != BS_STATUS_SUCCESS;
        failed += bsDestroy(handle) != BS_STATUS_SUCCESS;
      }
    });
  for (std::thread& thread : threads) thread.join();

  CHECK(failures == std::vector<int>(4, 0));
}
