#!/bin/bash
# A PostgreSQL of its own with TEAM_ROWS intents, made from the sandbox's seed and loaded by COPY; then questions to it by
# bursar, each asked five times, with the medians, and what the store alone takes for the same (psql, \\timing). KEEP=1
# leaves it running and says where. usage: tests/bench/team.sh build/release
set -eu
out=$(cd "$1" && pwd)
rows=${TEAM_ROWS:-10000000}
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
[ -n "$bin" ] || { echo "skipped: PostgreSQL is not installed (Debian: postgresql)"; exit 0; }
folder=$(mktemp -d /tmp/bursar-bench-team.XXXXXX)
as() { if [ "$(id -u)" = 0 ]; then runuser -u nobody -- "$@"; else "$@"; fi; }
[ "$(id -u)" != 0 ] || chown nobody "$folder"
chmod 755 "$folder"
stop() { as "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$folder"; }
[ -n "${KEEP:-}" ] || trap stop EXIT
as "$bin/initdb" -D "$folder/data" -A trust -U postgres --no-sync --locale=C --encoding=UTF8 >/dev/null
as "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" -o "-k $folder -c listen_addresses= -c fsync=off -c full_page_writes=off \
-c synchronous_commit=off -c shared_buffers=${SHARED:-4GB} -c maintenance_work_mem=1GB -c max_wal_size=16GB -c jit=off" start >/dev/null
psql() { as "$bin/psql" -h "$folder" -U postgres -X -q -v ON_ERROR_STOP=1 "$@"; }
psql -c 'CREATE ROLE bursar LOGIN' -c 'CREATE DATABASE bursar OWNER bursar'

home=$folder/home
mkdir -p "$home"
export HOME=$home XDG_CONFIG_HOME=$home XDG_STATE_HOME=$home/state XDG_CACHE_HOME=$home/cache BURSAR_CONFIG=$home/config
echo "token-of-the-bench-0123456789" >"$home/token"
chmod 600 "$home/token"
cat >"$home/config" <<END
profile bench {
 environment = sandbox
 base_url = 'http://127.0.0.1:9'
 token_file = '$home/token'
 team_store = 'host=$folder dbname=bursar user=bursar'
 team_key_file = '$home/team.key'
}
END
chmod 600 "$home/config"
"$out/bursar" team init >/dev/null
# The scope is asked of the program: the one change that it makes names it.
scope=$("$out/tests/bench/team" --scope "$home/team.key" 'http://127.0.0.1:9')
psql bursar -At -c "SELECT indexdef || ';' FROM pg_indexes WHERE tablename = 'intents' AND indexname <> 'intents_pkey'" >"$folder/indexes"
psql bursar -At -c "SELECT 'DROP INDEX ' || indexname || ';' FROM pg_indexes WHERE tablename = 'intents' AND indexname <> 'intents_pkey'" | psql bursar
began=$SECONDS
half=$(((rows + 1) / 2))
for first in 0 $half; do
    n=$half
    [ $((first + n)) -le "$rows" ] || n=$((rows - first))
    "$out/tests/bench/team" "$n" "$scope" "$home/team.key" "$first" | psql bursar -c 'COPY intents FROM STDIN' &
done
wait
echo "$rows intents loaded in $((SECONDS - began)) s"
began=$SECONDS
sed 's/CREATE INDEX/CREATE INDEX IF NOT EXISTS/; s/ ON ONLY / ON /' "$folder/indexes" | psql bursar
psql bursar -c "INSERT INTO changes SELECT $scope, max(change) FROM intents" \
    -c "INSERT INTO spans VALUES ($scope, 0, 4102444800000, CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT), 'bench', 'here')"
for field in status type direction rail currency decline brand account bank; do
    psql bursar -c "INSERT INTO words SELECT DISTINCT $scope, '$field', $field FROM intents WHERE $field IS NOT NULL"
done
psql bursar -c 'VACUUM ANALYZE intents'
echo "indexes and words made in $((SECONDS - began)) s; the database has $(psql bursar -At -c "SELECT pg_size_pretty(pg_database_size('bursar'))")"

median() { sort -n | awk '{ v[NR] = $1 } END { printf "%.0f", v[int((NR + 1) / 2)] }'; }
# ask NAME COMMAND...: milliseconds of five runs after one that warms, their median.
ask() {
    local name=$1 i began
    shift
    "$@" >/dev/null 2>"$folder/said" || { cat "$folder/said"; exit 1; }
    for i in 1 2 3 4 5; do
        began=$(date +%s%N)
        "$@" >/dev/null 2>&1
        echo $((($(date +%s%N) - began) / 1000000))
    done >"$folder/times"
    printf '%-64s %6s ms   %s\n' "$name" "$(median <"$folder/times")" "$(sed -n '$s/^bursar: //p' "$folder/said" | cut -c1-80)"
}
bank=$(psql bursar -At -c "SELECT word FROM words WHERE field = 'bank' ORDER BY word LIMIT 1")
user=$(psql bursar -At -c "SELECT user_id FROM intents WHERE user_id IS NOT NULL LIMIT 1")
ask 'bursar --version' "$out/bursar" --version
ask 'list --team, no filter, 50 rows' "$out/bursar" intents list --team --limit 50
ask "list --team status:declined bank:<one>, 50 rows, totals" "$out/bursar" intents list --team --limit 50 "status:declined bank:\"$bank\""
ask "list --team user:<one>, 50 rows, totals" "$out/bursar" intents list --team --limit 50 "user=$user"
ask "list --team created:<a day> status:declined, 50 rows, totals" "$out/bursar" intents list --team --limit 50 "created:2026-11-20 status:declined"
ask "list --team status:declined, 50 rows, totals of all" "$out/bursar" intents list --team --limit 50 status:declined
ask "stats --team --by status, all" "$out/bursar" intents stats --team --by status
ask "stats --team --by bank status:declined" "$out/bursar" intents stats --team --by bank status:declined
echo
psql bursar -c "EXPLAIN (ANALYZE, BUFFERS, SUMMARY) SELECT id, created, raw FROM intents WHERE scope = $scope AND ((status = 'declined') AND (bank = '$bank')) ORDER BY created DESC, id DESC LIMIT 51" |
    grep -E 'Scan|Limit|Append|Time' | grep -v 'never executed' | cut -c1-150
[ -z "${KEEP:-}" ] || echo "kept in $folder; ends with: runuser -u nobody -- $bin/pg_ctl -D $folder/data stop; rm -rf $folder"
