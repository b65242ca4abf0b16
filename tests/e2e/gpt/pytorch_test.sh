#!/usr/bin/env bash
# Forward loss, every gradient and the losses of ten steps are those of an independent implementation in PyTorch
# (pytorch_gpt.py). Where PyTorch is not installed, the numbers that the same script wrote are compared; where it is,
# also these with what it writes now.
#   pytorch_test.sh VESCALE PLANS RECORD
# VESCALE_WRITE_RECORD=FILE writes the record to this file, which must not exist, before it is compared.
set -euo pipefail
vescale=$1 plans=$2 record=$3
here=$(dirname "$record") work=$TEST_TMPDIR
training=(--seed 3 --lr 1e-3)
optimizer=(--epsilon 1e-6 --weight-decay 0.1 --max-gradient-norm 1)
sizes=(--layers 2 --hidden 12 --heads 3 --sequence 8 --batch 4 --vocabulary 32)
# 4,000 tokens below 32 with some order in them.
/usr/bin/python3 -c 'import sys; sys.stdout.buffer.write(bytes((i * i // 7 + i % 11) % 32 for i in range(4000)))' >"$work/tokens"

run() { # LOG COMMAND...: shows the log where the command fails.
  local log=$1
  shift
  "$@" >"$log" 2>&1 || { cat "$log"; exit 1; }
}

with_pytorch=no
/usr/bin/python3 -c 'import torch' 2>/dev/null && with_pytorch=yes
echo "PyTorch is installed: $with_pytorch"
for type in f64 f32; do
  tolerance=1e-5
  [ $type = f64 ] && tolerance=1e-10
  "$vescale" model gpt --type $type "${sizes[@]}" -o "$work/$type.mlir"
  for plan in one_device=1 data_tensor_2x2=4; do
    to=$work/$type-${plan%=*}
    mkdir "$to"
    run "$to/log" "$vescale" compile "$work/$type.mlir" --plan "$plans/${plan%=*}.json" "${optimizer[@]}" \
      --keep-gradients -o "$to/train"
    common=(--ranks "${plan#*=}" --threads-per-rank 1 --data "$work/tokens" --tokens bytes)
    run "$to/log" "$to/train" "${common[@]}" "${training[@]}" --steps 0 --save "$to/initial.safetensors"
    run "$to/log" "$to/train" "${common[@]}" "${training[@]}" --steps 10 --metrics "$to/metrics.jsonl" \
      --dump-gradients "$to/gradients.safetensors"
    if [ $with_pytorch = yes ]; then
      /usr/bin/python3 "$here/pytorch_gpt.py" --weights "$to/initial.safetensors" --data "$work/tokens" --heads 3 \
        --batch 4 "${training[@]}" --steps 10 "${optimizer[@]}" --output "$to/pytorch.json"
      echo "== $type, ${plan%=*}, against PyTorch"
      /usr/bin/python3 "$here/compare_with_record.py" "$to" "$to/pytorch.json" --tolerance $tolerance
    fi
    if [ -n "${VESCALE_WRITE_RECORD:-}" ] && [ ! -e "$VESCALE_WRITE_RECORD" ]; then
      cp "$to/pytorch.json" "$VESCALE_WRITE_RECORD"
    fi
    echo "== $type, ${plan%=*}, against the record"
    /usr/bin/python3 "$here/compare_with_record.py" "$to" "$record" --tolerance $tolerance
  done
done
if [ $with_pytorch = yes ]; then
  echo "== the record against PyTorch"
  /usr/bin/python3 "$here/compare_with_record.py" "$record" "$work/f64-one_device/pytorch.json" --tolerance 1e-12
fi
