"""One static archive of a library and all that it depends on."""

def _combined_archive_impl(ctx):
    archives = []
    for dep in ctx.attr.deps:
        for input in dep[CcInfo].linking_context.linker_inputs.to_list():
            for library in input.libraries:
                archive = library.pic_static_library or library.static_library
                if archive and archive not in archives:
                    archives.append(archive)
    output = ctx.outputs.out
    script = ["create " + output.path] + ["addlib " + a.path for a in archives] + ["save", "end"]
    ctx.actions.run_shell(
        inputs = archives,
        outputs = [output],
        command = "printf '%s\\n' \"$@\" | ar -M",
        arguments = script,
        mnemonic = "CombineArchives",
    )
    return [DefaultInfo(files = depset([output]))]

combined_archive = rule(
    implementation = _combined_archive_impl,
    doc = "Merges the static archives of `deps` and of everything below them. Options for the linker (-l...) are not " +
          "part of an archive: who links it names them.",
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "out": attr.output(mandatory = True),
    },
)
