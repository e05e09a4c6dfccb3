#!/bin/sh
# Runs fuzz targets, two at a time, each for so many seconds of processor time; a finding fails the run and is kept.
# Every run goes on from what earlier ones reached: tests/fuzz/seeds, which tests/fuzz/keep.sh writes.
# usage: tests/fuzz/run.sh OUT SECONDS TARGET...   (OUT: the build folder of the flavour)
set -u
out=$1
seconds=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)

# Seeds: the target's own, and the JSON files of the shared corpora for those that read JSON.
seeds() {
    if [ -f "$here/seeds/$1.tar.gz" ]; then
        mkdir -p "$out/seeds/$1"
        tar -xzf "$here/seeds/$1.tar.gz" -C "$out/seeds/$1" && echo "$out/seeds/$1"
    fi
    case $1 in
    page | intent | errors)
        [ -n "${BURSAR_CORPORA:-}" ] && echo "$BURSAR_CORPORA/json/test_parsing" "$BURSAR_CORPORA/json/test_transform"
        ;;
    esac
}

# Hundredths of a second of processor time that a process has taken.
cpu_of() {
    sed 's/.*)//' "/proc/$1/stat" 2>/dev/null | awk -v hz="$(getconf CLK_TCK)" '{ print int(($12 + $13) * 100 / hz) }'
}

# The target's own limit is of time on the clock, which tells little beside other work: it is the last resort here.
run_one() {
    mkdir -p "$out/corpus/$1"
    # shellcheck disable=SC2046 # folders as words
    "$out/targets/$1" -max_total_time="$((seconds * 20))" -max_len=4096 -timeout="${FUZZ_TIMEOUT:-20}" -rss_limit_mb=2048 -verbosity=1 \
        -print_final_stats=1 -artifact_prefix="$out/findings/$1-" "$out/corpus/$1" $(seeds "$1") \
        >"$out/findings/$1.log" 2>&1 &
    pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        used=$(cpu_of "$pid")
        if [ "${used:-0}" -ge "$((seconds * 100 + 2000))" ]; then
            kill -ABRT "$pid" 2>/dev/null # its present input has taken 20 s: that is a finding, and kept
        elif [ "${used:-0}" -ge "$((seconds * 100))" ]; then
            kill -USR1 "$pid" 2>/dev/null # ends it after its present input, with the numbers
        fi
        sleep 0.5
    done
    wait "$pid"
    echo "$?" >"$out/findings/$1.status"
}

if [ "${1:-}" = --one ]; then
    run_one "$2"
    exit 0
fi
[ "$#" -gt 0 ] || { echo "no fuzz targets"; exit 1; }
rm -rf "$out/findings" "$out/seeds"
mkdir -p "$out/findings"
printf '%s\n' "$@" | xargs -P 2 -I{} "$0" "$out" "$seconds" --one {}

failed=0
for target in "$@"; do
    log=$out/findings/$target.log
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    if [ "$(cat "$out/findings/$target.status" 2>/dev/null)" = 0 ] && [ "${runs:-0}" -gt 0 ]; then
        echo "fuzz $target: $runs inputs$(sed -n 's/.* cov: \([0-9]*\) ft: \([0-9]*\) .*/, \1 places, \2 features/p' "$log" | tail -1), nothing found"
    else
        failed=$((failed + 1))
        echo "fuzz $target: FOUND, see $out/findings"
        grep -vE '^#[0-9]+[[:space:]]+(NEW|REDUCE|RELOAD|pulse)' "$log" | tail -40
    fi
done
echo "$(($# - failed)) passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
