#!/usr/bin/env bash
# Validation evaluates the loss without dropout and changes nothing.
#   validation_test.sh VESCALE PLANS
# A model with dropout and one without start with the same weights, so they have the same validation loss before the
# first step, to rounding; their training losses differ. What is saved after training is, byte for byte, the same
# whether there was validation or not.
set -euo pipefail
vescale=$1 plans=$2
work=$TEST_TMPDIR
for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$0"; done >"$work/text"

sizes=(--type f64 --layers 1 --hidden 32 --heads 4 --sequence 16 --batch 8)
"$vescale" model gpt "${sizes[@]}" -o "$work/without.mlir"
"$vescale" model gpt "${sizes[@]}" --dropout 0.3 -o "$work/with.mlir"

train() { # NAME ARGUMENTS...
  local name=$1
  shift
  "$work/$name" --data "$work/text" --steps 3 --seed 3 --lr 1e-3 "$@" >"$work/out" || { cat "$work/out"; exit 1; }
}
value() { # KEY FILE: of the first line that has it
  sed -n "s/.*\"$1\": *\([0-9.e+-]*\).*/\1/p" "$2" | head -1
}
near() { # A B TOLERANCE
  awk "BEGIN { d = ($1) - ($2); if (d < 0) d = -d; exit !(d <= ($3) * ($1)) }"
}

for plan in one_device data_tensor_2x2; do
  for model in without with; do
    "$vescale" compile "$work/$model.mlir" --plan "$plans/$plan.json" -o "$work/$model" 2>"$work/log" ||
      { cat "$work/log"; exit 1; }
    train "$model" --validate-every 1 --metrics "$work/$plan-$model.jsonl" --save "$work/$model-often"
    train "$model" --validate-every 1000 --save "$work/$model-seldom"
    cmp "$work/$model-often" "$work/$model-seldom" || { echo "$plan, $model dropout: validation changed weights"; exit 1; }
  done
  a=$(value validation_loss "$work/$plan-without.jsonl") b=$(value validation_loss "$work/$plan-with.jsonl")
  near "$a" "$b" 1e-12 || { echo "$plan: validation losses $a without and $b with dropout"; exit 1; }
  a=$(value loss "$work/$plan-without.jsonl") b=$(value loss "$work/$plan-with.jsonl")
  if near "$a" "$b" 1e-6; then echo "$plan: dropout changes no training loss: $a and $b"; exit 1; fi
done
