"""One Bazel test per lit file."""

def lit_tests(name, srcs, tools, data = [], size = "small"):
    """Makes a test of each file in `srcs` and a suite `name` of all.

    Args:
      name: the suite.
      srcs: lit files (.mlir, .test).
      tools: labels of the programs that RUN lines call; each is found by its own name.
      data: further files that the tests read.
      size: Bazel's test size.
    """
    tests = []
    for src in srcs:
        test = src.replace("/", "_").replace(".", "_") + "_test"
        tests.append(test)
        native.sh_test(
            name = test,
            size = size,
            srcs = ["//build_rules:run_lit.sh"],
            args = ["$(location %s)" % src] + ["$(location %s)" % t for t in tools],
            data = [
                src,
                "//build_rules:lit.cfg.py",
                "@llvm19//:lit",
                "@llvm19//:bin/FileCheck",
                "@llvm19//:bin/not",
            ] + tools + data,
        )
    native.test_suite(name = name, tests = tests)
