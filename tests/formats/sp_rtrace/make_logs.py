# SPDX-License-Identifier: MIT
"""Small sp-rtrace logs of every kind, each with the text that stands for it: make_logs.py DIRECTORY

NAME.rtrace is a log, NAME.txt its text. NAME.calls, for a damaged log, lists what must not get lost: the names of
functions that are called, one a line, after a line with the exit status of a program that reads the log.
"""
import os
import sys
import time

from sp_log import (ALLOC, ARGS, BTRC, CALL, FREE, Attachment, Call, Context, Heap, Library, Mapping, Module, Packet,
                    Process, Resource, Settings, Style, narrowed, text, write)

HEAP_VALUES = [135168, 1, 0, 2, 528384, 0, 0, 3072, 132096, 4294967295]


def whole_log(style):
    """One record of every type that this version has, and calls of every shape."""
    records = [
        Settings(b"/tmp/logs", None),
        Process(name=b"./prog with blanks"),
        Module(0, b"main"), Module(1, b"memory", (1, 12)), Module(2, b"gobject"),
        Resource(1, b"memory", b"memory allocation in bytes"), Resource(2, b"gobject", b"GObjects", 1),
        Mapping(b"/usr/bin/prog", 0x400000, 0x401000), Mapping(b"[vdso]", 0x7FFF00001000, 0x7FFF00002000),
        Context(1, b"first context"), Context(2, b"two"),
        Call(b"malloc", ALLOC, 0x56162CEF22A0, 100, time=1138964, frames=[0x5615FC4B0231, 0x401000]),
        Call(b"calloc", ALLOC, 0x1000, 0x7FFFFFFF, context=1, time=1, frames=[]),
        Library(b"libfoo.so"),
        Call(b"g_object_newv", ALLOC, 0x2000, 24, 2, args=[(b"type", b"GtkWindow")], frames=[1, 2, 3]),
        Call(b"realloc", FREE, 0x1000, context=3, time=86399999),
        Call(b"realloc", ALLOC, 0x1000, 1, context=3, time=86400000, frames=[0xFFFFFFFFFFFFFFFF]),
        Call(b"open", ALLOC, 3, 1, args=[(b"path", b"/a b/\xc3\xa9 $x = y"), (b"", b""), (b"mode", None), (b"f", b"0x0")],
             frames=[0x400A60]),
        Call(b"f", FREE, 0), Call(b"fo", FREE, 0xFFFFFFFFFFFFFFFF), Call(b"foo", FREE, 1), Call(b"free", FREE, 1),
        Heap(0x601000, 0x622000, HEAP_VALUES),
    ]
    if style.is_at_least(1, 4):
        records.append(Attachment(b"pagemap", b"1234-1.pagemap"))
    return [narrowed(r, style) for r in records]


def whole_logs():
    for version in ((1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 0)):
        for big_endian in (False, True):
            for pointer in (4, 8):
                for plain in (False, True):
                    style = Style(version, big_endian, pointer, plain_strings=plain)
                    name = "whole-%d.%d-%s%d-%s" % (*version, "be" if big_endian else "le", pointer * 8,
                                                    "plain" if plain else "padded")
                    yield name, style, whole_log(style)


def basics():
    return [Process(), Module(0, b"main"), Resource(1, b"memory", b"memory allocation in bytes")]


def calls(*names):
    """Calls that are told apart by name, id and frames."""
    return [Call(name.encode(), ALLOC, 0x1000 + i, 16 + i, time=1000 + i, args=[(b"name", name.encode())],
                 frames=[0x400000 + i, 0x500000]) for i, name in enumerate(names)]


def layout_logs():
    """Where the document and the programs say different things."""
    document = Style((1, 4), plain_strings=True, type_first=True, document_order=True, args_last=True, heap_pointers=True)
    yield "document-1.4", document, whole_log(document)
    for pointers in (False, True):
        for big_endian in (False, True):
            style = Style(big_endian=big_endian, heap_pointers=pointers)
            heap = narrowed(Heap(0x5555600F1000, 0x555560112000, HEAP_VALUES), style)
            yield "heap-%s-%d" % ("be" if big_endian else "le", 56 if pointers else 48), style, basics() + [
                heap, *calls("low", "high")]
    yield "heap-32", Style(pointer=4, heap_pointers=True), basics() + [Heap(0x1000, 0x2000, HEAP_VALUES), *calls("one")]
    yield "heap-without-calls", Style(), basics() + [Heap(0x1000, 0x2000, HEAP_VALUES)]
    yield "args-last", Style(args_last=True), basics() + calls("one", "two", "three")
    for length in (0, 1, 2, 3, 4, 5, 6, 7, 249):
        style = Style(arch=b"a" * length)
        yield "arch-%d" % length, style, basics() + calls("one")
    for counted in ("all", "unpadded"):
        for length in (5, 6, 7, 8):
            yield "handshake-%s-%d" % (counted, length), Style(arch=b"a" * length, handshake_size=counted), basics() + calls(
                "one")


def content_logs():
    """What may be in a log, or missing."""
    yield "empty", Style(), []
    yield "process-only", Style(), [Process()]
    yield "no-process", Style(), [Module(0, b"main"), *calls("one")]
    yield "no-resources", Style(), [Process(), *calls("one", "two")]
    yield "one-resource", Style(), basics() + calls("one")
    yield "two-resources", Style(), basics() + [Resource(2, b"fd", b"file descriptor"), *calls("one"),
                                                Call(b"close", FREE, 3, resource=2)]
    yield "unknown-resource", Style(), basics() + [Resource(2, b"fd", b"file descriptor"),
                                                   Call(b"odd", ALLOC, 1, 1, resource=7), Call(b"none", FREE, 2, resource=0)]
    yield "refcount", Style(), basics() + [Resource(2, b"segment", b"shared memory", 1), Resource(32, b"last", b"bit 31"),
                                           *calls("one")]
    yield "late", Style(), [Resource(1, b"memory", b"first"), *calls("one"), Mapping(b"/lib/x.so", 1, 2),
                            Process(), *calls("two"), Module(1, b"memory"), Context(1, b"late"), Resource(2, b"fd", b"later"),
                            Attachment(b"a", b"b"), *calls("three")]
    yield "sizes", Style(), basics() + [Call(b"f", ALLOC, 1, size) for size in (0, 1, 0x7FFFFFFF, 0x80000000, 3000000000,
                                                                             0xFFFFFFFF)]
    yield "times", Style(), basics() + [Call(b"f", FREE, 1, time=t) for t in (0, 1, 999, 59999, 3600000, 86400000, 0xFFFFFFFF)]
    yield "call-types", Style(), basics() + [Call(b"f", kind, 0x10, 8 * (kind == ALLOC)) for kind in range(4)]
    yield "no-backtrace", Style(), basics() + [Call(b"one", ALLOC, 1, 1, frames=None), Call(b"two", ALLOC, 2, 2, frames=[5])]
    yield "null-strings", Style(), [Process(name=None), Call(None, ALLOC, 1, 1, args=[(None, None), (b"", b"")])]
    yield "contexts", Style(), basics() + [Context(1 << i, b"number %d" % i) for i in range(32)] + [
        Call(b"f", FREE, 1, context=c) for c in (1, 2, 3, 0x80000000, 0xFFFFFFFF)]
    yield "signatures", Style(), basics() + [Call(n, ALLOC, 1, 1) for n in (
        b"operator new(unsigned long)", b"a<b>::c(d<e>)", b"with blank", b"1. malloc(3) = 0x4")]


def packet_logs():
    """Packets that nobody knows, and long ones."""
    strange = [Packet(b"XXXX"), Packet(b"ABCD", bytes(range(64))), Packet(b"ZZZZ", bytes(20000))]
    for version in ((1, 0), (2, 0)):
        style = Style(version)
        records = [strange[0], *basics()]
        for call in calls("one", "two", "three"):
            records += [strange[1], call, strange[2]]
        yield "unknown-%d.%d" % version, style, records
    inside = calls("one", "two")
    inside[0].between = [strange[1]]
    yield "unknown-inside", Style(), basics() + inside
    for length in (4094, 8190, 32766, 65534):
        yield "long-string-%d" % length, Style(), basics() + [
            Call(b"open", ALLOC, 3, 1, args=[(b"path", b"x" * length), (b"last", b"y")], frames=[1]), *calls("next")]
    yield "long-args", Style(), basics() + [
        Call(b"f", ALLOC, 3, 1, args=[(b"n%d" % i, b"v" * 500) for i in range(300)], frames=[1]), *calls("next")]
    yield "long-backtrace", Style(), basics() + [
        Call(b"f", ALLOC, 3, 1, frames=[0x400000 + i for i in range(9000)]), *calls("next")]
    yield "long-path", Style(), basics() + [Mapping(b"/" + b"p" * 20001, 1, 2), *calls("next")]
    yield "many", Style(), basics() + calls(*("f%d" % i for i in range(3000)))


def good_logs():
    for family in (whole_logs, layout_logs, content_logs, packet_logs):
        yield from family()


NAMES = ["before", "earlier", "struck", "later", "after"]


def patched(data, offset, new):
    return data[:offset] + new + data[offset + len(new):]


def sample(style=Style()):
    """A log to be damaged, and where the packets of its third call start."""
    data, starts = write(style, basics() + calls(*NAMES))
    struck = [offset for offset, record in starts if isinstance(record, Call) and record.name == b"struck"]
    return data, dict(zip((CALL, ARGS, BTRC), struck))


def lying_sizes():
    """The size of a packet is not true: the calls around it are there all the same."""
    for version in ((1, 4), (2, 0)):
        data, at = sample(Style(version))
        place = 4 if version >= (2, 0) else 0
        for kind, offset in at.items():
            true = int.from_bytes(data[offset + place:offset + place + 4], "little")
            for name, size in (("0", 0), ("1", 1), ("less", true - 4), ("more", true + 4), ("odd", true + 3),
                               ("next", true + 0x34), ("far", true + 0x100), ("huge", 0x7FFFFFF0), ("most", 0xFFFFFFFF)):
                yield "size-%s-%s-%d.%d" % (name, kind.decode().lower(), *version), patched(
                    data, offset + place, size.to_bytes(4, "little"))


def lying_counts():
    """A count or a length within a packet is not true: the other packets are not touched by that."""
    data, at = sample()
    for name, count in (("more", 3), ("many", 1000), ("huge", 0x20000000), ("most", 0xFFFFFFFF)):
        word = count.to_bytes(4, "little")
        yield "frames-" + name, patched(data, at[BTRC] + 8, word)
        yield "args-" + name, patched(data, at[ARGS] + 8, word)
    for length in (0x40, 0x7FFE, 0xFFFF):
        word = length.to_bytes(2, "little")
        yield "name-%x" % length, patched(data, at[CALL] + 24, word)
        yield "argument-%x" % length, patched(data, at[ARGS] + 12, word)


def other_damage():
    data, at = sample()
    start = write(Style(), [])[0]
    yield "handshake-inside", data[:at[CALL]] + start + data[at[CALL]:]
    yield "two-logs", data[:at[CALL]] + start + write(Style(), basics())[0][len(start):] + data[at[CALL]:]
    yield "garbage-inside", data[:at[CALL]] + bytes(range(200, 256)) + data[at[CALL]:]
    yield "zeros-inside", data[:at[CALL]] + bytes(64) + data[at[CALL]:]
    yield "odd-garbage-inside", data[:at[CALL]] + b"\xee" * 13 + data[at[CALL]:]
    yield "type-struck", patched(data, at[CALL], b"\xff\0\0\0")
    for kind in (CALL, ARGS, BTRC):
        yield "empty-" + kind.decode().lower(), data[:at[CALL]] + kind + bytes(4) + data[at[CALL]:]


SECOND_NAMES = ["second", "of second"]


def large_call():
    return Call(b"large", ALLOC, 0x9000, 1, frames=[0x400000 + i for i in range(500)])


def second_logs():
    """Logs that are joined to others: their first packets tell how they are written, or nobody knows them."""
    records = calls(*SECOND_NAMES)
    for name, style in (("same", Style()), ("other", Style((1, 2), big_endian=True, pointer=4)), ("arch", Style(arch=b"a" * 249))):
        yield name, write(style, [Settings(b"/tmp/logs", None), *basics(), *records])[0]
    yield "calls", write(Style(), records)[0]
    yield "later", write(Style(), [Packet(b"XXXX", bytes(8)), *basics(), *records])[0]


def damaged_logs():
    """Name, bytes, and the names of the calls that must be read."""
    around = [name for name in NAMES if name != "struck"]
    for family in (lying_sizes, lying_counts, other_damage):
        for name, data in family():
            yield "damaged-" + name, data, around


def main(directory):
    os.environ["TZ"] = "UTC"
    time.tzset()
    os.makedirs(directory, exist_ok=True)

    def put(name, data):
        with open(os.path.join(directory, name), "wb") as file:
            file.write(data)

    for name, style, records in good_logs():
        put(name + ".rtrace", write(style, records)[0])
        put(name + ".txt", text(style, records))
    for name, data, expected in damaged_logs():
        put(name + ".rtrace", data)
        put(name + ".calls", "\n".join(["1", *expected, ""]).encode())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    main(sys.argv[1])
