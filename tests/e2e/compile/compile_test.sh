#!/bin/bash
# Compiles a model into one file, moves it away from everything that made it, and trains: the loss must fall to nearly
# nothing, whatever the number of threads, and a second run must print the same.
set -eu
vescale=$PWD/$1 archive=$PWD/$2 model=$PWD/$3
work=$(mktemp -d "$TEST_TMPDIR/compile.XXXXXX")
cd "$work"

"$vescale" compile "$model" -o train --runtime "$archive" --dump-stages stages --report report.json > summary.txt
grep -q '^Memory of a device, @step: .* planned$' summary.txt
# The gradient of w, 16 numbers, and the loss: a ring of two devices sends half of each twice.
grep -Eq '^  all_reduce +dp +2 +68 B +68 B$' summary.txt
grep -q '"arena_bytes": [1-9]' report.json
test ! -e train.unfinished
ls stages | grep -q '^[0-9]*-codegen.mlir$'
grep -q 'dist.all_reduce' stages/01-spmd.mlir
grep -q 'sched.program @step.class0' stages/*-schedule.mlir

mkdir elsewhere && mv train elsewhere && cd elsewhere
seq 1 400 > corpus.txt
env -i ./train --data corpus.txt --steps 40 --lr 3e-4 --metrics metrics.jsonl > output.txt
cat output.txt
last=$(tail -1 metrics.jsonl | sed 's/.*"loss": *\([0-9.e+-]*\).*/\1/')
first=$(head -1 metrics.jsonl | sed 's/.*"loss": *\([0-9.e+-]*\).*/\1/')
awk "BEGIN { exit !($last < 0.001 * $first && $first > 100) }" || { echo "the loss went from $first to $last"; exit 1; }
env -i ./train --data corpus.txt --steps 40 --lr 3e-4 --threads-per-rank 2 --metrics again.jsonl > /dev/null
losses() { sed 's/.*"loss": *\([0-9.e+-]*\).*/\1/' "$1"; }
test "$(losses metrics.jsonl)" = "$(losses again.jsonl)"

# What cannot be compiled says why, and leaves no file.
cd "$work"
if "$vescale" compile "$model" -o small --runtime "$archive" --memory-budget 100B 2> message.txt; then
  echo "a model larger than the budget was compiled"; exit 1
fi
grep -q 'bytes on a device, the budget is 100' message.txt
test ! -e small
if "$vescale" compile "$model" -o small --runtime missing.a 2> message.txt; then exit 1; fi
grep -q 'there is no runtime archive missing.a' message.txt
if "$vescale" compile "$model" -o small --runtime "$archive" --target-cpu pdp-11 2> message.txt; then exit 1; fi
grep -q "unknown CPU 'pdp-11'" message.txt
