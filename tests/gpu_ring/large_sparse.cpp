// Sparse operands of more than 2^31 elements: values in blocks, then entries.
#include "gpu_ring/large.h"

namespace {

using namespace bs::test;
using namespace bs::test::large;

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
constexpr int64_t mirrored_row(int64_t i) {
  return FullBlocks::kExtent - 1 - i;
}

// Analysis in a buffer that lives as long as this.
struct Analysis {
  Analysis(bsHandle_t handle, bsMatDescr_t mat, bsAnalyzeFlags_t flags) : buffer(handle, size(handle, mat, flags)) {
    ok(bsMatAnalyze(handle, mat, flags, buffer.pointer, buffer.bytes));
  }
  static int64_t size(bsHandle_t handle, bsMatDescr_t mat, bsAnalyzeFlags_t flags) {
    int64_t bytes = -1;
    ok(bsMatAnalyze_bufferSize(handle, mat, flags, &bytes));
    return bytes;
  }
  Memory buffer;
};

double statistic(bsMatDescr_t mat, bsStat_t stat) {
  double value = -1;
  ok(bsMatGetStat(mat, stat, &value));
  return value;
}

void check_gate_gradient(bsHandle_t handle, const FullBlocks& w) {
  const int64_t blocks = FullBlocks::kBlocks * FullBlocks::kBlocks, size = FullBlocks::kBlock * FullBlocks::kBlock;
  const Block gradient(handle, blocks * 4, 0xff);
  ok(bsBlockGateGrad(handle, w, w, static_cast<float*>(gradient.data()), blocks));
  CHECK(gradient.get<float>(FullBlocks::place(kRows[1], mirrored_row(kRows[1])) / size) == 9);
  CHECK(gradient.get<float>(blocks - 1) == 0);
}

}  // namespace

BACKEND_TEST_CASE("more than 2^31 values in blocks: bsSpMM, bsSDDMM, bsBlockGateGrad, bsMatCheck, bsMatAnalyze") {
  GPU_NEEDS(24);
  const GpuHandle handle;
  FullBlocks w(handle);
  Dense b(handle, FullBlocks::kExtent, 16), c(handle, FullBlocks::kExtent, 16);
  for (const int64_t i : kRows) {
    w.set(i, mirrored_row(i), 3);
    b.set(mirrored_row(i), 7, static_cast<double>(i % 5 + 1));
  }
  on_routes(handle, {.a = w, .b = b, .c = c}, c.values, [&] {
    for (const int64_t i : kRows) {
      INFO("C(" << i << ", 7)");
      CHECK(c.at(i, 7) == static_cast<double>(3 * (i % 5 + 1)));
      CHECK(c.at(i, 8) == 0);
    }
  });
  check_gate_gradient(handle, w);
  bsContent_t finding = -1;
  ok(bsMatCheck(handle, w, &finding, nullptr));
  CHECK(finding == BS_CONTENT_OK);
  const Analysis analysis(handle, w, BS_ANALYZE_STATS | BS_ANALYZE_TRANSPOSE);
  CHECK(statistic(w, BS_STAT_DENSITY) == 1);
  on_routes(handle, {.op = Op::sddmm, .op_b = BS_OPERATION_TRANSPOSE, .a = b, .b = b, .c = w}, w.values, [&] {
    for (const int64_t i : kRows) {
      const int64_t r = mirrored_row(i);  // a row of b with something in it
      INFO("element " << r << ", " << r);
      CHECK(w.at(r, r) == static_cast<double>((i % 5 + 1) * (i % 5 + 1)));
    }
    CHECK(w.at(2, 2) == 0);
  });
}

namespace {

// CSR with 2^15 entries in every row, columns 0, 1, ... 1023 again and again; values 0 but for the last of some rows.
struct ManyEntries : Mat {
  static constexpr int64_t kRowCount = kLong, kLength = 32768, kNnz = kRowCount * kLength, kCols = 1024;
  static_assert(kNnz > k2to31);
  explicit ManyEntries(bsHandle_t handle)
      : offsets(handle, (kRowCount + 1) * 8), indices(handle, kNnz * 4), values(handle, kNnz * 2) {
    std::vector<int64_t> ends;
    std::vector<int32_t> columns;
    for (int64_t i = 0; i <= kRowCount; ++i) ends.push_back(i * kLength);
    for (int64_t q = 0; q < kLength; ++q) columns.push_back(static_cast<int32_t>(q % kCols));
    offsets.copy_from(ends.data(), (kRowCount + 1) * 8);
    indices.copy_from(columns.data(), kLength * 4);
    for (int64_t done = kLength; done < kNnz;) {
      const int64_t more = std::min(done, kNnz - done);
      char* const start = static_cast<char*>(indices.data());
      ok(bsMemcpy(handle, start + done * 4, start, more * 4));
      done += more;
    }
    ok(bsCreateCsr(&mat, kRowCount, kCols, kNnz, offsets.data(), indices.data(), values.data(), BS_INDEX_64I,
                   BS_INDEX_32I, BS_INDEX_BASE_ZERO, BS_R_16BF));
    for (const int64_t row : marked()) values.set((row + 1) * kLength - 1, bs::cases::to_bf16(2));  // column 1023
  }
  static std::vector<int64_t> marked() { return places(kRowCount, kLength); }
  Block offsets, indices, values;
};

}  // namespace

BACKEND_TEST_CASE("more than 2^31 entries: bsSpMM with one and more columns, and statistics") {
  GPU_NEEDS(40);
  const GpuHandle handle;
  const ManyEntries a(handle);
  for (const int64_t n : {1, 8}) {
    Dense b(handle, ManyEntries::kCols, n), c(handle, ManyEntries::kRowCount, n);
    b.set(ManyEntries::kCols - 1, n - 1, 5);
    on_routes(handle, {.a = a, .b = b, .c = c}, c.values, [&] {
      for (const int64_t row : ManyEntries::marked()) {
        INFO("row " << row << " of " << n << " columns");
        CHECK(c.at(row, n - 1) == 10);
      }
      CHECK(c.at(1, n - 1) == 0);
    });
  }
  const Analysis analysis(handle, a, BS_ANALYZE_STATS | BS_ANALYZE_ORDER);
  CHECK(statistic(a, BS_STAT_NNZ) == static_cast<double>(ManyEntries::kNnz));
  CHECK(statistic(a, BS_STAT_SORTED) == 0);
}

BACKEND_TEST_CASE("more than 2^31 entries: bsMatCheck, wrong and legal") {
  GPU_NEEDS(122);  // unsorted entries are sorted to find equal ones
  const GpuHandle handle;
  const ManyEntries a(handle);
  bsContent_t finding = -1;
  int64_t position = -1;
  a.indices.set(ManyEntries::kNnz - 1, static_cast<int32_t>(ManyEntries::kCols));
  CHECK(bsMatCheck(handle, a, &finding, &position) == BS_STATUS_INVALID_CONTENT);
  CHECK(position == ManyEntries::kNnz - 1);
  CHECK(std::string(bsGetLastErrorMessage()) == "bsMatCheck: row 65599: column 1024 >= cols 1024");
  a.indices.set(ManyEntries::kNnz - 1, static_cast<int32_t>(ManyEntries::kCols - 1));
  ok(bsMatCheck(handle, a, &finding, &position));
  CHECK(finding == BS_CONTENT_DUPLICATE);
  CHECK(position == ManyEntries::kCols);
}

BACKEND_TEST_CASE("more than 2^31 entries: the index of the transpose, and a product with it") {
  GPU_NEEDS(115);
  const GpuHandle handle;
  const ManyEntries a(handle);
  const Analysis analysis(handle, a, BS_ANALYZE_TRANSPOSE);
  Dense b(handle, ManyEntries::kRowCount, 4), c(handle, ManyEntries::kCols, 4);
  double sum = 0;
  for (const int64_t row : ManyEntries::marked()) {
    b.set(row, 3, static_cast<double>(row % 5 + 1));
    sum += static_cast<double>(2 * (row % 5 + 1));
  }
  on_routes(handle, {.op_a = BS_OPERATION_TRANSPOSE, .a = a, .b = b, .c = c}, c.values, [&] {
    CHECK(c.at(ManyEntries::kCols - 1, 3) == sum);
    CHECK(c.at(0, 3) == 0);
    CHECK(c.at(ManyEntries::kCols - 1, 2) == 0);
  });
}
