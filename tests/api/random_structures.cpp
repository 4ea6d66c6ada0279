// Conversions and gate gradients of random matrices, against plain tables.
#include <cstdlib>

#include "api/random_matrices.h"

namespace {

using namespace bs::test;

constexpr uint64_t kCases = 300;

uint64_t cases() {
  const char* many = std::getenv("BSPARSE_RANDOM_CASES");
  return many ? std::strtoull(many, nullptr, 10) : kCases;
}

class Handle {
 public:
  Handle() { ok(bsCreateOn(&handle_, BS_BACKEND_CPU, 0)); }
  ~Handle() { bsDestroy(handle_); }
  Handle(const Handle&) = delete;
  operator bsHandle_t() const { return handle_; }

 private:
  bsHandle_t handle_ = nullptr;
};

bsDataType_t any_type(Random& random) {
  return random.of({BS_R_32F, BS_R_64F, BS_R_16F, BS_R_16BF});
}
int64_t any_extent(Random& random) {
  return random.chance(0.05) ? 0 : 1 + random.below(40);
}
bool same(double x, double y) {
  return x == y || (std::isnan(x) && std::isnan(y));
}

// A destination of any format, counted and filled.
class Target {
 public:
  Target(int64_t r, int64_t c, bsDataType_t t, Random& random) : rows(r), cols(c), type(t) {
    format = random.of({BS_FORMAT_CSR, BS_FORMAT_CSC, BS_FORMAT_COO, BS_FORMAT_BSR, BS_FORMAT_DENSE});
    offset_type = random.of({BS_INDEX_32I, BS_INDEX_64I}), index_type = random.of({BS_INDEX_32I, BS_INDEX_64I});
    base = random.of({BS_INDEX_BASE_ZERO, BS_INDEX_BASE_ONE});
    order = random.of({BS_ORDER_ROW, BS_ORDER_COL});
    if (format == BS_FORMAT_BSR) block_rows = random.of({1, 2, 5, 16}), block_cols = random.of({1, 3, 8, 41});
    lists = format == BS_FORMAT_CSC ? cols : (rows + block_rows - 1) / block_rows;
    ld = std::max<int64_t>(order == BS_ORDER_ROW ? cols : rows, 1) + random.below(3);
    create();
  }
  ~Target() { bsDestroyMat(mat); }
  Target(const Target&) = delete;

  void fill(bsHandle_t handle, bsOperation_t op, bsMatDescr_t source, Random& random) {
    int64_t bytes = -1;
    void* workspace = nullptr;
    ok(bsConvert_bufferSize(handle, op, source, mat, &bytes));
    ok(bsMalloc(handle, &workspace, bytes));
    if (has_offsets()) offsets = Array::of_indices(lists + 1, offset_type, random);
    ok(bsMatSetPointers(mat, offsets.get(), nullptr, nullptr));
    ok(bsConvert_count(handle, op, source, mat, workspace, bytes));
    allocate(random);
    ok(bsMatSetPointers(mat, offsets.get(), indices.get(), values.get()));
    ok(bsConvert_fill(handle, op, source, mat, workspace, bytes));
    ok(bsFree(handle, workspace));
    if (format != BS_FORMAT_DENSE) ok(bsMatCheck(handle, mat, &content, nullptr));
  }

  // Elements of the same place add.
  std::vector<double> table() const {
    std::vector<double> t(rows * cols);
    if (format == BS_FORMAT_DENSE) {
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < cols; ++j) t[i * cols + j] = values[order == BS_ORDER_ROW ? i * ld + j : i + j * ld];
      return t;
    }
    if (format == BS_FORMAT_COO) {
      for (int64_t q = 0; q < nnz; ++q) t[(offsets.index(q) - base) * cols + indices.index(q) - base] += values[q];
      return t;
    }
    for (int64_t list = 0; list < lists; ++list)
      for (int64_t q = offsets.index(list) - base; q < offsets.index(list + 1) - base; ++q) add_block(&t, list, q);
    return t;
  }

  int64_t rows, cols;
  bsDataType_t type;
  bsMatDescr_t mat = nullptr;
  bsContent_t content = BS_CONTENT_OK;

 private:
  bool has_offsets() const { return format != BS_FORMAT_DENSE && format != BS_FORMAT_COO; }
  void create() {
    const auto make = format == BS_FORMAT_CSC ? bsCreateCsc : bsCreateCsr;
    if (format == BS_FORMAT_DENSE) return ok(bsCreateDense(&mat, rows, cols, ld, nullptr, type, order));
    if (format == BS_FORMAT_COO)
      return ok(bsCreateCoo(&mat, rows, cols, 0, nullptr, nullptr, nullptr, index_type, base, type));
    if (format == BS_FORMAT_BSR)
      return ok(bsCreateBsr(&mat, rows, cols, 0, block_rows, block_cols, nullptr, nullptr, nullptr, offset_type,
                            index_type, base, type, order));
    ok(make(&mat, rows, cols, 0, nullptr, nullptr, nullptr, offset_type, index_type, base, type));
  }
  void allocate(Random& random) {
    ok(bsMatGetSize(mat, nullptr, nullptr, &nnz));
    const int64_t lines = order == BS_ORDER_ROW ? rows : cols, length = order == BS_ORDER_ROW ? cols : rows;
    const int64_t extent = lines && length ? (lines - 1) * ld + length : 0;
    values = Array(format == BS_FORMAT_DENSE ? extent : nnz * block_rows * block_cols, type, random);
    values.fill(kNaN);
    if (format == BS_FORMAT_DENSE) return;
    indices = Array::of_indices(nnz, index_type, random);
    if (format == BS_FORMAT_COO) offsets = Array::of_indices(nnz, index_type, random);
  }
  void add_block(std::vector<double>* t, int64_t list, int64_t q) const {
    const int64_t index = indices.index(q) - base;
    for (int64_t i = 0; i < block_rows; ++i)
      for (int64_t j = 0; j < block_cols; ++j) {
        const int64_t inside =
            order == BS_ORDER_ROW || format != BS_FORMAT_BSR ? i * block_cols + j : i + j * block_rows;
        const double value = values[q * block_rows * block_cols + inside];
        const int64_t row = format == BS_FORMAT_CSC ? index : list * block_rows + i;
        const int64_t col = format == BS_FORMAT_CSC ? list : index * block_cols + j;
        if (row < rows && col < cols)
          (*t)[row * cols + col] += value;
        else
          CHECK(value == 0);
      }
  }

  bsFormat_t format;
  bsIndexType_t offset_type, index_type;
  bsIndexBase_t base;
  bsOrder_t order;
  int64_t block_rows = 1, block_cols = 1, lists, ld, nnz = 0;
  Array offsets, indices, values;
};

void check_conversion(bsHandle_t handle, Described& source, const std::vector<double>& table, Random& random) {
  const bsOperation_t op = random.of({BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE});
  Target target(op ? source.cols : source.rows, op ? source.rows : source.cols, source.type, random);
  target.fill(handle, op, source.mat, random);
  CHECK(target.content != BS_CONTENT_UNSORTED);
  const std::vector<double> got = target.table();
  for (int64_t i = 0; i < target.rows; ++i)
    for (int64_t j = 0; j < target.cols; ++j) {
      const double want = table[op ? j * source.cols + i : i * source.cols + j];
      if (same(got[i * target.cols + j], want)) continue;
      INFO("(" << i << ", " << j << ") is " << got[i * target.cols + j] << ", must be " << want);
      CHECK(false);
      return;
    }
}

}  // namespace

TEST_CASE("conversions of random matrices keep every element") {
  const Handle handle;
  for (uint64_t seed = 1; seed <= cases(); ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const int64_t rows = any_extent(random), cols = any_extent(random);
    if (random.chance(0.3)) {
      RandomDense source(rows, cols, any_type(random), 1, false, random);
      source.give();
      std::vector<double> table(rows * cols);
      for (int64_t i = 0; i < rows * cols; ++i) table[i] = source.at(0, i / cols, i % cols);
      check_conversion(handle, source, table, random);
    } else {
      RandomSparse source(random.of({BS_FORMAT_CSR, BS_FORMAT_CSC, BS_FORMAT_BSR}), rows, cols, any_type(random), 1,
                          false, random);
      source.give();
      check_conversion(handle, source, source.table(), random);
    }
  }
}

TEST_CASE("gate gradients of random matrices are sums over their blocks") {
  const Handle handle;
  for (uint64_t seed = 1; seed <= cases(); ++seed) {
    INFO("seed " << seed);
    Random random(seed), again(0);
    const int64_t rows = any_extent(random), cols = any_extent(random), batch = random.of({0, 1, 1, 2, 3});
    const bool wide = random.chance(0.2);
    const auto type = [&] { return wide ? BS_R_64F : random.of({BS_R_32F, BS_R_16F, BS_R_16BF}); };
    const bsDataType_t types[] = {type(), type()};
    again = random;
    RandomSparse w(BS_FORMAT_BSR, rows, cols, types[0], batch, true, random);
    RandomSparse dw(BS_FORMAT_BSR, rows, cols, types[1], batch, true, again);  // of the same structure
    for (const Stored& x : dw.stored)
      if (x.inside) dw.values.set(x.place, small_number(random));
    w.give(), dw.give();
    const int64_t stride = w.nnz + random.below(3);
    Array gradient(batch && w.nnz ? (batch - 1) * stride + w.nnz : 0, BS_R_32F, random);
    gradient.fill(kNaN);
    std::vector<double> want(gradient.count(), kNaN);
    for (size_t e = 0; e < w.stored.size(); ++e) {
      const Stored &x = w.stored[e], &y = dw.stored[e];
      double& sum = want[x.batch * stride + x.entry];
      if (std::isnan(sum)) sum = 0;
      if (x.inside) sum += w.values[x.place] * dw.values[y.place];
    }
    ok(bsBlockGateGrad(handle, w.mat, dw.mat, static_cast<float*>(gradient.get()), stride));
    for (int64_t i = 0; i < gradient.count(); ++i)
      if (!same(gradient[i], want[i])) {
        INFO("gradient[" << i << "] is " << gradient[i] << ", must be " << want[i]);
        CHECK(false);
        break;
      }
  }
}
