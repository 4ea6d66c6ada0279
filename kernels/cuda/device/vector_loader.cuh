// Vectors over k of a 16-bit operand on their way into shared memory, for products in which a CTA keeps its vectors.
#pragma once

#include <cstdint>

#include "cuda/device/ptx/cp_async.cuh"
#include "cuda/device/warp_tile.cuh"

namespace bs::cuda {

inline constexpr int kCopyElements = 8;  // of 16 bits in one 16-byte copy
// After each row in shared memory: 16 bytes shift the banks, so that ldmatrix meets no conflicts.
inline constexpr int kCopyPad = 8;

// A dense operand as vectors over k: rows of L, columns of R.
struct Vectors {
  const uint16_t* data;
  int64_t ld, stride, count;
};

// Brings kLines vectors, kTileK of k at a time, into shared memory: [line][k] or [k][line] as they lie in memory. A
// thread's copies keep their lines for the whole product, so all but the end of k is settled once.
template <int kLines, int kTileK, Major kMajor, int kThreads>
struct VectorLoader {
  static constexpr int kAcross = (kMajor == Major::k ? kTileK : kLines) / kCopyElements;
  static constexpr int kPitch = (kMajor == Major::k ? kTileK : kLines) + kCopyPad;
  static constexpr int kElements = (kMajor == Major::k ? kLines : kTileK) * kPitch;
  static constexpr int kChunks = kLines * kTileK / kCopyElements;
  static constexpr int kCopies = (kChunks + kThreads - 1) / kThreads;
  static_assert(kCopies <= 8, "four bits a copy");
  const uint16_t* from[kCopies];
  unsigned counts = 0;  // elements of each copy if k is inside, four bits each: registers are short

  __device__ static int chunk(int copy) { return static_cast<int>(threadIdx.x) + copy * kThreads; }
  __device__ static int outer(int copy) { return chunk(copy) / kAcross; }
  __device__ static int inner(int copy) { return chunk(copy) % kAcross * kCopyElements; }

  // index_of(line): which of the vectors, or -1 for none.
  template <class IndexOf>
  __device__ VectorLoader(const Vectors& x, IndexOf&& index_of) {
#pragma unroll
    for (int c = 0; c < kCopies; ++c) {
      const int64_t index = chunk(c) < kChunks ? index_of(kMajor == Major::k ? outer(c) : inner(c)) : -1;
      const bool exists = index >= 0 && index < x.count;
      const int64_t following = kMajor == Major::k ? kCopyElements : min(int64_t{kCopyElements}, x.count - index);
      counts |= static_cast<unsigned>(exists ? following : 0) << 4 * c;
      from[c] = x.data + (!exists ? 0 : kMajor == Major::k ? index * x.ld + inner(c) : outer(c) * x.ld + index);
    }
  }
  // `offset` leads to the summand and its k; left: of k from there on.
  __device__ void load(uint16_t* stage, int64_t offset, int left) const {
#pragma unroll
    for (int c = 0; c < kCopies; ++c) {
      if (kChunks % kThreads != 0 && chunk(c) >= kChunks) break;
      const int count = counts >> 4 * c & 15, k_left = left - (kMajor == Major::k ? inner(c) : outer(c));
      const int valid = kMajor == Major::k ? min(count, max(k_left, 0)) : k_left > 0 ? count : 0;
      ptx::cp_async_16(stage + outer(c) * kPitch + inner(c), from[c] + offset, valid * 2);
    }
  }
};

}  // namespace bs::cuda
