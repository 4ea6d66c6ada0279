// The CUDA runtime as the library sees it in failing_calls.cpp: any one call can fail, and device memory is counted.
// Unless BSPARSE_TEST_BACKEND is "cuda", a runtime stands in that needs no GPU: it keeps device memory on the host and
// runs no kernels.
#pragma once

#include <cstdint>
#include <string>

namespace bs::test {

bool pretended();

// The k-th call from now, counted from 0, fails; -1: none.
void fail_call(int64_t k);
bool call_failed();
const std::string& failed_call();  // its name

void spare_call(const std::string& name);  // from now on it never fails

int64_t live_device_memory();  // allocations
// An error that stays in the runtime until cudaGetLastError takes it, as a program's own mistake does.
void leave_error_behind();
bool take_error();  // whether there was one

}  // namespace bs::test
