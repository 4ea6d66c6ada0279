// Every call of the CUDA runtime fails once in a session that uses all of the library: each failure is a status with a
// sentence, costs no device memory, and leaves handle and descriptors working.
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "bsparse.h"
#include "gpu_ring/failing_runtime.h"
#include "support/catch.h"

namespace bs::test {
namespace {

constexpr bsOperation_t kN = BS_OPERATION_NON_TRANSPOSE, kT = BS_OPERATION_TRANSPOSE;
constexpr int64_t kSize = 128, kBlock = 64, kSpace = 1 << 23;
constexpr float kOne = 1, kZero = 0;

// Everything the steps share. Device memory is one piece a role, all of the same ample size.
struct Session {
  bsHandle_t handle = nullptr;
  bsMatDescr_t csr = nullptr, bsr = nullptr, b = nullptr, c = nullptr, x = nullptr, y = nullptr, copy = nullptr;
  std::array<void*, 12> memory{};
  bsOptions_t options = nullptr;
  int64_t counted = -1;

  void* offsets() const { return memory[0]; }
  void* indices() const { return memory[1]; }
  void* values() const { return memory[2]; }
  void* block_offsets() const { return memory[3]; }
  void* block_indices() const { return memory[4]; }
  void* right() const { return memory[5]; }
  void* result() const { return memory[6]; }
  void* analysis() const { return memory[7]; }
  void* workspace() const { return memory[8]; }
  void* copy_offsets() const { return memory[9]; }
  void* copy_indices() const { return memory[10]; }
  void* copy_values() const { return memory[11]; }
};

struct Step {
  std::string name;  // of the function
  std::function<bsStatus_t(Session&)> run;
};

bsStatus_t spmm(Session& s, const char* route, bsOperation_t op, bsMatDescr_t a) {
  const bsStatus_t set = bsOptionsSetRoute(s.options, route);
  if (set != BS_STATUS_SUCCESS) return set;
  return bsSpMM(s.handle, op, kN, &kOne, a, s.b, &kZero, s.c, BS_R_32F, s.options, s.workspace(), kSpace);
}
bsStatus_t spmv(Session& s, const char* route, bsMatDescr_t a) {
  const bsStatus_t set = bsOptionsSetRoute(s.options, route);
  if (set != BS_STATUS_SUCCESS) return set;
  return bsSpMV(s.handle, kN, &kOne, a, s.x, &kZero, s.y, BS_R_32F, s.options, s.workspace(), kSpace);
}
bsStatus_t sddmm(Session& s, const char* route, bsMatDescr_t out) {
  const bsStatus_t set = bsOptionsSetRoute(s.options, route);
  if (set != BS_STATUS_SUCCESS) return set;
  return bsSDDMM(s.handle, kN, kT, &kOne, s.b, s.c, &kZero, out, BS_R_32F, s.options, s.workspace(), kSpace);
}

// A lower triangle whose rows are in falling order, so that bsMatCheck looks for duplicates.
std::vector<int32_t> triangle_offsets() {
  std::vector<int32_t> offsets{0};
  for (int32_t i = 0; i < kSize; ++i) offsets.push_back(offsets.back() + i + 1);
  return offsets;
}
std::vector<int32_t> triangle_indices() {
  std::vector<int32_t> indices;
  for (int32_t i = 0; i < kSize; ++i)
    for (int32_t j = i; j >= 0; --j) indices.push_back(j);
  return indices;
}
constexpr int64_t kEntries = kSize * (kSize + 1) / 2;

template <class T>
bsStatus_t send(Session& s, void* to, const std::vector<T>& from) {
  return bsMemcpy(s.handle, to, from.data(), static_cast<int64_t>(from.size() * sizeof(T)));
}

void add_memory(std::vector<Step>* steps) {
  steps->push_back({"bsCreateOn", [](Session& s) { return bsCreateOn(&s.handle, BS_BACKEND_CUDA, 0); }});
  for (size_t i = 0; i < Session{}.memory.size(); ++i)
    steps->push_back({"bsMalloc", [i](Session& s) { return bsMalloc(s.handle, &s.memory[i], kSpace); }});
  const auto copy = [steps](auto fill) { steps->push_back({"bsMemcpy", fill}); };
  copy([](Session& s) { return send(s, s.offsets(), triangle_offsets()); });
  copy([](Session& s) { return send(s, s.indices(), triangle_indices()); });
  copy([](Session& s) { return send(s, s.values(), std::vector<uint16_t>(kSize * kSize, 0x3f80)); });
  copy([](Session& s) { return send(s, s.block_offsets(), std::vector<int32_t>{0, 2, 4}); });
  copy([](Session& s) { return send(s, s.block_indices(), std::vector<int32_t>{0, 1, 0, 1}); });
  copy([](Session& s) { return send(s, s.right(), std::vector<uint16_t>(kSize * kSize, 0x3f80)); });
  copy([](Session& s) { return send(s, s.result(), std::vector<uint16_t>(kSize * kSize, 0x3f80)); });
}

bsStatus_t describe(Session& s) {
  constexpr bsIndexType_t type = BS_INDEX_32I;
  const bsStatus_t all[] = {
      bsCreateCsr(&s.csr, kSize, kSize, kEntries, s.offsets(), s.indices(), s.values(), type, type, 0, BS_R_16BF),
      bsCreateBsr(&s.bsr, kSize, kSize, 4, kBlock, kBlock, s.block_offsets(), s.block_indices(), s.values(), type, type,
                  0, BS_R_16BF, BS_ORDER_ROW),
      bsCreateDense(&s.b, kSize, kSize, kSize, s.right(), BS_R_16BF, BS_ORDER_ROW),
      bsCreateDense(&s.c, kSize, kSize, kSize, s.result(), BS_R_16BF, BS_ORDER_ROW),
      bsCreateDense(&s.x, kSize, 1, 1, s.right(), BS_R_16BF, BS_ORDER_ROW),
      bsCreateDense(&s.y, kSize, 1, 1, s.result(), BS_R_16BF, BS_ORDER_ROW),
      bsCreateCsc(&s.copy, kSize, kSize, 0, s.copy_offsets(), nullptr, nullptr, type, type, 0, BS_R_16BF),
      bsCreateOptions(&s.options)};
  for (const bsStatus_t status : all)
    if (status != BS_STATUS_SUCCESS) return status;
  return BS_STATUS_SUCCESS;
}

void add_structure(std::vector<Step>* steps) {
  for (const bsAnalyzeFlags_t flags : {15, 7, 0})  // the last drops it
    steps->push_back(
        {"bsMatAnalyze", [flags](Session& s) { return bsMatAnalyze(s.handle, s.csr, flags, s.analysis(), kSpace); }});
  steps->push_back({"bsMatAnalyze", [](Session& s) {
                      return bsMatAnalyze(s.handle, s.bsr, BS_ANALYZE_STATS | BS_ANALYZE_PACK, s.analysis(), kSpace);
                    }});
  steps->push_back({"bsMatValuesChanged", [](Session& s) { return bsMatValuesChanged(s.handle, s.bsr); }});
  steps->push_back({"bsMatCheck", [](Session& s) { return bsMatCheck(s.handle, s.csr, nullptr, nullptr); }});
  for (const bool dense : {true, false}) {  // into CSC
    const auto source = [dense](Session& s) { return dense ? s.b : s.csr; };
    steps->push_back({"bsConvert_count", [source](Session& s) {
                        return bsConvert_count(s.handle, kT, source(s), s.copy, s.workspace(), kSpace);
                      }});
    steps->push_back({"bsConvert_fill", [source](Session& s) {
                        bsMatSetPointers(s.copy, s.copy_offsets(), s.copy_indices(), s.copy_values());
                        return bsConvert_fill(s.handle, kT, source(s), s.copy, s.workspace(), kSpace);
                      }});
  }
  steps->push_back(
      {"bsConvert_fill", [](Session& s) { return bsConvert_fill(s.handle, kN, s.csr, s.c, s.workspace(), kSpace); }});
}

void add_products(std::vector<Step>* steps) {
  const auto product = [steps](bool sparse_left, const char* route, bsOperation_t op, bool blocks) {
    if (pretended() && std::strstr(route, "cublas")) return;  // there is no such library without a GPU
    steps->push_back({sparse_left ? "bsSpMM" : "bsSDDMM", [=](Session& s) {
                        const bsMatDescr_t sparse = blocks ? s.bsr : s.csr;
                        return sparse_left ? spmm(s, route, op, sparse) : sddmm(s, route, sparse);
                      }});
  };
  for (const bsOperation_t op : {kN, kT}) {
    for (const char* route : {"cuda/spmm_csr_rowswizzle", "cuda/spmm_simt"}) product(true, route, op, false);
    for (const char* route : {"cuda/spmm_bsr_wgmma", "cuda/spmm_bsr_mma", "cuda/spmm_dense_cublas", "cuda/spmm_simt"})
      product(true, route, op, true);
  }
  product(true, "cuda/spmm_csr_panel", kT, false);
  for (const char* route : {"cuda/spmm_csr_dot", "cuda/spmm_csr_narrow"})
    steps->push_back({"bsSpMV", [route](Session& s) { return spmv(s, route, s.csr); }});
  for (const char* route : {"cuda/spmm_bsr_dot", "cuda/spmm_bsr_narrow"})
    steps->push_back({"bsSpMV", [route](Session& s) { return spmv(s, route, s.bsr); }});
  for (const char* route : {"cuda/sddmm_csr_rowswizzle", "cuda/sddmm_dense_cublas", "cuda/sddmm_simt"})
    product(false, route, kN, false);
  for (const char* route : {"cuda/sddmm_bsr_mma", "cuda/sddmm_dense_cublas", "cuda/sddmm_simt"})
    product(false, route, kN, true);
  steps->push_back({"bsBlockGateGrad", [](Session& s) {
                      return bsBlockGateGrad(s.handle, s.bsr, s.bsr, static_cast<float*>(s.result()), 4);
                    }});
  steps->push_back({"bsSynchronize", [](Session& s) { return bsSynchronize(s.handle); }});
}

std::vector<Step> all_steps() {
  std::vector<Step> steps;
  add_memory(&steps);
  steps.push_back({"bsCreateCsr", describe});
  add_structure(&steps);
  add_products(&steps);
  for (size_t i = 0; i < Session{}.memory.size(); ++i)
    steps.push_back({"bsFree", [i](Session& s) { return bsFree(s.handle, s.memory[i]); }});
  return steps;
}

void close(Session& s) {
  for (const bsMatDescr_t mat : {s.csr, s.bsr, s.b, s.c, s.x, s.y, s.copy})
    CHECK(bsDestroyMat(mat) == BS_STATUS_SUCCESS);
  CHECK(bsDestroyOptions(s.options) == BS_STATUS_SUCCESS);
  CHECK(bsDestroy(s.handle) == BS_STATUS_SUCCESS);
}

bool is_failure(bsStatus_t status) {
  if (failed_call() == "cudaStreamIsCapturing") return status == BS_STATUS_EARLIER_CUDA_ERROR;  // a broken context
  return status == BS_STATUS_CUDA_ERROR || status == BS_STATUS_ALLOC_FAILED || status == BS_STATUS_MISSING_LIBRARY;
}

// Fails its calls one after the other until it gets through; returns how many it has.
int64_t run_step(const Step& step, Session& session) {
  for (int64_t k = 0; k < 1000; ++k) {
    const int64_t before = live_device_memory();
    fail_call(k);
    const bsStatus_t status = step.run(session);
    const bool reached = call_failed();
    fail_call(-1);
    if (!reached) {
      INFO(step.name << " after " << k << " failures: " << bsGetLastErrorMessage());
      REQUIRE(status == BS_STATUS_SUCCESS);
      return k;
    }
    INFO(step.name << ", call " << k << " (" << failed_call() << ") gave " << bsStatusName(status) << ", "
                   << bsGetLastErrorMessage());
    CHECK(is_failure(status));
    CHECK(std::string(bsGetLastErrorMessage()).rfind(step.name + ": ", 0) == 0);
    CHECK(!take_error());
    CHECK(live_device_memory() == before - (failed_call() == "cudaFree" && step.name == "bsFree"));
  }
  FAIL("a thousand calls in one step");
  return 0;
}

std::string missing() {
  bsHandle_t handle = nullptr;
  if (bsCreateOn(&handle, BS_BACKEND_CUDA, 0) != BS_STATUS_SUCCESS) return bsGetLastErrorMessage();
  bsDestroy(handle);
  return "";
}

}  // namespace

TEST_CASE("every call of the CUDA runtime fails once, and the session works on") {
  if (const std::string reason = missing(); !reason.empty()) BS_SKIP(reason);
  Session session;
  int64_t calls = 0;
  for (const Step& step : all_steps()) {
    calls += run_step(step, session);
    spare_call("cudaGetDeviceCount");  // after bsCreateOn only CUB asks, once a process
  }
  spare_call("");
  CHECK(live_device_memory() == 0);
  CHECK(calls > 150);
  close(session);
}

TEST_CASE("after every failure the next product is right") {
  if (pretended()) BS_SKIP("needs a GPU");
  if (const std::string reason = missing(); !reason.empty()) BS_SKIP(reason);
  Session session;
  for (const Step& step : all_steps()) {
    if (step.name == "bsFree") break;
    run_step(step, session);
    spare_call("cudaGetDeviceCount");
    if (step.name != "bsSpMM") continue;
    std::vector<uint16_t> result(kSize * kSize);
    REQUIRE(bsMemcpy(session.handle, result.data(), session.result(), kSize * kSize * 2) == BS_STATUS_SUCCESS);
    CHECK(result.back() != 0);
    CHECK(result.front() != 0);
  }
  for (void* memory : session.memory) bsFree(session.handle, memory);
  close(session);
}

TEST_CASE("an error that was there before is named as such and left to its owner") {
  if (const std::string reason = missing(); !reason.empty()) BS_SKIP(reason);
  Session session;
  for (const Step& step : all_steps()) {
    if (step.name == "bsFree") break;
    if (session.handle) {
      leave_error_behind();
      INFO(step.name);
      const bool touches_device = step.name != "bsCreateCsr";
      if (touches_device) {
        CHECK(step.run(session) == BS_STATUS_EARLIER_CUDA_ERROR);
        CHECK_THAT(bsGetLastErrorMessage(), bs::test::contains("before this call: "));
      }
      CHECK(take_error());
    }
    REQUIRE(step.run(session) == BS_STATUS_SUCCESS);
  }
  for (void* memory : session.memory) CHECK(bsFree(session.handle, memory) == BS_STATUS_SUCCESS);
  CHECK(live_device_memory() == 0);
  close(session);
}

}  // namespace bs::test
