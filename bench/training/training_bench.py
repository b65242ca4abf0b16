#!/usr/bin/python3
"""Times one training step of a GPT: against PyTorch, and with ranks against one rank.

    bazel run //bench/training:training_bench [-- --rounds 5 --layers 6 ...]

Prints medians over all steps but the first of each run. The runs are interleaved: each round takes some steps of each
contestant, so that what else the machine does falls on all of them.

    one rank      the compiled step on one rank with two threads
    PyTorch       the same model in PyTorch (python3-torch) with two threads; left out where it is not installed
    1 x 4         one rank with four threads
    4 x 1         four ranks of one thread in one process: the same work (everything is cut by four) and threads

Processor time is that of whole runs, start and first step included: it hardly depends on what else the machine does, but
does not see that a core waits.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

SIZES = ("layers", "hidden", "heads", "sequence", "batch", "vocabulary")


class Compiled:
    """A training executable with a number of ranks and threads."""

    def __init__(self, work, executable, ranks, threads):
        self.command = [executable, "--ranks", str(ranks), "--threads-per-rank", str(threads), "--data", work + "/text"]
        self.metrics = work + "/metrics.jsonl"
        self.processor_seconds = []  # a step

    def run(self, steps):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(self.command + ["--steps", str(steps + 1), "--metrics", self.metrics], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.processor_seconds.append(used / (steps + 1))
        with open(self.metrics, encoding="utf-8") as file:
            return [json.loads(line)["step_seconds"] for line in file][1:]


class PyTorch:
    """pytorch_step.py, which waits while others run."""

    def __init__(self, script, sizes, threads):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", script, *sizes, "--threads", str(threads)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, steps):
        self.process.stdin.write(f"{steps + 1}\n")
        self.process.stdin.flush()
        return [float(text) for text in self.process.stdout.readline().split()][1:]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vescale")
    parser.add_argument("plans")
    parser.add_argument("pytorch_step")
    for name, value in zip(SIZES, (6, 384, 6, 256, 8, 256)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=2, help="steps of a round and contestant")
    arguments = parser.parse_args()
    sizes = [text for name in SIZES for text in ("--" + name, str(getattr(arguments, name)))]

    with tempfile.TemporaryDirectory() as work:
        with open(work + "/text", "wb") as file:
            file.write(bytes((i * i // 7 + i % 11) % min(256, arguments.vocabulary) for i in range(100000)))
        subprocess.run([arguments.vescale, "model", "gpt", *sizes, "-o", work + "/gpt.mlir"], check=True)
        for plan in ("one_device", "fully_sharded_4"):
            subprocess.run(
                [arguments.vescale, "compile", work + "/gpt.mlir", "--plan", f"{arguments.plans}/{plan}.json", "-o", f"{work}/{plan}"],
                check=True, stderr=subprocess.DEVNULL)
        contestants = {"one rank": Compiled(work, work + "/one_device", 1, 2)}
        if subprocess.run(["/usr/bin/python3", "-c", "import torch"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            contestants["PyTorch"] = PyTorch(arguments.pytorch_step, sizes, 2)
        contestants["1 x 4"] = Compiled(work, work + "/one_device", 1, 4)
        contestants["4 x 1"] = Compiled(work, work + "/fully_sharded_4", 4, 1)

        seconds = {name: [] for name in contestants}
        for _ in range(arguments.rounds):
            for name, contestant in contestants.items():
                seconds[name] += contestant.run(arguments.steps)
        if "PyTorch" in contestants:
            contestants["PyTorch"].close()

    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {arguments.rounds} rounds of {arguments.steps} steps; {' '.join(sizes)}")
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    for name, values in seconds.items():
        print(f"  {name:10} {1e3 * medians[name]:9.1f} ms   from {1e3 * min(values):.1f} to {1e3 * max(values):.1f}")
    if "PyTorch" in medians:
        print(f"one rank / PyTorch: {medians['one rank'] / medians['PyTorch']:.3f}")
    else:
        print("one rank / PyTorch: python3-torch is not installed")
    print(f"4 ranks / 1 rank:   {medians['4 x 1'] / medians['1 x 4']:.3f}")
    ranks, one = (statistics.median(contestants[name].processor_seconds) for name in ("4 x 1", "1 x 4"))
    print(f"  of processor time: {ranks / one:.3f}   {1e3 * ranks:.0f} ms and {1e3 * one:.0f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
