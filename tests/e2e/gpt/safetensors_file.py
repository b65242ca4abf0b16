"""Reads safetensors files with Python's own library, so that tests need no numpy."""

import array
import json
import struct

_CODES = {"F32": "f", "F64": "d", "I32": "i", "I64": "q"}


def read(path):
    """The tensors of a file: {name: (shape, values in row-major order)}."""
    with open(path, "rb") as file:
        content = file.read()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        values = array.array(_CODES[entry["dtype"]])
        values.frombytes(content[8 + length + begin : 8 + length + end])
        tensors[name] = (tuple(entry["shape"]), values)
    return tensors


def write(path, tensors, dtype):
    """Writes {name: (shape, values)} as one type, "F32" or "F64"."""
    header, data = {}, b""
    for name, (shape, values) in tensors.items():
        encoded = array.array(_CODES[dtype], values).tobytes()
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [len(data), len(data) + len(encoded)]}
        data += encoded
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
