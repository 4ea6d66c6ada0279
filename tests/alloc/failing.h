// operator new of this program: counts, and fails where it is told to.
#pragma once

#include <cstdint>

namespace bs::test {

void fail_allocation(int64_t k);  // the k-th from now, counted from 0; -1: none
bool allocation_failed();         // since fail_allocation
int64_t live_allocations();       // news without their deletes

}  // namespace bs::test
