// Devices described in text.
#include "support/catch.h"

#include <string>

#include "platform/machine.h"

using bs::Device;
using bs::parse_device;

TEST_CASE("a profile is a device, and properties change it in any order") {
  Device device;

  REQUIRE(parse_device("h200", &device).ok());
  CHECK((device.backend == bs::Backend::cuda && device.compute_capability == 90 && device.sms == 132));
  REQUIRE(parse_device("cuda,mem_gbs=1000.5,name=a card,cc=86,smem_kb=99", &device).ok());
  CHECK(std::string(device.name) == "a card");
  CHECK((device.compute_capability == 86 && device.memory_gbs == 1000.5 && device.smem_per_cta == 99 * 1024));
  CHECK(device.sms == 132);  // of the typical device
  REQUIRE(parse_device("cpu,simd_bytes=64,cores=3", &device).ok());
  CHECK((device.backend == bs::Backend::cpu && device.isa == bs::Isa::avx512 && device.cores == 3));
}

TEST_CASE("text that describes no device is refused by its wrong part, and changes nothing") {
  for (const char* text :
       {"", "h300", "H200", "cpu,", "cpu,cores", "cpu,cores=", "cpu,cores=0", "cpu,cores=-1", "cpu,cores=1.5",
        "cpu,cores=4x", "cpu,simd_bytes=17", "cpu,sms=3", "cuda,cores=3", "cuda,cc=nan", "cuda,mem_gbs=inf",
        "cuda,mem_gbs=1e10", "cuda,,cc=90", "cuda,name=", "cuda,speed=9"}) {
    CAPTURE(text);
    Device device;
    device.ordinal = 77;
    bs::last_error().text[0] = 0;

    CHECK(parse_device(text, &device).code == BS_STATUS_INVALID_VALUE);

    CHECK(device.ordinal == 77);
    const std::string part = std::string(text).substr(std::string(text).rfind(',') + 1);
    if (std::string(text) != "cuda,,cc=90")
      CHECK(std::string(bs::last_error().text).find("'" + part + "'") != std::string::npos);
  }
}
