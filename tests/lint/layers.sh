#!/bin/sh
# Reads every include and fails on an edge the Makefile's table does not allow, and on a third-party header outside its home.
set -u
cd "$(dirname "$0")/../.." || exit 1
make -s --no-print-directory print-layers >"${TMPDIR:-/tmp}/layers.$$"
trap 'rm -f "${TMPDIR:-/tmp}/layers.$$"' EXIT
# shellcheck disable=SC2046
awk -v table="${TMPDIR:-/tmp}/layers.$$" '
    BEGIN {
        while ((getline line < table) > 0) {
            n = split(line, word, " ")
            known[word[1]] = 1
            allowed[word[1], word[1]] = 1
            for (i = 2; i <= n; i++) allowed[word[1], word[i]] = 1
        }
        home["confuse.h"] = "config"; home["jansson.h"] = "wire"; home["curl/curl.h"] = "net base/url"
        home["sqlite3.h"] = "store sandbox"; home["zstd.h"] = "store"; home["curses.h"] = "ui"; home["ncurses.h"] = "ui"
        home["ncursesw/curses.h"] = "ui"; home["term.h"] = "ui"; home["utf8proc.h"] = "base"; home["sodium.h"] = "base"
        home["microhttpd.h"] = "sandbox"; home["zlib.h"] = "sandbox"; home["gnutls/gnutls.h"] = "sandbox"
        home["gnutls/x509.h"] = "sandbox"; home["zdict.h"] = "store"
    }
    FNR == 1 { path = FILENAME; sub(/^(src|include)\//, "", path); layer = path; sub(/\/.*/, "", layer); sub(/\.[ch]$/, "", path) }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, part, "\""); target = part[2]
        if (target !~ /\//) next
        sub(/\/.*/, "", target)
        if (!(target in known)) { print FILENAME ":" FNR ": no such layer: " part[2]; bad = 1 }
        else if (!((layer, target) in allowed)) { print FILENAME ":" FNR ": " layer " may not include " part[2]; bad = 1 }
    }
    /^[ \t]*#[ \t]*include[ \t]*</ {
        split($0, part, /[<>]/); header = part[2]
        if (header in home) {
            n = split(home[header], place, " "); ok = 0
            for (i = 1; i <= n; i++) if (place[i] == layer || place[i] == path) ok = 1
            if (!ok) { print FILENAME ":" FNR ": <" header "> belongs to " home[header]; bad = 1 }
        }
    }
    END { exit bad }
' $(find src include -name '*.[ch]') && echo "layers: no edge outside the table"
