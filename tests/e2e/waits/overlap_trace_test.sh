#!/usr/bin/env bash
# Trains a model whose collectives are large with a trace, and looks for a collective that runs while the same rank computes.
#   overlap_trace_test.sh VESCALE PLANS FIND
set -euo pipefail
vescale=$1 plans=$2 find=$3
work=$TEST_TMPDIR
for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$0"; done >"$work/text"
"$vescale" model gpt --type f32 --layers 2 --hidden 256 --heads 4 --sequence 64 --batch 8 -o "$work/gpt.mlir"
"$vescale" compile "$work/gpt.mlir" --plan "$plans/data_tensor_2x2.json" -o "$work/train" 2>"$work/log" ||
  { cat "$work/log"; exit 1; }
# Which threads the machine gives when is not in our hands: more steps are more chances.
for steps in 3 10 30; do
  "$work/train" --data "$work/text" --steps "$steps" --seed 3 --lr 1e-3 --trace "$work/trace.json" >"$work/out" ||
    { cat "$work/out"; exit 1; }
  /usr/bin/python3 "$find" "$work/trace.json" && exit 0
done
echo "no collective ran beside compute of its rank"
exit 1
