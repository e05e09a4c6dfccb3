#!/bin/sh
# Words of ours and of protocols are compared in base/ascii alone: the C library's functions ask the locale, and in a Turkish
# one I is no capital of i. With a file as argument that one is judged.
set -u
cd "$(dirname "$0")/../.." || exit 1
[ $# -gt 0 ] || set -- $(find src include -name '*.[ch]' ! -path 'src/store/dictionary/*' \
    ! -path src/ui/screen_enhanced.c | sort) # a letter typed with Shift, beyond ASCII
if grep -nE '(^|[^A-Za-z0-9_])(strn?casecmp(_l)?|strcasestr|to(w)?(lower|upper)|is(w)?(alnum|alpha|space|upper|lower|digit|xdigit|punct|print|graph|blank|cntrl|ascii))[ \t]*\(' "$@" /dev/null; then
    echo "letters: asks the locale about letters: base/ascii.h"
    exit 1
fi
echo "letters: no locale decides about case"
