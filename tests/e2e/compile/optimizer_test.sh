#!/usr/bin/env bash
# The options of the optimizer reach the training step with all their digits, and those that cannot be obeyed are refused.
#   optimizer_test.sh VESCALE PLACED
# PLACED is a model that has its training step and its layouts already.
set -euo pipefail
vescale=$PWD/$1 placed=$PWD/$2
cd "$TEST_TMPDIR"
"$vescale" model gpt --layers 1 --hidden 8 --heads 2 --sequence 4 --batch 2 --vocabulary 256 -o gpt.mlir

# FILE PATTERN: the pattern stands in the file.
has() { grep -qE -e "$2" "$1" || { echo "$1 has no $2:"; head -c 3000 "$1"; exit 1; }; }
refused() { # MESSAGE OPTION...
  local message=$1
  shift
  if "$vescale" compile "$@" -o refused 2>message.txt; then echo "accepted: $*"; exit 1; fi
  has message.txt "$message"
  test "$(wc -l <message.txt)" = 1 || { echo "more than one line:"; cat message.txt; exit 1; }
  test ! -e refused
}

"$vescale" compile gpt.mlir -o train --dump-stages adamw --beta1 0.8 --beta2 0.987654321 --epsilon 1.25e-6 \
  --weight-decay 0.0625 --max-gradient-norm 0.5
has adamw/01-training.mlir 'vs.adamw .*beta1 = (8.0*e-01|0.8)[, }]'
has adamw/01-training.mlir 'vs.adamw .*beta2 = 0.987654321'
has adamw/01-training.mlir 'vs.adamw .*epsilon = 1.25'
has adamw/01-training.mlir 'vs.adamw .*decay = (6.25|0.0625)'
has adamw/01-training.mlir 'vs.clip_by_global_norm .*= (5.0*e-01|0.5)[ }]'

"$vescale" compile gpt.mlir -o train --dump-stages sgd --optimizer sgd --momentum 0.75 --max-gradient-norm 0
has sgd/01-training.mlir 'vs.sgd .*momentum_factor = (0.75|7.5)'
if grep -q 'vs.clip_by_global_norm\|vs.adamw' sgd/01-training.mlir; then echo "sgd clips, or is adamw"; exit 1; fi

refused '--momentum is an option of sgd, not of adamw' gpt.mlir --momentum 0.9
refused '--beta1 is an option of adamw, not of sgd' gpt.mlir --optimizer sgd --beta1 0.8
refused '--optimizer: .*lion' gpt.mlir --optimizer lion
refused '--beta2: 1 does not lie in \[0, 1\)' gpt.mlir --beta2 1
refused '--epsilon' gpt.mlir --epsilon 0
refused '--weight-decay' gpt.mlir --weight-decay -0.1
refused 'has its training step already: options of the optimizer cannot change it' "$placed" --weight-decay 0
test "$("$vescale" compile --help | wc -l)" -le 24
