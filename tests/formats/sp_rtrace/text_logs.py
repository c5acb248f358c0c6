# SPDX-License-Identifier: MIT
"""Texts of sp-rtrace logs in forms that others than we write, and the text that stands for each."""

HEADER = b"version=2.0, arch=x86_64, timestamp=2011.3.13 07:06:40, process=./prog, pid=12, backtrace depth=10, origin=x 1, \n"
MEMORY = b"<1> : memory (memory allocation in bytes)\n"


def text_logs():
    """Name, what is read, and what is printed."""
    yield "header-of-the-document", (
        b"version=1.4,arch=armv6l,timestamps=no,process=./prog,pid=12,filter=leaks|compress|resolve,backtrace depth=3\n"
    ), b"version=2.0, arch=armv6l, process=./prog, pid=12, filter=leaks|resolve, backtrace depth=3, timestamps=no, \n"
    yield "any-order", (
        HEADER + b"1. @1 malloc(1) = 0x10\n\t0x5\n\n: /a path/b => 0x1-0x2\n" + MEMORY + b"@ 1 : a context\n& a : b\n"
        b"2. free(0x10)\n\n"), (
        HEADER + b"& a : b\n@ 1 : a context\n" + MEMORY + b": /a path/b => 0x1-0x2\n1. @1 malloc(1) = 0x10\n\t0x5\n\n"
        b"2. free(0x10)\n\n")
    yield "groups", (
        HEADER + MEMORY + b"1. malloc(1) = 0x10\n\t$a = b\n2. malloc(2) = 0x20\n\t0x401000 f() at x.c:1\n\n3. free(0x10)\n\n"), (
        HEADER + MEMORY + b"1. malloc(1) = 0x10\n\t$a = b\n\t0x401000 f() at x.c:1\n\n"
        b"2. malloc(2) = 0x20\n\t0x401000 f() at x.c:1\n\n3. free(0x10)\n\n")
    yield "frames", (
        HEADER + MEMORY + b"1. malloc(1) = 0x10\n\t0x1 in f() from /lib/a b.so\n\t0x2 f(int, char*) at /x y.c:12\n\t0x3 from m\n"
        b"\t0x4 in ??\n\t0x5\n\n"), (
        HEADER + MEMORY + b"1. malloc(1) = 0x10\n\t0x1 f() from /lib/a b.so\n\t0x2 f(int, char*) at /x y.c:12\n\t0x3 from m\n"
        b"\t0x4 in ??\n\t0x5\n\n")
    yield "times", (
        HEADER + MEMORY + b"1. [00:00:01.5] f(0x1)\n\n2. [00:00:01.123456] f(0x1)\n\n3. [01:02:03] f(0x1)\n\n"), (
        HEADER + MEMORY + b"1. [00:00:01.500] f(0x1)\n\n2. [00:00:01.123456] f(0x1)\n\n3. [01:02:03.000] f(0x1)\n\n")
    yield "names", *same(
        HEADER + MEMORY + b"<2> : fd (file (or socket) descriptor) [refcount]\n"
        b"1. a::b<c>(d<e>)<memory>(3) = 0x1\n\n2. operator new[](unsigned long)<fd>(0x1)\n\n3. f<memory>(0x2)\n\n")
    yield "comments", *same(
        HEADER + MEMORY + b"## kept as it is: %s %d\n1. f(0x1)\n\nfree text\n# for people\n2. f(0x2)\n\n## the last\n")
    yield "long-lines", *same(
        HEADER + MEMORY + b"1. open(1) = 0x3\n\t$path = " + b"x y " * 5000 + b"z\n\t0x1\n\n# " + b"c" * 9000 + b"\n2. f(0x1)\n\n")
    yield "no-newline-at-the-end", HEADER + MEMORY + b"1. f(0x1)", HEADER + MEMORY + b"1. f(0x1)\n\n"
    yield "values", *same(HEADER + MEMORY + b"1. f(0x1)\n\t$a = \n\t$b =  two  blanks \n\t$c = $d = e\n\n")


def same(text):
    return text, text
