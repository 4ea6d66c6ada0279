// Reads the environment. A variable that is set but empty counts as unset; a malformed one is an error, not a default.
#include "api/environment.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace bs {
namespace {

const char* value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value ? value : nullptr;
}

Status malformed(const char* variable, const char* value, const char* expected) {
  return fail(BS_STATUS_INVALID_VALUE, "environment variable %s is '%s', must be %s", variable, value, expected);
}

Status parse_threads(const char* variable, const char* value, std::string_view digits, int* threads) {
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, *threads);
  if (error == std::errc{} && stop == end && *threads >= 1 && *threads <= kMaxThreads) return kSuccess;
  return malformed(variable, value, "a number from 1 to 1024");
}

Status read_threads(int* threads) {
  if (const char* value = value_of("BSPARSE_NUM_THREADS"))
    return parse_threads("BSPARSE_NUM_THREADS", value, value, threads);
  // OpenMP's variable may list a number for each level of nesting; the first is the outermost.
  if (const char* value = value_of("OMP_NUM_THREADS"))
    return parse_threads("OMP_NUM_THREADS", value, std::string_view(value, std::strcspn(value, ",")), threads);
  return kSuccess;
}

Status read_max_isa(Isa* isa) {
  const char* value = value_of("BSPARSE_MAX_ISA");
  if (!value) return kSuccess;
  const std::string_view name = value;
  if (name == "base")
    *isa = Isa::base;
  else if (name == "avx2")
    *isa = Isa::avx2;
  else if (name == "avx512")
    *isa = Isa::avx512;
  else
    return malformed("BSPARSE_MAX_ISA", value, "base, avx2 or avx512");
  return kSuccess;
}

}  // namespace

Status read_backend(std::optional<Backend>* backend) {
  const char* value = value_of("BSPARSE_BACKEND");
  if (!value) return kSuccess;
  const std::string_view name = value;
  if (name == "cpu")
    *backend = Backend::cpu;
  else if (name == "cuda")
    *backend = Backend::cuda;
  else
    return malformed("BSPARSE_BACKEND", value, "cpu or cuda");
  return kSuccess;
}

Status read_cpu_settings(CpuSettings* settings) {
  BS_TRY(read_threads(&settings->threads));
  return read_max_isa(&settings->max_isa);
}

Status read_log(LogSink* log) {
  const char* value = value_of("BSPARSE_LOG");
  if (!value) return kSuccess;
  if (std::string_view(value) != "select") return malformed("BSPARSE_LOG", value, "select");
  log->select = true;
  if (const char* path = value_of("BSPARSE_LOG_FILE")) {
    // Appending: each line is one write, so several handles and processes may share the file.
    log->file.reset(std::fopen(path, "ae"));
    if (!log->file)
      return fail(BS_STATUS_INVALID_VALUE, "environment variable BSPARSE_LOG_FILE is '%s', which cannot be opened: %s",
                  path, std::strerror(errno));
  }
  return kSuccess;
}

}  // namespace bs
