#!/usr/bin/python3
"""pinned_plans.py accepts what is pinned and names what is more: a collective, its bytes, the arena, a tensor made whole."""

import contextlib
import copy
import io
import unittest

import pinned_plans

NAME = "fully_sharded_4"
PLAN = {"mesh": {"dp": 4}, "parameters": {".*": ["S(0)"]}}
CASE = pinned_plans.CASES[NAME]


def report_as_pinned():
    groups = [
        {"function": "step", "kind": kind, "axes": axes.split(","), "count": count, "bytes": size}
        for (kind, axes), (count, size) in CASE.collectives.items()
    ]
    gathers = [{"function": "step", "kind": "all_gather", "value": "wte.weight", "shape": [256, 64], "after": "[{}, {}]"}]
    return {"collective_groups": groups, "collectives": gathers, "arena_bytes": CASE.arena}


class PinnedPlans(unittest.TestCase):
    def faults(self, change=lambda report: None):
        report = copy.deepcopy(report_as_pinned())
        change(report)
        with contextlib.redirect_stdout(io.StringIO()):
            return pinned_plans.check(NAME, CASE, report, PLAN)

    def test_what_is_pinned_passes(self):
        self.assertEqual(self.faults(), [])

    def test_less_passes(self):
        self.assertEqual(self.faults(lambda r: r["collective_groups"].pop()), [])

    def test_one_more_collective(self):
        self.assertEqual(len(self.faults(lambda r: r["collective_groups"][0].update(count=29))), 1)

    def test_more_bytes(self):
        more = CASE.collectives["all_gather", "dp"][1] + 1
        self.assertEqual(len(self.faults(lambda r: r["collective_groups"][0].update(bytes=more))), 1)

    def test_another_kind(self):
        group = {"function": "step", "kind": "all_to_all", "axes": ["dp"], "count": 1, "bytes": 64}
        self.assertIn("all_to_all dp", self.faults(lambda r: r["collective_groups"].append(group))[0])

    def test_what_the_evaluation_does_is_not_the_step(self):
        group = {"function": "evaluate", "kind": "all_to_all", "axes": ["dp"], "count": 1, "bytes": 64}
        self.assertEqual(self.faults(lambda r: r["collective_groups"].append(group)), [])

    def test_a_larger_arena(self):
        self.assertEqual(len(self.faults(lambda r: r.update(arena_bytes=int(CASE.arena * 1.06)))), 1)

    def test_a_whole_tensor(self):
        for kind in ("all_gather", "all_to_all", "exchange", "permute"):
            whole = {"function": "step", "kind": kind, "value": "h.0.mlp.input", "shape": [8, 32, 64], "after": "[{}, {}, {}]"}
            self.assertIn("h.0.mlp.input", self.faults(lambda r: r["collectives"].append(whole))[0])
        cut = {"function": "step", "kind": "all_gather", "value": "x", "shape": [8, 32, 64], "after": '[{"dp"}, {}, {}]'}
        self.assertEqual(self.faults(lambda r: r["collectives"].append(cut)), [])


if __name__ == "__main__":
    unittest.main()
