#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# dump --format=json against its schema, by a validator that is not ours, and against the values of pickle.
# usage: dump_json.py TRACE_CLI SCHEMA TRACE... (or, for a trace, a program that writes one)
import base64
import collections
import json
import math
import os
import pickle
import struct
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

FLAGS = ["fake", "non_reproducible", "no_side_effects", "render", "swap_rendertarget", "end_frame", "incomplete",
         "verbose", "marker", "marker_push", "marker_pop"]
LINES_A_FUNCTION = 2  # that go through the validator, which is slow


class Pointer(int):
    pass


class Unpickler(pickle.Unpickler):
    def find_class(self, module, name):
        assert (module, name) == ("unpickle", "Pointer")
        return Pointer


def ascii_only(data):
    return "".join(chr(c) if c < 128 else "?" for c in data)


def text_bytes(text):
    return base64.b64decode(text["base64"]) if isinstance(text, dict) else text.encode()


def integer(value):
    assert isinstance(value, (int, str)) and not isinstance(value, bool)
    return int(value)


def real(value, is_float):
    if isinstance(value, str) and value.startswith("NaN("):
        bits = int(value[4:-1], 16)
        return struct.unpack("<f", struct.pack("<I", bits))[0] if is_float else struct.unpack("<d", struct.pack("<Q", bits))[0]
    value = float(value)
    return struct.unpack("<f", struct.pack("<f", value))[0] if is_float else value


def element(kind, value):
    return real(value, kind == "float") if kind in ("float", "double") else integer(value)


def as_pickled(value):
    """What `trace-cli pickle` has for this value."""
    kind = value["type"]
    if kind == "missing":
        return None
    if kind == "null":
        return 0
    if kind == "bool":
        return value["value"]
    if kind in ("sint", "uint", "enum", "bitmask"):
        return integer(value["value"])
    if kind in ("float", "double"):
        return element(kind, value["value"])
    if kind == "string":
        return ascii_only(text_bytes(value["value"]).split(b"\0")[0])
    if kind == "wstring":
        chars = value["value"] if isinstance(value["value"], list) else [ord(c) for c in value["value"]]
        return ascii_only(chars[:chars.index(0)] if 0 in chars else chars)
    if kind == "blob":
        data = base64.b64decode(value["base64"])
        assert len(data) == integer(value["size"])
        return data
    if kind == "array":
        if "element" in value:
            return [element(value["element"], v) for v in value["values"]]
        return [as_pickled(v) for v in value["values"]]
    if kind == "struct":
        return {ascii_only(text_bytes(m["name"])): as_pickled(m["value"]) for m in value["members"]}
    if kind == "opaque":
        return Pointer(int(value["value"], 16))
    if kind == "repr":
        return as_pickled(value["machine"])
    raise AssertionError("type " + kind)


def same(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack("<d", a) == struct.pack("<d", b) or (math.isnan(a) and math.isnan(b))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return type(a) is type(b) and a == b


def run(cli, *arguments):
    return subprocess.run([cli, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


def unique_names(pairs):
    assert len({k for k, _ in pairs}) == len(pairs), "a name twice in an object"
    return dict(pairs)


def check_values(cli, trace):
    lines = run(cli, "dump", "-v", "--format=json", "--blobs=inline", trace).decode().splitlines()
    calls = [json.loads(line, object_pairs_hook=unique_names) for line in lines][1:]
    stream = subprocess.Popen([cli, "pickle", "--thread-ids", trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for call in calls:
        args = [(ascii_only(text_bytes(a["name"])), as_pickled(a["value"])) for a in call["args"]]
        ret = as_pickled(call["ret"]) if "ret" in call else None
        flags = sum(1 << FLAGS.index(f) for f in call["flags"])
        number, thread, name, their_args, their_ret, their_flags = Unpickler(stream.stdout, encoding="ascii").load()
        ours = [call["call"], call["thread"], ascii_only(text_bytes(call["name"])), flags]
        assert ours == [number, thread, name, their_flags], f"{trace}: {ours}, not {[number, thread, name, their_flags]}"
        assert [n for n, _ in args] == [n for n, _ in their_args] and \
            same([v for _, v in args], [v for _, v in their_args]), f"{trace}: call {number}: {args}, not {their_args}"
        assert same(ret, their_ret), f"{trace}: call {number}: returned {ret}, not {their_ret}"
    assert stream.stdout.read(1) == b"", f"{trace}: pickle has more calls"
    stream.wait()
    return len(calls)


def check_schema(cli, validator, trace, *options, which=""):
    lines = [json.loads(line) for line in run(cli, "dump", "-v", "--format=json", *options, trace).decode().splitlines()]
    assert "trace" in lines[0]
    seen = collections.Counter()
    for line in lines:
        name = str(line.get("name"))
        seen[name] += which in str(line)
        if seen[name] > LINES_A_FUNCTION or which not in str(line):
            continue
        try:
            validator.validate(line)
        except jsonschema.ValidationError as e:
            raise AssertionError(f"{trace}: {json.dumps(line)[:500]}: {e.message}") from e


def check_that_schema_can_fail(validator):
    good = {"call": 1, "frame": 0, "thread": 0, "name": "f", "args": [], "flags": []}
    bad_values = [{"type": "uint", "value": -1}, {"type": "uint", "value": 2**53}, {"type": "uint", "value": "12"},
                  {"type": "odd"}, {"type": "null", "value": 0}, {"type": "float", "value": "nan"}, {"type": "blob", "size": 1},
                  {"type": "array", "element": "uint", "values": [0.5]}, {"type": "array", "values": [1]}, {"value": 1},
                  {"type": "enum", "value": 1, "names": "A"}, {"type": "string", "value": {"base64": "?"}}]
    assert validator.is_valid(good)
    for value in bad_values:
        assert not validator.is_valid(dict(good, ret=value)), f"the schema lets {value} pass"
    assert not validator.is_valid(dict(good, more=1))


def main():
    cli, schema_path, traces = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(schema_path, encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    check_that_schema_can_fail(validator)
    for trace in traces:
        if os.access(trace, os.X_OK):
            subprocess.run([trace, "dump_json.trace"], check=True)
            trace = "dump_json.trace"
        check_schema(cli, validator, trace)
        check_schema(cli, validator, trace, "--blobs=inline", which="'type': 'blob'")
        assert check_values(cli, trace) > 0


main()
