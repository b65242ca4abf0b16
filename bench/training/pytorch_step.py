#!/usr/bin/python3
"""Training steps of GPT in PyTorch, f32, on two threads: what `training_bench.py` measures against.

Reads numbers of steps from standard input, a line each, takes that many steps and prints their seconds on one line.
The options are those of `vescale model gpt`; weights and tokens are random, since only the time matters.
"""

import argparse
import math
import sys
import time

import torch
from torch.nn import functional


class Gpt(torch.nn.Module):
    def __init__(self, layers, hidden, heads, sequence, vocabulary):
        super().__init__()
        self.heads = heads
        self.wte = torch.nn.Embedding(vocabulary, hidden)
        self.wpe = torch.nn.Embedding(sequence, hidden)
        self.blocks = torch.nn.ModuleList(
            torch.nn.ModuleDict(
                {
                    "ln_1": torch.nn.LayerNorm(hidden),
                    "qkv": torch.nn.Linear(hidden, 3 * hidden),
                    "proj": torch.nn.Linear(hidden, hidden),
                    "ln_2": torch.nn.LayerNorm(hidden),
                    "fc": torch.nn.Linear(hidden, 4 * hidden),
                    "out": torch.nn.Linear(4 * hidden, hidden),
                }
            )
            for _ in range(layers)
        )
        self.ln_f = torch.nn.LayerNorm(hidden)
        self.register_buffer("mask", torch.full((sequence, sequence), -math.inf).triu(1))
        for parameter in self.parameters():
            if parameter.dim() > 1:
                torch.nn.init.normal_(parameter, std=0.02)

    def attention(self, block, x):
        q, k, v = (y.unflatten(-1, (self.heads, -1)).transpose(1, 2) for y in block["qkv"](x).chunk(3, dim=-1))
        scores = (q @ k.transpose(2, 3)) * (1 / math.sqrt(q.shape[-1])) + self.mask
        return block["proj"]((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))

    def forward(self, batch):
        x = self.wte(batch[:, :-1]) + self.wpe.weight
        for block in self.blocks:
            x = x + self.attention(block, block["ln_1"](x))
            x = x + block["out"](functional.gelu(block["fc"](block["ln_2"](x)), approximate="tanh"))
        logits = self.ln_f(x) @ self.wte.weight.T
        return functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("layers", "hidden", "heads", "sequence", "batch", "vocabulary", "threads"):
        parser.add_argument("--" + name, type=int, required=True)
    arguments = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(arguments.threads)
    model = Gpt(arguments.layers, arguments.hidden, arguments.heads, arguments.sequence, arguments.vocabulary)
    matrices = [w for w in model.parameters() if w.dim() > 1]
    vectors = [w for w in model.parameters() if w.dim() == 1]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.95), foreach=True)
    for line in sys.stdin:
        seconds = []
        for _ in range(int(line)):
            batch = torch.randint(arguments.vocabulary, (arguments.batch, arguments.sequence + 1))
            begin = time.perf_counter()
            optimizer.zero_grad(set_to_none=True)
            loss = model(batch)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            loss.item()
            seconds.append(time.perf_counter() - begin)
        print(*seconds, flush=True)


if __name__ == "__main__":
    main()
