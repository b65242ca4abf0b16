#!/usr/bin/python3
"""Compares a training run on a mesh with the run of the same model on one device.

    compare_training.py ONE SEVERAL --tolerance 1e-5 --lr 1e-3 --steps 20

ONE and SEVERAL are folders with the files that training executables wrote:

    metrics.jsonl           every loss: relative difference at most the tolerance
    initial.safetensors     weights after no step: the same bytes
    gradients.safetensors   of step 1, before clipping: |a - b| <= tolerance * max(|b|, 1e-3 * norm of all)
    weights.safetensors     after the last step, parameters: |a - b| <= lr * steps * sqrt(elements) / 10

Prints the largest of each beside its bound; exits 1 where one is above it, naming the tensor.
"""

import argparse
import json
import math
import os
import sys

import safetensors_file


def norm(values):
    return math.sqrt(math.fsum(float(v) * float(v) for v in values))


def distance(a, b):
    return math.sqrt(math.fsum((float(x) - float(y)) ** 2 for x, y in zip(a, b)))


class Comparison:
    """Collects what differs by more than its bound."""

    def __init__(self):
        self.faults = []

    def bound(self, what, measured):
        """`measured` yields (name, difference, bound); prints the worst, keeps those that are too large."""
        worst = ("nothing", 0.0, 1.0)
        count = 0
        for name, difference, bound in measured:
            count += 1
            # A NaN compares as not within the bound.
            if not difference <= bound:
                self.faults.append(f"{what}: {name} differs by {difference:.3g}, the bound is {bound:.3g}")
            if not difference / bound <= worst[1] / worst[2]:
                worst = (name, difference, bound)
        if count == 0:
            self.faults.append(f"{what}: there is nothing to compare")
        print(f"  {what}: {count} compared, worst {worst[0]}: {worst[1]:.3g} of {worst[2]:.3g}")


def losses(folder):
    with open(os.path.join(folder, "metrics.jsonl"), encoding="utf-8") as file:
        return [json.loads(line)["loss"] for line in file]


def same_tensors(comparison, what, a, b):
    """The names of both, where they agree in names and shapes."""
    if list(a) != list(b):
        comparison.faults.append(f"{what}: other tensors, {sorted(set(a) ^ set(b))}")
    common = [name for name in a if name in b]
    for name in common:
        if a[name][0] != b[name][0]:
            comparison.faults.append(f"{what}: {name} is {a[name][0]} and {b[name][0]}")
    return [name for name in common if a[name][0] == b[name][0]]


def compare(one, several, tolerance, lr, steps):
    """The faults, as lines of text."""
    comparison = Comparison()
    tensors = lambda folder, name: safetensors_file.read(os.path.join(folder, name + ".safetensors"))

    a, b = losses(one), losses(several)
    if len(a) != steps or len(b) != steps:
        comparison.faults.append(f"losses: {len(a)} and {len(b)} of {steps} steps")
    comparison.bound("losses", ((f"step {i + 1}", abs(x - y) / abs(x), tolerance) for i, (x, y) in enumerate(zip(a, b))))

    a, b = tensors(one, "initial"), tensors(several, "initial")
    for name in same_tensors(comparison, "initial weights", a, b):
        if a[name][1].tobytes() != b[name][1].tobytes():
            comparison.faults.append(f"initial weights: {name} is not the same bits")

    a, b = tensors(one, "gradients"), tensors(several, "gradients")
    parameters = list(a)
    all_of = math.sqrt(math.fsum(norm(values) ** 2 for _, values in a.values()))
    comparison.bound(
        "gradients",
        (
            (name, distance(a[name][1], b[name][1]), tolerance * max(norm(a[name][1]), 1e-3 * all_of))
            for name in same_tensors(comparison, "gradients", a, b)
        ),
    )

    a, b = tensors(one, "weights"), tensors(several, "weights")
    if not set(parameters) <= set(a):
        comparison.faults.append(f"weights: {sorted(set(parameters) - set(a))} are missing")
    comparison.bound(
        "weights",
        (
            (name, distance(a[name][1], b[name][1]), 0.1 * lr * steps * math.sqrt(max(1, len(a[name][1]))))
            for name in same_tensors(comparison, "weights", a, b)
            if name in parameters
        ),
    )
    return comparison.faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("one")
    parser.add_argument("several")
    parser.add_argument("--tolerance", type=float, required=True)
    parser.add_argument("--lr", type=float, required=True)
    parser.add_argument("--steps", type=int, required=True)
    arguments = parser.parse_args()
    faults = compare(arguments.one, arguments.several, arguments.tolerance, arguments.lr, arguments.steps)
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
