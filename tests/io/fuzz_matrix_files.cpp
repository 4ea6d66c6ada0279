// libFuzzer target: the first byte chooses the reader, the rest is the file.
#include <cstdint>
#include <cstdlib>

#include "invariants.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto result = data[0] & 1 ? bs::io::read_smtx(text) : bs::io::read_mtx(text, {.rows = 1 << 16});
  if (!is_sound(result, text)) std::abort();
  return 0;
}
