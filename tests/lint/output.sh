#!/bin/sh
# One gate to the terminal: what prints stands in src/base/out.c alone, and curses' own writers in the files of the screen.
# A descriptor is written to by path_write_all, or in a file that is named here with its reason.
# With a file as argument that one is judged, whatever its name: the check's own test.
set -u
cd "$(dirname "$0")/../.." || exit 1
[ $# -gt 0 ] || set -- $(find src include -name '*.[ch]' ! -path 'src/store/dictionary/*' | sort)
awk '
    BEGIN {
        printers = "(^|[^A-Za-z0-9_>.])(v?f?w?printf|v?dprintf|f?put(s|c|ws|wc)(_unlocked)?|putchar(_unlocked)?|putwchar|fwrite(_unlocked)?|perror|psignal|psiginfo|writev|pwrite|sendfile|syslog)[ \t]*\\("
        streams = "(^|[^A-Za-z0-9_>.])(stdout|stderr|STDOUT_FILENO|STDERR_FILENO)([^A-Za-z0-9_]|$)"
        drawers = "(^|[^A-Za-z0-9_>.])(mv)?w?(add(n?w?str|ch|nstr|nwstr)|add_wch(n?str)?|insch|insstr|ins_wch|printw|in?s_n?wstr|echochar|echo_wchar)[ \t]*\\(|(^|[^A-Za-z0-9_>.])(putp|tputs|vidputs|vid_puts|mcprint)[ \t]*\\("
        descriptor = "(^|[^A-Za-z0-9_>.])write[ \t]*\\("
        gate["src/base/out.c"] = 1
        # Where the standard descriptors are asked what they are, handed to a child, or made the screen; nothing is printed.
        names["src/base/start.c"] = names["src/base/command.c"] = names["src/run/main.c"] = names["src/run/demo.c"] = 1
        names["src/run/console.c"] = 1
        names["src/sandbox/main.c"] = names["src/sandbox/serve.c"] = names["src/sandbox/listen.c"] = 1
        names["src/sandbox/listen_book.c"] = names["include/base/out.h"] = 1
        # path_write_all itself; the log and its lines; a byte into a pipe of our own; the terminal modes of the screen.
        writes["src/base/path.c"] = writes["src/base/log.c"] = writes["src/base/signals.c"] = 1
        writes["src/sandbox/http.c"] = writes["src/ui/screen_modes.c"] = 1
    }
    FNR == 1 { comment = 0 }
    {
        line = $0
        gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
        gsub(/\/\*([^*]|\*[^\/])*\*\//, "", line)
        if (comment) { if (line !~ /\*\//) next; sub(/^.*\*\//, "", line); comment = 0 }
        if (line ~ /\/\*/) { sub(/\/\*.*$/, "", line); comment = 1 }
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*<(err|error|syslog)\.h>/) { print FILENAME ":" FNR ": its functions print past base/out: " $0; bad = 1 }
        if (FILENAME in gate) next
        what = ""
        if (line ~ printers) what = "prints past base/out"
        else if (line ~ streams && !(FILENAME in names)) what = "a standard stream outside base/out"
        else if (line ~ drawers && FILENAME !~ /^src\/ui\/screen/) what = "draws past the canvas"
        else if (line ~ descriptor && !(FILENAME in writes)) what = "writes to a descriptor itself: path_write_all"
        if (what) { print FILENAME ":" FNR ": " what ": " $0; bad = 1 }
    }
    END { exit bad }
' "$@" && echo "output: nothing prints but base/out"
