#!/bin/sh
# Runs fuzz targets, two at a time, each for so many seconds; a finding fails the run and is kept.
# usage: tests/fuzz/run.sh OUT SECONDS TARGET...   (OUT: the build folder of the flavour)
set -u
out=$1
seconds=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)

# Seeds: the target's own folder, and the JSON files of the shared corpora for those that read JSON.
seeds() {
    [ -d "$here/seeds/$1" ] && echo "$here/seeds/$1"
    case $1 in
    page | intent | errors)
        [ -n "${BURSAR_CORPORA:-}" ] && echo "$BURSAR_CORPORA/json/test_parsing" "$BURSAR_CORPORA/json/test_transform"
        ;;
    esac
}

run_one() {
    mkdir -p "$out/corpus/$1"
    # shellcheck disable=SC2046 # folders as words
    "$out/targets/$1" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=2048 -verbosity=1 \
        -print_final_stats=1 -artifact_prefix="$out/findings/$1-" "$out/corpus/$1" $(seeds "$1") \
        >"$out/findings/$1.log" 2>&1
    echo "$?" >"$out/findings/$1.status"
}

if [ "${1:-}" = --one ]; then
    run_one "$2"
    exit 0
fi
[ "$#" -gt 0 ] || { echo "no fuzz targets"; exit 1; }
rm -rf "$out/findings"
mkdir -p "$out/findings"
printf '%s\n' "$@" | xargs -P 2 -I{} "$0" "$out" "$seconds" --one {}

failed=0
for target in "$@"; do
    log=$out/findings/$target.log
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    if [ "$(cat "$out/findings/$target.status")" = 0 ] && [ "${runs:-0}" -gt 0 ]; then
        echo "fuzz $target: $runs inputs, nothing found"
    else
        failed=$((failed + 1))
        echo "fuzz $target: FOUND, see $out/findings"
        grep -vE '^#[0-9]+[[:space:]]+(NEW|REDUCE|RELOAD|pulse)' "$log" | tail -40
    fi
done
echo "$(($# - failed)) passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
