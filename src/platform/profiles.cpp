// Devices described in text: a named profile, and properties that change it.
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include "platform/machine.h"

namespace bs {
namespace {

constexpr int64_t kKiB = 1024, kMiB = 1024 * 1024;

// What the machines sustain, not what their data sheets promise, since costs are compared with measured times.
// - H200: measured (random data). HBM reads 4.6 of 4.8 TB/s, L2 reads 8.9 TB/s, f32 FMA 60 of 67 TFLOP/s. A launch is
//   4 us from a stream and 0.5 to 1 in a graph; 2 lies between. cuBLAS bf16 8192^3 makes 655 TFLOP/s at the 700 W
//   limit, 806 to 890 between products that draw less power; the choice is between such products, so 820.
// - H100 SXM: not measured. The same chip: the H200's figures, with 50 MB of L2 and 3.35 TB/s of HBM at the same share.
// - A100 SXM: not measured. Data sheet of the 80 GB version (108 SMs, 40 MB, 2.04 TB/s, 19.5 and 312 TFLOP/s) at 92, 90
//   and 85 %; L2 5120 bytes a clock (A100 white paper) at 1.41 GHz and 70 %.
// - RTX 4090: not measured. Ada white paper (128 SMs, 72 MB, 1.01 TB/s, 82.6 and 165 TFLOP/s with f32 sums) at 92, 85
//   and 90 %; L2 about 5 TB/s as published microbenchmarks have it.
// Shared memory a CTA: CUDA programming guide, technical specifications by compute capability.
constexpr Device kH200{.backend = Backend::cuda,
                       .name = "h200",
                       .compute_capability = 90,
                       .sms = 132,
                       .smem_per_cta = 227 * kKiB,
                       .l2_gbs = 8900,
                       .f32_tflops = 60,
                       .tensor_tflops = 820,
                       .launch_us = 2,
                       .has_cublas = true,
                       .l2_bytes = 60 * kMiB,
                       .memory_gbs = 4600};
constexpr Device kH100{.backend = Backend::cuda,
                       .name = "h100",
                       .compute_capability = 90,
                       .sms = 132,
                       .smem_per_cta = 227 * kKiB,
                       .l2_gbs = 8900,
                       .f32_tflops = 60,
                       .tensor_tflops = 655,
                       .launch_us = 2,
                       .has_cublas = true,
                       .l2_bytes = 50 * kMiB,
                       .memory_gbs = 3200};
constexpr Device kA100{.backend = Backend::cuda,
                       .name = "a100",
                       .compute_capability = 80,
                       .sms = 108,
                       .smem_per_cta = 163 * kKiB,
                       .l2_gbs = 5000,
                       .f32_tflops = 17.5,
                       .tensor_tflops = 265,
                       .launch_us = 2,
                       .has_cublas = true,
                       .l2_bytes = 40 * kMiB,
                       .memory_gbs = 1880};
constexpr Device kRtx4090{.backend = Backend::cuda,
                          .name = "rtx4090",
                          .compute_capability = 89,
                          .sms = 128,
                          .smem_per_cta = 99 * kKiB,
                          .l2_gbs = 5000,
                          .f32_tflops = 70,
                          .tensor_tflops = 149,
                          .launch_us = 2,
                          .has_cublas = true,
                          .l2_bytes = 72 * kMiB,
                          .memory_gbs = 930};
// A desktop processor or a share of a server.
constexpr Device kCpu{.name = "cpu", .cores = 16, .isa = Isa::avx2, .ghz = 3.5, .memory_gbs = 80};

struct Profile {
  std::string_view name;
  const Device& device;
};
constexpr Profile kProfiles[] = {
    {"h200", kH200},       {"h100", kH100}, {"a100", kA100},
    {"rtx4090", kRtx4090}, {"cpu", kCpu},   {"cuda", kH200},  // properties that are not given
};

bool set_simd_bytes(Device& device, double bytes) {
  for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
    device.isa = isa;
    if (device.simd_bytes() == bytes) return true;
  }
  return false;
}

template <auto kMember>
bool set_real(Device& device, double value) {
  device.*kMember = value;
  return true;
}
template <auto kMember, int64_t kUnit = 1>
bool set_integer(Device& device, double value) {
  using Integer = std::remove_reference_t<decltype(device.*kMember)>;
  device.*kMember = static_cast<Integer>(value * kUnit);
  return value >= 1 && value == std::floor(value);
}

// `set` returns false for a value that the property cannot have.
struct Property {
  Backend backend;
  std::string_view key;
  bool (*set)(Device&, double);
};
constexpr Property kProperties[] = {
    {Backend::cpu, "cores", set_integer<&Device::cores>},
    {Backend::cpu, "simd_bytes", set_simd_bytes},
    {Backend::cpu, "ghz", set_real<&Device::ghz>},
    {Backend::cpu, "mem_gbs", set_real<&Device::memory_gbs>},
    {Backend::cuda, "cc", set_integer<&Device::compute_capability>},
    {Backend::cuda, "sms", set_integer<&Device::sms>},
    {Backend::cuda, "l2_mb", set_integer<&Device::l2_bytes, kMiB>},
    {Backend::cuda, "smem_kb", set_integer<&Device::smem_per_cta, kKiB>},
    {Backend::cuda, "mem_gbs", set_real<&Device::memory_gbs>},
    {Backend::cuda, "l2_gbs", set_real<&Device::l2_gbs>},
    {Backend::cuda, "f32_tflops", set_real<&Device::f32_tflops>},
    {Backend::cuda, "tensor_tflops", set_real<&Device::tensor_tflops>},
};

Status refuse(std::string_view item, const char* reason) {
  return fail(BS_STATUS_INVALID_VALUE, "device has '%.*s': %s", static_cast<int>(item.size()), item.data(), reason);
}

// Positive and small enough for every product in the cost models and every integer field.
bool parse_number(std::string_view text, double* value) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc{} && stop == text.data() + text.size() && *value > 0 && *value <= 1e9;
}

Status set_name(std::string_view item, std::string_view name, Device* device) {
  if (name.empty() || name.size() >= sizeof device->name) return refuse(item, "a name has 1 to 63 characters");
  std::memset(device->name, 0, sizeof device->name);
  name.copy(device->name, name.size());
  return kSuccess;
}

Status set_property(std::string_view item, Device* device) {
  const size_t equals = item.find('=');
  if (equals == std::string_view::npos) return refuse(item, "expected KEY=VALUE");
  const std::string_view key = item.substr(0, equals), text = item.substr(equals + 1);
  if (key == "name") return set_name(item, text, device);
  for (const Property& property : kProperties) {
    if (property.backend != device->backend || property.key != key) continue;
    double value;
    if (!parse_number(text, &value)) return refuse(item, "the value must be a number above 0, at most 1e9");
    return property.set(*device, value) ? kSuccess : refuse(item, "the property cannot have this value");
  }
  return refuse(item, "no such property of this kind of device");
}

const Device* find_profile(std::string_view name) {
  for (const Profile& profile : kProfiles)
    if (profile.name == name) return &profile.device;
  return nullptr;
}

}  // namespace

Status parse_device(const char* text, Device* device) {
  std::string_view rest = text;
  const auto next = [&rest]() {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(item.size());
    return item;
  };
  const std::string_view name = next();
  const Device* profile = find_profile(name);
  if (!profile) return refuse(name, "no such profile; known are h200, h100, a100, rtx4090, cpu, cuda");
  Device described = *profile;
  while (!rest.empty()) {
    rest.remove_prefix(1);
    BS_TRY(set_property(next(), &described));
  }
  *device = described;
  return kSuccess;
}

}  // namespace bs
