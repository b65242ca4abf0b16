#!/usr/bin/python3
"""Pins what GPT communicates and holds under each plan, beside the least that is known for the plan.

    pinned_plans.py VESCALE PLANS [PLAN...]

For each plan: the collectives of a step by kind and axes (count, and bytes that a device receives), the arena of a
device, and which values are gathered whole. More than what is pinned fails, and so does gathering anything whole that is
not allowed here. Less is printed: tighten the pin then.

The least known is derived here from the sizes of the model. n devices of an axis; B samples of S tokens, hidden D,
F = 4 D, H heads, V tokens of the vocabulary, L layers, 4 bytes an element. Received by the busiest device: all-reduce
of b bytes 2 b (n - 1) / n; reduce-scatter of b bytes, and gather to b bytes, b (n - 1) / n. A step over R micro-batches
of B samples moves activations R times, but weights and gradients once: it gathers before its loop, and reduces the sums
of gradients after it, beside which the loop holds the activations of one micro-batch.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
from typing import Callable, NamedTuple

EVEN = {"layers": 2, "hidden": 64, "heads": 4, "sequence": 32, "batch": 8, "vocabulary": 256}
UNEVEN = {"layers": 2, "hidden": 35, "heads": 5, "sequence": 13, "batch": 7, "vocabulary": 257}


def all_reduce(elements, n):
    return 4 * 2 * elements * (n - 1) / n


def scatter(elements, n):
    return 4 * elements * (n - 1) / n


class Model:
    def __init__(self, sizes, micro_batches):
        self.R = micro_batches
        self.L, self.D, self.H = sizes["layers"], sizes["hidden"], sizes["heads"]
        self.S, self.B, self.V = sizes["sequence"], sizes["batch"], sizes["vocabulary"]
        self.F = 4 * self.D
        self.stream, self.tokens = self.B * self.S * self.D, self.B * self.S
        D, F = self.D, self.F
        self.parameters = {"wte.weight": (self.V, D), "wpe.weight": (self.S, D), "ln_f.weight": (D,), "ln_f.bias": (D,)}
        for layer in range(self.L):
            for name, shape in {
                "ln_1.weight": (D,), "ln_1.bias": (D,), "attn.qkv.weight": (3 * D, D), "attn.qkv.bias": (3 * D,),
                "attn.proj.weight": (D, D), "attn.proj.bias": (D,), "ln_2.weight": (D,), "ln_2.bias": (D,),
                "mlp.fc.weight": (F, D), "mlp.fc.bias": (F,), "mlp.proj.weight": (D, F), "mlp.proj.bias": (D,),
            }.items():
                self.parameters[f"h.{layer}.{name}"] = shape

    def elements(self, wanted=lambda name: True):
        return sum(math.prod(shape) for name, shape in self.parameters.items() if wanted(name))

    def local_elements(self, plan):
        """Elements of parameters on the device that has most, by what the plan asks."""
        total = 0
        for name, shape in self.parameters.items():
            local = list(shape)
            for key, placements in plan.get("parameters", {}).items():
                if not re.fullmatch(key, name):
                    continue
                local = list(shape)
                for size, placement in zip(plan["mesh"].values(), placements):
                    cut = re.match(r"I?S\((\d+)", placement)
                    if cut:
                        dim = int(cut.group(1))
                        local[dim] = -(-local[dim] // size)
            total += math.prod(local)
        return total

    def activations(self, tokens, heads=1, vocabulary=1):
        """Elements that backward needs of `tokens` tokens, nothing computed twice: in each layer the residual stream
        and its norm before attention and before the MLP (4 D) with mean and rstd (4); queries, keys, values, attention's
        output (4 D), the sums of its exponentials (H), and fc before and after the activation (2 F), all cut by `heads`;
        then the last stream, its norm and statistics, and the logits."""
        D, F = self.D, self.F
        layer = 4 * D + 4 + (4 * D + self.H + 2 * F) / heads
        return tokens * (self.L * layer + 2 * D + 2 + self.V / vocabulary)


def is_cut_by_megatron(name):
    return bool(re.search(r"wte|qkv|fc|proj\.weight", name))


def is_large(name):
    return is_cut_by_megatron(name) and name.endswith("weight")


class Least:
    """The least collectives known: (kind, axes) to [count, bytes]; and elements of activations beside persistent ones."""

    def __init__(self):
        self.groups = {}

    def add(self, kind, axes, count, each):
        group = self.groups.setdefault((kind, axes), [0, 0.0])
        group[0] += count
        group[1] += count * each
        return self

    def bytes(self):
        return sum(b for _, b in self.groups.values())


# Each returns the least collectives; the elements that a device holds when backward begins, beside parameters, optimizer
# state and batch; and those of all gradients as backward makes them. Clipping needs the norm of all, so the device holds
# all gradients at once.


def data_parallel(m, plan):
    """One all-reduce for each gradient, and the loss."""
    least = Least()
    for shape in m.parameters.values():
        least.add("all_reduce", "dp", 1, all_reduce(math.prod(shape), 4))
    return least.add("all_reduce", "dp", 1, all_reduce(1, 4)), m.activations(m.tokens / 4), m.elements()


def tensor_parallel(m, plan):
    """Forward the outputs of attention and MLP, and the embedding; backward the gradients of their inputs, and of the
    logits' input; of the loss the maximum, the sum of exponentials and the logit of the target; the norm. Heads stay
    where they are."""
    n = plan["mesh"]["tp"]
    least = Least().add("all_reduce", "tp", 4 * m.L + 2, all_reduce(m.stream, n))
    least.add("all_reduce", "tp", 3, all_reduce(m.tokens, n)).add("all_reduce", "tp", 1, all_reduce(1, n))
    return least, m.activations(m.tokens, n, n), m.local_elements(plan)


def data_and_tensor(m, plan):
    """As tensor parallel on half of the batch; the gradients over dp; the logit of the target joins the loss's mean."""
    least = Least().add("all_reduce", "tp", m.R * (4 * m.L + 2), all_reduce(m.stream / 2, 2))
    least.add("all_reduce", "tp", m.R * 2, all_reduce(m.tokens / 2, 2)).add("all_reduce", "tp", 1, all_reduce(1, 2))
    least.add("all_reduce", "dp,tp", 1, all_reduce(1, 4))
    for name, shape in m.parameters.items():
        least.add("all_reduce", "dp", 1, all_reduce(math.prod(shape) / (2 if is_cut_by_megatron(name) else 1), 2))
    return least, m.activations(m.tokens / 2, 2, 2), m.local_elements(plan)


def fully_sharded(m, plan):
    """Each parameter is gathered once, for forward and backward, and its gradient reduce-scattered; loss and norm. What
    was gathered is held until backward has used it."""
    n = plan["mesh"]["dp"]
    least = Least()
    for shape in m.parameters.values():
        least.add("all_gather", "dp", 1, scatter(math.prod(shape), n))
        least.add("reduce_scatter", "dp", 1, scatter(math.prod(shape), n))
    tokens = -(-m.B // n) * m.S
    return least.add("all_reduce", "dp", 2, all_reduce(1, n)), m.activations(tokens) + m.elements(), m.elements()


def sequence(m, plan):
    """In each layer keys and values are gathered, which backward uses again, and their gradients scattered; the
    gradients of all parameters but the positions, which are cut like the tokens; loss and norm."""
    least = Least().add("all_gather", "sp", m.R * 2 * m.L, scatter(m.stream, 4))
    least.add("reduce_scatter", "sp", m.R * 2 * m.L, scatter(m.stream, 4))
    for name, shape in m.parameters.items():
        if name != "wpe.weight":
            least.add("all_reduce", "sp", 1, all_reduce(math.prod(shape), 4))
    gathered = m.L * 2 * m.stream * 3 / 4
    return least.add("all_reduce", "sp", 2, all_reduce(1, 4)), m.activations(m.tokens / 4) + gathered, m.elements()


def vocabulary(m, plan):
    """The embedding and the gradient of the logits' input; the loss as in tensor parallel; the norm."""
    least = Least().add("all_reduce", "tp", 2, all_reduce(m.stream, 4)).add("all_reduce", "tp", 3, all_reduce(m.tokens, 4))
    return least.add("all_reduce", "tp", 1, all_reduce(1, 4)), m.activations(m.tokens, 1, 4), m.local_elements(plan)


def three_axes(m, plan):
    """As data and tensor parallel, the batch over dp and fs; the large weights are gathered over fs, their gradients
    scattered over fs and reduced over dp, the others reduced over both."""
    least = Least().add("all_reduce", "tp", 4 * m.L + 2, all_reduce(m.stream / 4, 2))
    least.add("all_reduce", "tp", 2, all_reduce(m.tokens / 4, 2)).add("all_reduce", "dp,fs,tp", 1, all_reduce(1, 8))
    for name, shape in m.parameters.items():
        elements = math.prod(shape)
        if is_large(name):
            least.add("all_gather", "fs", 1, scatter(elements / 2, 2)).add("reduce_scatter", "fs", 1, scatter(elements / 2, 2))
            least.add("all_reduce", "dp", 1, all_reduce(elements / 4, 2))
        else:
            least.add("all_reduce", "dp,fs", 1, all_reduce(elements / (2 if is_cut_by_megatron(name) else 1), 4))
    gathered = m.elements(is_large) / 2
    gradients = sum(math.prod(s) / (2 if is_cut_by_megatron(n) else 1) for n, s in m.parameters.items())
    return least.add("all_reduce", "fs,tp", 1, all_reduce(1, 4)), m.activations(m.tokens / 4, 2, 2) + gathered, gradients


def nothing_whole(m, shape):
    return False


def parameters_whole(m, shape):
    return tuple(shape) in m.parameters.values()


def keys_whole(m, shape):
    return tuple(shape) == (m.B, m.H, m.S, m.D // m.H)


def stream_whole(m, shape):
    return tuple(shape) == (m.B, m.S, m.D)


def anything_of_samples_whole(m, shape):
    return parameters_whole(m, shape) or tuple(shape[:2]) == (m.B, m.S)


class Case(NamedTuple):
    sizes: dict
    #: The least known, from the model and the plan.
    least: Callable
    #: Whether a value of this shape may be gathered whole.
    may_be_whole: Callable
    #: Collectives by kind and axes as (count, bytes).
    collectives: dict
    #: Bytes of the arena.
    arena: int
    dropout: float = 0
    micro_batches: int = 1


# By the name of the plan, and what else is asked for.
CASES = {
    # TODO: squares of gradients are kept until their norm is known; without them the arena would be nearer the least.
    "data_parallel_4": Case(
        EVEN, data_parallel, nothing_whole,
        {
            ("all_reduce", "dp"): (29, 711174),
        },
        2407552,
    ),
    "tensor_parallel_4": Case(
        EVEN, tensor_parallel, nothing_whole,
        {
            ("all_reduce", "tp"): (14, 987654),
        },
        1647872,
    ),
    "data_tensor_2x2": Case(
        EVEN, data_and_tensor, nothing_whole,
        {
            ("all_reduce", "dp"): (28, 242944),
            ("all_reduce", "dp,tp"): (1, 6),
            ("all_reduce", "tp"): (13, 328708),
        },
        1699712,
    ),
    "fully_sharded_4": Case(
        EVEN, fully_sharded, parameters_whole,
        {
            ("all_gather", "dp"): (28, 355584),
            ("all_reduce", "dp"): (2, 12),
            ("reduce_scatter", "dp"): (28, 355584),
        },
        1642368,
    ),
    "sequence_4": Case(
        EVEN, sequence, keys_whole,
        {
            ("all_gather", "sp"): (4, 196608),
            ("all_reduce", "sp"): (29, 698892),
            ("reduce_scatter", "sp"): (4, 196608),
        },
        2519168,
    ),
    # TODO: in backward two gradients of the MLP as wide as fc lie beside all that is saved; one, in place, would do.
    "vocabulary_4": Case(
        EVEN, vocabulary, nothing_whole,
        {
            ("all_reduce", "tp"): (6, 201222),
        },
        4183168,
    ),
    # The smaller ones of the large weights are reduced over dp and fs by one launch instead of two, which takes less time
    # here and 6 % more bytes.
    "data_tensor_shard_2x2x2": Case(
        EVEN, three_axes, nothing_whole,
        {
            ("all_gather", "fs"): (9, 114688),
            ("all_reduce", "dp"): (5, 81920),
            ("all_reduce", "dp,fs"): (23, 118656),
            ("all_reduce", "dp,fs,tp"): (1, 7),
            ("all_reduce", "fs,tp"): (1, 6),
            ("all_reduce", "tp"): (12, 164352),
            ("reduce_scatter", "fs"): (5, 81920),
        },
        1099648,
    ),
    # The plan leaves qkv whole, so each layer gathers its heads' outputs instead of reducing those of proj: fewer bytes than
    # with heads that stay where they are.
    "uneven_3": Case(
        UNEVEN, tensor_parallel, stream_whole,
        {
            ("all_gather", "tp"): (2, 17472),
            ("all_reduce", "tp"): (12, 137360),
        },
        647360,
    ),
    # Of seven samples one device has three, 29 % more than a third. By the price of the host that weighs more than to gather
    # activations for the MLP and the logits, which are cut by features more evenly, and exchange them.
    "uneven_sharded_3": Case(
        UNEVEN, fully_sharded, anything_of_samples_whole,
        {
            ("all_gather", "dp"): (24, 142696),
            ("all_reduce", "dp"): (7, 84947),
            ("all_to_all", "dp"): (12, 143060),
        },
        694784,
    ),
    # Where samples divide, and nothing else does, each weight is gathered once for all its uses.
    "uneven_sharded_3+9_samples": Case(
        {**UNEVEN, "batch": 9}, fully_sharded, parameters_whole,
        {
            ("all_gather", "dp"): (28, 107656),
            ("all_reduce", "dp"): (2, 12),
            ("reduce_scatter", "dp"): (28, 107656),
        },
        659904,
    ),
    # Dropout communicates nothing. TODO: what it adds to the arena could be drawn again in backward.
    "data_tensor_2x2+dropout": Case(
        EVEN, data_and_tensor, nothing_whole,
        {
            ("all_reduce", "dp"): (28, 242944),
            ("all_reduce", "dp,tp"): (1, 6),
            ("all_reduce", "tp"): (13, 328708),
        },
        1894272,
        dropout=0.1,
    ),
    "data_parallel_4+accumulation": Case(
        EVEN, data_parallel, nothing_whole,
        {
            ("all_reduce", "dp"): (29, 711174),
        },
        2958656,
        micro_batches=4,
    ),
    "data_tensor_2x2+accumulation": Case(
        EVEN, data_and_tensor, nothing_whole,
        {
            ("all_reduce", "dp"): (28, 242944),
            ("all_reduce", "dp,tp"): (1, 6),
            ("all_reduce", "tp"): (49, 1314820),
        },
        2004160,
        micro_batches=4,
    ),
    "fully_sharded_4+accumulation": Case(
        EVEN, fully_sharded, parameters_whole,
        {
            ("all_gather", "dp"): (28, 355584),
            ("all_reduce", "dp"): (2, 12),
            ("reduce_scatter", "dp"): (28, 355584),
        },
        2309184,
        micro_batches=4,
    ),
    "sequence_4+accumulation": Case(
        EVEN, sequence, keys_whole,
        {
            ("all_gather", "sp"): (16, 786432),
            ("all_reduce", "sp"): (29, 698892),
            ("reduce_scatter", "sp"): (16, 786432),
        },
        3048768,
        micro_batches=4,
    ),
}


def read_plan(path):
    with open(path, encoding="utf-8") as file:
        return json.loads(re.sub(r"^//.*$", "", file.read(), flags=re.MULTILINE))


def compiled(vescale, plan_file, case, work):
    arguments = [text for name, size in case.sizes.items() for text in ("--" + name, str(size))]
    arguments += ["--dropout", str(case.dropout)]
    subprocess.run([vescale, "model", "gpt", *arguments, "-o", work + "/gpt.mlir"], check=True)
    made = subprocess.run(
        [vescale, "compile", work + "/gpt.mlir", "--plan", plan_file, "--accumulate", str(case.micro_batches),
         "-o", work + "/train", "--report", work + "/report"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if made.returncode != 0:
        sys.exit(made.stdout)
    with open(work + "/report", encoding="utf-8") as file:
        return json.load(file)


def check(name, case, report, plan):
    """The faults, as lines; prints the table."""
    model, faults = Model(case.sizes, case.micro_batches), []
    least, saved, gradients = case.least(model, plan)
    found = {}
    for group in report["collective_groups"]:
        if group["function"] == "step":
            found[group["kind"], ",".join(group["axes"])] = (group["count"], group["bytes"])
    print(f"{name}\n  {'':26}{'count':>8}{'bytes':>10}   pinned{'':>13}   least known")
    for key in sorted(set(found) | set(case.collectives) | set(least.groups)):
        count, size = found.get(key, (0, 0))
        pin, known = case.collectives.get(key, (0, 0)), least.groups.get(key, (0, 0))
        print(f"  {' '.join(key):26}{count:>8}{size:>10}{pin[0]:>9}{pin[1]:>10}{known[0]:>9}{known[1]:>10.0f}")
        if count > pin[0] or size > pin[1]:
            faults.append(f"{name}: {' '.join(key)}: {count} with {size} bytes, pinned are {pin[0]} with {pin[1]}")
    total = sum(size for _, size in found.values())
    print(f"  {'all':26}{'':8}{total:>10}{'':19}{'':9}{least.bytes():>10.0f}")

    tokens = -(-model.B // math.prod(plan["mesh"].values())) * model.S
    persistent = 4 * 3 * model.local_elements(plan) + 8 * tokens * model.R
    others = saved + gradients if model.R > 1 else max(saved, gradients)
    arena, known = report["arena_bytes"], persistent + 4 * others
    print(f"  {'memory of a device':26}{'':8}{arena:>10}{'':9}{case.arena:>10}{'':9}{known:>10.0f}")
    # Bucketing lays tensors beside each other and ordering moves what lives when: a twentieth. A tensor more is seen.
    if arena > case.arena * 1.05:
        faults.append(f"{name}: the arena has {arena} bytes, pinned are {case.arena}")

    for one in report["collectives"]:
        whole = one["kind"] not in ("all_reduce", "reduce_scatter") and '"' not in one["after"]
        if one["function"] == "step" and whole and not case.may_be_whole(model, one["shape"]):
            faults.append(f"{name}: {one['value'] or 'a value'} of shape {one['shape']} is made whole by {one['kind']}")
    return faults


def main():
    vescale, plans, *chosen = sys.argv[1:]
    faults = []
    for name, case in CASES.items():
        if chosen and name not in chosen:
            continue
        plan_file = os.path.join(plans, name.split("+")[0] + ".json")
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as work:
            report = compiled(vescale, plan_file, case, work)
        faults += check(name, case, report, read_plan(plan_file))
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
