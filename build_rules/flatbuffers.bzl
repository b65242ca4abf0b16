"""Runs flatc on a schema."""

def flatbuffers_header(name, schema):
    """Generates <schema stem>_generated.h; list `name` in `srcs` or `hdrs` of a cc_library."""
    native.genrule(
        name = name,
        srcs = [schema],
        outs = [schema.replace(".fbs", "_generated.h")],
        cmd = "flatc --cpp --scoped-enums -o $(@D) $(location %s)" % schema,
        visibility = ["//visibility:public"],
    )
