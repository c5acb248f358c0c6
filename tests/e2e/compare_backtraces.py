#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the backtraces in a trace with those that gdb has found in the same process (gdb_backtraces.py).

usage: trace-cli dump --format=json TRACE | compare_backtraces.py GDB_OUTPUT DEPTH AT_LEAST
Functions, files and lines are compared, innermost first, up to the depth of the trace's, by the calls of each
function in their order. Names without parameters, as gdb and libiberty write them differently; files by their last
part. DEPTH: of the trace's backtraces. AT_LEAST: so many frames are to be compared.
"""
import json
import os
import re
import sys


def bare(name):
    """The name without parameters, template arguments and clones."""
    if name is None:
        return None
    name = re.sub(r"\[clone[^]]*\]|\.(constprop|isra|part|cold|lto_priv)\.?\d*|@.*", "", name).strip()
    before = None
    while before != name:
        before = name
        name = re.sub(r"<[^<>]*>|\([^()]*\)( const)?", "", name)
    return name.split(" ")[-1].split("::")[-1]


def place(frame):
    file = frame.get("file")
    return (bare(frame.get("function")), os.path.basename(file) if file else None,
            frame.get("line") if file else None)


def read_trace(lines):
    calls = {}
    for line in lines:
        call = json.loads(line)
        if "backtrace" in call:
            calls.setdefault(call["name"], []).append(call["backtrace"])
    return calls


def same(ours, theirs):
    """Of code without debug information, either may have no name."""
    return ours == theirs or ours[1:] == theirs[1:] == (None, None) and None in (ours[0], theirs[0])


def agree(ours, theirs, depth):
    """A trace ends at its depth. Beyond the beginning of a coroutine's stack, which has no name, gdb goes on."""
    return all(same(a, b) for a, b in zip(ours, theirs)) and (
        len(ours) == len(theirs) or len(ours) >= depth or len(ours) < len(theirs) and ours[-1] == (None, None, None))


def main():
    theirs = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    trace = read_trace(sys.stdin)
    counts, compared, wrong = {}, 0, 0
    for call in theirs:
        number = counts[call["call"]] = counts.get(call["call"], -1) + 1
        frames = trace.get(call["call"], [])
        if number >= len(frames):
            print(f"call {number} of {call['call']} has no backtrace")
            wrong += 1
            continue
        ours, expected = [place(f) for f in frames[number]], [place(f) for f in call["frames"]]
        compared += len(ours)
        if agree(ours, expected, int(sys.argv[2])):
            continue
        wrong += 1
        if wrong <= 5:
            print(f"call {number} of {call['call']}:")
            for i in range(max(len(ours), len(expected))):
                a, b = ours[i] if i < len(ours) else None, expected[i] if i < len(expected) else None
                print("   " if a == b else " ! ", a, b if a != b else "")
    print(f"{len(theirs)} calls, {compared} frames, {wrong} calls differ")
    return 1 if wrong or compared < int(sys.argv[3]) else 0


sys.exit(main())
