// Which table serves an instruction set.
#include "cpu/simd/microkernels.h"

namespace bs::cpu {

namespace base {
extern const Microkernels table;
}
#if BSPARSE_X86
namespace avx2 {
extern const Microkernels table;
}
namespace avx512 {
extern const Microkernels table;
}
#endif

const Microkernels& microkernels([[maybe_unused]] int isa) {
#if BSPARSE_X86
  if (isa >= 2) return avx512::table;
  if (isa == 1) return avx2::table;
#endif
  return base::table;
}

}  // namespace bs::cpu
