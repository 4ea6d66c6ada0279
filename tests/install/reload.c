/* reload LIBRARY: loads it, makes and destroys a handle, unloads it, a hundred times. Nothing may stay: no mapping, no
 * thread, no growing memory. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static long status_field(const char* name) {
  char line[256];
  long value = -1;
  FILE* file = fopen("/proc/self/status", "r");
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, name, strlen(name))) sscanf(line + strlen(name), ": %ld", &value);
  if (file) fclose(file);
  return value;
}

static int mapped(const char* library) {
  char line[4096];
  int found = 0;
  FILE* file = fopen("/proc/self/maps", "r");
  while (file && fgets(line, sizeof line, file)) found |= strstr(line, library) != NULL;
  if (file) fclose(file);
  return found;
}

static int cycle(const char* library) {
  void* handle = NULL;
  void* loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!loaded) return printf("%s\n", dlerror()), 0;
  int32_t (*create)(void**, int32_t, int32_t) = (int32_t(*)(void**, int32_t, int32_t))dlsym(loaded, "bsCreateOn");
  int32_t (*destroy)(void*) = (int32_t(*)(void*))dlsym(loaded, "bsDestroy");
  int32_t (*bad)(int32_t*) = (int32_t(*)(int32_t*))dlsym(loaded, "bsGetVersion");
  if (!create || !destroy || !bad) return puts("a function is missing"), 0;
  if (create(&handle, 1, 0) || destroy(handle) || !bad(NULL)) return puts("unexpected status"), 0;
  return !dlclose(loaded);
}

int main(int argc, char** argv) {
  long memory = 0, growth;
  const char* name = argc > 1 ? strrchr(argv[1], '/') + 1 : "";
  for (int i = 0; i < 100; ++i) {
    if (!cycle(argv[1])) return 1;
    if (i == 9) memory = status_field("VmRSS");
  }
  growth = status_field("VmRSS") - memory;
  printf("threads %ld, growth %ld kB, %s\n", status_field("Threads"), growth,
         mapped(name) ? "still mapped" : "unmapped");
  return status_field("Threads") != 1 || growth > 512 || mapped(name);
}
