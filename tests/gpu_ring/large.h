// Operands with more than 2^31 elements on a GPU. Arrays are zero but for a few elements, at both ends and around 2^31;
// results are looked at there.
#pragma once

#include <cuda_runtime_api.h>

#include "api/random_draw.h"
#include "cases/element.h"
#include "cases/routes.h"

namespace bs::test::large {

using cases::Call;
using cases::Op;

constexpr int64_t kGiB = int64_t{1} << 30;
constexpr int64_t k2to31 = int64_t{1} << 31;
constexpr int64_t kLong = 65600, kWide = 32832;  // kLong * kWide > 2^31; both are multiples of 64
static_assert(kLong * kWide > k2to31);

inline bool memory_for(int64_t bytes) {
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
  void set(int64_t i, int64_t j, double value) { values.set(place(i, j), cases::to_bf16(value)); }
  double at(int64_t i, int64_t j) const { return cases::from_bf16(values.get<uint16_t>(place(i, j))); }
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
      values.set(place(q), cases::to_bf16(e.value));
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
  double at(int64_t q) const { return cases::from_bf16(values.get<uint16_t>(place(q))); }
  Elements elements;
  int64_t block, count;
  Block offsets, indices, values;
};

// Rows or columns at both ends and on both sides of element 2^31 of an array with lines of this length.
inline std::vector<int64_t> places(int64_t extent, int64_t line) {
  std::vector<int64_t> all{0, extent / 2};
  for (const int64_t i : {k2to31 / line - 1, k2to31 / line, k2to31 / line + 1, extent - 1})
    if (i > all.back() && i < extent) all.push_back(i);
  return all;
}

// Every route that accepts the call, by name; each starts with C all NaN.
inline void on_routes(bsHandle_t handle, const Call& call, const Block& c, const std::function<void()>& verify) {
  const cases::Options options;
  const float alpha = static_cast<float>(call.alpha), beta = static_cast<float>(call.beta);
  int ran = 0;
  for (const cases::Route& route : cases::routes_of(handle, call, options)) {
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

}  // namespace bs::test::large
