// bsMatDescr_t: what the user said of a matrix, and what analysis found.
#pragma once

#include "api/boundary.h"
#include "engine/structure.h"
#include "model/device.h"
#include "model/matrix_view.h"

namespace bs {

// How a matrix may use arrays it is given.
enum class Access { write, read };

struct Analysis {
  bsAnalyzeFlags_t flags = 0;  // 0: none in force
  AnalysisLayout layout;
  void* buffer = nullptr;
  SparsityStats stats;
  bool pack_stale = false;         // values changed since they were packed
  Backend backend = Backend::cpu;  // the device whose memory the buffer is; on others only the statistics count
  int ordinal = 0;
};

}  // namespace bs

struct bsMatrix {
  static constexpr bs::Tag kTag = bs::Tag::matrix;
  static constexpr const char* kKind = "a matrix descriptor";
  bs::Tag tag = kTag;
  bs::MatrixView view;
  bs::Analysis analysis;
  int64_t counted = -1;  // entries that bsConvert_count found for this destination; -1: not counted
  ~bsMatrix() { bs::bury(tag); }
};
