#!/bin/bash
# One dialect: names that a debugger can tell apart, an enum err that is called err, a pointer tested as itself.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
broken=0

# A static function's name stands in one file of src: "break draw" would stop in sixteen.
twice=$(find src -name '*.c' -print0 | xargs -0 awk '
    /^static [^=;]*\(/ {
        head = substr($0, 1, index($0, "(") - 1)
        n = split(head, words, /[ *]+/)
        name = words[n]
        if (name != "" && !((name, FILENAME) in seen)) {
            seen[name, FILENAME] = 1
            files[name] = files[name] " " FILENAME
            count[name]++
        }
    }
    END { for (name in count) if (count[name] > 1) print name ":" files[name] }' | sort)
if [ -n "$twice" ]; then
    echo "names: a static function of one name in several files; put the file's name in front of it:"
    echo "$twice"
    broken=1
fi

# A member of a struct may be called code.
if grep -rnE 'enum err (code|rc)( =|,|\))' src include tests --include='*.[ch]'; then
    echo "names: a variable of type enum err is called err"
    broken=1
fi

if grep -rnE '(if|while) \((!?)[A-Za-z_][A-Za-z_0-9.>-]* [!=]= NULL' src include tests --include='*.[ch]'; then
    echo "names: a pointer in a condition is tested as itself: if (p), if (!p)"
    broken=1
fi

[ "$broken" -eq 0 ] && echo "names: each is one thing"
exit "$broken"
