#!/usr/bin/python3
"""Compares a training run with a record that pytorch_gpt.py wrote.

    compare_with_record.py RUN RECORD.json --tolerance 1e-5

RUN is a folder with metrics.jsonl and gradients.safetensors of a training executable, or a second record. Every loss
lies within the tolerance, and every gradient of step 1 within tolerance * max(|b|, 1e-3 * norm of all).
"""

import argparse
import array
import base64
import json
import os
import sys

import compare_training
import safetensors_file


def read_record(path):
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    gradients = {}
    for name, text in record["gradients"].items():
        gradients[name] = array.array("d")
        gradients[name].frombytes(base64.b64decode(text))
    return record["losses"], gradients


def read_run(path):
    if os.path.isfile(path):
        return read_record(path)
    gradients = safetensors_file.read(os.path.join(path, "gradients.safetensors"))
    return compare_training.losses(path), {name: values for name, (_, values) in gradients.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run")
    parser.add_argument("record")
    parser.add_argument("--tolerance", type=float, required=True)
    arguments = parser.parse_args()
    (losses, gradients), (expected, reference) = read_run(arguments.run), read_record(arguments.record)
    comparison = compare_training.Comparison()
    if len(losses) != len(expected):
        comparison.faults.append(f"{len(losses)} losses, the record has {len(expected)}")
    comparison.bound(
        "losses",
        ((f"step {i + 1}", abs(x - y) / abs(y), arguments.tolerance) for i, (x, y) in enumerate(zip(losses, expected))),
    )
    for name in set(gradients) ^ set(reference):
        comparison.faults.append(f"gradients: only one has {name}")
    common = [name for name in reference if name in gradients]
    for name in common:
        if len(gradients[name]) != len(reference[name]):
            comparison.faults.append(f"gradients: {name} has {len(gradients[name])} elements, not {len(reference[name])}")
    all_of = sum(compare_training.norm(values) ** 2 for values in reference.values()) ** 0.5
    comparison.bound(
        "gradients",
        (
            (
                name,
                compare_training.distance(gradients[name], reference[name]),
                arguments.tolerance * max(compare_training.norm(reference[name]), 1e-3 * all_of),
            )
            for name in common
        ),
    )
    for fault in comparison.faults:
        print(fault)
    sys.exit(1 if comparison.faults else 0)


if __name__ == "__main__":
    main()
