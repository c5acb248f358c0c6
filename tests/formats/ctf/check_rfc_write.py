#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_rfc_write.py TRACE-CLI CHECK: traces that `convert --to=ctf-rfc` writes are read with the same events."""
import itertools
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

TOOL, CHECK = sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))
MAGIC = struct.pack("<I", 0xC1FC1FC1)
SCHEMES = {"none": 0, "md5": 1, "sha1": 2, "crc32": 3}
COMPRESSIONS = {"none": 0, "bzip2": 1, "gzip": 2}


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: got {str(got)[:2000]!r}, not {str(wanted)[:2000]!r}")


def run(*args):
    return subprocess.run([TOOL, *args], capture_output=True, text=True, timeout=120)


def dump(path):
    done = run("dump", path)
    expect("dump " + path, (done.returncode, done.stderr), (0, ""))
    return done.stdout


def events(path):
    """Names, kinds, times and places of events, and their arguments and contexts."""
    found = []
    for line in run("dump", "--format=json", path).stdout.splitlines():
        event = json.loads(line)
        if "event" not in event:
            continue
        if "args" in event:  # lengths, as 1.8 has them
            event["args"] = [arg for arg in event["args"] if not re.fullmatch(r"_\w+_length", arg["name"])]
        contexts = {}
        for scope in ("packet_context", "common_context", "specific_context"):
            for member in event.get(scope, {}).get("members", []):
                contexts[member["name"]] = member["value"]
        found.append(([event.get(key) for key in ("event", "name", "time_ns", "process", "thread", "cpu", "args", "ret",
                                                  "reason", "count")], contexts))
    return found


def timeless(found):
    """Version 1.1 has no place to say that its times are the numbers of events."""
    return [([None if i == 2 else value for i, value in enumerate(values)], contexts) for values, contexts in found]


def convert(source, out, *options, to="ctf-rfc", quiet=True):
    done = run("convert", "--to=" + to, *options, source, out)
    expect("convert " + source, done.returncode, 0)
    if quiet:
        expect("warnings of " + source, done.stderr, "")


def headers(path):
    """The headers of all packets of the folder's streams."""
    found = []
    for name in sorted(os.listdir(path)):
        data = open(os.path.join(path, name), "rb").read()
        at = 0
        while name != "metadata" and at < len(data):
            order = "<" if data[at:at + 4] == MAGIC else ">"
            header = struct.unpack(order + "IIIIIIQQIBBBB", data[at:at + 48])
            expect("magic number", header[0], 0xC1FC1FC1)
            found.append((order, *header))
            at += header[3]
        if name != "metadata":
            expect("sizes add up", at, len(data))
    return found


def check_schemes(work):
    """All byte orders, checksums and compressions, of traces of versions 1.1 and 1.8."""
    for name in ("rfc11", "ust-rich"):
        source = os.path.join(HERE, "data", name)
        for order, checksum, compression in itertools.product(("le", "be"), SCHEMES, COMPRESSIONS):
            out = os.path.join(work, "-".join((name, order, checksum, compression)))
            convert(source, out, "--byte-order=" + order, "--checksum=" + checksum, "--compression=" + compression,
                    quiet=name == "rfc11")
            expect(out, dump(out), dump(source))
            expect(out, events(out), events(source))
            found = headers(out)
            expect("orders", {header[0] for header in found}, {"<" if order == "le" else ">"})
            expect("checksums", {header[-1] for header in found}, {SCHEMES[checksum]})
            assert {header[-3] for header in found} <= {0, COMPRESSIONS[compression]}, found
            if name == "ust-rich":
                expect("compressions", {header[-3] for header in found}, {COMPRESSIONS[compression]})
            data = bytearray(open(os.path.join(out, "metadata"), "rb").read())
            expect("metadata", (data[:4] == MAGIC, data[47]), (order == "le", SCHEMES[checksum]))
            data[60] ^= 1
            open(os.path.join(out, "metadata"), "wb").write(data)
            if checksum != "none":
                assert "the checksum is" in run("dump", out).stderr, out


def check_formats(work):
    """Traces of other formats are written with the events that version 1.8 has of them."""
    for name in ("../../data/tri.trace", "../../data/all-types.trace", "../xray/data/plain-5.xray", "../xray/data/padded-1.xray",
                 "../sp_rtrace/data/01-memory-pie.rtrace", "../sp_rtrace/data/03-file.rtrace"):
        source = os.path.join(HERE, name)
        peer = os.path.join(work, "peer-" + os.path.basename(name))
        convert(source, peer, to="ctf", quiet=False)
        for order in ("le", "be"):
            out = os.path.join(work, os.path.basename(name) + order)
            convert(source, out, "--byte-order=" + order, "--checksum=crc32", "--compression=gzip", quiet=False)
            expect(name, dump(out), re.sub(r"_\w+_length = \d+, ", "", dump(peer)))  # only 1.8 needs these fields
            if "all-types" not in name:
                expect(name, timeless(events(out)) if name.endswith("tri.trace") else events(out), events(peer))


def rfc_packet(body, count, begin=0, discarded=0, session=9):
    size = 48 + len(body)
    return struct.pack("<IIIIIIQQIBBBB", 0xC1FC1FC1, session, size, size, 0, count, begin, begin, discarded, 32, 0, 0, 0) + body


def write(path, **files):
    os.makedirs(path)
    for name, content in files.items():
        open(os.path.join(path, name), "wb").write(content if isinstance(content, bytes) else content.encode())


def check_losses(work):
    """Discarded events, missing packets, the session and sections stay; an instance of a section is a file."""
    metadata = ("trace { major = 1; minor = 1; } section { name = high; event { header_type = type1; } }"
                "section { name = low; event { header_type = type2; } }"
                "event { name = e; id = 3; section = high; fields = type { parent = struct; fields = { { uint8_t, a } }; }; }"
                "event { name = f; id = 300; section = low; fields = type { parent = struct; fields = { { uint8_t, a } }; }; }")

    def high(value, time):
        return struct.pack("<IB", 3 | time << 5, value)

    source, out = os.path.join(work, "source"), os.path.join(work, "out")
    write(source, metadata=metadata, low_0=rfc_packet(struct.pack("<IHB", 5, 300, 7), 0, begin=5),
          high_0=rfc_packet(high(1, 0), 0) + rfc_packet(high(2, 10), 1, begin=10, discarded=4) +
          rfc_packet(high(3, 20), 4, begin=20, discarded=4),
          high_1=rfc_packet(high(4, 30), 0, begin=30))
    convert(source, out)
    expect("events", events(out), events(source))
    lines = dump(out).splitlines()
    expect("lines", [line.split(" ", 2)[2] for line in lines],
           ["e(a = 1)", "f(a = 7)", "4 events: discarded by the tracer", "e(a = 2)", "events: packets are missing", "e(a = 3)", "e(a = 4)"])
    expect("files", sorted(name[:-2] for name in os.listdir(out) if name != "metadata"), ["high", "high", "low"])
    expect("sessions", {header[2] for header in headers(out)}, {9})
    text = open(os.path.join(out, "metadata"), "rb").read()
    expect("header types", (b"name = high;\n  event {\n    header_type = type1" in text), True)


def check_extensions(work):
    """Times that pass more bits than a header has, in headers of both types, and ids beyond those of type 1."""
    for header, count, limit in ((1, 2, 27), (2, 40, 32)):
        names = "".join(f"event {{ name = e{i}; id = {i}; section = s; }}" for i in range(count))
        metadata = ("trace { major = 1; minor = 1; } section { name = s; event { header_type = type%d; } }" % header) + names
        times = [5, 5 + (1 << limit) - 1, 5 + (1 << limit + 1), (1 << 40) + 1, (1 << 40) + 2, (1 << 52) - 1]
        body = b""
        for i, time in enumerate(times):
            ident = i % count
            if header == 1:
                body += struct.pack("<IIQ", 31, ident, time)
            else:
                body += struct.pack("<IH", 0, 65535)
                body += bytes(-len(body) % 8) + struct.pack("<QI", time, ident)
        source, out = os.path.join(work, f"s{header}"), os.path.join(work, f"o{header}")
        write(source, metadata=metadata, s=rfc_packet(body, 0, begin=5))
        expect("source", [event[0][2] for event in events(source)], times)
        convert(source, out)
        expect(f"type {header}", events(out), events(source))
        size = headers(out)[0][4] - 48
        # The first two need no extension; the others have one each, the fifth none.
        plain, extended = (4, 16) if header == 1 else (8, 20)
        assert size < 6 * extended and size >= 3 * plain + 3 * extended - 8, (header, size)
    members = [{"name": "n", "field-class": {"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian"}}]
    members.append({"name": "list", "field-class": {"type": "dynamic-length-array", "length-field-location": {"path": ["n"]},
                                                    "element-field-class": {"type": "optional", "selector-field-location": {"path": ["n"]},
                                                                            "selector-field-ranges": [[0, 255]], "field-class": {"type": "null-terminated-string"}}}})
    fragments = [{"type": "preamble", "version": 2}, {"type": "trace-class"},
                 {"type": "data-stream-class", "name": "../bad/name"},
                 {"type": "event-record-class", "name": "shapes", "payload-field-class": {"type": "structure", "member-classes": members}}]
    text = "".join("\x1e" + json.dumps(fragment) + "\n" for fragment in fragments)
    body = b"".join(bytes([n]) + b"x\0" * n for n in range(60))
    source, out = os.path.join(work, "shapes"), os.path.join(work, "shapes-out")
    write(source, metadata=text, stream=body)
    convert(source, out, quiet=False)
    expect("shapes", dump(out), dump(source))
    expect("files", sorted(os.listdir(out)), ["metadata", "stream0_0"])


def check_options(work):
    """Options that are not known, or are of another format."""
    source = os.path.join(HERE, "data", "rfc11")
    for options, words in ((["--to=ctf-rfc", "--byte-order=middle"], '--byte-order: "middle" is not one of le and be'),
                           (["--to=ctf-rfc", "--checksum=crc64"], '--checksum: "crc64" is not one of none, md5, sha1 and crc32'),
                           (["--to=ctf-rfc", "--compression=xz"], '--compression: "xz" is not one of none, bzip2 and gzip'),
                           (["--to=csv", "--checksum=md5"], "--checksum is for --to=ctf-rfc, not for csv")):
        done = run("convert", *options, source, os.path.join(work, "out"))
        assert done.returncode == 1 and words in done.stderr and not os.path.exists(os.path.join(work, "out")), done
    done = run("convert", "--to=ctf-rfc", source, "-")
    assert done.returncode == 1 and "folder" in done.stderr, done


with tempfile.TemporaryDirectory() as directory:
    globals()["check_" + CHECK](directory)
