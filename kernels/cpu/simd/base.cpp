// Inner loops for any machine: four floats at a time.
#define BS_ISA base
#define BS_VECTOR_BYTES 16
#define BS_REGISTERS 16
#include "cpu/simd/microkernels.inc"
#include "cpu/simd/dense_tile.inc"
