#!/usr/bin/env bash
# What a person can get wrong ends with one clear message and a non-zero exit, and leaves no file behind.
#   wrong_input_test.sh VESCALE
set -uo pipefail
vescale=$PWD/$1
work=$(mktemp -d "$TEST_TMPDIR/wrong.XXXXXX")
cd "$work" || exit 1
faults=0
fault() {
  echo "== $*"
  cat "$work.message"
  faults=$((faults + 1))
}

# MESSAGE COMMAND...: fails within a minute, says MESSAGE in one paragraph that begins with "error:", leaves all files as
# they were, and shows no stack trace.
refused() {
  local expected=$1 status before
  shift
  before=$(find . -type f -exec cksum {} + | sort)
  timeout 60 "$@" >"${sink:-$work.output}" 2>"$work.message"
  status=$?
  [ $status -ge 1 ] && [ $status -le 2 ] || fault "exit status $status of: $*"
  grep -qF -- "$expected" "$work.message" || fault "no '$expected' from: $*"
  [ "$(grep -c '^error: ' "$work.message")" = 1 ] && head -1 "$work.message" | grep -q '^error: ' ||
    fault "not one error from: $*"
  if grep -qE 'Stack dump|PLEASE submit|^ *#[0-9]+ |^module \{|Assertion|terminate called' "$work.message"; then
    fault "a trace or a dump from: $*"
  fi
  [ "$before" = "$(find . -type f -exec cksum {} + | sort)" ] || fault "files were left by: $*"
}

"$vescale" model gpt --layers 1 --hidden 8 --heads 2 --sequence 4 --batch 4 --vocabulary 128 -o gpt.mlir || exit 1

# Plans. MESSAGE PLAN
plan() {
  echo "$2" >plan.json
  refused "$1" "$vescale" compile gpt.mlir --plan plan.json -o out
}
plan 'plan.json: parameters: "wte.wieght": matches nothing; nearest: `wte.weight`' \
  '{"mesh": {"dp": 4}, "parameters": {"wte.wieght": ["S(0)"]}}'
plan 'plan.json: values: "tokns": matches nothing; nearest: `tokens`' '{"mesh": {"dp": 4}, "values": {"tokns": ["S(0)"]}}'
plan 'plan.json: parameters: "wte.(weight": ' '{"mesh": {"dp": 4}, "parameters": {"wte.(weight": ["S(0)"]}}'
plan 'unknown axis "tp"; the mesh is ["dp" = 4]' '{"mesh": {"dp": 4}, "parameters": {"wte.weight": "[{\"tp\"}, {}]"}}'
plan 'mesh ["dp" = 4] has no axis "tp"; nearest: `dp`' \
  '{"mesh": {"dp": 4}, "optimizer_state": {"like": "parameters", "also-cut-by": "tp"}}'
plan 'does not fit wte.weight of shape 128x8 on mesh ["dp" = 4]: axis "dp": S(2): the tensor has rank 2' \
  '{"mesh": {"dp": 4}, "parameters": {"wte.weight": ["S(2)"]}}'
plan '2 placements for the 1 axes of mesh ["dp" = 4]' '{"mesh": {"dp": 4}, "parameters": {"wte.weight": ["S(0)", "R"]}}'
plan '3 dims are laid out where the tensor has 2' '{"mesh": {"dp": 4}, "parameters": {"wte.weight": "[{\"dp\"}, {}, {}]"}}'
plan 'plan.json:1:20: not JSON' '{"mesh": {"dp": 4, }'
plan 'unknown key "parameter"; nearest: `parameters`' '{"mesh": {"dp": 4}, "parameter": {}}'
plan 'plan.json: precision "bf16": the compiler does not do this yet' '{"mesh": {"dp": 4}, "precision": "bf16"}'
plan 'plan.json: recompute: the compiler does not do this yet' '{"mesh": {"dp": 4}, "recompute": ["h.0"]}'
plan 'plan.json: pipeline: the compiler does not do this yet' '{"mesh": {"pp": 2}, "pipeline": {"axis": "pp"}}'
echo '{"mesh": {"dp": 4}, "accumulate": 4}' >plan.json
refused 'plan.json: "accumulate": the plan asks for 4 micro-batches of a step, the command for 2' \
  "$vescale" compile gpt.mlir --plan plan.json --accumulate 2 -o out
rm plan.json
refused 'File does not exist: missing.json' "$vescale" compile gpt.mlir --plan missing.json -o out

# Models. MESSAGE EDIT: the model after this sed script.
model() {
  sed -E "$2" gpt.mlir >bad.mlir
  cmp -s gpt.mlir bad.mlir && fault "the model was not changed by $2"
  refused "$1" "$vescale" compile bad.mlir -o out
}
model "bad.mlir:35:11: custom op 'vs.gelo' is unknown" 's/vs.gelu/vs.gelo/'
model "bad.mlir:36:35: use of value '%29' expects different type than prior uses: 'tensor<4x4x32xf32>' vs 'tensor<4x4x33xf32>'" '/vs.gelu/s/-> tensor<4x4x32xf32>|: tensor<4x4x32xf32>/: tensor<4x4x32xf32> -> tensor<4x4x33xf32>/'
model "'vs.einsum' op" '/bsd,vd->bsv/s/bsd,vd->bsv/bsd,vs->bdv/'
model "there is no function '@loss'" 's/@loss/@lose/'
model 'bad.mlir:' '20,$d'
rm bad.mlir
refused 'File does not exist: missing.mlir' "$vescale" compile missing.mlir -o out

# Places and budgets.
refused 'cannot write nowhere/out: No such file or directory' "$vescale" compile gpt.mlir -o nowhere/out
mkdir folder
refused 'cannot write folder: it is a folder' "$vescale" compile gpt.mlir -o folder
mkfifo pipe
refused 'cannot write pipe: it is no regular file' "$vescale" compile gpt.mlir -o pipe
refused 'pipe: cannot replace: it is no regular file' "$vescale" model gpt -o pipe
refused 'nowhere/report: cannot create: No such file or directory' "$vescale" compile gpt.mlir -o out --report nowhere/report
refused 'a size is not negative: -5' "$vescale" compile gpt.mlir -o out --memory-budget -5
refused '--layers must lie between 1 and 1048576, is 1000000000000' "$vescale" model gpt --layers 1000000000000 -o out
sink=/dev/full refused 'standard output: ' "$vescale" plan gpt.mlir
# No file may have more than 4 KiB, which is like a full disk.
small=(bash -c 'trap "" XFSZ && ulimit -f 4 && exec "$@"' small)
refused 'File too large' "${small[@]}" "$vescale" compile gpt.mlir -o out
refused 'stages/01-training.mlir: cannot reserve space: File too large' "${small[@]}" "$vescale" compile gpt.mlir -o out --dump-stages stages
refused 'big.mlir: cannot reserve space: File too large' "${small[@]}" "$vescale" model gpt -o big.mlir
refused 'page.html: cannot reserve space: File too large' "${small[@]}" "$vescale" plan gpt.mlir --html page.html
refused 'bytes on a device, the budget is 1000: ' "$vescale" compile gpt.mlir -o out --memory-budget 1kB
grep -q 'cut more tensors' "$work.message" || fault "the message on the budget says not what to do"
grep -q 'gpt.mlir:[0-9]*:[0-9]*: note: [0-9]* bytes for a value of type' "$work.message" ||
  fault "the message on the budget names no value"
refused "unknown CPU 'pdp-11'" "$vescale" compile gpt.mlir -o out --target-cpu pdp-11

# Executables.
echo '{"mesh": {"dp": 4}, "values": {"tokens|targets": ["S(0)"]}}' >plan.json
"$vescale" compile gpt.mlir --plan plan.json -o train 2>/dev/null || exit 1
seq 1 300 >text # 1092 bytes
train() { # MESSAGE OPTION...
  local message=$1
  shift
  refused "$message" ./train "$@"
}
for ranks in 3 5; do
  train "compiled for 4 ranks (mesh [\"dp\" = 4]), not for $ranks: compile the model for another mesh" --data text \
    --ranks $ranks
done
train '--data is required'
train 'missing: cannot open: No such file or directory' --data missing
train 'folder: the directory holds no files' --data folder
: >nothing
train 'nothing: 0 tokens for training are too few for one window of 4 + 1' --data nothing
printf 'text\377text\377text\377' >binary
train "is outside the model's vocabulary of 128" --data binary
grep -q 'binary: token 255 at byte [0-9]*' "$work.message" || fault "the message on a token does not say where it stands"
printf odd >odd
train 'odd: ' --data odd --tokens uint32
if [ "$(id -u)" != 0 ]; then
  cp text secret && chmod 000 secret
  train 'secret: cannot open: Permission denied' --data secret
fi
train 'text: not a sound safetensors file' --data text --load text
for option in --save --metrics --trace; do
  train 'nowhere/x: cannot create: No such file or directory' --data text $option nowhere/x
done
for option in --save --trace; do
  train 'folder: cannot replace: it is a directory' --data text $option folder
  train 'pipe: cannot replace: it is no regular file' --data text $option pipe
  refused 'big: cannot reserve space: File too large' "${small[@]}" ./train --data text --steps 1 $option big
done
sink=/dev/full train 'standard output: cannot write: No space left on device' --data text
# Metrics appear line by line, and only whole lines.
"${small[@]}" ./train --data text --metrics metrics.jsonl >"$work.output" 2>"$work.message" &&
  fault "metrics of more than 4 KiB on a disk of 4 KiB"
grep -qx 'error: metrics.jsonl: cannot write: File too large' "$work.message" || fault "no error about metrics"
[ -s metrics.jsonl ] && ! grep -qvE '^\{"step":.*\}$' metrics.jsonl && [ -z "$(tail -c 1 metrics.jsonl)" ] ||
  fault "a part of a line in the metrics"
rm metrics.jsonl
# What is printed goes into no file that was opened while standard output was closed.
./train --data text --steps 1 --save weights >&- 2>"$work.message" || fault "a run with standard output closed"
./train --data text --steps 1 --save weights.again >"$work.output" || fault "a run"
cmp weights weights.again || fault "other weights with standard output closed"
rm weights weights.again
train '--lr: must be a number of at least 0, not nan' --data text --lr nan
train 'the model was compiled without its gradients as outputs' --data text --dump-gradients x

# Executables that were cut short or altered. The schedule and the kernels get most of the altered bytes.
mv train whole
size=$(stat -c %s whole)
shorten() { # BYTES
  head -c "$1" whole >train
  chmod +x train
}
for bytes in 4096 4097 30000 32768 $((size / 1000)) $(seq $((size / 25)) $((size / 25)) $((size - 25))) $((size - 4096)) $((size - 1)); do
  shorten "$bytes"
  train "was cut short: it has $bytes of its $size bytes; copy it again or compile the model again" --data text
done
# Within its first page the kernel refuses to start it and the shell says so; or the page is whole enough to speak for itself.
for bytes in 4 63 64 65 100 500 1000 1064 1200 1700 2000 2500 3000 4095; do
  shorten "$bytes"
  (./train --data text) >"$work.output" 2>"$work.message" </dev/null
  status=$?
  [ $status = 126 ] || [ $status = 127 ] || { [ $status = 1 ] && grep -q "^error: .* was cut short" "$work.message"; } ||
    fault "exit status $status of an executable of $bytes bytes"
done
cp whole train
echo more >>train
train "was altered: it has $((size + 5)) of its $size bytes" --data text

schedule=$(grep -abo VSCH whole | head -1 | cut -d: -f1)
[ -n "$schedule" ] || { echo "the executable holds no schedule"; exit 1; }
for at in 4096 20000 40000 100000 $(seq $((size / 11)) $((size / 11)) $((size - 11))) $((size - 1)) \
  $(for offset in -28 -8 0 4 8 12 16 20 24 28 32 40 64 100 250 600 1000 2000 4000; do echo $((schedule + offset)); done); do
  cp whole train
  old=$(od -An -tu1 -j "$at" -N 1 whole)
  printf "\\$(printf %o $((old ^ 1 << at % 8)))" | dd of=train bs=1 seek="$at" conv=notrunc status=none
  train "was altered: its checksum does not match its $size bytes; copy it again or compile the model again" --data text
done
rm train whole
[ $faults = 0 ] || { echo "$faults faults"; exit 1; }
