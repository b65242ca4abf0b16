"""Configuration of all lit tests. Substitution %workspace is the runfiles root, for data files."""

import os

import lit.formats

config.name = "vescale"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.environ["VESCALE_LIT_EXEC_ROOT"]
config.substitutions.append(
    ("%workspace", os.path.join(os.environ["TEST_SRCDIR"], os.environ["TEST_WORKSPACE"]))
)
config.environment["PATH"] = os.environ["PATH"]
