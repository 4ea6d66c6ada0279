// CSR SpMM on CUDA cores with B in shared memory: a CTA owns up to a few hundred rows of op(S) and a strip of columns,
// keeps all its sums in registers, and walks K in panels of B, two of them in shared memory: the last warp to leave one
// has the copy engine fill it anew, so nobody waits but for a panel still on its way. A group of lanes owns a few rows;
// their columns ascend, so an entry is looked at when its panel is there, and a row goes on where it stopped. Rows are
// dealt to the CTAs in turn from the row order of analysis, so that all CTAs have equal work and the groups of a warp
// rows of equal length.
//
// What bounds it: 128 bytes a clock and SM out of shared memory. An entry costs its piece of the panel (512 bytes: 4
// clocks), 8 bytes for place and value shared by the rows of a warp (1/4 clock) and the staging of those: with f32 and
// 128 columns 16.5 TFLOP/s less a tenth on an H200. 16-bit types are bound by the instructions that widen them.
#include <climits>

#include "cuda/common/csr_panel.h"
#include "cuda/common/launch.h"
#include "cuda/common/pack_dense.h"
#include "cuda/common/tensor_map.h"
#include "cuda/common/transposed_index.h"
#include "cuda/device/arch.cuh"
#include "cuda/device/epilogue.cuh"
#include "cuda/device/ptx/bulk_tensor.cuh"
#include "cuda/device/ptx/mbarrier.cuh"
#include "cuda/device/sparse.cuh"
#include "engine/cost.h"
#include "engine/kernel.h"

namespace bs::cuda {
namespace {

using csr_panel::Cursor;
using csr_panel::Cut;
using csr_panel::has_policy;
using csr_panel::kFixedBytes;
using csr_panel::kPanels;
using csr_panel::kPolicies;
using csr_panel::kPolicyCount;
using csr_panel::kThreads;
using csr_panel::kWarps;
using csr_panel::Policy;
using csr_panel::policy_for;
using csr_panel::Shared;
using csr_panel::Staged;

using Types = TypeList<float, Half, BFloat16>;

template <class T>
constexpr int kPerVector = 16 / static_cast<int>(sizeof(T));

struct Extent {
  int64_t m, n, k, batch, reduce;
  int64_t row_blocks, strips;
  int height;     // rows of a panel
  int boxes;      // copies of a panel
  bool shared_b;  // one B for all inputs
};

struct Tile {
  int64_t row_block, column0, result;
  __device__ Tile(const Extent& x, int columns)
      : row_block(blockIdx.x % x.row_blocks),
        column0(blockIdx.x / x.row_blocks % x.strips * columns),
        result(blockIdx.x / x.row_blocks / x.strips) {}
};

// The rows of a CTA in falling length fill slot after slot over all warps, there and back, so that the warps' sums are
// about equal. -1: none.
template <int kPolicy>
__device__ int64_t row_of(const SparseRows& rows, const Extent& x, const Tile& t, int warp, int slot, int row) {
  const int turn = slot % 2 == 0 ? warp : kWarps - 1 - warp;
  const int64_t place = (static_cast<int64_t>(slot) * kWarps + turn) * kPolicies[kPolicy].rows() + row;
  const int64_t at = place * x.row_blocks + t.row_block;
  return at >= x.m ? -1 : rows.order ? rows.order[at] : at;
}

// The panels of all inputs, one after the other.
template <int kPolicy>
struct Feed {
  static constexpr int kRowBytes = kPolicies[kPolicy].row_bytes();
  Shared<kPolicy>& shared;
  const CUtensorMap& map;
  const Extent& x;
  int64_t result, panels;  // of one input
  int column0;

  __device__ int64_t total() const { return panels * x.reduce; }
  __device__ int offset(int64_t step) const {
    return kFixedBytes<kPolicy> + static_cast<int>(step % kPanels) * x.height * kRowBytes;
  }
  __device__ void open() const {
    if (threadIdx.x == 0) {
      for (int i = 0; i < kPanels; ++i) ptx::mbarrier_init(&shared.full[i], 1), shared.left[i] = 0;
      ptx::mbarrier_init_fence();
      for (int64_t step = 0; step < kPanels && step < total(); ++step) request(step);
    }
    __syncthreads();
  }
  __device__ void request(int64_t step) const {
    uint64_t* full = &shared.full[step % kPanels];
    char* to = reinterpret_cast<char*>(&shared) + offset(step);
    const int rows = x.height / x.boxes, row0 = static_cast<int>(step % panels * x.height);
    const int input = x.shared_b ? 0 : static_cast<int>(result + step / panels);
    ptx::mbarrier_arrive_expect(full, static_cast<uint32_t>(x.height * kRowBytes));
    for (int i = 0; i < x.boxes; ++i)
      ptx::load_box(to + i * rows * kRowBytes, &map, full, column0, row0 + i * rows, 0, input);
  }
  __device__ void wait(int64_t step) const {
    ptx::mbarrier_wait(&shared.full[step % kPanels], static_cast<uint32_t>(step / kPanels % 2));
  }
  // By one lane, when its warp has read all it needs.
  __device__ void leave(int64_t step) const {
    __threadfence_block();
    const unsigned before = atomicAdd(&shared.left[step % kPanels], 1);
    __threadfence_block();
    if (before % kWarps == kWarps - 1 && step + kPanels < total()) request(step + kPanels);
  }
};

// One input as the warps read it.
struct Input {
  const SparseRows& rows;
  int64_t index_base, value_base;  // of its first entry
  __device__ Input(const SparseRows& rows_, int64_t input) : rows(rows_) {
    const int64_t first = rows.begin(input, 0);
    index_base = input * rows.pattern.index_stride + first;
    value_base = input * rows.value_stride + (rows.positions ? 0 : first);
  }
};

// The next chunk of each row of a warp, on its way from memory.
template <class T, int kPolicy>
struct Chunk {
  static constexpr Policy P = kPolicies[kPolicy];
  static constexpr int kLoads = P.rows() * P.loads;
  int column[kLoads];  // base included; INT_MAX: the row has no such entry
  T value[kLoads];

  __device__ void load(const Input& x, const Cursor* cursors) {
    int q[kLoads];
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const Cursor cursor = cursors[i / P.loads];
      const int at = cursor.next + i % P.loads * kWarpSize + threadIdx.x % kWarpSize;
      q[i] = at < cursor.end ? at : -1;
    }
    if (x.rows.index_type == IndexType::i32) {
      const int32_t* indices = static_cast<const int32_t*>(x.rows.pattern.indices) + x.index_base;
#pragma unroll
      for (int i = 0; i < kLoads; ++i) column[i] = q[i] >= 0 ? __ldg(indices + q[i]) : INT_MAX;
    } else {
      const int64_t* indices = static_cast<const int64_t*>(x.rows.pattern.indices) + x.index_base;
#pragma unroll
      for (int i = 0; i < kLoads; ++i) column[i] = q[i] >= 0 ? static_cast<int>(indices[q[i]]) : INT_MAX;
    }
    const T* values = static_cast<const T*>(x.rows.values) + x.value_base;
    if (!x.rows.positions) {
#pragma unroll
      for (int i = 0; i < kLoads; ++i) value[i] = q[i] >= 0 ? values[q[i]] : T{};
      return;
    }
#pragma unroll
    for (int i = 0; i < kLoads; ++i)
      value[i] = q[i] >= 0 ? values[load_index(x.rows.offset_type, x.rows.positions, x.index_base + q[i])] : T{};
  }
};

// The part of K that is in shared memory.
struct Panel {
  int first, end;  // columns of op(S), base included
  int offset;      // of row `first`
};

// Stages what of the chunks lies in the panel. The count of this lane's row; `more`: some row filled its chunk.
template <class T, int kPolicy>
__device__ int stage(const Chunk<T, kPolicy>& chunk, Cursor* cursors, Staged (*staged)[kPolicies[kPolicy].chunk() + 1],
                     const Panel& panel, bool* more) {
  constexpr Policy P = kPolicies[kPolicy];
  const int lane = threadIdx.x % kWarpSize;
  int mine = 0;
  *more = false;
#pragma unroll
  for (int r = 0; r < P.rows(); ++r) {
    int count = 0;
#pragma unroll
    for (int l = 0; l < P.loads; ++l) {
      const int i = r * P.loads + l;
      const bool inside = chunk.column[i] < panel.end;
      if (inside)
        staged[r][l * kWarpSize + lane] = {panel.offset + (chunk.column[i] - panel.first) * P.row_bytes(),
                                           widen<float>(chunk.value[i])};
      count += __popc(__ballot_sync(kFullWarp, inside));
    }
    if (lane == r) cursors[r].next += count;
    if (lane / (P.lanes * P.sharing) == r) mine = count;
    *more |= count == P.chunk();
  }
  __syncwarp();
  return mine;
}

template <class T, int kVectors>
__device__ __forceinline__ void add(float (&sum)[kVectors * kPerVector<T>], float value, const uint4 (&raw)[kVectors]) {
#pragma unroll
  for (int v = 0; v < kVectors; ++v) {
    const T* elements = reinterpret_cast<const T*>(&raw[v]);
#pragma unroll
    for (int e = 0; e < kPerVector<T>; ++e) sum[v * kPerVector<T> + e] += value * widen<float>(elements[e]);
  }
}

// Entries e, e + sharing, … before `count` of a row; `lane_base`: shared memory, at this lane's first vector.
template <class T, int kPolicy>
__device__ __forceinline__ void add_entries(float (&sum)[kPolicies[kPolicy].vectors * kPerVector<T>],
                                            const Staged* staged, int e, int count, const char* lane_base) {
  constexpr Policy P = kPolicies[kPolicy];
  const auto load = [&](uint4(&raw)[P.vectors], int offset) {
#pragma unroll
    for (int v = 0; v < P.vectors; ++v) raw[v] = *reinterpret_cast<const uint4*>(lane_base + offset + v * P.lanes * 16);
  };
#pragma unroll 1
  for (; e + (P.unroll - 1) * P.sharing < count; e += P.unroll * P.sharing) {
    Staged entry[P.unroll];
    uint4 raw[P.unroll][P.vectors];
#pragma unroll
    for (int u = 0; u < P.unroll; ++u) entry[u] = staged[e + u * P.sharing];
#pragma unroll
    for (int u = 0; u < P.unroll; ++u) load(raw[u], entry[u].offset);
#pragma unroll
    for (int u = 0; u < P.unroll; ++u) add<T, P.vectors>(sum, entry[u].value, raw[u]);
  }
#pragma unroll 1
  for (; e < count; e += P.sharing) {  // never padded: 0 * NaN of a row that is not referred to must not appear
    uint4 raw[P.vectors];
    const Staged entry = staged[e];
    load(raw, entry.offset);
    add<T, P.vectors>(sum, entry.value, raw);
  }
}

template <class T, int kPolicy>
struct Adder {
  static constexpr Policy P = kPolicies[kPolicy];
  static constexpr int kWidth = P.vectors * kPerVector<T>;
  float sum[P.slots][kWidth] = {};
  int warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  int slots;  // in use
  Chunk<T, kPolicy> chunk;

  __device__ Adder(const Extent& x, const Tile& t) {
    const int64_t rows = (x.m - t.row_block + x.row_blocks - 1) / x.row_blocks, at_once = kWarps * P.rows();
    slots = static_cast<int>((rows + at_once - 1) / at_once);
  }

  __device__ void open(Shared<kPolicy>& shared, const Input& input, const Extent& x, const Tile& t, int64_t number) {
    __syncwarp();
    if (lane < P.slots * P.rows()) {
      const int slot = lane / P.rows(), row = lane % P.rows();
      const SparseRows& rows = input.rows;
      const int64_t i = row_of<kPolicy>(rows, x, t, warp, slot, row), first = rows.begin(number, 0);
      shared.cursors[warp][slot][row] = i < 0 ? Cursor{0, 0}
                                              : Cursor{static_cast<int>(rows.begin(number, i) - first),
                                                       static_cast<int>(rows.end(number, i) - first)};
    }
    __syncwarp();
    if (P.ahead) chunk.load(input, shared.cursors[warp][0]);
  }

  __device__ void add_panel(Shared<kPolicy>& shared, const Input& input, const Panel& panel, const char* memory) {
    auto* staged = shared.staged[warp];
    const char* lane_base = memory + lane % P.lanes * 16;
#pragma unroll
    for (int s = 0; s < P.slots; ++s) {
      bool more = s < slots;
#pragma unroll 1
      while (more) {
        if (!P.ahead) chunk.load(input, shared.cursors[warp][s]);
        const int count = stage<T, kPolicy>(chunk, shared.cursors[warp][s], staged, panel, &more);
        if (P.ahead) chunk.load(input, shared.cursors[warp][more ? s : s + 1 < slots ? s + 1 : 0]);
        add_entries<T, kPolicy>(sum[s], staged[lane / (P.lanes * P.sharing)], lane / P.lanes % P.sharing, count,
                                lane_base);
        __syncwarp();
      }
    }
  }

  // What the groups that share a row have, always in the same order.
  __device__ void fold() {
#pragma unroll
    for (int step = P.lanes; step < P.lanes * P.sharing; step *= 2)
#pragma unroll
      for (int s = 0; s < P.slots; ++s)
#pragma unroll
        for (int e = 0; e < kWidth; ++e) sum[s][e] += __shfl_xor_sync(kFullWarp, sum[s][e], step);
  }

  __device__ void store(const SparseRows& rows, const Extent& x, const Tile& t, const Epilogue<float>& epilogue) const {
#pragma unroll
    for (int s = 0; s < P.slots; ++s) {
      const int64_t i = row_of<kPolicy>(rows, x, t, warp, s, lane / (P.lanes * P.sharing));
      if (i < 0 || lane / P.lanes % P.sharing != 0) continue;
#pragma unroll
      for (int v = 0; v < P.vectors; ++v)
        epilogue.template store_vector<T>(t.result, i, t.column0 + (v * P.lanes + lane % P.lanes) * kPerVector<T>, x.n,
                                          sum[s] + v * kPerVector<T>);
    }
  }
};

template <class T, int kPolicy>
__global__ void __launch_bounds__(kThreads, 1)
    panel(SparseRows rows, const __grid_constant__ CUtensorMap map, Extent x, Epilogue<float> epilogue) {
#if __CUDA_ARCH__ >= 900  // older devices have no copy engine; supports refuses them
  constexpr Policy P = kPolicies[kPolicy];
  extern __shared__ __align__(128) char memory[];
  auto& shared = *reinterpret_cast<Shared<kPolicy>*>(memory);
  const Tile t(x, P.row_bytes() / static_cast<int>(sizeof(T)));
  if (epilogue.scalars.alpha() == 0) x.reduce = 0;
  const Feed<kPolicy> feed{shared, map, x, t.result, (x.k + x.height - 1) / x.height, static_cast<int>(t.column0)};
  feed.open();
  Adder<T, kPolicy> adder(x, t);
  int64_t step = 0;
  for (int64_t r = 0; r < x.reduce; ++r) {
    const Input input(rows, t.result + r);
    adder.open(shared, input, x, t, t.result + r);
    for (int64_t k0 = 0; k0 < x.k; k0 += x.height, ++step) {
      feed.wait(step);
      adder.add_panel(shared, input,
                      {.first = static_cast<int>(k0) + rows.base,
                       .end = static_cast<int>(min(k0 + x.height, x.k)) + rows.base,
                       .offset = feed.offset(step)},
                      memory);
      if (adder.lane == 0) feed.leave(step);
    }
  }
  if (P.sharing > 1) adder.fold();
  adder.store(rows, x, t, epilogue);
#endif
}

bool needs_packing(const SpmmProblem& p) {
  return p.b_layout != Layout::row || p.constraints.alignment < 16;
}

Verdict supports(const SpmmProblem& p, const Device& d) {
  BS_REQUIRE(d.compute_capability >= 90 && d.smem_per_cta >= 200 << 10);
  BS_REQUIRE(p.s.format == Format::csr);
  BS_REQUIRE(Types::has(p.s.dtype) && p.s.dtype == p.b_type);
  BS_REQUIRE(p.s.transposed || (p.s.stats.known && p.s.stats.sorted));  // a transposed index ascends by its making
  BS_REQUIRE(p.k <= INT32_MAX - 65536 && p.n <= INT32_MAX - 65536);     // coordinates
  BS_REQUIRE(p.s.nnz <= INT32_MAX - 256);                               // cursors
  return kAccept;
}

Plan plan(const SpmmProblem& p, const Device& d) {
  const int policy = policy_for(p, d);
  const int64_t inputs = p.batch * p.reduce;
  const double gigahertz = 1.9;
  const double element = static_cast<double>(size_of(p.b_type));
  const double dense_bytes = product_of(p.k, p.n, inputs) * element;
  const double extra_us = needs_packing(p) ? d.launch_us + 2 * dense_bytes / (d.memory_gbs * 1e3 * 0.7) : 0;
  const double index_us = p.s.transposed && !p.s.has_transpose ? 8 * d.launch_us : 0;
  const double result_bytes = product_of(p.m, p.n, p.batch, size_of(p.c_type));
  return {.cost_us = d.launch_us + extra_us + index_us + Cut(p, d, policy).clocks / (gigahertz * 1e3) +
                     result_bytes / (d.memory_gbs * 1e3),
          .workspace_bytes = saturating_add(transposed_index_bytes(p.s, inputs),
                                            needs_packing(p) ? packed_bytes(p.k, p.n, p.b_type, inputs) : 0),
          .policy = policy};
}

template <class T, int kPolicy>
Status launch_as(const SpmmProblem& p, const SpmmOperands& o, const PackedDense& b, const Exec& e) {
  using D = on_device_t<T>;
  constexpr Policy P = kPolicies[kPolicy];
  const Cut cut(p, *e.device, kPolicy);
  const int64_t ctas = saturating_mul(cut.row_blocks, cut.strips, p.batch);
  if (ctas == 0 || p.m == 0) return kSuccess;
  if (ctas > INT32_MAX)
    return fail(BS_STATUS_NOT_SUPPORTED, "the product needs %lld CTAs", static_cast<long long>(ctas));
  const Extent extent{.m = p.m,
                      .n = p.n,
                      .k = p.k,
                      .batch = p.batch,
                      .reduce = p.s.nnz > 0 ? p.reduce : 0,
                      .row_blocks = cut.row_blocks,
                      .strips = cut.strips,
                      .height = cut.height,
                      .boxes = cut.boxes,
                      .shared_b = b.stride == 0};
  CUtensorMap map{};
  if (p.k > 0 && extent.reduce > 0)
    BS_TRY(make_panel_map({.data = b.data,
                           .rows = p.k,
                           .cols = p.n,
                           .ld = b.ld,
                           .inputs = p.batch * p.reduce,
                           .stride = b.stride,
                           .dtype = p.b_type,
                           .box_rows = cut.height / cut.boxes,
                           .box_cols = P.row_bytes() / static_cast<int>(sizeof(D))},
                          &map));
  const auto kernel = panel<D, kPolicy>;
  const int bytes = kFixedBytes<kPolicy> + kPanels * cut.height * P.row_bytes();
  BS_TRY(
      cuda_status(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory"));
  kernel<<<static_cast<unsigned>(ctas), kThreads, static_cast<size_t>(bytes), static_cast<cudaStream_t>(e.stream)>>>(
      SparseRows::from(p.s, o.s), map, extent, Epilogue<float>::from(p, o));
  return launched("spmm_csr_panel");
}

Status launch(const SpmmProblem& p, const Plan& plan, const SpmmOperands& given, const Exec& e) {
  SpmmOperands o = given;
  const int64_t inputs = p.batch * p.reduce;
  BS_TRY(ensure_transposed_index(p.s, inputs, e.workspace, e, &o.s));
  PackedDense b{.data = o.b, .ld = p.ldb, .stride = o.b_stride};
  if (needs_packing(p))
    BS_TRY(pack_dense(DenseSource::b_of(p, o), static_cast<char*>(e.workspace) + transposed_index_bytes(p.s, inputs), e,
                      &b));
  Status status = kSuccess;
  Types::with(p.b_type, [&]<class T>() {
    with_index<kPolicyCount>(plan.policy, [&]<int I>() {
      if constexpr (has_policy(dtype_of<T>, I)) status = launch_as<T, I>(p, o, b, e);
    });
  });
  return status;
}

}  // namespace
}  // namespace bs::cuda

BS_DEFINE_SPMM_KERNEL(cuda, csr_panel)
