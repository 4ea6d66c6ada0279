# Results of tests/run: one line a test case in build/results/all.txt, as tests/support/main.cpp writes them.
results=build/results

start_results() {
  rm -rf $results && mkdir -p $results
  : >$results/all.txt
}
progress() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }
record() { printf '%s\n' "$1" >>$results/all.txt; }
count() { grep -c "^$1 " $results/all.txt; }
tally() { echo "so far $(count ok) passed, $(count 'not ok') failed, $(count skip) skipped"; }

# run_program PRESET NAME COMMAND...: runs one test program and takes over its lines. A program that writes none is one
# test case; one that dies has failed in the case it had begun, and cases it never reached do not count as anything.
run_program() {
  local preset=$1 name=$2 lines=$results/lines.txt log=$results/$1-$2.txt status
  shift 2
  : >$lines
  BSPARSE_TEST_RESULTS=$PWD/$lines timeout -k 10 "${BSPARSE_TEST_TIMEOUT:-900}" "$@" >"$log" 2>&1
  status=$?
  sed -n -E "s/^(ok|not ok|skip) /\1 $preset: /p" $lines >>$results/all.txt
  if [ $status = 77 ] && [ ! -s $lines ]; then
    record "skip $preset: $name: $(tail -1 "$log")"
  elif [ ! -s $lines ] && [ $status = 0 ]; then
    record "ok $preset: $name"
  elif [ $status != 0 ] && ! grep -q '^not ok ' $lines; then
    record "not ok $preset: $name (exit status $status after: $(tail -1 $lines))"
  elif tail -1 $lines | grep -q '^begin '; then
    record "not ok $preset: $name (exit status $status after: $(tail -1 $lines))"
  fi
  [ $status = 0 ] || [ $status = 77 ] || tail -40 "$log"
}

finish() {
  local failed
  failed=$(count 'not ok')
  grep '^skip ' $results/all.txt | sed 's/^skip /skipped: /'
  grep '^not ok ' $results/all.txt | sed 's/^not ok /failed: /'
  [ "$(count ok)" -gt 0 ] || [ "$failed" -gt 0 ] || [ "$(count skip)" -gt 0 ] || failed=1
  echo "$(count ok) passed, $failed failed, $(count skip) skipped"
  [ "$failed" = 0 ]
  exit
}
