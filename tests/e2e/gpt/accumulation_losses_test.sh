#!/usr/bin/env bash
# A step over four micro-batches: its losses are those of one batch of all rows, and on each mesh those of one device.
#   accumulation_losses_test.sh VESCALE PLANS COMPARE PLAN=RANKS...
# With dropout there is no one batch to compare with, since each micro-batch draws numbers of its own: the reference is
# one device that accumulates too. Inside the loop of a data-parallel step nothing is communicated.
set -euo pipefail
vescale=$1 plans=$2 compare=$3
shift 3
work=$TEST_TMPDIR
for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$0"; done >"$work/text"

sizes=(--type f64 --layers 2 --hidden 32 --heads 4 --sequence 16)
"$vescale" model gpt "${sizes[@]}" --batch 16 -o "$work/whole.mlir"
"$vescale" model gpt "${sizes[@]}" --batch 4 -o "$work/micro.mlir"
"$vescale" model gpt "${sizes[@]}" --batch 4 --dropout 0.1 -o "$work/dropout.mlir"

train() { # NAME MODEL PLAN RANKS BATCHES OPTIONS...: the metrics are NAME.jsonl, validation is over so many batches
  local name=$1 model=$2 plan=$3 ranks=$4 batches=$5
  shift 5
  "$vescale" compile "$work/$model.mlir" --plan "$plans/$plan.json" "$@" -o "$work/train" 2>"$work/log" ||
    { cat "$work/log"; exit 1; }
  "$work/train" --ranks "$ranks" --data "$work/text" --steps 10 --seed 3 --lr 1e-3 --validate-every 5 \
    --validation-batches "$batches" --metrics "$work/$name.jsonl" >"$work/out" || { cat "$work/out"; exit 1; }
}
expect() { # REFERENCE NAME
  echo "== $2, against $1"
  /usr/bin/python3 "$compare" "$work/$1.jsonl" "$work/$2.jsonl" --tolerance 1e-11
}

train whole whole one_device 1 1
train one_device micro one_device 1 4 --accumulate 4
expect whole one_device
train dropout dropout one_device 1 4 --accumulate 4
if /usr/bin/python3 "$compare" "$work/one_device.jsonl" "$work/dropout.jsonl" --tolerance 1e-3 >/dev/null; then
  echo "dropout changes nothing"; exit 1
fi
for run in "$@"; do
  plan=${run%=*} ranks=${run#*=}
  train "$plan" micro "$plan" "$ranks" 4 --accumulate 4 --dump-stages "$work/stages-$plan"
  expect whole "$plan"
  train "$plan-dropout" dropout "$plan" "$ranks" 4 --accumulate 4
  expect dropout "$plan-dropout"
done

# Between `sched.loop` and the line that closes it.
if [ -d "$work/stages-data_parallel_4" ]; then
  schedule=$(ls "$work"/stages-data_parallel_4/*-schedule.mlir)
  grep -q 'sched.loop 4 {' "$schedule" || { echo "no loop in $schedule"; exit 1; }
  grep -q 'sched.collective all_reduce' "$schedule" || { echo "no gradient is reduced"; exit 1; }
  inside=$(awk '/sched.loop/ { loop = 1 } loop && /sched.collective .* stream 1/ { n++ } loop && /^ *}/ { loop = 0 } END { print n + 0 }' "$schedule")
  [ "$inside" = 0 ] || { echo "$inside collectives inside the loop of a data-parallel step"; exit 1; }
fi
