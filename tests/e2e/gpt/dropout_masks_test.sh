#!/usr/bin/env bash
# The masks of dropout and of attention's dropout are the same bits on every mesh: gradients that are these masks
# (dropout_masks.mlir) are compared byte by byte, for every way to cut a dim, evenly and unevenly, twice and not at all.
#   dropout_masks_test.sh VESCALE MODEL
set -euo pipefail
here=$(cd "$(dirname "$2")" && pwd) # safetensors_file.py stands beside the model.
vescale=$PWD/$1 model=$here/$(basename "$2")
cd "$TEST_TMPDIR"
seq 1 400 >text

# NAME RANKS MESH LAYOUT-OF-X LAYOUT-OF-W: gradients of one step.
masks() {
  echo "{\"mesh\": $3, \"parameters\": {\"x\": $4, \"q|w\": $5}, \"gradients\": \"as-parameters\"}" >"$1.json"
  { "$vescale" compile "$model" --plan "$1.json" --keep-gradients -o train &&
    ./train --ranks "$2" --threads-per-rank 1 --seed 7 --data text --steps 1 --dump-gradients "$1.safetensors"; } \
    >"$1.log" 2>&1 || { cat "$1.json" "$1.log"; exit 1; }
}

masks one 1 '{"a": 1}' '["R"]' '["R"]'
/usr/bin/python3 - one.safetensors "$here" <<'END'
import sys
sys.path.insert(0, sys.argv[2])
import safetensors_file
gradients = safetensors_file.read(sys.argv[1])
x, w = gradients["x"][1], gradients["w"][1]
assert set(x) == {0.0, 2.0}, set(x)
kept = sum(v != 0 for v in x)
assert abs(kept - 270) < 5 * 135**0.5, kept
kept = 0
for i, v in enumerate(w):
    row, column = i // 8 % 8, i % 8
    assert v == 0 or column <= row and abs(v - 2 / (row + 1)) < 1e-6, (row, column, v)
    kept += v != 0
assert abs(kept - 216) < 5 * 108**0.5, kept
END

while read -r name ranks mesh x w; do
  masks "$name" "$ranks" "$mesh" "$x" "$w"
  cmp one.safetensors "$name.safetensors" || { echo "the masks of $name are not those of one device"; exit 1; }
  echo "$name: the same bytes"
done <<'END'
whole 2 {"a":2} ["R"] ["R"]
first_dim 4 {"a":4} ["S(0)"] ["S(0)"]
second_dim 3 {"a":3} ["S(1)"] ["S(1)"]
last_dim 4 {"a":4} ["S(2)"] ["S(2)"]
two_dims 4 {"a":2,"b":2} ["S(0)","S(1)"] ["S(1)","S(0)"]
one_dim_twice 4 {"a":2,"b":2} ["S(1)","S(1)"] ["S(1)","S(2)"]
three_axes 8 {"a":2,"b":2,"c":2} ["S(2)","S(0)","S(1)"] ["S(0)","R","S(1)"]
END
