// Bit equality over runs, thread counts and analyses; handles used from several threads.
#include "cases/products.h"
#include "support/backend.h"
#include "support/reduced.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <thread>

namespace bs::cases {
namespace {

using Bits = std::map<std::string, std::vector<char>>;

// A value of full precision everywhere, so that another order of sums is seen.
struct Operands {
  Operands(int64_t m, int64_t k, int64_t n, double density, const Storage& storage)
      : a(m, k, fractions(m, k, density), storage), b(k, n, {.type = storage.type}), c(m, n, {.type = storage.type}) {
    b.fill([](int64_t i, int64_t j) { return std::sin(static_cast<double>(3 * i + 5 * j)); });
  }
  static Entries fractions(int64_t m, int64_t k, double density) {
    Entries entries = random_entries(m, k, density, 1);
    for (Entry& e : entries) e.value += 1.0 / 3;
    return entries;
  }
  Call call(bsOperation_t op = BS_OPERATION_NON_TRANSPOSE) const {
    return {.op_a = op, .a = a.mat, .b = b.mat, .c = c.mat};
  }
  Sparse a;
  Dense b, c;
};

Bits bits(bsHandle_t handle, const Call& call, const Dense& c) {
  Bits results;
  const Options options;
  on_every_route(handle, call, options, c.values, [&](const Route& route) {
    if (route.deterministic) results[route.name] = c.values.read();
  });
  return results;
}

struct Threads {  // the number that a handle is made with
  explicit Threads(int count) { setenv("BSPARSE_NUM_THREADS", std::to_string(count).c_str(), 1); }
  ~Threads() { unsetenv("BSPARSE_NUM_THREADS"); }
};

TEST_CASE("A48 every route gives the same bits on every run and every number of threads", "[threads]") {
  for (const bsOperation_t op : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE})
    for (const Storage& storage : every_format()) {
      CAPTURE(op, storage.format, storage.block_rows);
      const Operands o(150, 150, 100, 0.25, storage);
      Bits first;
      for (const int count : {1, 2, 3, 7}) {
        const Threads threads(count);
        const Handle handle;
        for (int run = 0; run < 3; ++run) {
          Bits next = bits(handle, o.call(op), o.c);
          next.erase("");  // the choice depends on the number of threads
          if (first.empty()) first = next;
          CHECK(next == first);
        }
      }
      CHECK(first.size() > 1);
    }
}

TEST_CASE("A48 1000 x 1000 at a quarter, 50 runs of the choice", "[threads]") {
  const Handle handle;
  const int64_t size = test::reduced() ? 200 : 1000;
  const Operands o(size, size, 100, 0.25, {});
  for (const bsOperation_t op : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE}) {
    std::vector<char> first;
    for (int i = 0; i < 50; ++i) {
      REQUIRE(run(handle, o.call(op), nullptr) == BS_STATUS_SUCCESS);
      if (first.empty()) first = o.c.values.read();
      CHECK(o.c.values.read() == first);
    }
  }
}

TEST_CASE("A58 eight threads with a handle each, products of two formats mixed", "[threads]") {
  const Storage block{.format = BS_FORMAT_BSR, .block_rows = 4, .block_cols = 4};
  const Operands csr(64, 48, 20, 0.3, {}), bsr(64, 48, 20, 0.3, block);
  const Handle handle;
  REQUIRE(run(handle, csr.call(), nullptr) == BS_STATUS_SUCCESS);
  REQUIRE(run(handle, bsr.call(), nullptr) == BS_STATUS_SUCCESS);
  const std::vector<char> wanted_csr = csr.c.values.read(), wanted_bsr = bsr.c.values.read();
  std::atomic<int> wrong = 0;
  const auto work = [&] {
    bsHandle_t own = nullptr;
    bool ok = bsCreateOn(&own, BS_BACKEND_CPU, 0) == BS_STATUS_SUCCESS;
    const Array out_csr(csr.c.values.bytes()), out_bsr(bsr.c.values.bytes());
    bsMatDescr_t c = nullptr, d = nullptr;
    ok &= !bsCreateDense(&c, 64, 20, 20, out_csr.data(), BS_R_32F, BS_ORDER_ROW);
    ok &= !bsCreateDense(&d, 64, 20, 20, out_bsr.data(), BS_R_32F, BS_ORDER_ROW);
    for (int i = 0; i < 125 && ok; ++i) {
      ok &= !run(own, {.a = csr.a.mat, .b = csr.b.mat, .c = c}, nullptr);
      ok &= !run(own, {.a = bsr.a.mat, .b = bsr.b.mat, .c = d}, nullptr);
      ok &= out_csr.read() == wanted_csr && out_bsr.read() == wanted_bsr;
    }
    bsDestroyMat(c), bsDestroyMat(d), bsDestroy(own);
    wrong += !ok;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

BACKEND_TEST_CASE("A60 a matrix analysed with one handle is multiplied with another, on another thread", "[threads]") {
  const Operands o(64, 48, 20, 0.3, {});
  const Handle analyst, other;
  const Array buffer(1 << 22);
  REQUIRE(bsMatAnalyze(analyst, o.a.mat, 15, buffer.device(), buffer.bytes()) == BS_STATUS_SUCCESS);
  const std::vector<double> wanted = exact(Spmm{.sparse = &o.a, .dense = &o.b, .c = const_cast<Dense*>(&o.c)});
  bsStatus_t status = BS_STATUS_INTERNAL_ERROR;
  std::thread([&] { status = run(other, o.call(), nullptr); }).join();
  CHECK(status == BS_STATUS_SUCCESS);
  for (int64_t i = 0; i < 64; ++i) CHECK(std::abs(o.c.at(i, 7) - wanted[static_cast<size_t>(i * 20 + 7)]) < 1e-4);
}

BACKEND_TEST_CASE("A61 one analysis serves every op, order and number of columns", "[threads]") {
  const Handle handle;
  const Array buffer(1 << 22);
  for (const Storage& storage : every_format())
    for (const bsAnalyzeFlags_t flags : {1, 2, 4, 8, 15}) {
      const Sparse a(30, 34, random_entries(30, 34, 0.3, 1), storage);
      REQUIRE(bsMatAnalyze(handle, a.mat, flags, buffer.device(), buffer.bytes()) == BS_STATUS_SUCCESS);
      for (const bsOperation_t op : {BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE})
        for (const bsOrder_t order : {BS_ORDER_ROW, BS_ORDER_COL})
          for (const int64_t n : {1, 12}) {
            CAPTURE(storage.format, storage.block_rows, flags, op, order, n);
            const bool turned = op == BS_OPERATION_TRANSPOSE;
            const Dense b(turned ? 30 : 34, n, {.order = order}, 2);
            Dense c(turned ? 34 : 30, n, {.order = order}, 3);
            check_everywhere(handle, Spmm{.sparse = &a, .dense = &b, .c = &c, .op_sparse = op, .beta = 1});
          }
    }
}

}  // namespace
}  // namespace bs::cases
