#!/bin/sh
# bursar and the programs that people use in its place, over the same intents, side by side: one table of medians and
# ratios with the goals. What is not installed is left out and named. Commands of a line run in turn. What a terminal
# shows is measured by tests/bench/console.c, what the index does alone by tests/bench/index.c: `make bench` runs all.
# usage: peers.sh BUILD-FOLDER; BENCH_ROWS (100000), BENCH_ROUNDS (9), BENCH_SEED (1)
set -eu
out=$(cd "$1" && pwd)
rows=${BENCH_ROWS:-100000} rounds=${BENCH_ROUNDS:-9} seed=${BENCH_SEED:-1}
bursar=$out/bursar timed=$out/tests/bench/timed
work=$(mktemp -d "${TMPDIR:-/tmp}/bursar-bench-XXXXXX")
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export HOME="$work" XDG_CONFIG_HOME="$work/config" XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state"
mkdir -p -m 700 "$work/config/bursar" "$work/cache" "$work/state"
cd "$work"

"$out/bursar-sandbox" --listen 127.0.0.1:0 --port-file port --token-file token --seed "$seed" --intents "$rows" >/dev/null &
server=$!
while ! test -s port; do kill -0 "$server"; sleep 0.1; done
cat >config/bursar/config <<EOF
default_profile = "bench"
profile bench {
  environment = sandbox
  base_url = 'http://127.0.0.1:$(cat port)'
  token_file = '$work/token'
}
EOF
chmod 600 config/bursar/config

has() {
    command -v "$1" >/dev/null 2>&1 || { missing="${missing:-} $1"; return 1; }
}
# line GOAL NAME FIGURE UNIT LIMIT above|below [BUSY]: one row of the table; LIMIT "-": a figure without a goal; BUSY: the
# same figure of the processor's time, which other work on the machine changes less.
line() {
    awk -v goal="$1" -v name="$2" -v figure="$3" -v unit="$4" -v limit="$5" -v way="$6" -v busy="${7:-}" 'BEGIN {
        verdict = limit == "-" ? "" : (way == "below" ? figure <= limit : figure >= limit) ? "reached" : "BEHIND"
        printf "%-4s %-58s %11.2f %-7s %11s  %2s %-8s %s\n", goal, name, figure, unit,
            busy == "" ? "" : sprintf("%.2f", busy), limit == "-" ? "" : way == "below" ? "<=" : ">=",
            limit == "-" ? "" : limit, verdict }'
}
# Figures of the n-th command of what timed printed: wall ms 1, processor ms 2, peak KB 3.
figure() {
    sed -n "$2p" "$1" | cut -d' ' -f"$3"
}
quotient() {
    awk -v a="$1" -v b="$2" 'BEGIN { print a / (b > 0 ? b : 0.01) }'
}
# ratio GOAL NAME FILE A B LIMIT: of the times of two commands.
ratio() {
    line "$1" "$2" "$(quotient "$(figure "$3" "$4" 1)" "$(figure "$3" "$5" 1)")" x "$6" below \
        "$(quotient "$(figure "$3" "$4" 2)" "$(figure "$3" "$5" 2)")"
}
rate() {
    awk -v rows="$rows" -v ms="$1" 'BEGIN { print rows * 1000 / ms }'
}

echo "intents: $rows, rounds: $rounds, processors: $(nproc)"
echo "goal what                                                            by the clock     processor     limit"

# ---- Walk ----
"$timed" 1 "$bursar" intents list --all --format ndjson -- >walk
"$bursar" intents list --cached --all --format ndjson >rows.ndjson 2>/dev/null
"$out/tests/bench/jansson" rows.ndjson >jansson
speed() {
    line "$1" "$2" "$(rate "$(figure "$3" "$4" 1)")" rows/s "$5" above "$(rate "$(figure "$3" "$4" 2)")"
}
speed G6 "intents list --all, rows a second" walk 1 -
speed "" "  jansson alone, over the same rows" jansson 1 -
line G6 "  of that" "$(quotient "$(figure jansson 1 1)" "$(figure walk 1 1)")" x 0.7 above \
    "$(quotient "$(figure jansson 1 2)" "$(figure walk 1 2)")"
line G6 "  its greatest memory" "$(quotient "$(figure walk 1 3)" 1024)" MB 64 below
if has curl && has jq; then
    cat >walk.sh <<'EOF'
next= n=0
while [ $n -lt 20 ]; do
    page=$(curl -s -H "Authorization: Bearer $(cat token)" "http://127.0.0.1:$(cat port)/intent/list?cursor=$next")
    printf '%s' "$page" | jq -c '.data[]' >/dev/null
    next=$(printf '%s' "$page" | jq -r '.next_cursor | @uri') n=$((n + 1))
done
EOF
    "$timed" 1 sh walk.sh -- >curl
    line "" "  curl and jq, 20 pages, rows a second" \
        "$(quotient 2000000 "$(figure curl 1 1)")" rows/s - below
fi
json=$(wc -c <rows.ndjson) cache=$(cat cache/bursar/bench.db* | wc -c)

# ---- Files ----
"$bursar" intents stats --by status >/dev/null 2>&1
line G10 "cache on disk, of its JSON" "$(quotient "$cache" "$json")" x 0.4 below
line G9 "index file, bytes a row" "$(quotient "$(wc -c <cache/bursar/bench.db-index)" "$rows")" bytes 110 below

# ---- Starts and questions ----
sql=
if has sqlite3 && has jq; then
    jq -r '[.id, .created_at, .status, .amount, .currency, tojson] | @csv' rows.ndjson >rows.csv
    sqlite3 rows.db 'CREATE TABLE intents(id TEXT, created TEXT, status TEXT, amount INTEGER, currency TEXT, raw TEXT)' \
        '.mode csv' '.import rows.csv intents' 'CREATE INDEX newest ON intents(created DESC)'
    sql="$(command -v sqlite3) $work/rows.db"
fi
"$timed" "$rounds" "$bursar" --version -- "$bursar" intents list --cached --limit 50 -- \
    "$bursar" intents stats --by status 'amount>=5000' -- "$bursar" intents list --cached --limit 5 zzqqxx -- \
    ${sql:+$sql 'SELECT raw FROM intents ORDER BY created DESC LIMIT 50' --} \
    ${sql:+$sql 'SELECT status, count(*) FROM intents WHERE amount>=5000 GROUP BY status' --} \
    ${sql:+$sql "SELECT count(*) FROM intents WHERE raw LIKE '%zzqqxx%'" --} >ask
line "" "bursar --version" "$(figure ask 1 1)" ms - below "$(figure ask 1 2)"
ratio G11 "list --cached --limit 50, to bursar --version" ask 2 1 1.3
test -z "$sql" || ratio G11 "  to sqlite3 reading as many" ask 2 5 2
ratio "" "stats --by status 'amount>=5000', to bursar --version" ask 3 1 5
test -z "$sql" || ratio "" "  to sqlite3" ask 3 6 -
ratio "" "list --cached --limit 5 zzqqxx, to bursar --version" ask 4 1 5
test -z "$sql" || ratio "" "  to sqlite3 with LIKE" ask 4 7 -
peer() {
    name=$1
    shift
    has "$1" || return 0
    "$timed" 3 "$bursar" intents list --cached --limit 5 zzqqxx -- "$@" -- >peer
    ratio "" "  to $name" peer 1 2 -
}
peer ripgrep rg -c zzqqxx rows.ndjson
peer grep grep -c zzqqxx rows.ndjson
peer "fzf --filter" fzf --filter zzqqxx --bind "start:reload(cat rows.ndjson)"
peer jq jq -c 'select(tostring | contains("zzqqxx"))' rows.ndjson
peer "lnav" lnav -n -c ':filter-in zzqqxx' rows.ndjson
peer "visidata" vd -b -f jsonl rows.ndjson -o /dev/null
has less || :
has tig || :

# ---- Everything ----
"$timed" 3 "$bursar" intents list --cached --all --columns id,created,status,amount,currency --format csv -- \
    "$bursar" intents list --cached --all --format ndjson -- "$bursar" intents list --cached --all --format csv -- >all
speed "" "list --cached --all, five columns as CSV" all 1 150000
speed "" "list --cached --all, as NDJSON" all 2 60000
speed "" "list --cached --all, every column as CSV" all 3 -
if has jq; then
    "$timed" 1 jq -r '[.id, .created_at, .status, .amount, .currency] | @csv' rows.ndjson -- >peer
    speed "" "  five columns by jq" peer 1 -
fi
test -z "${missing:-}" || echo "not installed:$missing"
