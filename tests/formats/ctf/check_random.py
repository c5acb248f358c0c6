#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_random.py TRACE-CLI FIRST COUNT: random traces of CTF 1.8 (random_traces.py) with COUNT seeds from FIRST on.
Their text is that of babeltrace2, if that is installed, and copies in 1.8 and 2 have the same text; in all dialects they
have all events."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import random_traces

TOOL, FIRST, COUNT = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
PEER = shutil.which("babeltrace2")
OPTIONS = [[], ["--clock-seconds"], ["--clock-cycles", "--names=all"], ["--no-delta", "--names=none", "--fields=all"],
           ["--clock-date", "--names=scope,context"]]
# babeltrace2 2.0.4 prints an earlier text in the place of one without characters, and 0x0 if 61 to 63 bits have a base
# of 16. It aborts, or refuses metadata, for some references to fields of contexts.
TOLERATED = re.compile(rb'"(?:[^"\\]|\\.)*"|0x[0-9A-F]+')


def run(tool, *args):
    return subprocess.run([tool, *args], capture_output=True, timeout=120, check=False)


def expect(what, is_met, *more):
    if not is_met:
        sys.exit(" ".join([what, *(str(text)[:1500] for text in more)]))


def is_same(got, peers):
    lines, wanted = got.split(b"\n"), peers.split(b"\n")
    return len(lines) == len(wanted) and all(
        a == b or (TOLERATED.split(a) == TOLERATED.split(b) and
                   all(x == y or x == b'""' or y == b"0x0" for x, y in zip(TOLERATED.findall(a), TOLERATED.findall(b))))
        for a, b in zip(lines, wanted))


def compare_with_peer(what, trace):
    """Returns whether the peer can read it."""
    for options in OPTIONS:
        peers = run(PEER, *options, trace)
        if peers.returncode != 0:
            return False
        got = run(TOOL, "dump", "--format=babeltrace", *options, trace)
        expect(f"{what} {options}: not the text of babeltrace2", is_same(got.stdout, peers.stdout), got.stdout, peers.stdout)
    return True


def check(seed, folder):
    trace, copy = os.path.join(folder, "in"), os.path.join(folder, "out")
    count = random_traces.make(seed, trace)
    done = run(TOOL, "dump", "--format=babeltrace", trace)
    expect(f"seed {seed}", (done.returncode, done.stderr, done.stdout.count(b"\n")) == (0, b"", count), done, count)
    is_readable = PEER is not None and compare_with_peer(f"seed {seed}", trace)
    for to, *options in ["ctf"], ["ctf", "--byte-order=be"], ["ctf2"], ["ctf-rfc"], ["ctf-rfc", "--byte-order=le"]:
        what = f"seed {seed} {to} {options}"
        made = run(TOOL, "convert", "--to=" + to, *options, trace, copy)
        if options and b"--byte-order" in made.stderr:
            continue
        expect(what, made.returncode == 0, made)
        got = run(TOOL, "dump", "--format=babeltrace", copy)
        expect(what, got.returncode == 0 and got.stderr == b"" and got.stdout.count(b"\n") == count, got, count)
        expect(what, to == "ctf-rfc" or got.stdout == done.stdout, got.stdout, done.stdout)
        if to == "ctf" and is_readable:
            compare_with_peer(what, copy)
        shutil.rmtree(copy)
    return is_readable


def main():
    readable = 0
    for seed in range(FIRST, FIRST + COUNT):
        with tempfile.TemporaryDirectory() as folder:
            readable += check(seed, folder)
    expect(f"babeltrace2 read {readable} of {COUNT} traces", PEER is None or readable > COUNT // 2)


main()
