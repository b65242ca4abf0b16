#!/usr/bin/env python3
"""Compares the metrics of two training runs of one model, step by step.

    compare_runs.py REFERENCE.jsonl OTHER.jsonl [--tolerance 1e-5]

Prints the losses of both beside each other and the largest relative difference; exits 1 if it is above the
tolerance, 2 if the files cannot be compared.
"""

import argparse
import json
import sys


def read(path):
    """The steps of a metrics file that have a training loss, and those that have a validation loss."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file if line.strip()]
    except (OSError, ValueError) as error:
        sys.exit(f"compare_runs: {path}: {error}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reference")
    parser.add_argument("other")
    parser.add_argument("--tolerance", type=float, default=1e-5)
    arguments = parser.parse_args()
    reference, other = read(arguments.reference), read(arguments.other)
    if len(reference) != len(other) or not reference:
        print(f"compare_runs: {len(reference)} lines against {len(other)}", file=sys.stderr)
        sys.exit(2)

    largest, at = 0.0, 0
    keys = [key for key in ("loss", "validation_loss") if any(key in line for line in reference)]
    print("  ".join(["  step"] + [f"{key + ', one':>22}  {'several':>12}" for key in keys]))
    for count, (a, b) in enumerate(zip(reference, other)):
        shown = count % max(1, len(reference) // 10) == 0 or count == len(reference) - 1
        cells = [f"{a.get('step', count):>6.0f}"]
        for key in keys:
            if key in a and key in b:
                difference = abs(a[key] - b[key]) / max(abs(a[key]), 1e-30)
                if difference >= largest:
                    largest, at = difference, a.get("step", count)
                cells.append(f"{a[key]:>22.6f}  {b[key]:>12.6f}")
            else:
                cells.append(" " * 36)
        if shown:
            print("  ".join(cells))
    print(f"Largest relative difference: {largest:.2e} (step {at:.0f})")
    sys.exit(0 if largest <= arguments.tolerance else 1)


if __name__ == "__main__":
    main()
