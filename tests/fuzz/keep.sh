#!/bin/sh
# Keeps what fuzz targets have reached: of all known inputs the fewest that reach as much, a file for each target in tests/fuzz/seeds.
# To be run after a long `make fuzz`. usage: tests/fuzz/keep.sh OUT TARGET...   (OUT: build/fuzz)
set -eu
out=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
fewest=$(mktemp -d)
trap 'rm -rf "$fewest"' EXIT
mkdir -p "$here/seeds"
for target in "$@"; do
    mkdir -p "$fewest/$target" "$out/corpus/$target" "$out/seeds/$target"
    "$out/targets/$target" -set_cover_merge=1 -max_len=4096 "$fewest/$target" "$out/corpus/$target" "$out/seeds/$target" 2>/dev/null
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$fewest/$target" -cf - . | gzip -9n >"$here/seeds/$target.tar.gz"
    echo "$target: $(find "$fewest/$target" -type f | wc -l) inputs"
done
