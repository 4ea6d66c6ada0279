// bsMatDescr_t: what the user said of a matrix, and what analysis found.
#pragma once

#include "api/boundary.h"
#include "engine/structure.h"
#include "model/device.h"
#include "model/matrix_view.h"

namespace bs {

struct Analysis {
  bsAnalyzeFlags_t flags = 0;  // 0: none in force
  AnalysisLayout layout;
  void* buffer = nullptr;
  SparsityStats stats;
  bool pack_stale = false;     // values changed since they were packed
};

}  // namespace bs

struct bsMatrix {
  static constexpr bs::Tag kTag = bs::Tag::matrix;
  static constexpr const char* kKind = "a matrix descriptor";
  bs::Tag tag = kTag;
  bs::MatrixView view;
  bs::Analysis analysis;
  ~bsMatrix() { bs::bury(tag); }
};
