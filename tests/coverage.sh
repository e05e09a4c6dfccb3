#!/bin/sh
# Share of lines of src, sandbox aside, that the tests of a build with counts reached: by layer, and as one number that
# must not be under the given one. usage: tests/coverage.sh OUT PERCENT   (OUT: build/asan)
set -u
out=$1
least=$2
report=$out/coverage.txt
# The counts of all starts of bursar itself stand in one file until they are taken over here (tests/counts/one_file.c).
[ ! -f "$out/counts" ] || { BURSAR_COUNTS=end "$out/bursar" --version >/dev/null && rm -f "$out/counts"; }
for layer in "$out"/obj/*/; do
    case $(basename "$layer") in
    sandbox | tests) continue ;;
    esac
    find "$layer" -name '*.gcno' -exec gcov -n {} + 2>/dev/null
done | awk -v least="$least" '
    /^File / { split($0, part, "\x27"); file = part[2] }
    /^Lines executed:/ && file ~ /^src\/[a-z0-9_\/]+\.c$/ {
        split($0, part, /[:% ]+/)
        lines = part[5]
        hit = int(part[3] * lines / 100 + 0.5)
        split(file, place, "/")
        all[place[2]] += lines; reached[place[2]] += hit; total += lines; got += hit
        printf "%6.2f %% of %5d  %s\n", part[3], lines, file
        file = ""
    }
    END {
        if (!total) { print "coverage: nothing was measured"; exit 1 }
        for (layer in all) printf "layer %-8s %6.2f %% of %d lines\n", layer, 100 * reached[layer] / all[layer], all[layer]
        printf "coverage: %.2f %% of %d lines of src without sandbox (at least %d %%)\n", 100 * got / total, total, least
        exit 100 * got / total < least
    }' >"$report"
status=$?
echo "the least covered files:"
grep '  src/' "$report" | sort -n | head -15
grep '^layer ' "$report" | sort
grep '^coverage: ' "$report"
exit $status
