// SDDMM: every K, the empty ones, then random.
#include "kernels/specs.h"
#include "support/reduced.h"

namespace bs::test {
namespace {

SddmmSpec random_spec(Random* random) {
  const Types types = random_types(random);
  SddmmSpec spec{.s = random_sparse(random, random->of({Format::csr, Format::bsr})),
                 .l = random_dense(random, types.b),
                 .r = random_dense(random, types.c)};
  spec.s.dtype = types.s;
  do {
    spec.m = random_extent(random), spec.n = random_extent(random), spec.k = random_extent(random);
  } while (spec.m * spec.n * spec.k > 300000);
  random_batch(random, &spec.batch, &spec.reduce);
  if (spec.reduce > 1) spec.s.sharing = Sharing::all;
  spec.l.broadcast = random->chance(0.25), spec.r.broadcast = random->chance(0.25);
  if (random->chance(0.3)) spec.analysis = static_cast<bsAnalyzeFlags_t>(1 + random->below(7));
  spec.alpha = random->of({1.0, 1.0, -0.5, 2.0, 0.0});
  spec.beta = random->of({0.0, 0.0, 1.0, -0.75});
  spec.device_scalars = random->chance(0.2);
  if (random->chance(0.3) && spec.alpha != 0) spec.bias_gradient = random->of({Axis::row, Axis::col});
  spec.bias_type = random->chance(0.5) || types.s == DType::f64 ? types.s : DType::f32;
  return spec;
}

void add_plain(int64_t m, int64_t k, int64_t n, std::vector<SddmmSpec>* specs) {
  for (const DType type : {DType::f32, DType::bf16, DType::f16, DType::f64}) {
    for (const int64_t block : {1, 16, 32}) {
      SddmmSpec spec{.s = {.format = block == 1 ? Format::csr : Format::bsr, .block_rows = block, .block_cols = block},
                     .l = {.dtype = type},
                     .r = {.dtype = type},
                     .m = m,
                     .n = n,
                     .k = k};
      spec.s.dtype = spec.bias_type = type;
      spec.l.layout = k % 2 ? Layout::row : Layout::col;
      spec.r.layout = k % 3 ? Layout::row : Layout::col;
      specs->push_back(spec);
    }
  }
}

void add_empty(std::vector<SddmmSpec>* specs) {
  const size_t first = specs->size();
  add_plain(0, 5, 7, specs), add_plain(5, 0, 7, specs), add_plain(5, 7, 0, specs), add_plain(0, 0, 0, specs);
  const size_t special = specs->size();
  for (int i = 0; i < 3; ++i) add_plain(33, 40, 20, specs);
  const size_t third = (specs->size() - special) / 3;
  for (size_t i = special; i < special + third; ++i) (*specs)[i].s.pattern.kind = PatternKind::empty;
  for (size_t i = special + third; i < special + 2 * third; ++i) (*specs)[i].batch = 0;
  for (size_t i = special + 2 * third; i < specs->size(); ++i) (*specs)[i].reduce = 0;
  for (size_t i = first, end = specs->size(); i < end; ++i) {
    specs->push_back((*specs)[i]);
    specs->back().beta = 0.5;
  }
}

}  // namespace

std::vector<SddmmSpec> sddmm_specs() {
  std::vector<SddmmSpec> specs;
  for (int64_t k = 1; k <= 130; k += reduced() ? 9 : 1) add_plain(35, k, 37, &specs);
  add_empty(&specs);
  Random random(20240608);
  for (int i = 0; i < (reduced() ? 250 : 1200); ++i) specs.push_back(random_spec(&random));
  return specs;
}

}  // namespace bs::test
