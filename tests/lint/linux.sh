#!/bin/sh
# What only Linux has is used where base/linux.h is included, which says what a port has to replace.
set -u
cd "$(dirname "$0")/../.." || exit 1
only='inotify_|memfd_create|"/proc/|O_TMPFILE|renameat2|F_OFD_|close_range|pipe2\(|prctl\(|eventfd\(|pidfd_open\('
bad=0
for file in $(find src tests/support -name '*.[ch]' | xargs grep -lE "$only"); do
    grep -q '#include "base/linux.h"' "$file" && continue
    grep -nE "$only" "$file" | head -1 | sed "s|^|$file:|; s|$|: without base/linux.h|"
    bad=1
done
[ "$bad" -eq 0 ] && echo "linux: each use beside its header"
exit "$bad"
