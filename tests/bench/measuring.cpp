// What bsbench relies on: patterns with the density asked for, checks that see what is wrong, medians.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "bsbench/check.h"
#include "bsbench/report.h"
#include "support/catch.h"

namespace {

using bench::Pattern;

bench::Spec small_spec(bench::Op op, bsFormat_t format) {
  bench::Spec s;
  s.op = op;
  s.format = format;
  s.block_rows = s.block_cols = 4;
  s.m = 30;
  s.k = 22;
  s.n = op == bench::Op::spmv ? 1 : 18;
  s.density = 0.3;
  s.a_type = s.b_type = s.c_type = s.bias_type = s.dtype;
  return s;
}

}  // namespace

TEST_CASE("patterns ascend inside their matrix and have the density asked for", "[bench]") {
  for (const Pattern pattern :
       {Pattern::uniform, Pattern::powerlaw, Pattern::banded, Pattern::blockdiag, Pattern::dlmc}) {
    for (const double density : {0.05, 0.25, 0.5, 1.0}) {
      INFO(bench::name_of(pattern) << " " << density);
      const bench::Structure s = bench::generate(pattern, 200, 300, density, -1, 5);
      REQUIRE(s.offsets.size() == 201);
      bool legal = true;
      for (int64_t i = 0; i < s.lines; ++i)
        for (int64_t p = s.offsets[i]; p < s.offsets[i + 1]; ++p)
          legal &=
              s.indices[p] >= 0 && s.indices[p] < s.extent && (p == s.offsets[i] || s.indices[p] > s.indices[p - 1]);
      CHECK(legal);
      CHECK(std::fabs(static_cast<double>(s.count()) / 60000 - density) < 0.02);
    }
  }
  CHECK(bench::generate(Pattern::dlmc, 100, 100, 0.1, -1, 1).count() == 1000);
}

TEST_CASE("the power law has long rows, the pruned pattern moderately uneven ones", "[bench]") {
  const auto variation = [](Pattern pattern, double sigma) {
    const bench::Structure s = bench::generate(pattern, 512, 512, 0.1, sigma, 3);
    double squares = 0;
    const double mean = static_cast<double>(s.count()) / 512;
    for (int64_t i = 0; i < 512; ++i)
      squares += std::pow(static_cast<double>(s.offsets[i + 1] - s.offsets[i]) - mean, 2);
    return std::sqrt(squares / 512) / mean;
  };
  CHECK(variation(Pattern::powerlaw, -1) > 1);
  CHECK(std::fabs(variation(Pattern::uniform, -1) - 0.13) < 0.03);
  CHECK(std::fabs(variation(Pattern::dlmc, 0.1) - 0.34) < 0.08);  // the published calibration
}

TEST_CASE("blocks of entries, and transposition", "[bench]") {
  const bench::Structure s = bench::generate(Pattern::uniform, 30, 20, 0.1, -1, 9);
  const bench::Structure twice = bench::transposed(bench::transposed(s));
  CHECK(twice.indices == s.indices);
  CHECK(twice.offsets == s.offsets);
  const bench::Structure single = bench::blocks_of(s, 1, 1);
  CHECK(single.indices == s.indices);
  const bench::Structure whole = bench::blocks_of(s, 30, 20);
  CHECK(whole.count() == 1);
}

TEST_CASE("a check passes what is right and sees an unwritten and a slightly wrong result", "[bench]") {
  bsparse::Handle handle(BS_BACKEND_CPU);
  for (const bench::Op op : {bench::Op::spmm, bench::Op::sddmm, bench::Op::spmv}) {
    for (const bsFormat_t format : {BS_FORMAT_CSR, BS_FORMAT_CSC, BS_FORMAT_BSR}) {
      bench::Problem problem(handle, small_spec(op, format), 1, 0);
      bench::Problem::Call call(problem, "");
      bench::Checker checker(problem, 64, 2);
      const bool sparse = op == bench::Op::sddmm;
      bench::Contender contender;
      contender.result = sparse ? bench::Result::of(problem.host().sparse, problem.instance(0).values.get())
                                : bench::Result::of(problem.host().c, problem.instance(0).c_values.get());
      contender.enqueue = [&](int i) { call.enqueue(i); };
      CHECK(checker.check(contender) == "");
      contender.enqueue = [](int) {};
      CHECK(checker.check(contender) != "");
      contender.enqueue = [&](int i) {
        call.enqueue(i);
        auto* values = static_cast<float*>(contender.result.data);
        const int64_t count = contender.result.bytes / 4;
        for (int64_t e = 0; e < count; ++e) values[e] += 1e-3f;
      };
      CHECK(checker.check(contender) != "");
    }
  }
}

TEST_CASE("medians, and few rounds for what is far behind", "[bench]") {
  const bench::Time time = bench::summary({5, 1, 3, 2, 4});
  CHECK(time.median == 3);
  CHECK(time.fastest == 1);
  CHECK(time.slowest == 5);
  bench::Settings settings;
  settings.rounds = 50;
  settings.seconds = 1;
  CHECK(bench::rounds_of({10, 20}, settings) == std::vector<int>{50, 50});
  CHECK(bench::rounds_of({10, 1000}, settings) == std::vector<int>{50, 3});
  CHECK(bench::rounds_of({1e5, 1e5}, settings) == std::vector<int>{5, 5});
}

TEST_CASE("regret and speed-ups come from the rows", "[bench]") {
  bench::Outcome o;
  const auto row = [](const char* name, const char* peer, double us, bool chosen) {
    bench::Row r;
    r.name = name;
    r.peer = peer;
    r.chosen = chosen;
    r.time.median = us;
    return r;
  };
  o.rows = {row("a", "", 12, true)};
  CHECK(o.regret() < 0);
  o.rows.push_back(row("b", "", 10, false));
  o.rows.push_back(row("x", "cublas", 30, false));
  o.rows.push_back(row("y", "cublas", 20, false));
  CHECK(o.regret() == 1.2);
  CHECK(o.best("cublas") == 20);
  CHECK(o.best("cusparse") < 0);
}
