#!/bin/bash
# Links the training runtime with a model as the compiler does, moves the executable away from everything that made it,
# and trains: it must be one file that needs no other.
set -eu
writer=$PWD/$1 archive=$PWD/$2 root=$PWD
work=$(mktemp -d "$TEST_TMPDIR/link.XXXXXX")
cd "$work"

"$writer" 2 schedule.cpp
g++ -std=c++17 -c schedule.cpp -o schedule.o
g++ -std=c++17 -I"$root" -c "$root/tests/e2e/executable/CountKernelTable.cpp" -o kernels.o
eval "$("$writer" --link train "$archive" schedule.o kernels.o)"
"$writer" --seal train

if readelf -lW train | grep -q INTERP; then echo "train needs a dynamic loader"; exit 1; fi

mkdir elsewhere && mv train elsewhere && cd elsewhere
env -i ./train --help | grep -q -- --threads-per-rank
seq 1 400 > corpus.txt
env -i ./train --data corpus.txt --steps 20 --lr 10 --metrics metrics.jsonl --save weights.safetensors \
  --trace trace.json --dump-gradients gradients.safetensors > output.txt
cat output.txt
grep -q '^step 20/20  loss ' output.txt
for file in metrics.jsonl weights.safetensors trace.json gradients.safetensors; do
  test -s $file || { echo "$file was not written"; exit 1; }
done
first=$(sed -n 's/^step  1.*loss \([0-9.]*\).*/\1/p' output.txt)
last=$(sed -n 's/^step 20.*loss \([0-9.]*\).*/\1/p' output.txt)
awk "BEGIN { exit !($last < $first - 0.5) }" || { echo "the loss went from $first to $last"; exit 1; }

# Behind the first page it is still an ELF file whose symbols tools find.
nm train | grep -q ' T main$'

# A damaged executable says so.
cp train damaged
offset=$(grep -abo VSCH damaged | head -1 | cut -d: -f1)
printf '\xff' | dd of=damaged bs=1 seek=$((offset + 40)) conv=notrunc status=none
if ./damaged --data corpus.txt 2> message.txt; then echo "a damaged executable ran"; exit 1; fi
grep -q '^error: .*was altered' message.txt
test "$(wc -l < message.txt)" = 1
