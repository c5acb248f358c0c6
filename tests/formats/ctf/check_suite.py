#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_suite.py TRACE-CLI CHECK: each of the traces of suite_traces.py is read, or refused with one line.

data/suite.txt has the text of babeltrace2 2.0.4 for the good ones. It does not read all of them: of those in
ONLY_HERE, the text is what it should have been."""
import os
import shutil
import subprocess
import sys
import tempfile

import suite_traces

TOOL = sys.argv[1]
EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "suite.txt")
ONLY_HERE = {
    "sequences", "variant-same-with-underscore", "variant-keywords",  # it aborts
    "clock-default",  # it divides by zero
    "clock-negative", "event-after-packet",  # it refuses them, or ends early
}


class Trace:
    """A directory with files, while it is used."""

    def __init__(self, files):
        self.path = tempfile.mkdtemp()
        for name, content in files.items():
            path = os.path.join(self.path, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def run(*command):
    done = subprocess.run(command, capture_output=True, timeout=60, env=dict(os.environ, TZ="UTC"))
    return done.returncode, done.stdout.decode("latin-1"), done.stderr.decode("latin-1")


def ours(path):
    return run(TOOL, "dump", "--format=babeltrace", path)


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: got {got!r}, not {wanted!r}")


def check_good():
    text = ""
    for name, files in suite_traces.GOOD.items():
        with Trace(files) as path:
            status, lines, errors = ours(path)
        expect(name, (status, "damage" in errors, "error" in errors), (0, False, False))
        text += f"== {name}\n{lines}"
    if os.environ.get("TRACE_UPDATE_EXPECTED"):
        with open(EXPECTED, "w", encoding="latin-1") as file:
            file.write(text)
    with open(EXPECTED, encoding="latin-1") as file:
        for got, wanted in zip(text.split("== "), file.read().split("== "), strict=True):
            expect("text", got, wanted)


def check_peer():
    if shutil.which("babeltrace2") is None:
        sys.exit(77)
    for name, files in suite_traces.GOOD.items():
        if name not in ONLY_HERE:
            with Trace(files) as path:
                expect(name, ours(path)[:2], run("babeltrace2", path)[:2])


def check_bad():
    for cause, files in suite_traces.BAD.items():
        with Trace(files) as path:
            status, lines, errors = ours(path)
        expect(cause, (status, lines, len(errors.splitlines())), (1, "", 1))
        expect(f"{cause} in {errors}", cause in errors and "metadata" in errors, True)
    for cause, (metadata, stream, wanted) in suite_traces.BAD_PACKETS.items():
        with Trace(suite_traces.one(metadata, stream)) as path:
            status, lines, errors = ours(path)
        expect(f"{cause} in {errors}", cause in errors, True)
        events = "".join(line.split(":")[0] for line in lines.splitlines())
        expect(cause, (status, events, len(errors.splitlines())), (1, wanted, 1))


def check_limits():
    """Metadata of many declarations are read in time that grows with their size; what multiplies is limited."""
    head, event, many = suite_traces.HEAD, suite_traces.event, range(200000)
    doubled = "struct q0 { u8 a; };" + "".join(f"struct q{i + 1} {{ struct q{i} a; struct q{i} b; }};" for i in range(14))
    cases = {
        "": [event("t77 a; struct s77 b;", head + "".join(
            f"typealias integer {{ size = 8; }} := t{i}; struct s{i} {{ u8 a; }};\n" for i in many)),
             head + "".join(f"stream {{ id = {i}; }};\n" for i in many),
             event("u8 a;", head + "env {" + "".join(f"v{i} = {i};\n" for i in many) + "};")],
        "more than 1024 clocks": [head + "".join(f"clock {{ name = c{i}; }};\n" for i in range(1025))],
        "elements without bits": [event("struct { } a[1000][1000][1000][1000]; u8 b;"),
                                  event("u16 n; struct { struct { } b[n]; } a[n]; u8 c;")],
        "more than 65536 fields": [event("struct q14 a, b, c;", head + doubled)],
        "all types together": [head + doubled + "".join(
            f"event {{ id = {i}; name = e; fields := struct q14; }};\n" for i in range(500))],
    }
    for cause, texts in cases.items():
        for text in texts:
            with Trace(suite_traces.one(text, b"\xff" * 4)) as path:
                status, _, errors = run(TOOL, "dump", path)
            expect(f"{cause} in {errors}", cause in errors, True)
            expect(cause, (len(errors.splitlines()) <= 1, "SAN" in errors), (True, False))
    for fields in ("integer { size = 1; } a[200000000];", "struct { integer { size = 1; } b; } a[30000000];"):
        with Trace(suite_traces.one(event(fields), b"\xff" * 25000000)) as path:
            status, lines, errors = run(TOOL, "info", path)
        expect(fields, (status, "instant" in lines, "would take more than 1 GiB of memory" in errors), (1, False, True))


globals()["check_" + sys.argv[2]]()
