# shellcheck shell=bash
# What `.ci/run` and `.ci/nightly` share; each sources it. A step that fails does not stop the others. The last line counts:
# every test, and every other step, is one.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CI=true NO_COLOR=1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
times=()
# Tests that failed, and tests that passed, but not at once; each with why.
failures=()
retried=()
# What vitest reported, a file per suite.
reports=()
# Seconds that a test suite may take: it ends a run that hangs, on a machine that is slow.
limit=2700

# step NAME COMMAND…: one check; its output follows its name.
step() {
  local name=$1 started=$SECONDS state=ok
  shift
  printf '\n=== %s\n' "$name"
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) state=FAILED; fi
  times+=("$(printf '%5d s  %-6s  %s' $((SECONDS - started)) "$state" "$name")")
}

# suite NAME COMMAND…: a command that runs vitest and passes arguments on to it; counts each test. Machines that run CI stand
# still for a second now and then, which ends leases; what fails three times is broken.
suite() {
  local name=$1 started=$SECONDS code=0 ran=0 broke=0
  local report="$work/$name.json"
  shift
  printf '\n=== %s\n' "$name"
  limited "$@" --retry=2 --reporter=default --reporter=json --outputFile="$report" || code=$?
  if [ -s "$report" ]; then
    read -r ran broke < <(node -p 'const r = JSON.parse(fs.readFileSync(process.argv[1])); `${r.numPassedTests} ${r.numFailedTests}`' "$report")
    while read -r test; do failures+=("$name: $test"); done < <(node .ci/failures.mjs "$report" failed)
    while read -r test; do retried+=("$name: $test"); done < <(node .ci/failures.mjs "$report" retried)
    reports+=("$report")
  fi
  tally "$name" $((SECONDS - started)) "$code" "$ran" "$broke"
}

# counted NAME COMMAND…: a command whose last line is `N passed, N failed`; counts each.
counted() {
  local name=$1 started=$SECONDS code=0 ran=0 broke=0
  local output="$work/output"
  shift
  printf '\n=== %s\n' "$name"
  "$@" | tee "$output" || code=$?
  read -r ran broke < <(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$output") || code=1
  tally "$name" $((SECONDS - started)) "$code" "${ran:-0}" "${broke:-0}"
}

# tally NAME SECONDS EXIT-CODE PASSED FAILED
tally() {
  local name=$1 seconds=$2 code=$3 ran=$4 broke=$5 state=ok
  # A file that cannot be loaded, or a run cut short, fails without a failed test.
  if [ "$code" -ne 0 ] && [ "$broke" -eq 0 ]; then broke=1; fi
  if [ "$broke" -gt 0 ]; then state=FAILED; fi
  passed=$((passed + ran)) failed=$((failed + broke))
  times+=("$(printf '%5d s  %-6s  %s: %d passed, %d failed' "$seconds" "$state" "$name" "$ran" "$broke")")
}

limited() {
  if command -v timeout >/dev/null; then timeout --kill-after=10 "$limit" "$@"; else "$@"; fi
}

# begin NAME COMMAND…: starts a command beside those that follow. ended NAME: waits for it, prints how long it took and what
# it printed, and returns its exit code.
begin() {
  local name=$1
  shift
  {
    code=0 started=$SECONDS
    "$@" >"$work/$name.output" 2>&1 || code=$?
    echo "$((SECONDS - started)) $code" >"$work/$name.end"
  } &
}

ended() {
  local seconds code
  while [ ! -s "$work/$1.end" ]; do sleep 0.5; done
  read -r seconds code <"$work/$1.end"
  printf '%d s, beside other steps\n' "$seconds"
  cat "$work/$1.output"
  return "$code"
}

# after NAME COMMAND…: the command, once the one begun as NAME has ended.
after() {
  while [ ! -s "$work/$1.end" ]; do sleep 0.5; done
  "${@:2}"
}

# had NAME: waits for the installation begun as NAME; tests find what it installed by the variables that it printed.
had() {
  local output code=0
  output=$(ended "$1") || code=$?
  printf '%s\n' "$output"
  if [ "$code" -eq 0 ]; then eval "$(grep '^export ' <<<"$output")"; fi
  return "$code"
}

# summary: what took how long and what failed; the last line counts. Returns whether all passed.
summary() {
  printf '\n%5d s  in all\n' "$SECONDS"
  printf '%s\n' "${times[@]}"
  if [ "${#reports[@]}" -gt 0 ]; then printf '\nthe slowest test files\n' && node .ci/slowest.mjs "${reports[@]}"; fi
  if [ "${#failures[@]}" -gt 0 ]; then printf '\nfailed\n' && printf '  %s\n' "${failures[@]}"; fi
  printf '\n%d passed only on a retry\n' "${#retried[@]}"
  if [ "${#retried[@]}" -gt 0 ]; then printf '  %s\n' "${retried[@]}"; fi
  printf '\n%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
}
