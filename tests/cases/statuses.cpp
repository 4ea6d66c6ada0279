// Refusals have their reason, choices can be asked for, nothing is printed, nothing is leaked.
#include "cases/products.h"
#include "support/backend.h"
#include "support/reduced.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace bs::cases {
namespace {

using bs::test::contains;

bool fails(bsStatus_t status, bsStatus_t wanted, const std::string& what) {
  CHECK_THAT(bsGetLastErrorMessage(), contains(what));
  return status == wanted;
}

TEST_CASE("A02 an entry count that its offsets cannot hold is refused by name; 64-bit offsets hold it", "[status]") {
  const int64_t nnz = 2148532224;
  bsMatDescr_t mat = nullptr;
  CHECK(fails(bsCreateCsr(&mat, 10, 10, nnz, nullptr, nullptr, nullptr, BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_32F),
              BS_STATUS_INVALID_SIZE, "nnz is 2148532224"));
  CHECK(mat == nullptr);
  CHECK(bsCreateCsr(&mat, 10, 10, nnz, nullptr, nullptr, nullptr, BS_INDEX_64I, BS_INDEX_32I, 0, BS_R_32F) == 0);
  bsDestroyMat(mat);
}

TEST_CASE("A02 a last offset that wrapped around is found", "[status]") {
  const Handle handle;
  int32_t offsets[] = {0, 1, -2146435072}, columns[] = {0, 0};
  float values[] = {1, 1};
  bsMatDescr_t mat = nullptr;
  REQUIRE(bsCreateCsr(&mat, 2, 2, 2, offsets, columns, values, BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_32F) == 0);
  bsContent_t finding = 0;
  int64_t position = 0;
  CHECK(fails(bsMatCheck(handle, mat, &finding, &position), BS_STATUS_INVALID_CONTENT, "-2146435072"));
  CHECK(finding == BS_CONTENT_OFFSET_RANGE);
  CHECK(position == 2);
  bsDestroyMat(mat);
}

BACKEND_TEST_CASE("A49 a wish for determinism is kept or refused, never dropped", "[status]") {
  const Handle handle;
  for (const bsOperation_t op : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE})
    for (const Storage& storage : every_format(BS_R_16F)) {
      const Sparse a(40, 40, random_entries(40, 40, 0.2, 1), storage);
      const Dense b(40, 12, {.type = BS_R_16F}, 2);
      Dense c(40, 12, {.type = BS_R_16F});
      const Options options;
      REQUIRE(bsOptionsSetInt(options, BS_OPTION_DETERMINISTIC, 1) == BS_STATUS_SUCCESS);
      const Call call = Spmm{.sparse = &a, .dense = &b, .c = &c, .op_sparse = op}.call();
      for (const Route& route : routes_of(handle, call, options)) CHECK((!route.accepted || route.deterministic));
      check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c, .op_sparse = op}, options);
    }
}

TEST_CASE("A55 seeds#2 seeds#17 the support and the choice can be asked for before there is data", "[status]") {
  const Handle handle;
  bsMatDescr_t a = nullptr, b = nullptr, c = nullptr;
  const int64_t n = 8192;
  REQUIRE(bsCreateBsr(&a, n, n, n * n / 2560, 16, 16, nullptr, nullptr, nullptr, BS_INDEX_32I, BS_INDEX_32I, 0,
                      BS_R_16F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
  REQUIRE(bsCreateDense(&b, n, n, n, nullptr, BS_R_16F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
  REQUIRE(bsCreateDense(&c, n, n, n, nullptr, BS_R_16F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
  const Options options;
  int accepted = 0;
  for (const Route& route : routes_of(handle, {.a = a, .b = b, .c = c}, options)) {
    accepted += route.accepted && !route.name.empty();
    CHECK((route.accepted || route.reason.find("needs") != std::string::npos));
  }
  CHECK(accepted > 0);
  bsDestroyMat(a), bsDestroyMat(b), bsDestroyMat(c);
}

TEST_CASE("A55 types that do not go together are named", "[status]") {
  const Handle handle;
  const Sparse a(4, 4, random_entries(4, 4, 1, 1), {.type = BS_R_64F});
  const Dense b(4, 2, {.type = BS_R_16BF}, 2);
  Dense c(4, 2, {.type = BS_R_32F});
  const Call call{.a = a.mat, .b = b.mat, .c = c.mat};
  const bsStatus_t status = run(handle, call, nullptr);
  CHECK(status == BS_STATUS_INVALID_TYPE);
  CHECK_THAT(bsGetLastErrorMessage(), contains("A is f64 and C is f32"));
}

TEST_CASE("A57 seeds#16 the choice is the cheapest by its own prediction, dense ones included", "[status]") {
  const Handle handle;
  for (const double density : {0.5, 0.167, 0.05, 0.01, 0.001}) {
    bsMatDescr_t a = nullptr, b = nullptr, c = nullptr;
    const int64_t n = 4096, nnz = static_cast<int64_t>(density * 4096 * 4096);
    REQUIRE(bsCreateCsr(&a, n, n, nnz, nullptr, nullptr, nullptr, BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_32F) == 0);
    REQUIRE(bsCreateDense(&b, n, n, n, nullptr, BS_R_32F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
    REQUIRE(bsCreateDense(&c, n, n, n, nullptr, BS_R_32F, BS_ORDER_ROW) == BS_STATUS_SUCCESS);
    const float alpha = 1, beta = 0;
    bsReport_t report = nullptr;
    REQUIRE(bsSpMM_explain(handle, 0, 0, &alpha, a, b, &beta, c, BS_R_32F, nullptr, nullptr, &report) == 0);
    const char* first = nullptr;
    int32_t chosen = 0;
    REQUIRE(bsReportGet(report, 0, BS_REPORT_ROUTE, &first, sizeof first) == BS_STATUS_SUCCESS);
    REQUIRE(bsReportGet(report, 0, BS_REPORT_CHOSEN, &chosen, sizeof chosen) == BS_STATUS_SUCCESS);
    CAPTURE(density);
    CHECK(chosen == 1);
    CHECK((std::string(first) == "cpu/spmm_dense_gemm") == (density > 0.4));
    bsDestroyReport(report), bsDestroyMat(a), bsDestroyMat(b), bsDestroyMat(c);
  }
}

// Creates, analyses and destroys, once rightly and once with a mistake at each step.
void live_and_die(bsHandle_t handle, void* buffer, int64_t room) {
  int32_t offsets[] = {0, 1, 2}, columns[] = {0, 1};
  float values[] = {1, 2};
  bsMatDescr_t mat = nullptr, none = nullptr;
  bool ok = !bsCreateCsr(&mat, 2, 2, 2, offsets, columns, values, BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_32F);
  ok &= !bsMatAnalyze(handle, mat, BS_ANALYZE_STATS | BS_ANALYZE_ORDER | BS_ANALYZE_PACK, buffer, room);
  ok &= bsMatAnalyze(handle, mat, BS_ANALYZE_PACK, buffer, 1) != BS_STATUS_SUCCESS;
  ok &= bsCreateCsr(&none, 2, -1, 2, offsets, columns, values, BS_INDEX_32I, BS_INDEX_32I, 0, BS_R_32F) != 0;
  bsOptions_t options = nullptr;
  ok &= !bsCreateOptions(&options) && !bsOptionsSetRoute(options, "cpu/spmm_reference");
  ok &= bsOptionsSetRoute(options, "nonsense") == BS_STATUS_INVALID_VALUE;
  ok &= !bsDestroyOptions(options) && !bsDestroyMat(mat);
  if (!ok) FAIL("a step went another way than it should");
}

TEST_CASE("A63 memory is flat over many lives of descriptors, right and wrong", "[status]") {
  const Handle handle;
  const Array buffer(1 << 14);
  const auto live = [&](int times) {
    for (int i = 0; i < times; ++i) live_and_die(handle, buffer.data(), buffer.bytes());
  };
  live(100);
  const size_t before = mallinfo2().uordblks;
  live(test::reduced() ? 1000 : 20000);
  CHECK(mallinfo2().uordblks <= before + 4096);
}

TEST_CASE("A64 results stand when everything is destroyed right after the call", "[status]") {
  Dense c(60, 40, {});
  std::vector<double> wanted;
  {
    const Handle handle;
    const Sparse a(60, 50, random_entries(60, 50, 0.3, 1), {});
    const Dense b(50, 40, {}, 2);
    const Spmm product{.sparse = &a, .dense = &b, .c = &c};
    wanted = exact(product);
    REQUIRE(run(handle, product.call(), nullptr) == BS_STATUS_SUCCESS);
  }
  CHECK(mismatches(c, wanted) == 0);
}

// What a body writes to the standard streams.
template <class Body>
std::string printed(const Body& body) {
  std::fflush(stdout), std::fflush(stderr);
  std::FILE* file = std::tmpfile();
  REQUIRE(file);
  const int out = dup(1), err = dup(2);
  dup2(fileno(file), 1), dup2(fileno(file), 2);
  body();
  std::fflush(stdout), std::fflush(stderr);
  dup2(out, 1), dup2(err, 2), close(out), close(err);
  std::string text(static_cast<size_t>(std::ftell(file) >= 0 ? lseek(fileno(file), 0, SEEK_END) : 0), ' ');
  lseek(fileno(file), 0, SEEK_SET);
  const ssize_t got = read(fileno(file), text.data(), text.size());
  std::fclose(file);
  return text.substr(0, static_cast<size_t>(std::max<ssize_t>(got, 0)));
}

TEST_CASE("A69 failing calls print nothing, and a choice is one line for who asks", "[status]") {
  const Sparse a(4, 4, random_entries(4, 4, 0.5, 1), {});
  const Dense b(4, 2, {}, 2);
  Dense c(4, 2, {}), wrong(5, 2, {});
  const Call right = Spmm{.sparse = &a, .dense = &b, .c = &c}.call();
  CHECK(printed([] { (void)!write(2, "seen", 4); }) == "seen");
  CHECK(printed([&] {
          bsHandle_t handle = nullptr;
          bsMatDescr_t mat = nullptr;
          Call call = right;
          bsCreateOn(&handle, 99, 0), bsCreateOn(&handle, BS_BACKEND_CPU, 0);
          bsCreateDense(&mat, -1, 2, 2, nullptr, BS_R_32F, BS_ORDER_ROW);
          call.c = wrong.mat, run(handle, call, nullptr);
          call.c = nullptr, run(handle, call, nullptr);
          call.op_a = 77, run(handle, call, nullptr);
          bsDestroy(handle);
        }).empty());
  int lines = 0;
  const Handle handle;
  REQUIRE(bsSetLogCallback(
              handle, [](void* user, const char*) { ++*static_cast<int*>(user); }, &lines) == 0);
  CHECK(printed([&] { run(handle, right, nullptr); }).empty());
  CHECK(lines == 1);
}

}  // namespace
}  // namespace bs::cases
