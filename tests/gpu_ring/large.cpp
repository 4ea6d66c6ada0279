// Products, conversions and analyses of operands with more than 2^31 elements, by every route there is. Arrays are zero
// but for a few elements, at both ends and around 2^31; results are looked at there.
#include <cuda_runtime_api.h>

#include <cstring>
#include <map>

#include "api/random_draw.h"
#include "cases/element.h"
#include "cases/routes.h"

namespace {

using namespace bs::test;
using bs::cases::Call;
using bs::cases::Op;

constexpr int64_t kGiB = int64_t{1} << 30;
constexpr int64_t k2to31 = int64_t{1} << 31;
constexpr int64_t kLong = 65600, kWide = 32832;  // kLong * kWide > 2^31; both are multiples of 64
static_assert(kLong * kWide > k2to31);

bool memory_for(int64_t bytes) {
  size_t free = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&free, &total) == cudaSuccess);
  return static_cast<int64_t>(free) > bytes;
}
#define GPU_NEEDS(gibibytes)                                            \
  if (reduced()) BS_SKIP("sizes beyond 2^31 are not for reduced runs"); \
  if (!memory_for((gibibytes)*kGiB)) BS_SKIP("needs " #gibibytes " GiB of GPU memory")

class GpuHandle {
 public:
  GpuHandle() { ok(bsCreateOn(&handle_, BS_BACKEND_CUDA, 0)); }
  ~GpuHandle() { bsDestroy(handle_); }
  GpuHandle(const GpuHandle&) = delete;
  operator bsHandle_t() const { return handle_; }

 private:
  bsHandle_t handle_ = nullptr;
};

// Device memory, every byte alike but for what is set.
class Block {
 public:
  Block(bsHandle_t handle, int64_t bytes, int fill = 0) : bytes_(bytes), memory_(handle, bytes), handle_(handle) {
    this->fill(fill);
  }
  void* data() const { return memory_.pointer; }
  void fill(int byte) const { REQUIRE(cudaMemset(data(), byte, static_cast<size_t>(bytes_)) == cudaSuccess); }
  template <class T>
  void set(int64_t i, T value) const {
    ok(bsMemcpy(handle_, static_cast<char*>(data()) + i * sizeof(T), &value, sizeof(T)));
  }
  template <class T>
  T get(int64_t i) const {
    T value{};
    ok(bsMemcpy(handle_, &value, static_cast<const char*>(data()) + i * sizeof(T), sizeof(T)));
    return value;
  }
  void copy_from(const void* source, int64_t bytes) const { ok(bsMemcpy(handle_, data(), source, bytes)); }

 private:
  int64_t bytes_;
  Memory memory_;
  bsHandle_t handle_;
};

struct Mat {
  ~Mat() { bsDestroyMat(mat); }
  operator bsMatDescr_t() const { return mat; }
  bsMatDescr_t mat = nullptr;
};

// bf16, zero.
struct Dense : Mat {
  Dense(bsHandle_t handle, int64_t r, int64_t c, bsOrder_t o = BS_ORDER_ROW)
      : rows(r), cols(c), order(o), ld(o == BS_ORDER_ROW ? c : r), values(handle, r * c * 2) {
    ok(bsCreateDense(&mat, rows, cols, ld, values.data(), BS_R_16BF, order));
  }
  int64_t place(int64_t i, int64_t j) const { return order == BS_ORDER_ROW ? i * ld + j : i + j * ld; }
  void set(int64_t i, int64_t j, double value) { values.set(place(i, j), bs::cases::to_bf16(value)); }
  double at(int64_t i, int64_t j) const { return bs::cases::from_bf16(values.get<uint16_t>(place(i, j))); }
  int64_t rows, cols;
  bsOrder_t order;
  int64_t ld;
  Block values;
};

struct Element {
  int64_t row, col;
  double value;
};
using Elements = std::vector<Element>;

// CSR with these entries, sorted by row, or BSR with a block of 64 x 64 for each of them, in block rows of their own.
struct Few : Mat {
  Few(bsHandle_t handle, bsFormat_t format, int64_t rows, int64_t cols, const Elements& given)
      : elements(given),
        block(format == BS_FORMAT_BSR ? 64 : 1),
        count(static_cast<int64_t>(given.size())),
        offsets(handle, (rows / block + 1) * 4),
        indices(handle, count * 4),
        values(handle, count * block * block * 2) {
    std::vector<int32_t> ends(static_cast<size_t>(rows / block) + 1, 0);
    for (const Element& e : elements) ++ends[static_cast<size_t>(e.row / block) + 1];
    for (size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
    offsets.copy_from(ends.data(), static_cast<int64_t>(ends.size()) * 4);
    for (int64_t q = 0; q < count; ++q) {
      const Element& e = elements[static_cast<size_t>(q)];
      indices.set(q, static_cast<int32_t>(e.col / block));
      values.set(place(q), bs::cases::to_bf16(e.value));
    }
    if (format == BS_FORMAT_BSR)
      ok(bsCreateBsr(&mat, rows, cols, count, 64, 64, offsets.data(), indices.data(), values.data(), BS_INDEX_32I,
                     BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_16BF, BS_ORDER_ROW));
    else
      ok(bsCreateCsr(&mat, rows, cols, count, offsets.data(), indices.data(), values.data(), BS_INDEX_32I, BS_INDEX_32I,
                     BS_INDEX_BASE_ZERO, BS_R_16BF));
  }
  // Of element q in the values.
  int64_t place(int64_t q) const {
    const Element& e = elements[static_cast<size_t>(q)];
    return q * block * block + e.row % block * block + e.col % block * (block > 1);
  }
  double at(int64_t q) const { return bs::cases::from_bf16(values.get<uint16_t>(place(q))); }
  Elements elements;
  int64_t block, count;
  Block offsets, indices, values;
};

// Rows or columns at both ends and on both sides of element 2^31 of an array with lines of this length.
std::vector<int64_t> places(int64_t extent, int64_t line) {
  std::vector<int64_t> all{0, extent / 2};
  for (const int64_t i : {k2to31 / line - 1, k2to31 / line, k2to31 / line + 1, extent - 1})
    if (i > all.back() && i < extent) all.push_back(i);
  return all;
}

// Every route that accepts the call, by name; each starts with C all NaN.
void on_routes(bsHandle_t handle, const Call& call, const Block& c, const std::function<void()>& verify) {
  const bs::cases::Options options;
  const float alpha = static_cast<float>(call.alpha), beta = static_cast<float>(call.beta);
  int ran = 0;
  for (const bs::cases::Route& route : bs::cases::routes_of(handle, call, options)) {
    if (!route.accepted) continue;
    INFO((route.name.empty() ? "the engine's choice" : route.name) << ", workspace " << route.workspace);
    ok(bsOptionsSetRoute(options, route.name.empty() ? nullptr : route.name.c_str()));
    int64_t bytes = -1;
    const auto size = call.op == Op::spmm ? bsSpMM_bufferSize : bsSDDMM_bufferSize;
    ok(size(handle, call.op_a, call.op_b, &alpha, call.a, call.b, &beta, call.c, call.compute, options, &bytes));
    if (!memory_for(bytes + kGiB)) continue;
    const Memory workspace(handle, bytes);
    c.fill(0xff);
    const auto run = call.op == Op::spmm ? bsSpMM : bsSDDMM;
    ok(run(handle, call.op_a, call.op_b, &alpha, call.a, call.b, &beta, call.c, call.compute, options,
           workspace.pointer, bytes));
    ok(bsSynchronize(handle));
    verify();
    ++ran;
  }
  CHECK(ran > 1);
}

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

namespace {

// All blocks of a square matrix, 128 x 128 each: more than 2^31 values.
struct FullBlocks : Mat {
  static constexpr int64_t kBlock = 128, kBlocks = 363, kExtent = kBlock * kBlocks;
  static_assert(kExtent * kExtent > k2to31);
  explicit FullBlocks(bsHandle_t handle)
      : offsets(handle, (kBlocks + 1) * 4),
        indices(handle, kBlocks * kBlocks * 4),
        values(handle, kExtent * kExtent * 2) {
    std::vector<int32_t> ends, columns;
    for (int32_t r = 0; r <= kBlocks; ++r) ends.push_back(r * static_cast<int32_t>(kBlocks));
    for (int32_t q = 0; q < kBlocks * kBlocks; ++q) columns.push_back(q % static_cast<int32_t>(kBlocks));
    offsets.copy_from(ends.data(), static_cast<int64_t>(ends.size()) * 4);
    indices.copy_from(columns.data(), static_cast<int64_t>(columns.size()) * 4);
    ok(bsCreateBsr(&mat, kExtent, kExtent, kBlocks * kBlocks, kBlock, kBlock, offsets.data(), indices.data(),
                   values.data(), BS_INDEX_32I, BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_16BF, BS_ORDER_ROW));
  }
  static int64_t place(int64_t i, int64_t j) {
    return (i / kBlock * kBlocks + j / kBlock) * kBlock * kBlock + i % kBlock * kBlock + j % kBlock;
  }
  void set(int64_t i, int64_t j, double value) { values.set(place(i, j), bs::cases::to_bf16(value)); }
  double at(int64_t i, int64_t j) const { return bs::cases::from_bf16(values.get<uint16_t>(place(i, j))); }
  Block offsets, indices, values;
};
constexpr int64_t kRows[] = {0, 5000, FullBlocks::kExtent - 129, FullBlocks::kExtent - 2, FullBlocks::kExtent - 1};

}  // namespace

BACKEND_TEST_CASE("more than 2^31 values in blocks: bsSpMM, bsSDDMM, bsBlockGateGrad, bsMatCheck, bsMatAnalyze") {
  GPU_NEEDS(24);
  const GpuHandle handle;
  FullBlocks w(handle);
  Dense b(handle, FullBlocks::kExtent, 16), c(handle, FullBlocks::kExtent, 16);
  for (const int64_t i : kRows) {
    w.set(i, FullBlocks::kExtent - 1 - i, 3);
    b.set(FullBlocks::kExtent - 1 - i, 7, static_cast<double>(i % 5 + 1));
  }
  on_routes(handle, {.a = w, .b = b, .c = c}, c.values, [&] {
    for (const int64_t i : kRows) {
      INFO("C(" << i << ", 7)");
      CHECK(c.at(i, 7) == static_cast<double>(3 * (i % 5 + 1)));
      CHECK(c.at(i, 8) == 0);
    }
  });
  const int64_t blocks = FullBlocks::kBlocks * FullBlocks::kBlocks;
  const Block gradient(handle, blocks * 4, 0xff);
  ok(bsBlockGateGrad(handle, w, w, static_cast<float*>(gradient.data()), blocks));
  for (const int64_t i : {kRows[1], kRows[4]})
    CHECK(gradient.get<float>(FullBlocks::place(i, FullBlocks::kExtent - 1 - i) / (128 * 128)) >= 9);
  bsContent_t finding = -1;
  ok(bsMatCheck(handle, w, &finding, nullptr));
  CHECK(finding == BS_CONTENT_OK);
  double density = 0;
  int64_t bytes = 0;
  ok(bsMatAnalyze_bufferSize(handle, w, BS_ANALYZE_STATS | BS_ANALYZE_TRANSPOSE, &bytes));
  const Memory buffer(handle, bytes);
  ok(bsMatAnalyze(handle, w, BS_ANALYZE_STATS | BS_ANALYZE_TRANSPOSE, buffer.pointer, bytes));
  ok(bsMatGetStat(w, BS_STAT_DENSITY, &density));
  CHECK(density == 1);
  on_routes(handle, {.op = Op::sddmm, .op_b = BS_OPERATION_TRANSPOSE, .a = b, .b = b, .c = w}, w.values, [&] {
    for (const int64_t i : kRows) {
      const int64_t r = FullBlocks::kExtent - 1 - i;  // rows of b with something in them
      INFO("element " << r << ", " << r);
      CHECK(w.at(r, r) == static_cast<double>((i % 5 + 1) * (i % 5 + 1)));
    }
    CHECK(w.at(2, 2) == 0);
  });
}

BACKEND_TEST_CASE("more than 2^31 entries: bsSpMV, bsSpMM, bsMatCheck, bsMatAnalyze") {
  GPU_NEEDS(40);
  const GpuHandle handle;
  const int64_t rows = kLong, length = 32768, nnz = rows * length, cols = 1000;
  static_assert(kLong * 32768 > k2to31);
  std::vector<int64_t> ends;
  for (int64_t i = 0; i <= rows; ++i) ends.push_back(i * length);
  const Block offsets(handle, (rows + 1) * 8), indices(handle, nnz * 4), values(handle, nnz * 2);
  offsets.copy_from(ends.data(), (rows + 1) * 8);
  Mat a;
  ok(bsCreateCsr(&a.mat, rows, cols, nnz, offsets.data(), indices.data(), values.data(), BS_INDEX_64I, BS_INDEX_32I,
                 BS_INDEX_BASE_ZERO, BS_R_16BF));
  for (const int64_t row : places(rows, length)) {  // the last entry of each: the last column times 2
    indices.set((row + 1) * length - 1, static_cast<int32_t>(cols - 1));
    values.set((row + 1) * length - 1, bs::cases::to_bf16(2));
  }
  for (const int64_t n : {1, 8}) {
    Dense b(handle, cols, n), c(handle, rows, n);
    b.set(cols - 1, n - 1, 5);
    on_routes(handle, {.a = a, .b = b, .c = c}, c.values, [&] {
      for (const int64_t row : places(rows, length)) {
        INFO("row " << row << " of " << n << " columns");
        CHECK(c.at(row, n - 1) == 10);
      }
      CHECK(c.at(1, n - 1) == 0);
    });
  }
  bsContent_t finding = -1;
  int64_t position = -1;
  ok(bsMatCheck(handle, a, &finding, &position));
  CHECK(finding == BS_CONTENT_DUPLICATE);
  CHECK(position == 1);
  indices.set(nnz - 1, static_cast<int32_t>(cols));
  CHECK(bsMatCheck(handle, a, &finding, &position) == BS_STATUS_INVALID_CONTENT);
  CHECK(position == nnz - 1);
  CHECK(std::string(bsGetLastErrorMessage()) == "bsMatCheck: row 65599: column 1000 >= cols 1000");
  indices.set(nnz - 1, static_cast<int32_t>(cols - 1));
  double entries = 0;
  int64_t bytes = 0;
  ok(bsMatAnalyze_bufferSize(handle, a, BS_ANALYZE_STATS | BS_ANALYZE_ORDER, &bytes));
  const Memory buffer(handle, bytes);
  ok(bsMatAnalyze(handle, a, BS_ANALYZE_STATS | BS_ANALYZE_ORDER, buffer.pointer, bytes));
  ok(bsMatGetStat(a, BS_STAT_NNZ, &entries));
  CHECK(entries == static_cast<double>(nnz));
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
