#!/usr/bin/python3
"""Trains the GPT of `vescale model gpt` with PyTorch, in double precision, and writes what it computed.

    pytorch_gpt.py --weights initial.safetensors --data tokens --heads 3 --batch 4 --seed 3 --steps 10 --lr 1e-3 \\
        --epsilon 1e-6 --weight-decay 0.1 --max-gradient-norm 1 --output record.json

The model, the order of the data and the optimizer are written here from their definitions, sharing nothing with the
compiler: weights of the first step are read from the file that a training executable saved after no step. The record
is JSON with the loss of each step and, as base64 of little-endian doubles, each gradient of the first step before
clipping.
"""

import argparse
import base64
import json
import math
import struct

import safetensors_file


def philox4x32(counter, key):
    """Ten rounds of Philox 4x32 (Salmon, Moraes, Dror and Shaw, SC'11)."""
    word = 0xFFFFFFFF
    key = [key & word, key >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [(b >> 32) ^ counter[1] ^ key[0], b & word, (a >> 32) ^ counter[3] ^ key[1], a & word]
        key = [(key[0] + 0x9E3779B9) & word, (key[1] + 0xBB67AE85) & word]
    return counter


def windows(tokens, seed, step, rows, length):
    """The rows of a step: each starts at a place that 64 random bits choose among all."""
    starts = len(tokens) - length
    chosen = []
    for row in range(rows):
        words = []
        for element in (2 * row, 2 * row + 1):
            block = element // 4
            words.append(philox4x32([block & 0xFFFFFFFF, block >> 32, 0xFFFFFFFF, step], seed)[element % 4])
        begin = ((words[0] << 32 | words[1]) * starts) >> 64
        chosen.append(list(tokens[begin : begin + length + 1]))
    return chosen


def train(arguments):
    import torch
    from torch.nn import functional

    torch.set_num_threads(1)
    weights = {
        name: torch.tensor(list(values), dtype=torch.float64).reshape(shape).requires_grad_()
        for name, (shape, values) in safetensors_file.read(arguments.weights).items()
        if not name.endswith((".m", ".v"))
    }
    hidden, sequence = weights["wte.weight"].shape[1], weights["wpe.weight"].shape[0]
    layers = sum(name.endswith(".attn.qkv.weight") for name in weights)
    mask = torch.full((sequence, sequence), -math.inf, dtype=torch.float64).triu(1)

    def norm(path, x):
        return functional.layer_norm(x, (hidden,), weights[path + ".weight"], weights[path + ".bias"], 1e-5)

    def linear(path, x):
        return x @ weights[path + ".weight"].T + weights[path + ".bias"]

    def gelu(x):
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))

    def attention(path, x):
        split = lambda y: y.reshape(*y.shape[:2], arguments.heads, -1).transpose(1, 2)
        q, k, v = (split(y) for y in linear(path + ".qkv", x).chunk(3, dim=-1))
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[-1]) + mask
        return linear(path + ".proj", (scores.softmax(-1) @ v).transpose(1, 2).reshape(x.shape))

    def loss_of(batch):
        x = weights["wte.weight"][batch[:, :-1]] + weights["wpe.weight"]
        for layer in range(layers):
            path = f"h.{layer}"
            x = x + attention(path + ".attn", norm(path + ".ln_1", x))
            x = x + linear(path + ".mlp.proj", gelu(linear(path + ".mlp.fc", norm(path + ".ln_2", x))))
        logits = norm("ln_f", x) @ weights["wte.weight"].T
        return functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())

    # Matrices decay; biases and the weights of normalisations, which are vectors, do not.
    groups = [
        {"params": [w for w in weights.values() if w.dim() > 1], "weight_decay": arguments.weight_decay},
        {"params": [w for w in weights.values() if w.dim() == 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=arguments.lr, betas=(0.9, 0.95), eps=arguments.epsilon)
    with open(arguments.data, "rb") as file:
        tokens = file.read()
    record = {"losses": [], "gradients": {}}
    for step in range(arguments.steps):
        optimizer.zero_grad()
        loss = loss_of(torch.tensor(windows(tokens, arguments.seed, step, arguments.batch, sequence)))
        loss.backward()
        record["losses"].append(loss.item())
        if step == 0:
            for name, weight in weights.items():
                values = weight.grad.flatten().tolist()
                record["gradients"][name] = base64.b64encode(struct.pack(f"<{len(values)}d", *values)).decode()
        torch.nn.utils.clip_grad_norm_(weights.values(), arguments.max_gradient_norm)
        optimizer.step()
    return record


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--output", required=True)
    for name in ("heads", "batch", "seed", "steps"):
        parser.add_argument("--" + name, type=int, required=True)
    for name in ("lr", "epsilon", "weight-decay", "max-gradient-norm"):
        parser.add_argument("--" + name, type=float, required=True)
    arguments = parser.parse_args()
    record = train(arguments)
    with open(arguments.output, "w", encoding="utf-8") as file:
        json.dump(record, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
