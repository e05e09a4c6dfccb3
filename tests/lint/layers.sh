#!/bin/sh
# Reads every include and fails on an edge the Makefile's table does not allow, and on a third-party header outside its home.
# Within panes: on a header of another folder that its table does not offer, and on a circle of folders.
set -u
cd "$(dirname "$0")/../.." || exit 1
make -s --no-print-directory print-layers >"${TMPDIR:-/tmp}/layers.$$"
trap 'rm -f "${TMPDIR:-/tmp}/layers.$$"' EXIT
# shellcheck disable=SC2046
awk -v table="${TMPDIR:-/tmp}/layers.$$" '
    BEGIN {
        while ((getline line < table) > 0) {
            n = split(line, word, " ")
            if (word[1] == "folder") { offered[word[2]] = 1; continue }
            known[word[1]] = 1
            allowed[word[1], word[1]] = 1
            for (i = 2; i <= n; i++) allowed[word[1], word[i]] = 1
        }
        home["confuse.h"] = "config"; home["jansson.h"] = "wire"; home["curl/curl.h"] = "net base/url base/curl"
        home["sqlite3.h"] = "store sandbox"; home["zstd.h"] = "store team"; home["curses.h"] = "ui"; home["ncurses.h"] = "ui"
        home["ncursesw/curses.h"] = "ui"; home["term.h"] = "ui"; home["utf8proc.h"] = "base"; home["sodium.h"] = "base"
        home["microhttpd.h"] = "sandbox net/receiver"; home["zlib.h"] = "sandbox"; home["gnutls/gnutls.h"] = "sandbox"
        home["gnutls/x509.h"] = "sandbox"; home["zdict.h"] = "store"; home["libpq-fe.h"] = "team"
    }
    FNR == 1 { path = FILENAME; sub(/^(src|include)\//, "", path); layer = path; sub(/\/.*/, "", layer); sub(/\.[ch]$/, "", path)
        n = split(path, step, "/"); folder = layer == "panes" && n == 3 ? step[2] : "" }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, part, "\""); target = part[2]
        if (target !~ /\//) next
        if (target ~ /^panes\/[a-z_]+\//) {
            split(target, step, "/")
            if (folder != "" && step[2] != folder) {
                edge[folder, step[2]] = FILENAME ":" FNR ": " target; folders[folder] = folders[step[2]] = 1
            }
            if (step[2] != folder && !(target in offered)) {
                print FILENAME ":" FNR ": " target " is private to its folder"; bad = 1
            }
        }
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
    END {
        for (k in folders) for (i in folders) for (j in folders)
            if (((i, k) in edge) && ((k, j) in edge) && !((i, j) in edge)) edge[i, j] = edge[i, k]
        for (i in folders) if ((i, i) in edge) { print edge[i, i] ": closes a circle of folders through " i; bad = 1 }
        exit bad
    }
' $(find src include -name '*.[ch]') && echo "layers: no edge outside the table"
