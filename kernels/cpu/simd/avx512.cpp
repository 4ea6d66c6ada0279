// Inner loops for AVX-512 (F, BW, DQ, VL).
#define BS_ISA avx512
#define BS_VECTOR_BYTES 64
#define BS_REGISTERS 32
#include "cpu/simd/microkernels.inc"
#include "cpu/simd/dense_tile.inc"
