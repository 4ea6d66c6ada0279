// The ends of what is legal: nothing to sum, no batches, sizes that no memory has, locales.
#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "support/backend.h"

namespace {

class Edge {
 public:
  Edge() {
    REQUIRE(bsCreateOn(&handle, bs::test::backend(), 0) == BS_STATUS_SUCCESS);
    REQUIRE(bsCreateOptions(&options) == BS_STATUS_SUCCESS);
  }
  ~Edge() {
    for (bsMatDescr_t mat : {a, b, c}) bsDestroyMat(mat);
    bsDestroyOptions(options);
    bsDestroy(handle);
  }
  Edge(const Edge&) = delete;

  void csr(int64_t rows, int64_t cols, int64_t nnz, void* offsets) {
    REQUIRE(bsCreateCsr(&a, rows, cols, nnz, offsets, nullptr, nullptr, BS_INDEX_64I, BS_INDEX_64I, BS_INDEX_BASE_ZERO,
                        BS_R_32F) == BS_STATUS_SUCCESS);
  }
  static void dense(bsMatDescr_t* mat, int64_t rows, int64_t cols, void* values) {
    REQUIRE(bsCreateDense(mat, rows, cols, cols > 0 ? cols : 1, values, BS_R_32F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
  }
  // With the workspace that it asks for.
  bsStatus_t spmm(bsOperation_t op, float alpha, float beta) {
    const bsOperation_t op_b = BS_OPERATION_NON_TRANSPOSE;
    int64_t bytes = 0;
    void* workspace = nullptr;
    REQUIRE(bsSpMM_bufferSize(handle, op, op_b, &alpha, a, b, &beta, c, BS_R_32F, options, &bytes) ==
            BS_STATUS_SUCCESS);
    REQUIRE(bsMalloc(handle, &workspace, bytes) == BS_STATUS_SUCCESS);
    const bsStatus_t status = bsSpMM(handle, op, op_b, &alpha, a, b, &beta, c, BS_R_32F, options, workspace, bytes);
    REQUIRE(bsFree(handle, workspace) == BS_STATUS_SUCCESS);
    return status;
  }

  bsHandle_t handle = nullptr;
  bsOptions_t options = nullptr;
  bsMatDescr_t a = nullptr, b = nullptr, c = nullptr;
};

struct Row {
  std::string route;
  int32_t accepted = 0, chosen = 0;
  double microseconds = 0;
  int64_t workspace = 0;
};
Row row_of(bsReport_t report, int64_t i) {
  Row row;
  const char* route = nullptr;
  CHECK(bsReportGet(report, i, BS_REPORT_ROUTE, &route, sizeof route) == BS_STATUS_SUCCESS);
  CHECK(bsReportGet(report, i, BS_REPORT_ACCEPTED, &row.accepted, 4) == BS_STATUS_SUCCESS);
  CHECK(bsReportGet(report, i, BS_REPORT_CHOSEN, &row.chosen, 4) == BS_STATUS_SUCCESS);
  CHECK(bsReportGet(report, i, BS_REPORT_MICROSECONDS, &row.microseconds, 8) == BS_STATUS_SUCCESS);
  CHECK(bsReportGet(report, i, BS_REPORT_WORKSPACE, &row.workspace, 8) == BS_STATUS_SUCCESS);
  row.route = route;
  return row;
}

// Whatever a candidate costs, it is a cost; a dense form of 2^60 elements and more is none that can be had.
void check_report(bsReport_t report, const std::string& dense_route) {
  int64_t count = 0;
  REQUIRE(bsReportGetCount(report, &count) == BS_STATUS_SUCCESS);
  REQUIRE(count > 0);
  for (int64_t i = 0; i < count; ++i) {
    const Row row = row_of(report, i);
    CAPTURE(row.route, row.workspace, row.microseconds);
    CHECK((row.workspace >= 0 && row.microseconds >= 0 && std::isfinite(row.microseconds)));
    if (row.route == dense_route) CHECK((!row.accepted && !row.chosen));
  }
}

bool on_gpu() {
  return bs::test::backend() == BS_BACKEND_CUDA;
}

// Devices to ask about, with the names of their dense routes where these need a whole dense form.
struct Place {
  const char *device, *dense_spmm, *dense_sddmm;
};
std::vector<Place> places() {
  std::vector<Place> all{{"cpu", "cpu/spmm_dense_gemm", "cpu/sddmm_dense_sample"}};
  int32_t cuda = 0;
  REQUIRE(bsHasFeature("cuda", &cuda) == BS_STATUS_SUCCESS);
  if (cuda) all.push_back({"h200", "cuda/spmm_dense_cublas", ""});
  return all;
}

}  // namespace

BACKEND_TEST_CASE("with nothing to sum C is beta C, whatever alpha is") {
  const float infinite = INFINITY;
  const std::vector<const char*> cpu{"cpu/spmm_csr_rowsplit", "cpu/spmm_csr_dot", "cpu/spmm_dense_gemm",
                                     "cpu/spmm_reference"};
  const std::vector<const char*> cuda{"cuda/spmm_csr_rowswizzle", "cuda/spmm_csr_dot", "cuda/spmm_dense_cublas",
                                      "cuda/spmm_simt"};
  for (const char* route : on_gpu() ? cuda : cpu) {
    CAPTURE(route);
    Edge e;
    const bs::test::Shared<int64_t> offsets{0, 0, 0};
    const bs::test::Shared<float> c{3, -4};
    e.csr(2, 0, 0, offsets.data());
    Edge::dense(&e.b, 0, 1, nullptr);
    Edge::dense(&e.c, 2, 1, c.data());
    REQUIRE(bsOptionsSetRoute(e.options, route) == BS_STATUS_SUCCESS);

    REQUIRE(e.spmm(BS_OPERATION_NON_TRANSPOSE, infinite, 2) == BS_STATUS_SUCCESS);

    CHECK((c[0] == 6 && c[1] == -8));
    REQUIRE(e.spmm(BS_OPERATION_NON_TRANSPOSE, -1, 0) == BS_STATUS_SUCCESS);
    CHECK((c[0] == 0 && !std::signbit(c[0])));
  }
}

BACKEND_TEST_CASE("a batch of 0 has no arrays: it is analysed, checked and multiplied without them") {
  for (const bsOperation_t op : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE}) {
    Edge e;
    e.csr(5, 5, 7, nullptr);
    Edge::dense(&e.b, 5, 2, nullptr);
    Edge::dense(&e.c, 5, 2, nullptr);
    REQUIRE(bsMatSetBatch(e.a, 0, 0, 0, 0) == BS_STATUS_SUCCESS);
    REQUIRE(bsMatSetBatch(e.b, 0, 0, 0, 0) == BS_STATUS_SUCCESS);
    REQUIRE(bsMatSetBatch(e.c, 0, 0, 0, 0) == BS_STATUS_SUCCESS);
    CHECK(e.spmm(op, 1, 0) == BS_STATUS_SUCCESS);
    bsContent_t finding = -1;
    CHECK(bsMatCheck(e.handle, e.a, &finding, nullptr) == BS_STATUS_SUCCESS);
    CHECK(finding == BS_CONTENT_OK);
    for (bsAnalyzeFlags_t flags = 1; flags < 16; ++flags) {
      int64_t bytes = 0;
      void* buffer = nullptr;
      REQUIRE(bsMatAnalyze_bufferSize(e.handle, e.a, flags, &bytes) == BS_STATUS_SUCCESS);
      REQUIRE(bsMalloc(e.handle, &buffer, bytes) == BS_STATUS_SUCCESS);
      CHECK(bsMatAnalyze(e.handle, e.a, flags, buffer, bytes) == BS_STATUS_SUCCESS);
      CHECK(e.spmm(op, 1, 0) == BS_STATUS_SUCCESS);
      REQUIRE(bsFree(e.handle, buffer) == BS_STATUS_SUCCESS);
    }
  }
}

// Products of every op and both formats, of square matrices with this many entries; B is a batch that is summed.
void check_plans(const Place& place, int64_t extent, int64_t entries, int64_t n, int64_t batch) {
  const float one = 1, zero = 0;
  const bsOperation_t plain = BS_OPERATION_NON_TRANSPOSE, turned = BS_OPERATION_TRANSPOSE;
  for (const bool blocks : {false, true}) {
    CAPTURE(place.device, extent, entries, batch, blocks);
    Edge e;
    const bsDataType_t type = blocks ? BS_R_16BF : BS_R_32F;
    if (blocks)
      REQUIRE(bsCreateBsr(&e.a, extent, extent, entries, 64, 128, nullptr, nullptr, nullptr, BS_INDEX_64I, BS_INDEX_64I,
                          BS_INDEX_BASE_ZERO, type, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
    else
      e.csr(extent, extent, entries, nullptr);
    REQUIRE(bsCreateDense(&e.b, extent, n, n, nullptr, type, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
    REQUIRE(bsCreateDense(&e.c, extent, n, n, nullptr, type, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
    REQUIRE(bsMatSetBatch(e.b, batch, 0, 0, 0) == BS_STATUS_SUCCESS);
    const auto check = [&](bsStatus_t status, bsReport_t report, const char* dense) {
      REQUIRE(status == BS_STATUS_SUCCESS);
      check_report(report, dense);
      bsDestroyReport(report);
    };
    for (const bsOperation_t op : {plain, turned}) {
      bsReport_t report = nullptr;
      const bsStatus_t status =
          bsSpMM_explain(e.handle, op, plain, &one, e.a, e.b, &zero, e.c, BS_R_32F, nullptr, place.device, &report);
      check(status, report, batch == 1 ? place.dense_spmm : "");
    }
    bsReport_t report = nullptr;
    const bsStatus_t status =
        bsSDDMM_explain(e.handle, plain, turned, &one, e.b, e.b, &zero, e.a, BS_R_32F, nullptr, place.device, &report);
    check(status, report, batch > 1 ? place.dense_sddmm : "");
  }
}

TEST_CASE("no size makes a plan overflow") {
  for (const Place& place : places())
    for (const int shift : {30, 31, 32, 33, 40})
      for (const int64_t entries : {int64_t{1000}, int64_t{1} << 48})
        check_plans(place, int64_t{1} << shift, entries, 4, 1);
}

TEST_CASE("sums over more batches than can be counted in bytes are refused or planned, not overflowed") {
  for (const Place& place : places())
    for (const int64_t entries : {int64_t{1000}, int64_t{1} << 40})
      check_plans(place, 1 << 20, entries, 1 << 10, INT64_MAX);
}

TEST_CASE("bsMatCheck says that memory is short where columns are too many to mark") {
  Edge e;
  int64_t offsets[2] = {};
  e.csr(1, int64_t{1} << 62, 0, offsets);
  CHECK(bsMatCheck(e.handle, e.a, nullptr, nullptr) == BS_STATUS_ALLOC_FAILED);
}

TEST_CASE("a line of the log is the same in every locale") {
  const char* german = std::setlocale(LC_ALL, "de_DE.UTF-8");
  if (!german) BS_SKIP("no locale with a decimal comma is installed");
  Edge e;
  std::string line;
  int64_t offsets[4] = {};
  float b[3] = {}, c[3];
  e.csr(3, 3, 0, offsets);
  Edge::dense(&e.b, 3, 1, b);
  Edge::dense(&e.c, 3, 1, c);
  REQUIRE(bsSetLogCallback(
              e.handle, [](void* to, const char* text) { *static_cast<std::string*>(to) = text; }, &line) ==
          BS_STATUS_SUCCESS);
  CHECK(e.spmm(BS_OPERATION_NON_TRANSPOSE, 1, 0) == BS_STATUS_SUCCESS);
  std::setlocale(LC_ALL, "C");
  CHECK(std::count(line.begin(), line.end(), ',') == 5);
}
