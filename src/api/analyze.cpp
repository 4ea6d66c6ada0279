// bsMatAnalyze and what hangs on it: packed values, statistics. bsMatCheck.
#include "api/alias.h"
#include "api/launch.h"

namespace bs {
namespace {

constexpr bsAnalyzeFlags_t kAllFlags = BS_ANALYZE_STATS | BS_ANALYZE_ORDER | BS_ANALYZE_TRANSPOSE | BS_ANALYZE_PACK;

Status check_analysis(bsHandle_t handle, const bsMatrix* mat, bsAnalyzeFlags_t flags) {
  BS_TRY(check_object(handle, "handle"));
  BS_TRY(check_object(mat, "mat"));
  if ((flags & ~kAllFlags) != 0)
    return fail(BS_STATUS_INVALID_VALUE, "flags is %d, not a sum of bsAnalyzeFlags_t", flags);
  BS_TRY(require_compressed({"mat", mat}));
  if ((flags & BS_ANALYZE_ORDER) && mat->view.lists() > INT32_MAX)
    return fail(BS_STATUS_NOT_SUPPORTED, "BS_ANALYZE_ORDER takes up to %d rows, mat has %lld", INT32_MAX,
                static_cast<long long>(mat->view.lists()));
  return kSuccess;
}

Status layout_for(bsHandle_t handle, const bsMatrix& mat, bsAnalyzeFlags_t flags, AnalysisLayout* layout) {
  *layout = layout_of_analysis(mat.view, flags, handle->machine->structure());
  if (layout->bytes < INT64_MAX / 2) return kSuccess;
  return fail(BS_STATUS_NOT_SUPPORTED, "an analysis with flags %d would not fit into any memory", flags);
}

Status check_analysis_arrays(const bsMatrix& mat, bsAnalyzeFlags_t flags, const Workspace& buffer) {
  Arrays arrays;
  BS_TRY(arrays.add_structure("mat", mat.view));
  if (flags & BS_ANALYZE_PACK) BS_TRY(arrays.add_values("mat", mat.view, Use::read));
  BS_TRY(arrays.add("buffer", "", buffer.pointer, buffer.bytes, 1, Use::write));
  return arrays.check_aliases();
}

Status analyze(bsHandle_t handle, bsMatrix* mat, bsAnalyzeFlags_t flags, const Workspace& buffer) {
  AnalysisLayout layout;
  BS_TRY(check_analysis(handle, mat, flags));
  BS_TRY(check_workspace(buffer, "buffer"));
  BS_TRY(layout_for(handle, *mat, flags, &layout));
  BS_TRY(check_fits(layout.bytes, buffer, "buffer"));
  BS_TRY(check_analysis_arrays(*mat, flags, buffer));
  return on_machine(*handle, [&](Machine& machine) -> Status {
    mat->analysis = {};  // the new one may lie where the old one lay
    SparsityStats stats;
    const Exec exec = machine.exec(handle->stream, nullptr, 0);
    BS_TRY(machine.structure().analyze(mat->view, flags, layout, buffer.pointer, &stats, exec));
    const Device& device = machine.device();
    mat->analysis = {flags, layout, buffer.pointer, stats, false, device.backend, device.ordinal};
    return kSuccess;
  });
}

Status values_changed(bsHandle_t handle, bsMatrix* mat) {
  BS_TRY(check_object(handle, "handle"));
  BS_TRY(check_object(mat, "mat"));
  Analysis& analysis = mat->analysis;
  if (!(analysis.flags & BS_ANALYZE_PACK)) return kSuccess;
  const Device& device = handle->machine->device();
  if (analysis.backend != device.backend || analysis.ordinal != device.ordinal)
    return fail(BS_STATUS_INVALID_HANDLE, "mat was packed on device %d of backend %s, handle is of another",
                analysis.ordinal, name_of(analysis.backend));
  Arrays arrays;
  BS_TRY(arrays.add_structure("mat", mat->view));
  BS_TRY(arrays.add_values("mat", mat->view, Use::read));
  return on_machine(*handle, [&](Machine& machine) -> Status {
    char* const packed = static_cast<char*>(analysis.buffer) + analysis.layout.packed;
    analysis.pack_stale = true;  // until it is done
    BS_TRY(machine.structure().pack(mat->view, packed, machine.exec(handle->stream, nullptr, 0)));
    analysis.pack_stale = false;
    return kSuccess;
  });
}

Status check_content(bsHandle_t handle, const bsMatrix* mat, bsContent_t* finding, int64_t* position) {
  BS_TRY(check_object(handle, "handle"));
  BS_TRY(check_object(mat, "mat"));
  Finding found;
  Arrays arrays;
  BS_TRY(arrays.add_structure("mat", mat->view));
  const Status status = on_machine(*handle, [&](Machine& machine) {
    const Exec exec = machine.exec(handle->stream, nullptr, 0);
    return mat->view.sparse() ? machine.structure().check(mat->view, &found, exec) : kSuccess;
  });
  if (!status.ok() && status.code != BS_STATUS_INVALID_CONTENT) return status;
  if (finding) *finding = found.content;
  if (position) *position = found.position;
  return status;
}

double density_of(const MatrixView& v, const SparsityStats& stats) {
  const double all = static_cast<double>(v.rows) * static_cast<double>(v.cols);
  const double stored = static_cast<double>(stats.nnz) * static_cast<double>(v.block_rows * v.block_cols);
  return all > 0 ? stored / all : 0;
}

Status statistic(const MatrixView& v, const SparsityStats& s, bsStat_t stat, double* value) {
  const auto is = [value](int64_t number) { *value = static_cast<double>(number); };
  switch (stat) {
    case BS_STAT_NNZ:
      is(s.nnz);
      return kSuccess;
    case BS_STAT_DENSITY:
      *value = density_of(v, s);
      return kSuccess;
    case BS_STAT_ROW_LENGTH_MEAN:
      *value = static_cast<double>(s.row_length_mean_milli) / 1e3;
      return kSuccess;
    case BS_STAT_ROW_LENGTH_STDDEV:
      *value = static_cast<double>(s.row_length_stddev_milli) / 1e3;
      return kSuccess;
    case BS_STAT_ROW_LENGTH_MIN:
      is(s.row_length_min);
      return kSuccess;
    case BS_STAT_ROW_LENGTH_MEDIAN:
      is(s.row_length_median);
      return kSuccess;
    case BS_STAT_ROW_LENGTH_P95:
      is(s.row_length_p95);
      return kSuccess;
    case BS_STAT_ROW_LENGTH_MAX:
      is(s.row_length_max);
      return kSuccess;
    case BS_STAT_EMPTY_ROWS:
      is(s.empty_rows);
      return kSuccess;
    case BS_STAT_EMPTY_COLS:
      is(s.empty_cols);
      return kSuccess;
    case BS_STAT_SORTED:
      is(s.sorted);
      return kSuccess;
    case BS_STAT_OCCUPANCY_8:
    case BS_STAT_OCCUPANCY_16:
    case BS_STAT_OCCUPANCY_32:
    case BS_STAT_OCCUPANCY_64:
      *value = static_cast<double>(s.occupancy_ppm[stat - BS_STAT_OCCUPANCY_8]) / 1e6;
      return kSuccess;
    default:
      return fail(BS_STATUS_INVALID_VALUE, "stat is %d, not a bsStat_t", stat);
  }
}

}  // namespace
}  // namespace bs

bsStatus_t bsMatAnalyze_bufferSize(bsHandle_t handle, bsConstMatDescr_t mat, bsAnalyzeFlags_t flags, int64_t* bytes) {
  return bs::api("bsMatAnalyze_bufferSize", [&]() -> bs::Status {
    bs::AnalysisLayout layout;
    BS_TRY(bs::check_analysis(handle, mat, flags));
    BS_TRY(bs::check_pointer(bytes, "bytes"));
    BS_TRY(bs::layout_for(handle, *mat, flags, &layout));
    *bytes = layout.bytes;
    return bs::kSuccess;
  });
}

bsStatus_t bsMatAnalyze(bsHandle_t handle, bsMatDescr_t mat, bsAnalyzeFlags_t flags, void* buffer, int64_t bytes) {
  return bs::api("bsMatAnalyze", [&]() -> bs::Status { return bs::analyze(handle, mat, flags, {buffer, bytes}); });
}

bsStatus_t bsMatValuesChanged(bsHandle_t handle, bsMatDescr_t mat) {
  return bs::api("bsMatValuesChanged", [&]() -> bs::Status { return bs::values_changed(handle, mat); });
}

bsStatus_t bsMatGetStat(bsConstMatDescr_t mat, bsStat_t stat, double* value) {
  return bs::api("bsMatGetStat", [&]() -> bs::Status {
    BS_TRY(bs::check_object(mat, "mat"));
    BS_TRY(bs::check_pointer(value, "value"));
    if (!(mat->analysis.flags & BS_ANALYZE_STATS)) {
      double ignored;
      BS_TRY(bs::statistic(mat->view, {}, stat, &ignored));
      return bs::fail(BS_STATUS_STALE_ANALYSIS, "mat has no analysis with BS_ANALYZE_STATS in force");
    }
    return bs::statistic(mat->view, mat->analysis.stats, stat, value);
  });
}

bsStatus_t bsMatCheck(bsHandle_t handle, bsConstMatDescr_t mat, bsContent_t* finding, int64_t* position) {
  return bs::api("bsMatCheck", [&]() -> bs::Status { return bs::check_content(handle, mat, finding, position); });
}
