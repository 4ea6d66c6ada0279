// include/bsparse.hpp: ownership, deduced types, sizes of arrays, exceptions, and each operation once.
#include "bsparse.hpp"

#include <cmath>
#include <type_traits>
#include <vector>

#include "support/catch.h"

namespace {

using bsparse::Handle;
using bsparse::Matrix;
using bsparse::Workspace;

template <class T>
std::span<T> span(std::vector<T>& v) {
  return v;
}
template <class T>
std::span<const T> span(const std::vector<T>& v) {
  return v;
}

// S = [1 0 2 0; 0 0 0 3], D = [1 2; 3 4; 5 6; 7 8], S D = [11 14; 21 24].
struct Fixture {
  Handle handle{BS_BACKEND_CPU};
  Workspace workspace;
  const std::vector<int32_t> offsets{0, 2, 3}, columns{0, 2, 3};
  std::vector<float> values{1, 2, 3}, factor{1, 2, 3, 4, 5, 6, 7, 8}, result = std::vector<float>(4, -1.0f);
  Matrix S = Matrix::csr(2, 4, span(offsets), span(columns), span(values));
  Matrix D = Matrix::dense(4, 2, span(factor));
  Matrix C = Matrix::dense(2, 2, span(result));
};

// The status of what is thrown; success if nothing is.
template <class Body>
bsStatus_t thrown(Body&& body) {
  try {
    body();
  } catch (const bsparse::Error& error) {
    return error.status();
  }
  return BS_STATUS_SUCCESS;
}

static_assert(std::is_nothrow_move_constructible_v<Handle> && !std::is_copy_constructible_v<Handle>);
static_assert(std::is_nothrow_move_constructible_v<Matrix> && !std::is_copy_constructible_v<Matrix>);
static_assert(std::is_nothrow_move_constructible_v<Workspace> && !std::is_copy_constructible_v<Workspace>);
static_assert(std::is_nothrow_move_constructible_v<bsparse::Options>);
static_assert(std::is_nothrow_move_constructible_v<bsparse::Report>);

}  // namespace

TEST_CASE("C++: factories deduce formats, types and entry counts") {
  std::vector<int64_t> offsets{0, 1, 2};
  std::vector<int32_t> columns{0, 1};
  std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8};
  const Matrix bsr = Matrix::bsr(4, 4, 2, 2, span(offsets), span(columns), span(values));
  bsIndexType_t offset_type = 0, index_type = 0;
  CHECK(bsMatGetIndexing(bsr.get(), &offset_type, &index_type, nullptr) == BS_STATUS_SUCCESS);
  CHECK(offset_type == BS_INDEX_64I);
  CHECK(index_type == BS_INDEX_32I);
  CHECK(bsr.format() == BS_FORMAT_BSR);
  CHECK(bsr.value_type() == BS_R_64F);
  CHECK(bsr.nnz() == 2);
  std::vector<uint16_t> halves(8);
  const Matrix dense = Matrix::dense(2, 4, {halves.data(), 8, BS_R_16BF}, BS_ORDER_COL);
  CHECK(dense.value_type() == BS_R_16BF);
  CHECK(dense.rows() == 2);
  CHECK(dense.cols() == 4);
}

TEST_CASE("C++: arrays that do not fit the sizes are refused") {
  Fixture f;
  std::vector<float> four(4);
  CHECK(thrown([&] { Matrix::dense(2, 3, span(four)); }) == BS_STATUS_INVALID_SIZE);
  CHECK(thrown([&] { Matrix::dense(2, 2, span(four), BS_ORDER_ROW, 3); }) == BS_STATUS_INVALID_SIZE);
  CHECK(thrown([&] { Matrix::csr(3, 4, span(f.offsets), span(f.columns), span(f.values)); }) == BS_STATUS_INVALID_SIZE);
  CHECK(thrown([&] { Matrix::csr(2, 4, span(f.offsets), span(f.columns), span(four)); }) == BS_STATUS_INVALID_SIZE);
  CHECK(thrown([&] { Matrix::csc(2, 4, span(f.offsets), span(f.columns), span(f.values)); }) == BS_STATUS_INVALID_SIZE);
  CHECK(thrown([&] { Matrix::coo(2, 4, span(f.columns), span(f.columns), span(four)); }) == BS_STATUS_INVALID_SIZE);
  CHECK(thrown([&] { Matrix::bsr(4, 4, 2, 2, span(f.offsets), span(f.columns), span(four)); }) ==
        BS_STATUS_INVALID_SIZE);
}

TEST_CASE("C++: an exception has the status and the sentence of the library") {
  std::vector<float> none;
  try {
    Matrix::dense(-1, 2, span(none));
    FAIL("rows -1 was accepted");
  } catch (const bsparse::Error& error) {
    CHECK(error.status() == BS_STATUS_INVALID_SIZE);
    CHECK(std::string(error.what()) == "bsCreateConstDense: rows is -1, must be >= 0");
  }
}

TEST_CASE("C++: a moved-from object gives up what it owned") {
  Fixture f;
  Matrix moved = std::move(f.S);
  CHECK(f.S.get() == nullptr);
  CHECK(moved.nnz() == 3);
  f.workspace.reserve(f.handle, 1000);
  Workspace taken = std::move(f.workspace);
  CHECK(f.workspace.bytes() == 0);
  CHECK(taken.bytes() == 1000);
}

TEST_CASE("C++: spmm on either side, scalars and options") {
  Fixture f;
  bsparse::spmm(f.handle, f.S, f.D, f.C, f.workspace);
  CHECK(f.result == std::vector<float>{11, 14, 21, 24});
  bsparse::spmm(f.handle, f.D, f.S, f.C, f.workspace,
                {.opA = BS_OPERATION_TRANSPOSE, .opB = BS_OPERATION_TRANSPOSE, .alpha = 2, .beta = 1});
  CHECK(f.result == std::vector<float>{11 + 22, 14 + 42, 21 + 28, 24 + 48});
  const std::vector<float> bias{-12, 1};
  bsparse::Options options;
  options.set(BS_OPTION_ACTIVATION, BS_ACTIVATION_RELU).bias(span(bias), BS_AXIS_ROW).route("cpu/spmm_reference");
  bsparse::spmm(f.handle, f.S, f.D, f.C, f.workspace, {.options = &options});
  CHECK(f.result == std::vector<float>{0, 2, 22, 25});
}

TEST_CASE("C++: a scalar that is NULL is refused, not 0") {
  Fixture f;
  CHECK(thrown([&] { bsparse::spmm(f.handle, f.S, f.D, f.C, f.workspace, {.alpha = nullptr}); }) ==
        BS_STATUS_INVALID_POINTER);
}

TEST_CASE("C++: double precision takes double scalars") {
  Handle handle(BS_BACKEND_CPU);
  Workspace workspace;
  const std::vector<int64_t> offsets{1, 2}, columns{1};
  const std::vector<double> value{3}, x{5};
  std::vector<double> y{7};
  const Matrix S = Matrix::csr(1, 1, span(offsets), span(columns), span(value), BS_INDEX_BASE_ONE);
  const Matrix X = Matrix::dense(1, 1, span(x));
  Matrix Y = Matrix::dense(1, 1, span(y));
  bsparse::spmv(handle, S, X, Y, workspace, {.alpha = 0.1, .beta = 1});
  CHECK(std::abs(y[0] - 8.5) < 1e-14);  // float scalars would miss it by 1e-8
}

TEST_CASE("C++: sddmm writes values and needs no writable structure") {
  Fixture f;
  const std::vector<float> left{1, 2, 3, 4};
  const Matrix A = Matrix::dense(2, 2, span(left));
  bsparse::sddmm(f.handle, A, f.D, f.S, f.workspace, {.opB = BS_OPERATION_TRANSPOSE});
  CHECK(f.values == std::vector<float>{5, 17, 53});
}

TEST_CASE("C++: a matrix made from arrays of const cannot be a result") {
  Fixture f;
  const std::vector<float> fixed(4);
  Matrix C = Matrix::dense(2, 2, span(fixed));
  CHECK(thrown([&] { bsparse::spmm(f.handle, f.S, f.D, C, f.workspace); }) == BS_STATUS_INVALID_POINTER);
}

TEST_CASE("C++: conversion from dense allocates between counting and filling") {
  Handle handle(BS_BACKEND_CPU);
  Workspace workspace;
  const std::vector<float> dense{1, 0, 2, 0, 0, 0, 0, 3};
  const Matrix source = Matrix::dense(2, 4, span(dense));
  std::vector<int32_t> offsets(3), columns;
  std::vector<float> values;
  Matrix S = Matrix::csr(2, 4, span(offsets), span(columns), span(values));
  bsparse::convert(handle, source, S, workspace, [&](int64_t nnz) {
    columns.resize(static_cast<size_t>(nnz));
    values.resize(static_cast<size_t>(nnz));
    S.set_arrays(span(offsets), span(columns), span(values));
  });
  CHECK(offsets == std::vector<int32_t>{0, 2, 3});
  CHECK(columns == std::vector<int32_t>{0, 2, 3});
  CHECK(values == std::vector<float>{1, 2, 3});
}

TEST_CASE("C++: the CPU threads of a handle") {
  Handle handle(BS_BACKEND_CPU);
  handle.set_num_threads(3);
  CHECK(handle.num_threads() == 3);
  CHECK(thrown([&] { handle.set_num_threads(0); }) == BS_STATUS_INVALID_SIZE);
}

TEST_CASE("C++: analysis and reports") {
  Fixture f;
  f.S.analyze(f.handle, BS_ANALYZE_STATS);
  f.S.analyze(f.handle, BS_ANALYZE_STATS | BS_ANALYZE_ORDER | BS_ANALYZE_TRANSPOSE);
  CHECK(f.S.stat(BS_STAT_ROW_LENGTH_MAX) == 2);
  const auto report = bsparse::Report::spmm(f.handle, f.S, f.D, f.C);
  int64_t chosen = 0;
  for (int64_t i = 0; i < report.size(); ++i) chosen += report.chosen(i) && report.get<int32_t>(i, BS_REPORT_ACCEPTED);
  CHECK(chosen == 1);
  CHECK(report.text().find(report.route(0)) != std::string::npos);
}
