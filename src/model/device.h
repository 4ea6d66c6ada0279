// The machine as cost models see it: literal values, so that choices for a machine can be tested on another.
#pragma once

#include <cstdint>

namespace bs {

enum class Backend : uint8_t { cpu = 1, cuda = 2 };
constexpr const char* name_of(Backend backend) {
  return backend == Backend::cpu ? "cpu" : "cuda";
}

enum class Isa : int8_t { base = 0, avx2 = 1, avx512 = 2 };

struct Device {
  Backend backend = Backend::cpu;
  char name[64] = "cpu";
  // CPU
  int cores = 1;
  Isa isa = Isa::base;
  double ghz = 2.5;  // sustained
  // CUDA
  int compute_capability = 0;  // 90 for 9.0
  int sms = 0;
  int64_t smem_per_cta = 0;  // bytes, opt-in limit
  double l2_gbs = 0;
  double f32_tflops = 0;     // CUDA cores
  double tensor_tflops = 0;  // bf16, dense, steady
  double launch_us = 0;
  bool has_cublas = false, has_cusparse = false;
  // both
  int64_t l2_bytes = 1 << 20;
  double memory_gbs = 10;  // main memory or HBM
  int ordinal = 0;

  constexpr int simd_bytes() const { return isa == Isa::avx512 ? 64 : isa == Isa::avx2 ? 32 : 16; }
};

}  // namespace bs
