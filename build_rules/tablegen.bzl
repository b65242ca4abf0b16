"""Runs mlir-tblgen: one generated file per call, several calls per rule."""

def tablegen(name, td_file, outputs, deps = []):
    """Generates files from a TableGen file.

    Args:
      name: the target; list it in `srcs` of the cc_library that includes the files.
      td_file: the TableGen file.
      outputs: {output file: options of mlir-tblgen}.
      deps: further .td files (labels) that the file includes.
    """
    for out, options in outputs.items():
        native.genrule(
            name = name + "_" + out.replace(".", "_").replace("/", "_"),
            srcs = [td_file] + deps + ["@llvm19//:td_files"],
            outs = [out],
            tools = ["@llvm19//:bin/mlir-tblgen"],
            cmd = "$(location @llvm19//:bin/mlir-tblgen) %s -I . -I external/llvm19/include $(location %s) -o $@" %
                  (options, td_file),
        )
    native.filegroup(
        name = name,
        srcs = outputs.keys(),
        visibility = ["//visibility:public"],
    )
