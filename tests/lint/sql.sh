#!/bin/sh
# The SQL of the team's store is what PostgreSQL 13, CockroachDB and YugabyteDB share: the tables that hold it are read, and a
# word that one of them lacks is refused; so is SQL anywhere else in the layer, where it could be put together of values.
# With a file as argument that one is judged as such a table: the check's own test.
set -u
cd "$(dirname "$0")/../.." || exit 1
bad=0
[ $# -gt 0 ] || set -- src/team/sql/*.h
# Words between quotes alone; what a role is for and what a comment says is no SQL.
awk '
    {
        line = $0
        gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
        text = ""
        while (match(line, /"([^"\\]|\\.)*"/)) {
            text = text " " substr(line, RSTART + 1, RLENGTH - 2)
            line = substr(line, RSTART + RLENGTH)
        }
        upper = " " toupper(text) " "
        gsub(/[^A-Z0-9_%$:]/, " ", upper)
        n = split("LISTEN NOTIFY UNLISTEN TRIGGER EXTENSION FUNCTION PROCEDURE CALL TEMP TEMPORARY UNLOGGED SERIAL BIGSERIAL " \
            "SMALLSERIAL SEQUENCE NEXTVAL CURRVAL LASTVAL SETVAL IDENTITY PREPARE EXECUTE DEALLOCATE DECLARE CURSOR FETCH " \
            "COPY LOCK VACUUM CLUSTER RULE DOMAIN INHERITS LATERAL ILIKE OID CTID XMIN MERGE SESSION RESET DISCARD " \
            "SAVEPOINT PLPGSQL LANGUAGE RETURNS SECURITY TRUNCATE DROP MATERIALIZED TABLESAMPLE XML JSONPATH", word, " ")
        for (i = 1; i <= n; i++)
            if (index(upper, " " word[i] " ")) { print FILENAME ":" FNR ": " word[i] " is not of the subset: " $0; bad = 1 }
        if (FILENAME ~ /journal/ && index(upper, " UPDATE ")) { print FILENAME ":" FNR ": the journal is added to, never changed: " $0; bad = 1 }
        if (index(upper, " LOCAL ") && !index(upper, " SET LOCAL ")) { print FILENAME ":" FNR ": LOCAL is of the session: " $0; bad = 1 }
        if (match(upper, /PG_[A-Z_]+/)) { print FILENAME ":" FNR ": " substr(upper, RSTART, RLENGTH) " is of one engine alone: " $0; bad = 1 }
        if (index(upper, "%")) { print FILENAME ":" FNR ": a statement is put together: " $0; bad = 1 }
        if (index(upper, "::")) { print FILENAME ":" FNR ": CAST ( AS ) instead of :: " $0; bad = 1 }
    }
    END { exit bad }
' "$@" || bad=1
if [ $# -gt 1 ]; then
    # schema.c prints what an owner runs, from the tables, and names no value.
    grep -rnE --include='*.c' --exclude=schema.c '"[^"]*(SELECT [^"]* FROM |INSERT INTO|DELETE FROM|UPDATE [a-z_]+ SET|CREATE TABLE|BEGIN ISOLATION)' \
        src/team src/run src/cli src/app src/panes | sed 's|$|: SQL belongs into src/team/sql|' | grep . && bad=1
    grep -rnE 'PQexec\(|PQsendQuery\(|PQprepare\(|PQescape' src/team |
        sed 's|$|: values are parameters, of PQsendQueryParams|' | grep . && bad=1
fi
[ "$bad" -eq 0 ] && echo "sql: within the subset of the team's store"
exit "$bad"
