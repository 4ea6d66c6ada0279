// Real files of the Deep Learning Matrix Collection, where BSPARSE_DLMC names a folder of them.
#include "support/catch.h"

#include <cstdlib>
#include <filesystem>

#include "invariants.h"

TEST_CASE("every .smtx file under BSPARSE_DLMC is read and sound", "[dlmc]") {
  const char* const folder = std::getenv("BSPARSE_DLMC");
  if (!folder) BS_SKIP("BSPARSE_DLMC names no folder of .smtx files");
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".smtx") continue;
    const auto matrix = bs::io::read_matrix_file(entry.path().string());
    if (!matrix) FAIL(matrix.error().text());
    CHECK(is_sound(*matrix));
    ++files;
  }
  CHECK(files > 0);
}
