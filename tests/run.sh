#!/bin/sh
# Runs test programs side by side, one more than there are processors (many wait), prints what failed and one closing line: `N passed, N failed, N skipped`.
# usage: tests/run.sh OUT PROGRAM...   (OUT: the build folder of the flavour)
set -u
out=$1
shift
logs=$out/logs
if [ "${1:-}" != --one ]; then
    rm -rf "$logs"
    mkdir -p "$logs"
fi
BURSAR_OUT=$(cd "$out" && pwd)
BURSAR_TESTS=$(cd "$(dirname "$0")" && pwd)
# A program that a test kills while it writes its counts leaves a broken file of them, of which every later one complains.
GCOV_ERROR_FILE=$BURSAR_OUT/logs/gcov.txt
# Of what was freed, AddressSanitizer keeps as much from use: with its own 256 MB most time goes to fresh pages. And where
# an undefined operation traps it says at which line, whatever the program does with that signal.
ASAN_OPTIONS=quarantine_size_mb=16:handle_sigill=2
export BURSAR_OUT BURSAR_TESTS GCOV_ERROR_FILE ASAN_OPTIONS
unset BURSAR_CONFIG BURSAR_PROFILE BURSAR_THEME NO_COLOR SSH_TTY TMUX STY LINES COLUMNS 2>/dev/null
export LC_ALL=C.UTF-8 TZ=UTC

# Seconds of processor time of what a shell ran, from what `times` said in it: a shell of its own ran nothing.
cpu_of() {
    awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); n += part[1] * 60 + part[2] } printf "%d", n }' "$1"
}

run_one() {
    log=$2/$(echo "$1" | sed 's|.*/tests/||; s|/|-|g').log
    began=$(date +%s)
    timeout "${TEST_TIMEOUT:-300}" "$1" >"$log" 2>&1 </dev/null
    echo "$?" >"$log.status"
    times >"$log.times"
    echo "$(($(date +%s) - began)) $(basename "$log" .log) $(cpu_of "$log.times")" >"$log.seconds"
}
if [ "${1:-}" = --one ]; then
    run_one "$2" "$3"
    exit 0
fi
[ -n "${BURSAR_CORPORA:-}" ] || echo "skipped: no corpora (BURSAR_CORPORA is not set)"
printf '%s\n' "$@" | xargs -P "${TEST_JOBS:-$(($(nproc) + 1))}" -I{} "$0" "$out" --one {} "$logs"

# What failed, of a log: a sanitizer's report is long, and what failed stands before it. At most 60 lines.
what_failed() {
    grep -E '^\[  FAILED  \] [a-z]|^ERROR: |^\[   LINE' "$1" | sort -u | head -20
    grep -vE '^\[ (RUN|      OK) |^\[==========\]|^ *$' "$1" | tail -40
}

# What failed beside another program is run once more alone: times and locks are disturbed by neighbours. It is said, with
# what the first run had printed, since the second will not print it.
for program in "$@"; do
    log=$logs/$(echo "$program" | sed 's|.*/tests/||; s|/|-|g').log
    if [ "$(cat "$log.status")" -ne 0 ]; then
        cp "$log" "$log.beside"
        code=$(cat "$log.status")
        "$0" "$out" --one "$program" "$logs"
        if [ "$(cat "$log.status")" -eq 0 ]; then
            name=$(basename "$log" .log)
            echo "$name" >>"$logs/flaky"
            { echo "exit $code"; what_failed "$log.beside"; } | sed "s/^/beside $name: /" >>"$logs/beside"
        fi
    fi
done

# shellcheck disable=SC2013
count() { cat "$logs"/*.log | sed -n "s/^\[  $1 *\] *\([0-9][0-9]*\) test.*/\1/p" | awk '{n += $1} END {print n + 0}'; }
passed=$(count PASSED)
failed=$(count FAILED)
skipped=$(count SKIPPED)
broken=0
for status in "$logs"/*.status; do
    code=$(cat "$status")
    log=${status%.status}
    if [ "$code" -ne 0 ]; then
        echo "== $(basename "$log" .log) (exit $code)"
        what_failed "$log"
        grep -q '^\[  FAILED  \] *[0-9]' "$log" || broken=$((broken + 1))
    fi
    grep -h '^skipped: ' "$log"
done | tee "$logs/report"
broken=$(grep -c '^== ' "$logs/report")
[ "$failed" -gt 0 ] || failed=$broken
echo "slowest, in seconds (of processors): $(sort -rn "$logs"/*.seconds | awk 'NR <= 12 { printf "%s%s %s (%s)", (NR > 1 ? ", " : ""), $1, $2, $3 }')"
[ ! -f "$logs/beside" ] || cat "$logs/beside"
[ ! -f "$logs/flaky" ] || echo "flaky, failed beside others and passed alone: $(paste -sd, "$logs/flaky" | sed 's/,/, /g')"
echo "$passed passed, $failed failed, $skipped skipped"
# A test that fails now and then is a fault, in it or in the product: no submission passes with one.
[ "$broken" -eq 0 ] && [ "$failed" -eq 0 ] && { [ -z "${CI:-}" ] || [ ! -f "$logs/flaky" ]; }
