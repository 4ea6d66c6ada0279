// CUDA graphs: every function marked (stream), captured once after its _bufferSize and replayed with other values.
#include "api/random_products.h"
#include "api/random_target.h"
#include "gpu_ring/stream.h"

namespace {

using namespace bs::test;

constexpr int kReplays = 3;

uint64_t cases() {
  return reduced() ? 10 : 150;
}

template <class Case>
void replay_products() {
  Handles handles;
  const Stream stream;
  handles.set_stream(stream);
  for (uint64_t seed = 1; seed <= cases(); ++seed) {
    INFO("seed " << seed);
    Case one(handles, 1000 + seed);
    one.prepare();
    INFO("route " << one.route);
    const Graph graph(stream, [&] { return one.execute(); });
    Random random(seed);
    for (int i = 0; i < kReplays; ++i) {
      INFO("replay " << i);
      if (i > 0) one.change(random), one.repack();
      one.expect();
      graph.replay();
      one.check();
    }
  }
}

}  // namespace

BACKEND_TEST_CASE("bsSpMM and bsSpMV in a graph give what they give outside") {
  replay_products<SpmmCase>();
}

BACKEND_TEST_CASE("bsSDDMM in a graph gives what it gives outside") {
  replay_products<SddmmCase>();
}

BACKEND_TEST_CASE("an analysis without statistics in a graph serves the products after it") {
  Handles handles;
  const Stream stream;
  handles.set_stream(stream);
  for (uint64_t seed = 1; seed <= cases(); ++seed) {
    INFO("seed " << seed);
    SpmmCase one(handles, 2000 + seed);
    one.prepare();
    const auto flags = static_cast<bsAnalyzeFlags_t>(one.d.random.below(8) * 2);
    int64_t bytes = -1;
    ok(bsMatAnalyze_bufferSize(one.d.handle, one.s.mat, flags, &bytes));
    const Memory buffer(one.d.handle, bytes);
    const Graph graph(stream, [&] { return bsMatAnalyze(one.d.handle, one.s.mat, flags, buffer.pointer, bytes); });
    ok(bsOptionsSetRoute(one.d.options, nullptr));  // one that was forced may need another analysis
    ok(one.size(&bytes));
    one.workspace = std::make_unique<Memory>(one.d.handle, bytes);
    Random random(seed);
    for (int i = 0; i < kReplays; ++i) {
      INFO("replay " << i << ", flags " << flags);
      if (i > 0) one.change(random);
      one.expect();
      graph.replay();
      ok(one.execute());
      stream.wait();
      one.check();
    }
  }
}

BACKEND_TEST_CASE("bsConvert_fill in a graph follows the values of its source") {
  Handles handles;
  const Stream stream;
  handles.set_stream(stream);
  for (uint64_t seed = 1; seed <= cases(); ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const bsHandle_t handle = handles.any(random);
    const bsFormat_t format = random.of({BS_FORMAT_CSR, BS_FORMAT_CSC, BS_FORMAT_BSR});
    const bsDataType_t type = random.of({BS_R_32F, BS_R_64F, BS_R_16F, BS_R_16BF});
    RandomSparse source(format, 1 + random.below(40), 1 + random.below(40), type, 1, false, random);
    source.give();
    const bsOperation_t op = random.of({BS_OPERATION_NON_TRANSPOSE, BS_OPERATION_TRANSPOSE});
    Target target(op ? source.cols : source.rows, op ? source.rows : source.cols, type, random);
    target.count(handle, op, source.mat, random);
    const Graph graph(stream, [&] { return target.fill(handle, op, source.mat); });
    for (int i = 0; i < kReplays; ++i) {
      if (i > 0) renew(source.values, random);
      graph.replay();
      const std::vector<double> want = source.table(), got = target.table();
      int64_t wrong = 0;
      for (int64_t r = 0; r < target.rows; ++r)
        for (int64_t c = 0; c < target.cols; ++c)
          wrong += !same(got[r * target.cols + c], want[op ? c * source.cols + r : r * source.cols + c]);
      INFO("replay " << i);
      CHECK(wrong == 0);
    }
  }
}

BACKEND_TEST_CASE("bsBlockGateGrad in a graph follows the values") {
  Handles handles;
  const Stream stream;
  handles.set_stream(stream);
  for (uint64_t seed = 1; seed <= cases(); ++seed) {
    INFO("seed " << seed);
    Random random(seed), again(0);
    const bsHandle_t handle = handles.any(random);
    const int64_t rows = 1 + random.below(70), cols = 1 + random.below(70);
    again = random;
    RandomSparse w(BS_FORMAT_BSR, rows, cols, BS_R_16BF, 1, true, random);
    RandomSparse dw(BS_FORMAT_BSR, rows, cols, BS_R_32F, 1, true, again);
    w.give(), dw.give();
    Array gradient(w.nnz, BS_R_32F, random);
    gradient.fill(kNaN);
    auto* const out = static_cast<float*>(gradient.get());
    const Graph graph(stream, [&] { return bsBlockGateGrad(handle, w.mat, dw.mat, out, w.nnz); });
    for (int i = 0; i < kReplays; ++i) {
      renew(w.values, random), renew(dw.values, random);
      std::vector<double> want(gradient.count(), kNaN);
      for (const Stored& x : w.stored) {
        if (std::isnan(want[x.entry])) want[x.entry] = 0;
        if (x.inside) want[x.entry] += w.values[x.place] * dw.values[x.place];
      }
      graph.replay();
      compare("gradient", gradient, want);
    }
  }
}
