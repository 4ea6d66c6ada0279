// Inner loops for AVX2 with FMA and F16C.
#define BS_ISA avx2
#define BS_VECTOR_BYTES 32
#define BS_REGISTERS 16
#include "cpu/simd/microkernels.inc"
#include "cpu/simd/dense_tile.inc"
