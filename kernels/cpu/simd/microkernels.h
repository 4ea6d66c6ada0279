// The inner loops of the CPU backend, compiled once per instruction set (base.cpp, avx2.cpp, avx512.cpp) and called
// through a table. Sums are float, or double for f64. No loop multiplies by a padding zero: what lies outside the given
// counts is neither read nor written, so that non-finite values stay where the pattern leaves them.
#pragma once

#include <cstdint>

namespace bs::cpu {

// Columns of a panel, the unit of all products with a dense right-hand side: at most this many vectors.
inline constexpr int kPanelVectors = 4;
inline constexpr int kMaxPanel = kPanelVectors * 16;  // of float with the widest vectors
inline constexpr int kBlockRows = 6;                  // rows of sums that `block` keeps in registers

// sums[j] += sum over e of values[e] * dense[(indices[e] - base) * ld + j], j < vectors * lanes
template <class T>
struct RowTask {
  T* sums;
  const void* indices;
  const T* values;
  int64_t count;
  const void* dense;
  int64_t base, ld;
  int vectors;
};

// Part of op(S), `depth` columns wide, and the rows of the dense matrix that it meets.
template <class T>
struct Segment {
  const T* a;      // element (i, d) at a[(first_row + i) * row_step + d * depth_step]
  int64_t offset;  // dense row d at dense[offset + d * ld]
  int64_t depth;
};

// sums[i * sums_ld + j] += sum over segments and their d of a(i, d) * dense(d, j), i < rows <= kBlockRows
template <class T>
struct BlockTask {
  T* sums;
  int64_t sums_ld;
  const Segment<T>* segments;
  int64_t count, first_row, row_step, depth_step;
  const T* dense;
  int64_t ld;
  int rows, vectors;
};

// sum over e of values[e] * x[indices[e] - base]
template <class T>
struct SparseDotTask {
  const void* indices;
  const T* values;
  int64_t count;
  const T* x;
  int64_t base;
};

template <class T>
struct TypedMicrokernels {
  int lanes;
  void (*row[2])(const RowTask<T>&);      // by index_slot; dense of type T
  void (*row_f16[2])(const RowTask<T>&);  // dense of 16-bit floats; null for double
  void (*row_bf16[2])(const RowTask<T>&);
  void (*block)(const BlockTask<T>&);
  T (*sparse_dot[2])(const SparseDotTask<T>&);  // by index_slot
  void (*scale)(T* x, T factor, int64_t count);
};

struct Microkernels {
  TypedMicrokernels<float> f32;
  TypedMicrokernels<double> f64;
  void (*widen_f16)(const void* from, float* to, int64_t count);
  void (*widen_bf16)(const void* from, float* to, int64_t count);
  void (*narrow_f16)(const float* from, void* to, int64_t count);  // to nearest even
  void (*narrow_bf16)(const float* from, void* to, int64_t count);

  template <class T>
  const TypedMicrokernels<T>& of() const {
    if constexpr (sizeof(T) == 8)
      return f64;
    else
      return f32;
  }
};

// `isa` as in Exec. What the build has no code for is served by the next lower set.
const Microkernels& microkernels(int isa);

}  // namespace bs::cpu
