#!/bin/sh
# Function lines of src: median at most 9, p90 at most 20, none over 70; files at most 600 lines. Data tables are not functions.
set -u
cd "$(dirname "$0")/../.." || exit 1
find src -name '*.c' | sort | xargs awk '
    FNR == 1 { inside = 0 }
    !inside && /^[A-Za-z_].*\)[ \t]*\{[ \t]*$/ && !/^(struct|enum|union|static const struct|typedef)[^(]*\{/ { inside = 1; start = FNR; name = $0; next }
    !inside && /^[ \t].*\)[ \t]*\{[ \t]*$/ && head { inside = 1; start = FNR; name = head_text; next }
    { head = (!inside && /^[A-Za-z_].*\(.*[^;{}]$/) ? 1 : 0; if (head) head_text = $0 }
    inside && /^\}/ { print FNR - start - 1, FILENAME ":" start; inside = 0 }
' | sort -n >"${TMPDIR:-/tmp}/sizes.$$"
trap 'rm -f "${TMPDIR:-/tmp}/sizes.$$"' EXIT
awk '{ n[NR] = $1; place[NR] = $2 } END {
    median = n[int((NR + 1) / 2)]; p90 = n[int(NR * 0.9 + 0.5)]
    printf "functions: %d, lines median %d (9), p90 %d (20), longest %d (70)\n", NR, median, p90, n[NR]
    for (i = NR; i > 0 && n[i] > 70; i--) print "  over 70: " n[i] " " place[i]
    exit median > 9 || p90 > 20 || n[NR] > 70
}' "${TMPDIR:-/tmp}/sizes.$$"
functions=$?
long=$(find src include -name '*.[ch]' -exec wc -l {} + | awk '$2 != "total" && $1 > 600 { print "  over 600 lines: " $1 " " $2 }')
[ -z "$long" ] || echo "$long"
[ "$functions" -eq 0 ] && [ -z "$long" ]
