# What tests/run needs of the machine.

has_header() { echo "#include <$1>" | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1; }

missing_packages() {
  while read -r command package; do
    command -v "$command" >/dev/null || echo "$package"
  done <<'LIST'
g++ g++
cmake cmake
ninja ninja-build
git git
nm binutils
pkg-config pkg-config
clang-format clang-format
gfortran gfortran
python3 python3
LIST
  has_header catch2/catch_all.hpp || has_header catch2/catch.hpp || echo catch2
  has_header CLI/CLI.hpp || echo libcli11-dev
  has_header nlohmann/json.hpp || echo nlohmann-json3-dev
}

# What some tests want and skip by name where it is missing. Modules only where python3 is the system's own.
wanted_packages() {
  command -v abidiff >/dev/null || echo abigail-tools
  command -v clang >/dev/null || echo clang
  command -v doxygen >/dev/null || echo doxygen
  [ "$(command -v python3)" = /usr/bin/python3 ] || return
  for module in cffi numpy scipy; do
    python3 -c "import $module" 2>/dev/null || echo "python3-$module"
  done
}

# Once a machine: what cannot be had is not asked for again at every run.
want_packages() {
  local wanted mark=/var/tmp/bsparse-wanted-packages
  { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; } || return 0
  wanted=$(wanted_packages | tr '\n' ' ')
  [ -n "$wanted" ] && [ "$(cat $mark 2>/dev/null)" != "$wanted" ] || return 0
  progress "installing $wanted, which some tests want"
  apt-get update -qq >/dev/null 2>&1
  for package in $wanted; do
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >>$results/apt.txt 2>&1
  done
  wanted_packages | tr '\n' ' ' >$mark
}

need_packages() {
  local missing
  missing=$(missing_packages | tr '\n' ' ')
  [ -z "$missing" ] && return
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    progress "installing $missing"
    # shellcheck disable=SC2086 # a list of words
    apt-get update -qq >/dev/null 2>&1
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
      >$results/apt.txt 2>&1 || tail -5 $results/apt.txt
    missing=$(missing_packages | tr '\n' ' ')
  fi
  [ -z "$missing" ] && return
  record "not ok prerequisites: install $missing"
  return 1
}
