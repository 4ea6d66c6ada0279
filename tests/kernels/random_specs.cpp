// The random choices that operations share.
#include "kernels/specs.h"

namespace bs::test {

int64_t random_extent(Random* random) {
  return random->of<int64_t>({1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 96, 127, 128, 129});
}

Types random_types(Random* random) {
  using enum DType;
  const DType one = random->of({f32, f64, f16, bf16});
  if (random->chance(0.6)) return {one, one, one};
  return random->of<Types>({{f16, f16, f32},
                            {bf16, bf16, f32},
                            {f32, f32, bf16},
                            {f32, bf16, bf16},
                            {bf16, f32, f32},
                            {f16, bf16, f32},
                            {f32, f16, f16},
                            {bf16, f16, bf16}});
}

SparseSpec random_sparse(Random* random, Format format) {
  SparseSpec s{.format = format};
  if (format == Format::bsr) {
    s.block_rows = random->of<int64_t>({1, 2, 3, 4, 8, 16, 16, 17, 32, 32, 64});
    s.block_cols = random->chance(0.75) ? s.block_rows : random->of<int64_t>({1, 4, 5, 8, 16, 32, 64});
    s.block_layout = random->of({Layout::row, Layout::row, Layout::col});
    s.gated = random->chance(0.25);
  }
  s.offset_type = random->of({IndexType::i32, IndexType::i64});
  s.index_type = random->of({IndexType::i32, IndexType::i32, IndexType::i64});
  s.base = static_cast<uint8_t>(random->below(2));
  s.pattern = {.kind = kPatternKinds[random->below(std::size(kPatternKinds))],
               .density = random->of({0.03, 0.1, 0.3, 0.7}),
               .shuffled = random->chance(0.3),
               .duplicates = random->chance(0.2),
               .seed = random->next() % 1000};
  s.slack = random->chance(0.2);
  s.stored_zeros = random->chance(0.2);
  s.sharing = static_cast<Sharing>(random->below(4));
  s.shift = random->chance(0.3) ? random->below(5) : 0;
  return s;
}

void random_batch(Random* random, int64_t* batch, int64_t* reduce) {
  if (random->chance(0.65)) return;
  (random->chance(0.6) ? *batch : *reduce) = 2 + random->below(2);
}

DenseSpec random_dense(Random* random, DType type) {
  return {.layout = random->of({Layout::row, Layout::row, Layout::col}),
          .dtype = type,
          .ld_padding = random->chance(0.4) ? random->of<int64_t>({1, 3, 8}) : 0,
          .gap = random->chance(0.5) ? random->of<int64_t>({1, 16}) : 0,
          .shift = random->chance(0.3) ? random->below(9) : 0};
}

}  // namespace bs::test
