// Numbers of the hardware that code needs at compile time, each with its source. Everything that differs between
// machines is in model/device.h.
#pragma once

namespace bs::cuda {

inline constexpr int kWarpSize = 32;  // CUDA C++ Programming Guide, SIMT architecture
inline constexpr unsigned kFullWarp = 0xffffffffu;
inline constexpr int kMaxGridY = 65535;             // Programming Guide, technical specifications: y and z of a grid
inline constexpr int kSmemBanks = 32;               // of 4 bytes
inline constexpr int kStaticSmemBytes = 48 * 1024;  // more needs the dynamic opt-in (cudaFuncSetAttribute)

}  // namespace bs::cuda
