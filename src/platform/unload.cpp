// Part of libbsparse.so alone, whose libstdc++ is its own: that keeps 72 kB in reserve for exceptions thrown when
// memory has run out, and would leave them behind every time the library is unloaded.
namespace __gnu_cxx {
void __freeres();  // libstdc++'s own function for this
}

namespace {

[[gnu::destructor]] void free_reserve() {
  __gnu_cxx::__freeres();
}

}  // namespace
