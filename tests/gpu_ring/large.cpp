// Dense operands of more than 2^31 elements: products by every route there is, conversions.
#include "gpu_ring/large.h"

namespace {

using namespace bs::test;
using namespace bs::test::large;

// C = A B with few entries in A: checked in all sampled rows and columns.
struct SparseTimesDense {
  SparseTimesDense(bsHandle_t handle, bsFormat_t format, int64_t m, int64_t k, int64_t n, bsOrder_t order)
      : b(handle, k, n, order), c(handle, m, n, order), a(handle, format, m, k, draw(m, k, n)) {
    const std::vector<int64_t> columns = places(n, order == BS_ORDER_ROW ? n : std::min(m, k));
    for (const Element& e : a.elements)
      for (const int64_t j : columns) b.set(e.col, j, static_cast<double>(e.col % 5 + j % 3 + 1));
    on_routes(handle, {.a = a, .b = b, .c = c}, c.values, [&] {
      for (const int64_t i : places(m, n))
        for (const int64_t j : columns) {
          INFO("C(" << i << ", " << j << ")");
          CHECK(c.at(i, j) == sum(i, j));
        }
    });
  }
  static Elements draw(int64_t m, int64_t k, int64_t n) {
    Elements all;
    const std::vector<int64_t> columns = places(k, n);
    for (const int64_t i : places(m, std::max(n, k))) {
      if (i == m / 2) continue;  // stays empty
      all.push_back({i, columns[all.size() % columns.size()], static_cast<double>(all.size() + 1)});
    }
    all.back().col = k - 1;
    return all;
  }
  double sum(int64_t i, int64_t j) const {
    double total = 0;
    for (const Element& e : a.elements)
      if (e.row == i) total += e.value * b.at(e.col, j);
    return total;
  }
  Dense b, c;
  Few a;
};

}  // namespace

BACKEND_TEST_CASE("bsSpMM into C of more than 2^31 elements") {
  GPU_NEEDS(24);
  const GpuHandle handle;
  for (const bsFormat_t format : {BS_FORMAT_CSR, BS_FORMAT_BSR})
    for (const bsOrder_t order : {BS_ORDER_ROW, BS_ORDER_COL}) {
      CAPTURE(format, order);
      const SparseTimesDense product(handle, format, kLong, 64, kWide, order);
    }
}

BACKEND_TEST_CASE("bsSpMM with B of more than 2^31 elements") {
  GPU_NEEDS(24);
  const GpuHandle handle;
  for (const bsFormat_t format : {BS_FORMAT_CSR, BS_FORMAT_BSR})
    for (const bsOrder_t order : {BS_ORDER_ROW, BS_ORDER_COL}) {
      CAPTURE(format, order);
      const SparseTimesDense product(handle, format, 128, kLong, kWide, order);
    }
}

BACKEND_TEST_CASE("bsSpMM with A of more than 2^31 elements in dense form") {
  GPU_NEEDS(24);
  const GpuHandle handle;
  for (const bsFormat_t format : {BS_FORMAT_CSR, BS_FORMAT_BSR}) {
    CAPTURE(format);
    const SparseTimesDense product(handle, format, kLong, kWide, 16, BS_ORDER_ROW);
  }
}

BACKEND_TEST_CASE("bsSDDMM with A of more than 2^31 elements") {
  GPU_NEEDS(24);
  const GpuHandle handle;
  for (const bsFormat_t format : {BS_FORMAT_CSR, BS_FORMAT_BSR}) {
    CAPTURE(format);
    Dense a(handle, kLong, kWide), b(handle, kWide, 64);
    Few c(handle, format, kLong, 64, SparseTimesDense::draw(kLong, 64, kWide));
    for (const Element& e : c.elements) a.set(e.row, kWide - 1, static_cast<double>(e.row % 7 + 1));
    for (int64_t j = 0; j < 64; ++j) b.set(kWide - 1, j, static_cast<double>(j % 4));
    on_routes(handle, {.op = Op::sddmm, .a = a, .b = b, .c = c}, c.values, [&] {
      for (int64_t q = 0; q < c.count; ++q) {
        const Element& e = c.elements[static_cast<size_t>(q)];
        INFO("element " << e.row << ", " << e.col);
        CHECK(c.at(q) == static_cast<double>((e.row % 7 + 1) * (e.col % 4)));
      }
    });
  }
}

BACKEND_TEST_CASE("conversions from and to a dense matrix of more than 2^31 elements") {
  GPU_NEEDS(24);
  const GpuHandle handle;
  Dense from(handle, kLong, kWide), to(handle, kWide, kLong);
  const std::vector<int64_t> rows = places(kLong, kWide);
  for (const int64_t i : rows) from.set(i, kWide - 1, static_cast<double>(i % 9 + 1));
  const int64_t nnz = static_cast<int64_t>(rows.size());
  const Block offsets(handle, (kLong + 1) * 4), indices(handle, nnz * 4), values(handle, nnz * 2);
  Mat csr;
  ok(bsCreateCsr(&csr.mat, kLong, kWide, 0, offsets.data(), nullptr, nullptr, BS_INDEX_32I, BS_INDEX_32I,
                 BS_INDEX_BASE_ZERO, BS_R_16BF));
  const auto convert = [&](bsOperation_t op, bsMatDescr_t source, bsMatDescr_t destination) {
    int64_t bytes = 0, counted = 0;
    ok(bsConvert_bufferSize(handle, op, source, destination, &bytes));
    const Memory workspace(handle, bytes);
    ok(bsConvert_count(handle, op, source, destination, workspace.pointer, bytes));
    ok(bsMatGetSize(destination, nullptr, nullptr, &counted));
    if (destination == csr.mat) {
      REQUIRE(counted == nnz);
      ok(bsMatSetPointers(csr, offsets.data(), indices.data(), values.data()));
    }
    ok(bsConvert_fill(handle, op, source, destination, workspace.pointer, bytes));
    ok(bsSynchronize(handle));
  };
  convert(BS_OPERATION_NON_TRANSPOSE, from, csr);
  for (int64_t q = 0; q < nnz; ++q) {
    CHECK(indices.get<int32_t>(q) == kWide - 1);
    CHECK(bs::cases::from_bf16(values.get<uint16_t>(q)) == static_cast<double>(rows[q] % 9 + 1));
  }
  for (const bool sparse : {true, false}) {
    INFO((sparse ? "from CSR" : "from dense"));
    to.values.fill(0xff);
    convert(BS_OPERATION_TRANSPOSE, sparse ? csr.mat : from.mat, to);
    for (const int64_t i : rows) {
      CHECK(to.at(kWide - 1, i) == static_cast<double>(i % 9 + 1));
      CHECK(to.at(kWide - 2, i) == 0);
    }
  }
}
