// SpMM: every N, the empty ones, then random.
#include "kernels/specs.h"

#include "platform/machine.h"
#include "support/reduced.h"

namespace bs::test {

namespace {

void random_epilogue(Random* random, SpmmSpec* spec) {
  if (random->chance(0.6)) return;
  spec->activation = static_cast<Activation>(random->below(5));
  spec->bias = random->of({Axis::none, Axis::row, Axis::col});
  spec->bias_type = random->chance(0.5) || spec->c.dtype == DType::f64 ? spec->c.dtype : DType::f32;
  spec->one_bias = random->chance(0.5);
  spec->auxiliary = random->chance(0.4);
}

SpmmSpec random_spec(Random* random) {
  const Types types = random_types(random);
  SpmmSpec spec{.s = random_sparse(random, random->of({Format::csr, Format::bsr})),
                .b = random_dense(random, types.b),
                .c = random_dense(random, types.c)};
  spec.s.dtype = types.s;
  do {
    spec.m = random_extent(random), spec.n = random_extent(random), spec.k = random_extent(random);
  } while (spec.m * spec.n * spec.k > 500000);
  random_batch(random, &spec.batch, &spec.reduce);
  spec.b.broadcast = random->chance(0.25);
  spec.transposed = random->chance(0.35);
  if (random->chance(0.4)) spec.analysis = static_cast<bsAnalyzeFlags_t>(1 + random->below(15));
  spec.alpha = random->of({1.0, 1.0, -0.5, 2.0, 0.0});
  spec.beta = random->of({0.0, 0.0, 1.0, -0.75});
  spec.device_scalars = random->chance(0.2);
  random_epilogue(random, &spec);
  spec.poison_unreferenced = random->chance(0.3) && spec.alpha != 0 && !(spec.analysis & BS_ANALYZE_PACK);
  return spec;
}

// Of the kinds of problems that are there for rows of GPUs, some also on a machine without one.
bool few_for_gpus() {
  return reduced() || !cuda_present();
}

// What tensor-core rows take: 16-bit values in aligned blocks of 16 and more, several tiles of them, ragged or not.
SpmmSpec tensor_spec(Random* random) {
  SpmmSpec spec = random_spec(random);
  SparseSpec& s = spec.s;
  s.format = Format::bsr;
  s.dtype = spec.b.dtype = random->of({DType::bf16, DType::f16});
  spec.c.dtype = spec.bias_type = random->chance(0.7) ? s.dtype : DType::f32;
  s.block_rows = random->of<int64_t>({16, 16, 32, 32, 64, 64, 128, 128, 192});
  s.block_cols = random->chance(0.7) ? s.block_rows : random->of<int64_t>({16, 32, 64, 128});
  s.gated = false;
  s.shift = 0;
  s.pattern.shuffled = random->chance(0.15);
  s.pattern.duplicates = random->chance(0.1);
  spec.b.shift = spec.c.shift = random->chance(0.1) ? 1 : 0;
  spec.b.ld_padding = spec.c.ld_padding = random->of<int64_t>({0, 0, 8, 3});
  spec.b.gap = spec.c.gap = random->of<int64_t>({0, 8, 64});
  spec.analysis = random->chance(0.8) ? static_cast<bsAnalyzeFlags_t>(1 + 2 * random->below(4)) : 0;
  const int64_t bm = spec.transposed ? s.block_cols : s.block_rows, bk = spec.transposed ? s.block_rows : s.block_cols;
  const bool whole = random->chance(0.4);
  spec.m = bm * (1 + random->below(bm < 64 ? 9 : 3)) - (whole ? 0 : random->below(bm));
  spec.k = bk * (1 + random->below(bk < 64 ? 12 : 5)) - (whole ? 0 : random->below(bk));
  spec.n = whole ? random->of<int64_t>({8, 64, 128, 320, 512}) : 1 + random->below(random->chance(0.3) ? 600 : 140);
  return spec;
}

// Plain problems of all types at one size.
void add_plain(int64_t m, int64_t k, int64_t n, std::vector<SpmmSpec>* specs) {
  for (const DType type : {DType::f32, DType::bf16, DType::f16, DType::f64}) {
    for (const int64_t block : {1, 16, 32}) {
      SpmmSpec spec{.s = {.format = block == 1 ? Format::csr : Format::bsr, .block_rows = block, .block_cols = block},
                    .b = {.dtype = type},
                    .c = {.dtype = type},
                    .m = m,
                    .n = n,
                    .k = k};
      spec.s.dtype = type;
      spec.bias_type = type;
      specs->push_back(spec);
    }
  }
}

void add_every_n(std::vector<SpmmSpec>* specs) {
  for (int64_t n = 1; n <= 130; n += reduced() ? 9 : 1) add_plain(37, 41, n, specs);
}

// An inner extent beyond what a kernel holds at a time, or more entries than it has of B, with what analysis can say.
void add_long(Random* random, std::vector<SpmmSpec>* specs) {
  for (int i = 0; i < (few_for_gpus() ? 12 : 60); ++i) {
    SpmmSpec spec = random_spec(random);
    spec.m = random->of<int64_t>({3, 61, 300}), spec.n = random->of<int64_t>({4, 33, 130});
    spec.k = random->of<int64_t>({500, 1001, 3000});
    if (i % 3 == 0) spec.m = 5000, spec.n = random->of<int64_t>({3, 8, 16, 33}), spec.k = 9;
    spec.s.pattern.density = random->of({0.01, 0.05, 0.2});
    spec.s.pattern.shuffled = spec.s.pattern.duplicates = false;
    if (spec.s.pattern.kind == PatternKind::full) spec.s.pattern.kind = PatternKind::uniform;
    spec.analysis = BS_ANALYZE_STATS | (i % 2 ? BS_ANALYZE_ORDER : 0) | (i % 4 ? 0 : BS_ANALYZE_TRANSPOSE);
    specs->push_back(spec);
  }
}

// 0 rows, columns, entries, batches; with and without an old C.
void add_empty(std::vector<SpmmSpec>* specs) {
  const size_t first = specs->size();
  add_plain(0, 5, 7, specs), add_plain(5, 0, 7, specs), add_plain(5, 7, 0, specs), add_plain(0, 0, 0, specs);
  const size_t no_entries = specs->size();
  add_plain(33, 40, 20, specs);
  for (size_t i = no_entries; i < specs->size(); ++i) (*specs)[i].s.pattern.kind = PatternKind::empty;
  const size_t batches = specs->size();
  add_plain(9, 10, 11, specs), add_plain(9, 10, 11, specs);
  for (size_t i = batches; i < specs->size(); ++i)
    (i - batches < (specs->size() - batches) / 2 ? (*specs)[i].batch : (*specs)[i].reduce) = 0;
  for (size_t i = first, end = specs->size(); i < end; ++i) {
    for (int variant = 1; variant < 4; ++variant) {
      specs->push_back((*specs)[i]);
      specs->back().transposed = variant & 1;
      specs->back().beta = variant & 2 ? 0.5 : 0;
    }
  }
}

}  // namespace

std::vector<SpmmSpec> spmm_specs() {
  std::vector<SpmmSpec> specs;
  add_every_n(&specs);
  add_empty(&specs);
  Random random(20240607);
  for (int i = 0; i < (reduced() ? 250 : 1200); ++i) specs.push_back(random_spec(&random));
  for (int i = 0; i < (few_for_gpus() ? 60 : 200); ++i) specs.push_back(tensor_spec(&random));
  for (const int64_t block : {16, 32, 64, 128}) {  // more tiles than a GPU has SMs
    SpmmSpec spec{.s = {.format = Format::bsr, .block_rows = block, .block_cols = block, .dtype = DType::bf16},
                  .b = {.dtype = DType::bf16},
                  .c = {.dtype = DType::bf16},
                  .m = 17500,
                  .n = 8,
                  .k = 130,
                  .analysis = BS_ANALYZE_STATS};
    spec.s.pattern.density = 0.1;
    specs.push_back(spec);
  }
  add_long(&random, &specs);
  return specs;
}

}  // namespace bs::test
