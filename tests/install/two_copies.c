/* two_copies FIRST SECOND: two copies of the library in one process, each with its own handles, messages and threads,
 * and one goes while the other stays. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct bsContext* handle_t;
typedef struct {
  void* library;
  int32_t (*create)(handle_t*, int32_t, int32_t);
  int32_t (*destroy)(handle_t);
  int32_t (*set_threads)(handle_t, int32_t);
  const char* (*message)(void);
  handle_t handle;
} Copy;

static int open_copy(Copy* copy, const char* path) {
  copy->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!copy->library) return printf("%s\n", dlerror()), 0;
  *(void**)&copy->create = dlsym(copy->library, "bsCreateOn");
  *(void**)&copy->destroy = dlsym(copy->library, "bsDestroy");
  *(void**)&copy->set_threads = dlsym(copy->library, "bsSetNumThreads");
  *(void**)&copy->message = dlsym(copy->library, "bsGetLastErrorMessage");
  return copy->create && copy->destroy && copy->set_threads && copy->message && copy->create(&copy->handle, 1, 0) == 0;
}

static int expect(int condition, const char* what) {
  if (!condition) printf("%s\n", what);
  return condition;
}

int main(int argc, char** argv) {
  Copy first, second;
  int ok = argc == 3 && expect(open_copy(&first, argv[1]) && open_copy(&second, argv[2]), "cannot load both");
  if (!ok) return 1;
  ok = expect(first.create != second.create, "the same copy twice");
  ok = expect(first.set_threads(first.handle, 0) == 12 && strstr(first.message(), "threads is 0"), "no message") && ok;
  ok = expect(second.message()[0] == '\0', "the second copy has the first one's message") && ok;
  ok = expect(first.set_threads(first.handle, 3) == 0 && second.set_threads(second.handle, 3) == 0, "no threads") && ok;
  ok = expect(first.destroy(first.handle) == 0 && dlclose(first.library) == 0, "the first does not go") && ok;
  ok =
      expect(second.set_threads(second.handle, 2) == 0 && second.destroy(second.handle) == 0, "the second broke") && ok;
  return !(expect(dlclose(second.library) == 0, "the second does not go") && ok);
}
