// Conversion: sorted, the same on every run, with every block that was given and no other.
#include "cases/products.h"
#include "support/backend.h"

namespace bs::cases {
namespace {

// A destination with arrays that grow to what was counted.
struct Converted {
  Converted(int64_t r, int64_t c, bsFormat_t f, int64_t b) : rows(r), cols(c), format(f), block(b) {
    const int64_t lists = f == BS_FORMAT_CSC ? c : (r + b - 1) / b;
    offsets = Array(4 * (lists + 1));
    create(0);
  }
  ~Converted() { bsDestroyMat(mat); }
  Converted(const Converted&) = delete;
  Converted& operator=(const Converted&) = delete;

  void create(int64_t nnz) {
    const bsIndexType_t type = BS_INDEX_32I;
    void *o = offsets.device(), *i = indices.device(), *v = values.device();
    if (format == BS_FORMAT_BSR)
      REQUIRE(bsCreateBsr(&mat, rows, cols, nnz, block, block, o, i, v, type, type, 0, BS_R_32F, BS_ORDER_ROW) == 0);
    else
      REQUIRE((format == BS_FORMAT_CSR ? bsCreateCsr : bsCreateCsc)(&mat, rows, cols, nnz, o, i, v, type, type, 0,
                                                                    BS_R_32F) == BS_STATUS_SUCCESS);
  }
  void convert(bsHandle_t handle, bsConstMatDescr_t from) {
    int64_t bytes = 0;
    REQUIRE(bsConvert_bufferSize(handle, BS_OPERATION_NON_TRANSPOSE, from, mat, &bytes) == BS_STATUS_SUCCESS);
    const Array workspace((bytes + 255) / 256 * 256);
    REQUIRE(bsConvert_count(handle, BS_OPERATION_NON_TRANSPOSE, from, mat, workspace.device(), bytes) == 0);
    REQUIRE(bsMatGetSize(mat, nullptr, nullptr, &nnz) == BS_STATUS_SUCCESS);
    indices = Array(4 * nnz), values = Array(4 * nnz * block * block);
    REQUIRE(bsMatSetPointers(mat, offsets.device(), indices.device(), values.device()) == BS_STATUS_SUCCESS);
    REQUIRE(bsConvert_fill(handle, BS_OPERATION_NON_TRANSPOSE, from, mat, workspace.device(), bytes) == 0);
  }
  bool sorted() const {
    const auto* o = static_cast<const int32_t*>(offsets.data());
    const auto* i = static_cast<const int32_t*>(indices.data());
    for (int64_t list = 0; list + 1 < offsets.bytes() / 4; ++list)
      for (int64_t q = o[list] + 1; q < o[list + 1]; ++q)
        if (i[q] <= i[q - 1]) return false;
    return true;
  }

  int64_t rows, cols;
  bsFormat_t format;
  int64_t block, nnz = 0;
  Array offsets, indices, values;
  bsMatDescr_t mat = nullptr;
};

BACKEND_TEST_CASE("A31 conversion from dense gives ascending indices and the same bytes on every run", "[convert]") {
  const Handle handle;
  test::Random random(1);
  Dense dense(333, 777, {});
  dense.fill([&](int64_t, int64_t) { return random.chance(0.1) ? random.symmetric() : 0; });
  for (const auto& [format, block] : {std::pair{BS_FORMAT_CSR, 1}, {BS_FORMAT_CSC, 1}, {BS_FORMAT_BSR, 8}}) {
    Converted first(333, 777, format, block);
    first.convert(handle, dense.mat);
    CHECK(first.sorted());
    for (int run = 0; run < 20; ++run) {
      Converted next(333, 777, format, block);
      next.convert(handle, dense.mat);
      CHECK(next.offsets.read() == first.offsets.read());
      CHECK(next.indices.read() == first.indices.read());
      CHECK(next.values.read() == first.values.read());
    }
  }
}

BACKEND_TEST_CASE("A41 seeds#43 every block of a layout is found, and no other, for 100 layouts", "[convert]") {
  const Handle handle;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Entries layout;
    for (const Entry& e : random_entries(64, 64, 0.3, seed)) layout.push_back({e.row * 16 + 5, e.col * 16 + 9, 1});
    const Sparse csr(1024, 1024, layout, {});
    Converted blocks(1024, 1024, BS_FORMAT_BSR, 16), back(1024, 1024, BS_FORMAT_BSR, 16);
    blocks.convert(handle, csr.mat);
    CHECK(blocks.nnz == static_cast<int64_t>(layout.size()));
    bool right = blocks.sorted();
    for (size_t q = 0; q < layout.size(); ++q)
      right &= static_cast<const int32_t*>(blocks.indices.data())[q] == layout[q].col / 16 &&
               get(BS_R_32F, blocks.values.data(), static_cast<int64_t>(q) * 256 + 5 * 16 + 9) == 1;
    CHECK(right);
    back.convert(handle, blocks.mat);  // stored zeros inside blocks make no block of their own
    CHECK(back.nnz == blocks.nnz);
  }
}

BACKEND_TEST_CASE("seeds#28 a layout of many columns of blocks", "[convert]") {
  const Handle handle;
  Entries layout;
  for (int64_t block = 0; block < 5000; ++block) layout.push_back({block % 3 * 128, block * 128 + 127, 2});
  const Sparse csr(384, 5000 * 128, layout, {});
  Converted blocks(384, 5000 * 128, BS_FORMAT_BSR, 128);
  blocks.convert(handle, csr.mat);
  CHECK(blocks.nnz == 5000);
  CHECK(blocks.sorted());
}

BACKEND_TEST_CASE("A12 what became of an empty matrix can be multiplied", "[convert]") {
  const Handle handle;
  const std::pair<int64_t, int64_t> sizes[] = {{0, 0}, {5, 0}, {0, 5}, {5, 5}};
  for (const auto& [rows, cols] : sizes)
    for (const auto& [format, block] : {std::pair{BS_FORMAT_CSR, 1}, {BS_FORMAT_CSC, 1}, {BS_FORMAT_BSR, 4}})
      for (const Storage& storage : every_format()) {
        const Sparse source(rows, cols, {}, storage);
        Converted empty(rows, cols, format, block);
        empty.convert(handle, source.mat);
        const Dense b(cols, 3, {}, 1);
        Dense c(rows, 3, {}, 2);
        const std::vector<char> zeros(static_cast<size_t>(c.values.bytes()), 0);
        const Options options;
        on_every_route(handle, {.a = empty.mat, .b = b.mat, .c = c.mat}, options, c.values,
                       [&](const Route&) { CHECK(c.values.read() == zeros); });
      }
}

}  // namespace
}  // namespace bs::cases
