#!/usr/bin/env bash
# One model, many meshes: the losses of 20 steps on each mesh are those of one device.
#   meshes_test.sh VESCALE PLANS COMPARE TYPE TOLERANCE SIZES PLAN=RANKS...
# PLANS is the folder of plan files; SIZES are the options of `vescale model gpt`.
set -euo pipefail
vescale=$1 plans=$2 compare=$3 type=$4 tolerance=$5 sizes=$6
shift 6
work=$TEST_TMPDIR
# Text that every machine has: this script, a few times.
for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$0"; done >"$work/text"

# shellcheck disable=SC2086
"$vescale" model gpt --type "$type" $sizes -o "$work/gpt.mlir"

train() { # PLAN RANKS
  "$vescale" compile "$work/gpt.mlir" --plan "$plans/$1.json" -o "$work/$1" 2>"$work/$1.log" ||
    { cat "$work/$1.log"; exit 1; }
  "$work/$1" --ranks "$2" --data "$work/text" --steps 20 --seed 3 --lr 1e-3 --metrics "$work/$1.jsonl" >"$work/$1.out" ||
    { cat "$work/$1.out"; exit 1; }
}

train one_device 1
for run in "$@"; do
  train "${run%=*}" "${run#*=}"
  echo "== ${run%=*} on ${run#*=} ranks"
  /usr/bin/python3 "$compare" "$work/one_device.jsonl" "$work/${run%=*}.jsonl" --tolerance "$tolerance"
  rm "$work/${run%=*}"
done
