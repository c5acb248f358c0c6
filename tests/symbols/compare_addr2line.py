#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what we call the addresses of modules with what addr2line calls them, for every STEPth byte of code.

addr2line is wrong in places: it cannot read some range lists of DWARF 5, and gives an inlined function without a
linkage name the name of the symbol around it. There llvm-symbolizer's answer counts, or the names that do not agree
are left out where there is none.
usage: compare_addr2line.py NAME_ADDRESSES STEP [-d DIRECTORY]... [-r REFERENCE] MODULE...
-r: addr2line reads this file instead, which has the module's debug information.
"""
import argparse
import shutil
import subprocess
import sys

UNKNOWN = ["??", "??:?"]


def run(command, text=""):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def code_addresses(path, step):
    addresses = []
    for line in run(["readelf", "-SW", path]).splitlines():
        fields = line.replace("[", "").replace("]", "").split()
        if len(fields) > 5 and fields[1] in (".text", ".init", ".fini"):
            start, size = int(fields[3], 16), int(fields[5], 16)
            addresses += range(start, start + size, step)
    return addresses


def function_ranges(path):
    """Where symbols of functions say that there is code."""
    ranges = []
    for line in run(["nm", "-S", "--defined-only", path]).splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[2] in "tTwWiuV":
            ranges.append((int(fields[0], 16), int(fields[0], 16) + int(fields[1], 16)))
    return sorted(ranges)


def covered(ranges, address):
    return any(low <= address < high for low, high in ranges)


def answers(text):
    """Address -> names and places, innermost first."""
    out = {}
    for line in text.splitlines():
        line = line.split(" (discriminator")[0]
        if line in ("??:0", ":?"):
            line = "??:?"
        if line.startswith("0x"):
            current = out.setdefault(int(line, 16), [])
        elif line:
            current.append(line.removesuffix(":0") + ":?" if line.endswith(":0") else line)
    return out


def names_replaced(theirs, ours):
    """Whether only names differ, where addr2line takes that of the symbol around them."""
    if theirs[1::2] != ours[1::2]:
        return False
    return all(a in (b, theirs[-2]) for a, b in zip(theirs[0::2], ours[0::2]))


def acceptable(theirs, ours, in_symbol):
    if ours is None or len(ours) < 2:
        return False
    if theirs == ours:
        return True
    if len(theirs) == 2 and theirs[1].endswith(":?") and ours[1] == "??:?":  # no debug information
        return ours[0] == theirs[0] or (ours[0] == "??" and not in_symbol)
    if len(theirs) == 2 and not in_symbol and ours == ["??", theirs[1]]:  # between functions
        return True
    return names_replaced(theirs, ours)


def llvm_answers(path, text):
    if shutil.which("llvm-symbolizer") is None:
        return None
    command = ["llvm-symbolizer", "--obj=" + path, "--output-style=GNU", "-a", "--inlines", "--no-demangle",
               "--functions=linkage"]
    return answers(run(command, text))


def compare(arguments, path):
    reference = arguments.reference or path
    addresses = code_addresses(path, arguments.step)
    ranges = function_ranges(reference)
    text = "".join("0x%x\n" % a for a in addresses)
    theirs = answers(run(["addr2line", "-a", "-i", "-f", "-e", reference], text))
    options = [word for d in arguments.directories for word in ("-d", d)]
    ours = answers(run([arguments.program] + options + [path], text))
    llvm = None
    wrong, exact = [], 0
    for a in addresses:
        exact += theirs[a] == ours.get(a)
        if acceptable(theirs[a], ours.get(a), covered(ranges, a)):
            continue
        llvm = llvm or llvm_answers(reference, text)
        if llvm is None and len(theirs[a]) > 2 or llvm is not None and llvm.get(a) == ours.get(a):
            continue
        wrong.append((a, theirs[a], llvm.get(a) if llvm else None, ours.get(a)))
    print(f"{path}: {len(addresses)} addresses, {exact} exactly as addr2line, {len(wrong)} wrong")
    for a, *lists in wrong[:5]:
        print("  %#x" % a)
        for name, answer in zip(("addr2line", "llvm", "ours"), lists):
            print(f"    {name}: {answer}")
    if ours and all(o == UNKNOWN for o in ours.values()):
        print(f"{path}: nothing is known")
        return False
    return bool(addresses) and not wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("step", type=int)
    parser.add_argument("-d", dest="directories", action="append", default=[])
    parser.add_argument("-r", dest="reference")
    parser.add_argument("modules", nargs="+")
    arguments = parser.parse_args()
    results = [compare(arguments, path) for path in arguments.modules]
    return 0 if all(results) else 1


sys.exit(main())
