#!/usr/bin/env bash
# Runs one lit file: run_lit.sh FILE TOOL...; each tool's folder is put on PATH.
set -eu
file=$1
shift
path=
for tool in "$@"; do
  path=$path$PWD/$(dirname "$tool"):
done
export PATH=$path$TEST_SRCDIR/llvm19/bin:/usr/bin:/bin
export VESCALE_LIT_EXEC_ROOT=$TEST_TMPDIR
# lit looks for lit.cfg.py beside the test or above it.
work=$TEST_TMPDIR/suite
mkdir -p "$work"
cp -L "$file" "$work/"
# Folders beside it hold what the test reads: %S/plans, ...
for folder in "$(dirname "$file")"/*/; do
  [ ! -d "$folder" ] || cp -RL "$folder" "$work/"
done
cp -L build_rules/lit.cfg.py "$work/lit.cfg.py"
exec /usr/bin/python3 -B "$TEST_SRCDIR/llvm19/build/utils/lit/lit.py" -v "$work/$(basename "$file")"
