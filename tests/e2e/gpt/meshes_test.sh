#!/usr/bin/env bash
# One model, many meshes: what 20 steps of AdamW compute on each mesh is what one device computes (compare_training.py).
#   meshes_test.sh VESCALE PLANS COMPARE TYPE TOLERANCE SIZES PLAN=RANKS...
# PLANS is the folder of plan files; SIZES are the options of `vescale model gpt`, or of the model that MODEL names.
# Where ACCUMULATE is given, meshes run over so many micro-batches; one device runs over one batch of all their rows.
set -euo pipefail
model=${MODEL:-gpt}
vescale=$1 plans=$2 compare=$3 type=$4 tolerance=$5 sizes=$6
shift 6
work=$TEST_TMPDIR steps=20 lr=1e-3
# Text that every machine has: this script, a few times.
for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$0"; done >"$work/text"

accumulate=${ACCUMULATE:-1}
batch=$(sed -n 's/.*--batch \([0-9]*\).*/\1/p' <<<"$sizes")
# shellcheck disable=SC2086
"$vescale" model "$model" --type "$type" $sizes -o "$work/$model.mlir"
# shellcheck disable=SC2086
"$vescale" model "$model" --type "$type" ${sizes/--batch $batch/--batch $((batch * accumulate))} -o "$work/whole.mlir"

run() { # LOG COMMAND...: shows the log where the command fails.
  local log=$1
  shift
  "$@" >"$log" 2>&1 || { cat "$log"; exit 1; }
}

train() { # PLAN RANKS MODEL MICRO-BATCHES
  local to=$work/$1
  mkdir "$to"
  run "$to/compile.log" "$vescale" compile "$work/$3.mlir" --plan "$plans/$1.json" -o "$to/train" \
    --accumulate "$4" --epsilon 1e-6 --keep-gradients
  # One thread a rank: machines with few cores run eight ranks.
  local common=(--ranks "$2" --threads-per-rank 1 --data "$work/text" --seed 3 --lr $lr)
  run "$to/initial.log" "$to/train" "${common[@]}" --steps 0 --save "$to/initial.safetensors"
  run "$to/train.log" "$to/train" "${common[@]}" --steps $steps --metrics "$to/metrics.jsonl" \
    --save "$to/weights.safetensors" --dump-gradients "$to/gradients.safetensors"
  rm "$to/train"
}

train one_device 1 whole 1
status=0
for plan in "$@"; do
  echo "== ${plan%=*} on ${plan#*=} ranks"
  train "${plan%=*}" "${plan#*=}" "$model" "$accumulate"
  /usr/bin/python3 "$compare" "$work/one_device" "$work/${plan%=*}" --tolerance "$tolerance" --lr $lr --steps $steps ||
    status=1
done
exit $status
