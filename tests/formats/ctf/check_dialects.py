#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_dialects.py TRACE-CLI CHECK: traces of version 1.1 of the request for comments, and of CTF 2, which are
written here, and what trace-cli prints for them.

data/rfc11 was written by hand before there was a reader of that version."""
import bz2
import gzip
import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib

TOOL = sys.argv[1]
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


class Trace:
    """A directory with files; what `dump` prints for it, without the words before each event."""

    def __init__(self, **files):
        with tempfile.TemporaryDirectory() as path:
            for name, content in files.items():
                with open(os.path.join(path, name), "wb") as file:
                    file.write(content)
            done = subprocess.run([TOOL, "dump", path], capture_output=True, text=True, timeout=60)
            self.lines = [line.split(" ", 2)[2] for line in done.stdout.splitlines()]
            self.errors, self.status = done.stderr.replace(path, "DIR"), done.returncode
            done = subprocess.run([TOOL, "dump", "--format=json", path], capture_output=True, text=True, timeout=60)
            events = [json.loads(line) for line in done.stdout.splitlines()]
            events = [event for event in events if "event" in event]
            self.times = [event.get("time_ns") for event in events]
            self.values = [[arg["value"].get("value") for arg in event.get("args", [])] for event in events]


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: got {got!r}, not {wanted!r}")


def read(what, lines, errors="", **files):
    trace = Trace(**files)
    expect(what, (trace.lines, trace.errors if errors is not None else None), (lines, errors))
    return trace


# --- version 1.1 ----------------------------------------------------------------------------------------

MAGIC = 0xC1FC1FC1
CHECKSUMS = {0: lambda content, order: 0,
             1: lambda content, order: struct.unpack(order + "I", hashlib.md5(content).digest()[:4])[0],
             2: lambda content, order: struct.unpack(order + "I", hashlib.sha1(content).digest()[:4])[0],
             3: lambda content, order: zlib.crc32(content)}
COMPRESSIONS = {0: bytes, 1: bz2.compress, 2: gzip.compress}


def rfc_packet(content, order="<", begin=0, count=0, bits=32, discarded=0, compression=0, encryption=0, scheme=0,
               excluded=0, room=0, spoil=0, session=7):
    """The sizes are without the header if `excluded` is 48."""
    content = COMPRESSIONS.get(compression, bytes)(content)
    size = 48 + len(content) - excluded
    checksum = CHECKSUMS.get(scheme, CHECKSUMS[0])(content, order) ^ spoil
    return struct.pack(order + "IIIIIIQQIBBBB", MAGIC, session, size, size + room, checksum, count, begin, begin,
                       discarded, bits, compression, encryption, scheme) + content + bytes(room)


def rfc_metadata(fields, header=1, context="", order="<"):
    text = ("trace { major = 1; minor = 1; } section { name = high; event { header_type = type%d; %s } }\n"
            "event { name = e; id = 3; section = high; fields = type { parent = struct; fields = { %s }; }; }\n"
            "event { name = far; id = 70000; section = high; }" % (header, context, fields))
    return rfc_packet(text.encode() + b"\0", order)


def word(order, ident, time):
    """An event header of type 1: the id is in the low bits of a little-endian word, else in the high ones."""
    return struct.pack(order + "I", ident | time << 5 if order == "<" else ident << 27 | time)


def check_rfc_orders():
    """Both byte orders and both types of headers, with and without their extensions."""
    fields = "{ uint8_t, a }, { type { parent = integer; size = 16; align = 16; byte_order = be; }, b }"
    for order in "<>":
        body = (word(order, 3, 5) + b"\1\0\2\3" + word(order, 31, 0) + struct.pack(order + "IQ", 70000, 1 << 40) +
                word(order, 3, 9) + b"\4\0\5\6")
        trace = read("type 1 " + order, ["e(a = 1, b = 515)", "far()", "e(a = 4, b = 1286)"],
                     metadata=rfc_metadata(fields, order=order), high=rfc_packet(body, order))
        expect("times", trace.times, [5, 1 << 40, (1 << 40) + 9])
        body = (struct.pack(order + "IH", 5, 3) + b"\1\0\2\3" + bytes(2) + struct.pack(order + "IH", 0, 65535) +
                bytes(6) + struct.pack(order + "QI", 1 << 40, 70000) + struct.pack(order + "IH", 9, 3) + b"\4\0\5\6")
        trace = read("type 2 " + order, ["e(a = 1, b = 515)", "far()", "e(a = 4, b = 1286)"],
                     metadata=rfc_metadata(fields, header=2, order=order), high=rfc_packet(body, order))
        expect("times", trace.times, [5, 1 << 40, (1 << 40) + 9])


def check_rfc_types():
    """Bit fields in units, sequences after their lengths, enumerations, strings and the context."""
    short = "type { parent = gcc_bitfield; unit_size = 16; size = %d; signed = true; align = 1; }"
    fields = "{ %s, a }, { %s, b }" % (short % 12, short % 5)
    for order in "<>":
        first = struct.pack(order + "H", 0x0ABC if order == "<" else 0xABC0)
        second = struct.pack(order + "H", 0x1F if order == "<" else 0xF800)
        read("units " + order, ["e(a = -1348, b = -1)"], metadata=rfc_metadata(fields, order=order),
             high=rfc_packet(word(order, 3, 0) + first + second, order))
    fields = ("{ type { parent = sequence; length_type = uint8_t; elem_type = uint32_t; }, s },"
              "{ type { parent = enum; size = 8; map = { { 1, ON }, }; }, on },"
              "{ type { parent = array; length = 2; elem_type = type { parent = string; }; }, t }")
    body = word("<", 3, 0) + b"\x05\0" + b"\2\0" + struct.pack("<II", 8, 9) + b"\1hi\0\0"
    read("sequence", ['e(s = {8, 9}, on = ON, t = {"hi", ""})'],
         metadata=rfc_metadata(fields, context="context { event_size = true; }"), high=rfc_packet(body))


def check_rfc_content():
    """Checksums and compressions; encrypted packets, and those whose checksum is wrong, are passed over."""
    def event(value):
        return word("<", 3, value) + bytes([value])

    metadata = rfc_metadata("{ uint8_t, a }")
    for scheme in range(4):
        for compression in range(3):
            what = f"scheme {scheme}, compression {compression}"
            high = [rfc_packet(event(1), scheme=scheme, compression=compression, room=3),
                    rfc_packet(event(2), count=1, scheme=scheme, compression=compression)]
            read(what, ["e(a = 1)", "e(a = 2)"], metadata=metadata, high=b"".join(high))
            if scheme > 0:
                high[0] = rfc_packet(event(1), scheme=scheme, compression=compression, spoil=1)
                trace = read(what + ", spoilt", ["e(a = 2)"], None, metadata=metadata, high=b"".join(high))
                expect(what, ("the checksum is 0x" in trace.errors, trace.status), (True, 1))
    for wrong, cause in (({"encryption": 1}, "encrypted by AES"), ({"compression": 9}, "compression of scheme 9"),
                         ({"scheme": 9}, "checksums of scheme 9")):
        high = rfc_packet(event(1), **wrong) + rfc_packet(event(2), count=1)
        trace = read(cause, ["e(a = 2)"], None, metadata=metadata, high=high)
        expect(cause, (cause in trace.errors, trace.status), (True, 1))


def check_rfc_packets():
    """Sizes without the header, counters of few bits, text without packets, and a file for each processor."""
    def event(value):
        return word("<", 3, value) + bytes([value])

    metadata = rfc_metadata("{ uint8_t, a }")
    high = b"".join(rfc_packet(event(i), count=i, excluded=48) for i in range(3))
    read("excluded", ["e(a = 0)", "e(a = 1)", "e(a = 2)"], metadata=metadata, high=high)
    read("excluded", ["e(a = 1)"], metadata=metadata, high=rfc_packet(event(1)[:5], excluded=48))
    read("processors", ["e(a = 1)", "e(a = 2)"], metadata=metadata, high_0=rfc_packet(event(2)),
         high_1=rfc_packet(event(1)))
    for order in "<>":
        body = word(order, 3, 1) + b"\1"
        read("text " + order, ["e(a = 1)"], metadata=rfc_metadata("{ uint8_t, a }")[48:-1],
             high=rfc_packet(body, order))
    high = rfc_packet(event(1), count=14, bits=4) + rfc_packet(event(2), count=1, bits=4)
    trace = Trace(metadata=metadata, high=high)
    expect("two packets were lost", trace.lines, ["e(a = 1)", "events: packets are missing", "e(a = 2)"])
    other = metadata[48:-1].replace(b"high", b"low")
    trace = Trace(metadata=other + b"section { name = x; event { header_type = type1 } }", high=rfc_packet(event(1)))
    expect("no section", (trace.lines, "does not tell to which stream" in trace.errors), ([], True))


def check_rfc_packed():
    """Headers of events, and types that are not declared, aligned to bytes: no metadata tell, but the events do."""
    fields = "{ uint8_t, a }, { uint32_t, b }"
    for order in "<>":
        def payload(a, b):
            return struct.pack(order + "BI", a, b)

        one = (word(order, 3, 5) + payload(1, 2) + word(order, 31, 0) + struct.pack(order + "IQ", 70000, 1 << 40) +
               word(order, 3, 9) + payload(3, 4))
        two = (struct.pack(order + "IH", 5, 3) + payload(1, 2) + struct.pack(order + "IH", 0, 65535) +
               struct.pack(order + "QI", 1 << 40, 70000) + struct.pack(order + "IH", 9, 3) + payload(3, 4))
        for header, body in ((1, one), (2, two)):
            for text in (slice(None), slice(48, -1)):
                what = f"packed {order}, type {header}"
                trace = read(what, ["e(a = 1, b = 2)", "far()", "e(a = 3, b = 4)"],
                             metadata=rfc_metadata(fields, header=header, order=order)[text],
                             high=rfc_packet(body, order))
                expect(what, trace.times, [5, 1 << 40, (1 << 40) + 9])
    # What neither fits is read with the natural alignment.
    read("neither", ["e(a = 1, b = 2)"], None, metadata=rfc_metadata(fields),
         high=rfc_packet(word("<", 3, 5) + struct.pack("<BxxxI", 1, 2) + word("<", 9, 9)))


def check_rfc_sessions():
    """A packet of another session is not of this trace, whoever tells the session."""
    def event(value, **more):
        return rfc_packet(word("<", 3, value) + bytes([value]), **more)

    metadata = rfc_metadata("{ uint8_t, a }")
    high = event(1) + event(2, session=8) + event(3)
    for what, text in (("packets", metadata), ("text", metadata[48:-1])):
        trace = read(what, ["e(a = 1)", "e(a = 3)"], None, metadata=text, high=high)
        expect(what, ("is lost, up to offset" in trace.errors, "its session is 0x8, that of the trace is 0x7" in
                      trace.errors, trace.status), (True, True, 1))
    trace = read("all are others", [], None, metadata=metadata, high=event(1, session=9), high_1=event(2, session=9))
    expect("all are others", trace.errors.count("its session is 0x9"), 2)
    trace = read("streams differ", ["e(a = 1)"], None, metadata=metadata[48:-1], high=event(1), high_1=event(2, session=9))
    expect("streams differ", trace.errors.count("its session is 0x9"), 1)
    trace = read("metadata differ", [], None, metadata=metadata + rfc_packet(b"/**/\0", session=8), high=high)
    expect("metadata differ", "its session is 0x8, that of the first packet 0x7" in trace.errors, True)


def check_rfc_sample():
    done = subprocess.run([TOOL, "dump", os.path.join(DATA, "rfc11")], capture_output=True, text=True, timeout=60)
    expect("sample", done.stdout, 'instant 0 open(fd = 7, state = BUSY, data = {1, 2, 3}, path = "/etc/passwd")\n'
                                  "instant 1 close(a = -5, b = 9)\n")


# --- CTF 2 ------------------------------------------------------------------------------------------------

def unsigned(size, order="little-endian", **more):
    return {"type": "fixed-length-unsigned-integer", "length": size, "byte-order": order, "alignment": 8, **more}


def structure(*members):
    return {"type": "structure", "member-classes": [{"name": n, "field-class": c} for n, c in members]}


def ctf2_metadata(*members, order="little-endian"):
    fragments = [
        {"type": "preamble", "version": 2, "uuid": list(range(16))},
        {"type": "field-class-alias", "name": "u8", "field-class": unsigned(8)},
        {"type": "trace-class", "packet-header-field-class": structure(
            ("magic", unsigned(32, order, roles=["packet-magic-number"])),
            ("uuid", {"type": "static-length-blob", "length": 16, "roles": ["metadata-stream-uuid"]}))},
        {"type": "clock-class", "id": "c", "frequency": 1000000000, "origin": "unix-epoch"},
        {"type": "data-stream-class", "default-clock-class-id": "c",
         "packet-context-field-class": structure(
             ("size", unsigned(32, order, roles=["packet-total-length"])),
             ("content", unsigned(32, order, roles=["packet-content-length"])),
             ("begin", unsigned(64, order, roles=["default-clock-timestamp"]))),
         "event-record-header-field-class": structure(
             ("id", {"type": "variable-length-unsigned-integer", "roles": ["event-record-class-id"]}),
             ("t", unsigned(16, order, roles=["default-clock-timestamp"])))},
        {"type": "event-record-class", "id": 300, "name": "e", "payload-field-class": structure(*members)}]
    return b"".join(b"\x1e" + json.dumps(fragment).encode() + b"\n" for fragment in fragments)


def ctf2_packet(*payloads, order="<", begin=0):
    body = b"".join(b"\xac\2" + struct.pack(order + "H", (begin + i) & 0xFFFF) + p for i, p in enumerate(payloads))
    bits = (4 + 16 + 16 + len(body)) * 8
    return struct.pack(order + "I", MAGIC) + bytes(range(16)) + struct.pack(order + "IIQ", bits, bits, begin) + body


def check_ctf2_numbers():
    """Integers of fixed and variable lengths, booleans, bit maps, names of values, floating-point numbers."""
    members = [("a", "u8"), ("v", {"type": "variable-length-signed-integer"}),
               ("b", {"type": "fixed-length-boolean", "length": 8, "byte-order": "little-endian", "alignment": 8}),
               ("n", {"type": "variable-length-unsigned-integer", "mappings": {"few": [[1, 5]], "one": [[1, 1]]}}),
               ("f", {"type": "fixed-length-floating-point-number", "length": 64, "byte-order": "big-endian",
                      "alignment": 8})]
    payload = b"\7" + b"\xff\x7e" + b"\2" + b"\3" + struct.pack(">d", 1.5)
    for order, name in (("<", "little-endian"), (">", "big-endian")):
        trace = read("numbers " + order, ["e(a = 7, v = -129, b = true, n = few, f = 1.5)"] * 2,
                     metadata=ctf2_metadata(*members, order=name),
                     stream=ctf2_packet(payload, payload, order=order, begin=0x1FFFF))
        expect("times", trace.times, [0x1FFFF, 0x20000])


def reversed_bits(value, size):
    return int(format(value, f"0{size}b")[::-1], 2)


def check_ctf2_bit_order():
    """Bits that have the other order than bytes: all of the number is reversed."""
    def number(size, order, bits, **more):
        return {"type": "fixed-length-unsigned-integer", "length": size, "byte-order": order, "bit-order": bits,
                "alignment": 1, **more}

    real = {"type": "fixed-length-floating-point-number", "length": 64, "byte-order": "little-endian",
            "bit-order": "last-to-first", "alignment": 8}
    quad = dict(real, length=128)
    bits = struct.unpack("<Q", struct.pack("<d", 1.5))[0]
    payload = struct.pack("<Q", reversed_bits(bits, 64)) + reversed_bits(0x3FFF8000 << 96, 128).to_bytes(16, "little")
    for order, name, usual in (("<", "little-endian", "first-to-last"), (">", "big-endian", "last-to-first")):
        other = {"first-to-last": "last-to-first", "last-to-first": "first-to-last"}[usual]
        whole = 0xABC << 4 | 5 if order == ">" else 5 << 12 | 0xABC
        members = [("a", number(12, name, usual)), ("b", number(4, name, usual)), ("c", number(12, name, other)),
                   ("d", number(4, name, other)), ("f", real), ("g", quad)]
        read("bits " + order, [f"e(a = {0xABC}, b = 5, c = {reversed_bits(0xABC, 12)}, d = {reversed_bits(5, 4)}, "
                               "f = 1.5, g = 1.5)"],
             metadata=ctf2_metadata(*members, order=name),
             stream=ctf2_packet(struct.pack(order + "HH", whole, whole) + payload, order=order))


def check_ctf2_texts():
    """Texts of all encodings, that end with a NUL, or have a length; floating-point numbers of all sizes."""
    hello = "h\u00e9\u20ac\U0001f600"
    encodings = ("utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be")
    members, payload = [], b""
    for i, encoding in enumerate(encodings):
        data = hello.encode(encoding)
        nul = bytes(len("\0".encode(encoding)))
        members += [(f"z{i}", {"type": "null-terminated-string", "encoding": encoding}),
                    (f"s{i}", {"type": "static-length-string", "length": len(data) + 8, "encoding": encoding})]
        payload += data + nul + data + nul + bytes(8 - len(nul))
    for size, code in ((16, "e"), (32, "f"), (64, "d")):
        for order, name in (("<", "little-endian"), (">", "big-endian")):
            members.append((f"f{size}{name[0]}", {"type": "fixed-length-floating-point-number", "length": size,
                                                  "byte-order": name, "alignment": 8}))
            payload += struct.pack(order + code, -2.5)
    for order in ("little-endian", "big-endian"):
        members.append((f"q{order[0]}", {"type": "fixed-length-floating-point-number", "length": 128,
                                         "byte-order": order, "alignment": 8}))
        payload += (0xC0004 << 108).to_bytes(16, order.split("-")[0])
    trace = Trace(metadata=ctf2_metadata(*members), stream=ctf2_packet(payload))
    expect("texts", (trace.values, trace.errors), ([[hello] * 10 + [-2.5] * 8], ""))
    broken = "a".encode("utf-16le") + b"\x00\xd8" + "b".encode("utf-16le") + b"\0\0"
    trace = Trace(metadata=ctf2_metadata(("t", {"type": "null-terminated-string", "encoding": "utf-16le"})),
                  stream=ctf2_packet(broken))
    expect("surrogate", trace.values, [["a\ufffdb"]])
    trace = read("open text", [], None,
                 metadata=ctf2_metadata(("t", {"type": "null-terminated-string", "encoding": "utf-16le"})),
                 stream=ctf2_packet(b"a\0b\0\0"))
    expect("open text", ("ends beyond" in trace.errors, trace.status), (True, 1))
    trace = read("80 bits", [], None, stream=ctf2_packet(b""),
                 metadata=ctf2_metadata(("f", {"type": "fixed-length-floating-point-number", "length": 80,
                                               "byte-order": "little-endian"})))
    expect("80 bits", ("80 bits is not supported" in trace.errors, trace.status), (True, 1))


def check_ctf2_parts():
    """Texts, blobs, arrays, optional fields and variants, with lengths and selectors that stand before them."""
    def at(*path, origin=None):
        return {"path": list(path), **({"origin": origin} if origin else {})}

    text = {"type": "null-terminated-string"}
    members = [
        ("n", "u8"), ("fixed", {"type": "static-length-string", "length": 4}),
        ("text", {"type": "dynamic-length-string", "length-field-location": at("n")}),
        ("list", {"type": "dynamic-length-array", "element-field-class": "u8",
                  "length-field-location": at("n", origin="event-record-payload")}),
        ("inner", structure(("m", "u8"), ("pair", {"type": "dynamic-length-array", "element-field-class": text,
                                                   "length-field-location": at(None, "n")}))),
        ("maybe", {"type": "optional", "field-class": text, "selector-field-location": at("inner", "m"),
                   "selector-field-ranges": [[1, 3]]}),
        ("either", {"type": "variant", "selector-field-location": at("n"), "options": [
            {"selector-field-ranges": [[0, 1]], "field-class": "u8"},
            {"name": "two", "selector-field-ranges": [[2, 9]], "field-class": text}]})]
    two = b"\2" + b"hi\0\0" + b"xy" + b"\5\6" + b"\1" + b"a\0b\0" + b"here\0" + b"end\0"
    one = b"\1" + b"four" + b"z" + b"\7" + b"\0" + b"c\0" + b"\x09"
    trace = Trace(metadata=ctf2_metadata(*members), stream=ctf2_packet(two, one))
    expect("events", (len(trace.lines), trace.errors, trace.status), (2, "", 0))
    for part in ('fixed = "hi"', 'text = "xy"', "list = {5, 6}", '{"a", "b"}', '"here"', '"end"'):
        expect(part, part in trace.lines[0], True)
    for part in ('fixed = "four"', 'text = "z"', "list = &7", 'pair = &"c"', "9)"):
        expect(part + " in " + trace.lines[1], part in trace.lines[1], True)
    expect("no string", '"here"' in trace.lines[1], False)


globals()["check_" + sys.argv[2]]()
