"""C++ that links MLIR: no exceptions, no RTTI of its own, as Debian's MLIR expects."""

MLIR_COPTS = [
    "-fno-rtti",
    "-fno-exceptions",
]

def mlir_library(name, deps = [], copts = [], **kwargs):
    native.cc_library(
        name = name,
        deps = deps + ["@llvm19//:mlir"],
        copts = MLIR_COPTS + copts,
        **kwargs
    )

def mlir_binary(name, deps = [], copts = [], **kwargs):
    native.cc_binary(
        name = name,
        deps = deps + ["@llvm19//:mlir"],
        copts = MLIR_COPTS + copts,
        **kwargs
    )

def mlir_test(name, deps = [], copts = [], **kwargs):
    """A GoogleTest that uses MLIR; the test keeps RTTI off like the code that it tests."""
    native.cc_test(
        name = name,
        deps = deps + ["@llvm19//:mlir", "//third_party/googletest"],
        copts = MLIR_COPTS + copts,
        **kwargs
    )
