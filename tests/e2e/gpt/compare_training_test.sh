#!/usr/bin/env bash
# compare_training.py accepts what lies within each bound and names what does not.
#   compare_training_test.sh COMPARE
set -euo pipefail
compare=$1
cd "$(dirname "$compare")"
/usr/bin/python3 - "$TEST_TMPDIR" <<'END'
import json, os, sys
import compare_training, safetensors_file

root = sys.argv[1]


def folder(name, losses=(2.0, 1.5), initial=(1.0, 2.0), large=(3.0, 4.0), small=(1e-9, 0.0), weights=(1.0, 2.0)):
    path = os.path.join(root, name)
    os.makedirs(path, exist_ok=True)
    with open(path + "/metrics.jsonl", "w") as file:
        for loss in losses:
            file.write(json.dumps({"loss": loss}) + "\n")
    write = lambda kind, tensors: safetensors_file.write(
        f"{path}/{kind}.safetensors", {n: ((2,), v) for n, v in tensors.items()}, "F64")
    write("initial", {"large": initial})
    write("gradients", {"large": large, "small": small})
    write("weights", {"large": weights, "small": weights, "large.m": (weights[0], 5e5 * weights[1])})
    return path


def faults(**changes):
    return compare_training.compare(folder("one"), folder("several", **changes), 1e-5, lr=1e-3, steps=2)


def check(names, **changes):
    found = faults(**changes)
    assert len(found) == len(names) and all(n in f for n, f in zip(names, found)), (names, found)


check([])
check([], losses=(2.0, 1.5 * (1 + 9e-6)))
check(["losses: step 2"], losses=(2.0, 1.5 * (1 + 1.1e-5)))
check(["losses: step 1"], losses=(float("nan"), 1.5))
check(["1 of 2 steps"], losses=(2.0,))
check(["initial weights: large"], initial=(1.0, 2.0 + 2.0**-51))
# |b| = 5: the bound is 5e-5; a gradient that is nearly nothing is measured by all of them: 5e-8.
check([], large=(3.0, 4.0 + 4.9e-5))
check(["gradients: large"], large=(3.0, 4.0 + 5.1e-5))
check([], small=(1e-9, 4.9e-8))
check(["gradients: small"], small=(1e-9, 5.1e-8))
check(["gradients: large", ], large=(float("nan"), 4.0))
# 0.1 * 1e-3 * 2 * sqrt(2) = 2.83e-4 for parameters; state of the optimizer is not among them.
check([], weights=(1.0, 2.0 + 2.8e-4))
check(["weights: large", "weights: small"], weights=(1.0, 2.0 + 2.9e-4))
END
