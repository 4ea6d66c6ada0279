// The life of a handle, and what is set on it.
#include "api/context.h"

#include <optional>

#include "api/environment.h"

namespace bs {

void LogSink::write(const char* line) const {
  if (callback) return callback(user, line);
  std::FILE* out = file ? file.get() : stderr;
  std::fprintf(out, "%s\n", line);
  std::fflush(out);
}

namespace {

constexpr int kCurrentDevice = -1;

Status open_machine(Backend backend, int ordinal, const CpuSettings& settings, std::unique_ptr<Machine>* machine) {
  return backend == Backend::cpu ? open_cpu(settings, machine) : open_cuda(ordinal, machine);
}

Status create(Backend backend, int ordinal, bsHandle_t* handle) {
  CpuSettings settings;
  auto context = std::make_unique<bsContext>();
  BS_TRY(read_cpu_settings(&settings));
  BS_TRY(read_log(&context->log));
  BS_TRY(open_machine(backend, ordinal, settings, &context->machine));
  *handle = context.release();
  return kSuccess;
}

Status check_place(bsBackend_t backend, int32_t device) {
  if (backend != BS_BACKEND_CPU && backend != BS_BACKEND_CUDA)
    return fail(BS_STATUS_INVALID_VALUE, "backend is %d, must be BS_BACKEND_CPU (1) or BS_BACKEND_CUDA (2)", backend);
  if (device < 0) return fail(BS_STATUS_INVALID_SIZE, "device is %d, must be >= 0", device);
  if (backend == BS_BACKEND_CPU && device > 0)
    return fail(BS_STATUS_INVALID_SIZE, "device is %d, must be 0 on the CPU backend", device);
  return kSuccess;
}

// Getters: *out = read(context).
template <class Value, class Read>
bsStatus_t get(const char* function, bsHandle_t handle, Value* out, const char* argument, Read&& read) {
  return api(function, [&]() -> Status {
    BS_TRY(check_object(handle, "handle"));
    BS_TRY(check_pointer(out, argument));
    *out = read(*handle);
    return kSuccess;
  });
}

}  // namespace
}  // namespace bs

using bs::Status;

bsStatus_t bsCreate(bsHandle_t* handle) {
  return bs::api("bsCreate", [&]() -> Status {
    BS_TRY(bs::check_pointer(handle, "handle"));
    *handle = nullptr;
    std::optional<bs::Backend> backend;
    BS_TRY(bs::read_backend(&backend));
    if (!backend) backend = bs::cuda_compiled() && bs::cuda_present() ? bs::Backend::cuda : bs::Backend::cpu;
    return bs::create(*backend, bs::kCurrentDevice, handle);
  });
}

bsStatus_t bsCreateOn(bsHandle_t* handle, bsBackend_t backend, int32_t device) {
  return bs::api("bsCreateOn", [&]() -> Status {
    BS_TRY(bs::check_pointer(handle, "handle"));
    *handle = nullptr;
    BS_TRY(bs::check_place(backend, device));
    return bs::create(static_cast<bs::Backend>(backend), device, handle);
  });
}

bsStatus_t bsDestroy(bsHandle_t handle) {
  return bs::api("bsDestroy", [&]() -> Status {
    if (!handle) return bs::kSuccess;
    BS_TRY(bs::check_object(handle, "handle"));
    delete handle;
    return bs::kSuccess;
  });
}

bsStatus_t bsSetStream(bsHandle_t handle, bsStream_t stream) {
  return bs::api("bsSetStream", [&]() -> Status {
    BS_TRY(bs::check_object(handle, "handle"));
    handle->stream = stream;
    return bs::kSuccess;
  });
}

bsStatus_t bsGetStream(bsHandle_t handle, bsStream_t* stream) {
  return bs::get("bsGetStream", handle, stream, "stream", [](const bsContext& c) { return c.stream; });
}

bsStatus_t bsSetPointerMode(bsHandle_t handle, bsPointerMode_t mode) {
  return bs::api("bsSetPointerMode", [&]() -> Status {
    BS_TRY(bs::check_object(handle, "handle"));
    if (mode != BS_POINTER_MODE_HOST && mode != BS_POINTER_MODE_DEVICE)
      return bs::fail(BS_STATUS_INVALID_VALUE,
                      "mode is %d, must be BS_POINTER_MODE_HOST (0) or BS_POINTER_MODE_DEVICE (1)", mode);
    handle->pointer_mode = mode;
    return bs::kSuccess;
  });
}

bsStatus_t bsGetPointerMode(bsHandle_t handle, bsPointerMode_t* mode) {
  return bs::get("bsGetPointerMode", handle, mode, "mode", [](const bsContext& c) { return c.pointer_mode; });
}

bsStatus_t bsSetNumThreads(bsHandle_t handle, int32_t threads) {
  return bs::api("bsSetNumThreads", [&]() -> Status {
    BS_TRY(bs::check_object(handle, "handle"));
    if (threads < 1 || threads > bs::kMaxThreads)
      return bs::fail(BS_STATUS_INVALID_SIZE, "threads is %d, must be from 1 to %d", threads, bs::kMaxThreads);
    handle->machine->set_threads(threads);
    handle->forget_choices();
    return bs::kSuccess;
  });
}

bsStatus_t bsGetNumThreads(bsHandle_t handle, int32_t* threads) {
  return bs::get("bsGetNumThreads", handle, threads, "threads",
                 [](const bsContext& c) { return c.machine->threads(); });
}

bsStatus_t bsGetBackend(bsHandle_t handle, bsBackend_t* backend) {
  return bs::get("bsGetBackend", handle, backend, "backend",
                 [](const bsContext& c) { return static_cast<bsBackend_t>(c.machine->device().backend); });
}

bsStatus_t bsGetDevice(bsHandle_t handle, int32_t* device) {
  return bs::get("bsGetDevice", handle, device, "device",
                 [](const bsContext& c) { return c.machine->device().ordinal; });
}

bsStatus_t bsGetDeviceName(bsHandle_t handle, const char** name) {
  return bs::get("bsGetDeviceName", handle, name, "name",
                 [](const bsContext& c) { return static_cast<const char*>(c.machine->device().name); });
}

bsStatus_t bsSetLogCallback(bsHandle_t handle, bsLogCallback_t callback, void* user) {
  return bs::api("bsSetLogCallback", [&]() -> Status {
    BS_TRY(bs::check_object(handle, "handle"));
    handle->log.select = callback != nullptr;
    handle->log.callback = callback;
    handle->log.user = user;
    return bs::kSuccess;
  });
}
