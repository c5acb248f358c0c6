#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_ctf2_write.py TRACE-CLI CHECK: traces that `convert --to=ctf2` writes: their metadata, and how they are read."""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

TOOL, CHECK = sys.argv[1:3]
HERE = os.path.dirname(os.path.abspath(__file__))
RICH = os.path.join(HERE, "data", "ust-rich")


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: got {str(got)[:3000]}, not {str(wanted)[:3000]}")


def text(*args):
    done = subprocess.run([TOOL, *args], capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        sys.exit(f"{args}: exit status {done.returncode}: {done.stderr}")
    return done.stdout


def convert(trace, out, to="ctf2"):
    text("convert", "--to=" + to, trace, out)
    return out


def same(what, trace, source, *options):
    """Both have the same text and the same JSON, but for the names of files and numbers of streams."""
    hide = re.compile(r'"file":"[^"]*"|"stream":[0-9]+')
    for form in ([], ["--format=babeltrace", "--clock-date"], ["--format=json"]):
        expect(f"{what} {form}", hide.sub("", text("dump", *form, *options, trace)), hide.sub("", text("dump", *form, *options, source)))


def fragments(path):
    """The metadata as RFC 7464 has them."""
    with open(os.path.join(path, "metadata"), "rb") as file:
        records = file.read().split(b"\x1e")
    expect("before the first separator", records[0], b"")
    assert all(record.endswith(b"\n") for record in records[1:])
    return [json.loads(record.decode("utf-8", "strict")) for record in records[1:]]


def of_type(path, kind):
    return [f for f in fragments(path) if f["type"] == kind]


def integer(bits, signed=False, order="little-endian", **more):
    kind = "fixed-length-signed-integer" if signed else "fixed-length-unsigned-integer"
    return {"type": kind, "length": bits, "byte-order": order, **{name.replace("_", "-"): value for name, value in more.items()}}


def structure(**members):
    return {"type": "structure", "member-classes": [{"name": name, "field-class": kind} for name, kind in members.items()]}


def write(path, body, payload, trace=None, clock=None, header=None, preamble=None, event=None, packet=None):
    """A trace of one event class; body: the file of its stream."""
    parts = [{"type": "preamble", "version": 2, **(preamble or {})}, {"type": "trace-class", **(trace or {})}]
    stream = {"type": "data-stream-class"}
    if clock is not None:
        parts.append({"type": "clock-class", "id": "c", **clock})
        stream["default-clock-class-id"] = "c"
    if header is not None:
        stream["event-record-header-field-class"] = header
    if packet is not None:
        stream["packet-context-field-class"] = packet
    parts += [stream, {"type": "event-record-class", "name": "e", "payload-field-class": payload, **(event or {})}]
    os.makedirs(path)
    with open(os.path.join(path, "metadata"), "w", encoding="utf-8") as file:
        file.write("".join("\x1e" + json.dumps(part) + "\n" for part in parts))
    with open(os.path.join(path, "stream"), "wb") as file:
        file.write(body)
    return path


def members(path):
    """The types of the fields of the only event class."""
    payload = of_type(path, "event-record-class")[0]["payload-field-class"]
    aliases = {f["name"]: f["field-class"] for f in of_type(path, "field-class-alias")}
    return {m["name"]: aliases[m["field-class"]] if isinstance(m["field-class"], str) else m["field-class"]
            for m in payload["member-classes"]}


# --- checks ---------------------------------------------------------------------------------------------

def check_lttng(work):
    """Types, contexts, clock, environment and levels of LTTng's trace are in its copy, and in the copy's."""
    out = convert(RICH, os.path.join(work, "out"))
    same("copy", out, RICH)
    again = convert(out, os.path.join(work, "again"))
    for name in ("metadata", "ch0_1"):
        with open(os.path.join(out, name), "rb") as a, open(os.path.join(again, name), "rb") as b:
            expect(name, b.read(), a.read())
    same("back", convert(out, os.path.join(work, "back"), to="ctf"), RICH)
    expect("types", [f["type"] for f in fragments(out) if f["type"] != "field-class-alias"],
           ["preamble", "trace-class", "clock-class", "data-stream-class"] + 3 * ["event-record-class"])
    header = of_type(out, "trace-class")[0]["packet-header-field-class"]
    expect("roles of the packet header", [(m["field-class"]["type"], m["field-class"]["roles"]) for m in header["member-classes"]],
           [("fixed-length-unsigned-integer", ["packet-magic-number"]), ("static-length-blob", ["metadata-stream-uuid"]),
            ("fixed-length-unsigned-integer", ["data-stream-class-id"]), ("fixed-length-unsigned-integer", ["data-stream-id"])])
    expect("levels", [f["attributes"]["lttng.org,2009"]["log-level"] for f in of_type(out, "event-record-class")], [6, 13, 13])


def check_formats(work):
    """Traces of other formats become the events that they become in version 1.8."""
    for name in ("../../data/tri.trace", "../../data/all-types.trace", "../xray/data/plain-5.xray", "../xray/data/padded-1.xray",
                 "../sp_rtrace/data/01-memory-pie.rtrace", "../sp_rtrace/data/03-file.rtrace"):
        source, base = os.path.join(HERE, name), os.path.join(work, os.path.basename(name))
        out, peer = convert(source, base + "-2"), convert(source, base + "-1", to="ctf")
        # Bytes are a blob, which 1.8 lacks.
        expect(name, text("dump", out).replace("value = blob(4)", "value = {109, 97, 99, 104}"), text("dump", peer))
        calls = [convert(trace, trace + ".trace", to="apitrace") for trace in (out, peer)]
        got, wanted = (re.sub(r"// xray.*\n", "", text("dump", trace)) for trace in calls)
        expect(name + " as calls", got.replace("value = blob(4)", "value = {109, 97, 99, 104}"), wanted)


def check_rfc(work):
    """A trace of version 1.1."""
    source = os.path.join(HERE, "data", "rfc11")
    out = convert(source, os.path.join(work, "out"))
    expect("events", text("dump", out).replace("_data_length = 3, ", ""), text("dump", source))


def check_types(work):
    """All types of fields stay what they are."""
    maps = integer(4, mappings={"A": [[1, 2], [5, 5]], "B": [[3, 3]], "\u00e9 \"x\"": [[5, 6]]})
    payload = structure(
        a=maps, b=integer(12, signed=True, mappings={"low": [[-2048, -1]], "high": [[0, 2047]]}),
        bits={"type": "fixed-length-bit-map", "length": 8, "byte-order": "little-endian", "flags": {"x": [[0, 0], [7, 7]], "y": [[1, 2]]}},
        array={"type": "fixed-length-bit-array", "length": 8, "byte-order": "big-endian"},
        flag={"type": "fixed-length-boolean", "length": 8, "byte-order": "little-endian"},
        big=integer(32, order="big-endian", alignment=32, preferred_display_base=16),
        vu={"type": "variable-length-unsigned-integer"}, vs={"type": "variable-length-signed-integer"},
        single={"type": "fixed-length-floating-point-number", "length": 32, "byte-order": "big-endian"},
        text={"type": "null-terminated-string"}, fixed={"type": "static-length-string", "length": 4},
        n=integer(8), dynamic={"type": "dynamic-length-string", "length-field-location": {"path": ["n"]}},
        blob={"type": "static-length-blob", "length": 2},
        blobs={"type": "dynamic-length-blob", "length-field-location": {"origin": "event-record-payload", "path": ["n"]}},
        grid={"type": "static-length-array", "length": 2, "minimum-alignment": 16, "element-field-class":
              {"type": "dynamic-length-array", "length-field-location": {"path": ["n"]}, "element-field-class": integer(8)}},
        s=integer(8, signed=True),
        inner=structure(choice={"type": "variant", "selector-field-location": {"path": [None, "s"]}, "options": [
            {"name": "neg", "selector-field-ranges": [[-128, -1]], "field-class": integer(8)},
            {"selector-field-ranges": [[0, 5], [7, 7]], "field-class": structure(p=integer(8), q=integer(8))}]}),
        some={"type": "optional", "selector-field-location": {"path": ["flag"]}, "field-class": integer(16)},
        ranged={"type": "optional", "selector-field-location": {"path": ["s"]}, "selector-field-ranges": [[-5, -1]],
                "field-class": integer(8)})

    def event(number, flag, selector):
        out = struct.pack("<HBBB", 0x0FF5 | number << 4, 0x83, 0x5A, flag)
        out += bytes(-len(out) % 4) + struct.pack(">I", 0xDEADBEEF) + b"\xe5\x8e\x26" + b"\x7f" + struct.pack(">f", 1.5)
        out += b"hi \xc3\xa9\0" + b"ab\0c" + b"\3xyz" + b"\1\2" + b"\x0a\x0b\x0c"
        out += bytes(-len(out) % 2) + b"\1\2\3\4\5\6" + struct.pack("<b", selector)
        out += b"\x09" if selector < 0 else b"\x07\x08"
        out += struct.pack("<H", 513) if flag else b""
        return out + (b"\x2a" if -5 <= selector < 0 else b"")

    for i, (flag, selector) in enumerate(((1, -1), (0, 7), (1, -128))):
        source = write(os.path.join(work, f"in{i}"), event(i, flag, selector), payload)
        out = convert(source, os.path.join(work, f"out{i}"))
        same(f"event {i}", out, source)
        got, wanted = members(out), members(source)
        expect("fields", list(got), list(wanted))
        for name, kind in wanted.items():
            expect("type of " + name, got[name]["type"], kind["type"])
        expect("mappings", (got["a"]["mappings"], got["b"]["mappings"]), (maps["mappings"], wanted["b"]["mappings"]))
        expect("flags", got["bits"]["flags"], wanted["bits"]["flags"])
        expect("parts", (got["inner"]["member-classes"][0]["field-class"]["selector-field-location"],
                         [o["selector-field-ranges"] for o in got["inner"]["member-classes"][0]["field-class"]["options"]],
                         got["ranged"]["selector-field-ranges"]), ({"path": [None, "s"]}, [[[-128, -1]], [[0, 5], [7, 7]]], [[-5, -1]]))
        expect("number", (got["big"]["byte-order"], got["big"]["alignment"], got["big"]["preferred-display-base"]), ("big-endian", 32, 16))
        again = convert(out, os.path.join(work, f"again{i}"))
        with open(os.path.join(out, "metadata"), "rb") as a, open(os.path.join(again, "metadata"), "rb") as b:
            expect("metadata", b.read(), a.read())


VARIANTS = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := u8;
typealias integer { size = 8; align = 8; signed = true; } := s8;
typealias integer { size = 32; align = 8; signed = false; } := u32;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; }; };
stream { event.header := struct { u8 id; };
  packet.context := struct { u32 content_size; u32 packet_size;
    enum : u8 { _one = 1, two = 2 ... 4 } which; variant <which> { u8 one; string two; } choice; };
  event.context := struct { enum : s8 { low = -128 ... -1, high = 0, high = 2 ... 127 } sign;
    variant <sign> { u8 high; struct { u8 a; } low; } chosen; }; };
event { name = "e"; id = 0; fields := struct {
  struct { enum : u8 { A, B, C%s } t; } outer; struct { variant <outer.t> { u8 C; u32 A; s8 B; u8 never; } v; } inner; }; };
event { name = "without"; id = 1; };
"""


def variants(path, more):
    """A trace with variants in all places; more: labels of the last one."""
    low, high, without = b"\0\xff\7", b"\0\2\x2a", b"\1\0\x2b"
    events = low + b"\0\1\0\0\0" + high + b"\1\xfe" + high + b"\2\x4d" + without
    os.makedirs(path)
    with open(os.path.join(path, "metadata"), "w") as file:
        file.write(VARIANTS % more)
    with open(os.path.join(path, "s"), "wb") as file:
        for choice in b"\1\x63", b"\3left\0":
            size = 8 * (12 + len(choice) + len(events))
            file.write(struct.pack("<III", 0xC1FC1FC1, size, size) + choice + events)
    return path


def check_variants(work):
    """Variants that labels select, in contexts, too, and an event without fields."""
    source = variants(os.path.join(work, "in"), "")
    lines = text("dump", "--format=babeltrace", source).splitlines()
    expect("first", lines[0], 'e: { which = ( "_one" : container = 1 ), choice = { 99 } }, { sign = ( "low" : container = -1 ), '
           'chosen = { { a = 7 } } }, { outer = { t = ( "A" : container = 0 ) }, inner = { v = { 1 } } }')
    expect("last", lines[-1], 'without: { which = ( "two" : container = 3 ), choice = { "left" } }, '
           '{ sign = ( "high" : container = 0 ), chosen = { 43 } }')
    out = convert(source, os.path.join(work, "out"))
    same("variants", out, source)
    payload = of_type(out, "event-record-class")[0]["payload-field-class"]
    inner = payload["member-classes"][1]["field-class"]["member-classes"][0]["field-class"]
    expect("options", [(option["name"], option["selector-field-ranges"]) for option in inner["options"]],
           [("C", [[2, 2]]), ("A", [[0, 0]]), ("B", [[1, 1]])])
    same("1.8", convert(source, os.path.join(work, "again"), to="ctf"), source)
    same("back", convert(out, os.path.join(work, "back"), to="ctf"), source)
    # Two options for the same value, and a dialect without variants: only the values are kept.
    for name, trace, to in (("overlap", variants(os.path.join(work, "both"), ", B = 2"), "ctf2"), ("rfc", source, "ctf-rfc")):
        kept = text("dump", "--format=babeltrace", convert(trace, os.path.join(work, name), to=to)).splitlines()
        expect(name, len(kept), len(lines))
        numbers = re.compile(r'\b\d+|"left"')
        for line, wanted in zip(kept, lines):
            expect(f"{name}: {wanted}", numbers.findall(line.partition(": ")[2]), numbers.findall(wanted))


def check_shadows(work):
    """A length in an enclosing structure, whose name a field of the inner one has, too."""
    lengths = {"type": "dynamic-length-array", "length-field-location": {"path": [None, "n"]}, "element-field-class": integer(8)}
    payload = structure(n=integer(8), inner=structure(n=integer(8), list=lengths))
    source = write(os.path.join(work, "in"), b"\2\1\x0a\x0b", payload)
    expect("text", text("dump", "--format=babeltrace", source), "e: { n = 2, inner = { n = 1, list = [ [0] = 10, [1] = 11 ] } }\n")
    kept = text("dump", "--format=babeltrace", convert(source, os.path.join(work, "out"), to="ctf"))
    expect("1.8", re.sub(r"_\w+ = 2, ", "", kept), text("dump", "--format=babeltrace", source))


def check_trim(work):
    """A part has the dialect of the whole."""
    source = variants(os.path.join(work, "in"), "")
    for to, head in ("ctf", b"/* CTF 1.8"), ("ctf2", b"\x1e"), ("ctf-rfc", b"minor = 1;"):
        whole, part = convert(source, os.path.join(work, to), to=to), os.path.join(work, to + ".part")
        text("trim", "--function=e", "-o", part, whole)
        with open(os.path.join(part, "metadata"), "rb") as file:
            expect(to, head in file.read(200), True)
        expect(to, text("dump", "--format=babeltrace", part), text("dump", "--format=babeltrace", "--function=e", whole))


def check_identity(work):
    """Names, identities, environment, clocks and packets."""
    header = structure(t=integer(8, roles=["default-clock-timestamp"]))
    packet = structure(size=integer(16, roles=["packet-total-length"]), begin=integer(8, roles=["default-clock-timestamp"]), lost=integer(8, roles=["discarded-event-record-counter-snapshot"]),
                       seq=integer(8, roles=["packet-sequence-number"]), cpu_id=integer(8), mine=integer(8))
    body = b"".join(struct.pack("<HBBBBB", 11 * 8, 20 * seq + 1, lost, seq, 3, 40 + seq) + bytes([20 * seq + 1, 1, 20 * seq + 9, 2]) for lost, seq in ((0, 0), (5, 1), (5, 4)))
    clock = {"frequency": 1000, "name": "ticks", "namespace": "x", "uid": "u", "description": "d \u00e9", "precision": 7,
             "origin": {"namespace": "n", "name": "boot", "uid": "b1"}, "offset-from-origin": {"seconds": -5, "cycles": 10}}
    trace = {"namespace": "ns", "name": "name", "uid": "uid", "environment": {"a b": "c\n\"", "n": -9007199254740993, "big": 9223372036854775807}}
    event = {"attributes": {"lttng.org,2009": {"log-level": -3, "emf-uri": "http://x"}}}
    source = write(os.path.join(work, "in"), body, structure(v=integer(8)), trace, clock, header, {"uuid": list(range(16))}, event, packet)
    out = convert(source, os.path.join(work, "out"))
    same("copy", out, source)
    expect("uuid", fragments(out)[0], {"type": "preamble", "version": 2, "uuid": list(range(16))})
    got = of_type(out, "trace-class")[0]
    expect("trace", {key: got[key] for key in trace}, trace)
    got = of_type(out, "clock-class")[0]
    expect("clock", {key: got.get(key) for key in clock if key != "namespace"}, {key: clock[key] for key in clock if key != "namespace"})
    expect("attributes", of_type(out, "event-record-class")[0]["attributes"], event["attributes"])
    assert "5 events: discarded" in text("dump", out) and "packets are missing" in text("dump", out), text("dump", out)
    # Without any of it, nothing is made up.
    plain = write(os.path.join(work, "plain"), b"\1", structure(v=integer(8)))
    out = convert(plain, os.path.join(work, "plain-out"))
    same("plain", out, plain)
    expect("no uuid", fragments(out)[0], {"type": "preamble", "version": 2})
    expect("no clock", of_type(out, "clock-class"), [])
    expect("no environment", sorted(of_type(out, "trace-class")[0]), ["packet-header-field-class", "type"])


def check_references(work):
    """References of version 1.8, which look in all structures around, become paths."""
    metadata = ('/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; }; stream { }; typealias integer { size = 8; align = 8; } := u8;'
                'event { name = "e"; fields := struct { u8 _n; struct { u8 m; struct { u8 row[_n]; u8 col[m]; u8 all[event.fields._n]; } in[2]; } out; }; };')
    source = os.path.join(work, "in")
    os.makedirs(source)
    with open(os.path.join(source, "metadata"), "w", encoding="utf-8") as file:
        file.write(metadata)
    with open(os.path.join(source, "s"), "wb") as file:
        file.write(b"\2\1" + bytes(range(10)))
    out = convert(source, os.path.join(work, "out"))
    same("copy", out, source)
    inner = members(out)["out"]["member-classes"][1]["field-class"]["element-field-class"]["member-classes"]
    expect("paths", [m["field-class"]["length-field-location"] for m in inner],
           [{"path": [None, None, "n"]}, {"path": [None, "m"]}, {"origin": "event-record-payload", "path": ["n"]}])


def quad(value):
    """The 16 bytes of a number of 128 bits, the low ones first."""
    bits = struct.unpack("<Q", struct.pack("<d", value))[0]
    sign, power, fraction = bits >> 63, bits >> 52 & 0x7FF, bits & (1 << 52) - 1
    if power == 0x7FF:
        power = 0x7FFF
    elif power != 0:
        power += 16383 - 1023
    elif fraction != 0:
        shift = 53 - fraction.bit_length()
        power, fraction = 16383 - 1023 + 1 - shift, fraction << shift & (1 << 52) - 1
    return (sign << 127 | power << 112 | fraction << 60).to_bytes(16, "little")


def check_floats(work):
    """Numbers of 16 and 128 bits are written with all their bits, or become others in versions that lack them."""
    halves = struct.pack("<8H", 0, 0x8000, 1, 0x03FF, 0x3C01, 0xFBFF, 0x7C00, 0x7E01)
    quads = b"".join(quad(value) for value in (0.0, -0.0, 1.5, -5e-324, 3e-310, 1.7976931348623157e308, float("-inf"), float("nan")))

    def kind(bits, count, order="little-endian"):
        return {"type": "static-length-array", "length": count, "element-field-class":
                {"type": "fixed-length-floating-point-number", "length": bits, "byte-order": order, "alignment": 8}}

    body = halves + quads + quad(1.25)[::-1]
    source = write(os.path.join(work, "in"), body, structure(h=kind(16, 8), q=kind(128, 8), b=kind(128, 1, "big-endian")))
    for to in ("ctf2", "ctf", "ctf-rfc"):
        out = convert(source, os.path.join(work, to), to)
        expect(to, re.sub(r"_[a-z]_length = [0-9]+, ", "", text("dump", out)), text("dump", source))
    with open(os.path.join(work, "ctf2", "stream"), "rb") as file:
        expect("bytes", file.read()[-len(body):].hex(), body.hex())


def check_texts(work):
    """Texts of other encodings, and numbers with the other order of bits, keep their values in each version."""
    word = "\u65e5\u672c\u8a9e\U0001f600"
    payload = structure(a={"type": "null-terminated-string", "encoding": "utf-16le"},
                        b={"type": "static-length-string", "length": 14, "encoding": "utf-16be"},
                        n=integer(8), c={"type": "dynamic-length-string", "length-field-location": {"path": ["n"]}, "encoding": "utf-32le"},
                        d=integer(8, bit_order="last-to-first"), e=integer(16, order="big-endian", bit_order="first-to-last"),
                        f={"type": "fixed-length-floating-point-number", "length": 32, "byte-order": "little-endian",
                           "bit-order": "last-to-first", "alignment": 8})
    wide = word.encode("utf-32le")
    body = (word + "\0").encode("utf-16le") + word.encode("utf-16be") + bytes(4) + bytes([len(wide)]) + wide + b"\x81\x12\x34" + b"\1\2\3\4"
    source = write(os.path.join(work, "in"), body, payload)
    expect("texts", text("dump", "--format=json", source).count(word), 3)
    for to in ("ctf2", "ctf", "ctf-rfc"):
        out = convert(source, os.path.join(work, to), to)
        expect(to, text("dump", "--format=json", out).count(word), 3)
        expect(to, re.sub(r"_[a-z]_length = [0-9]+, ", "", text("dump", out)), text("dump", source))
        if to == "ctf2":
            expect("encodings", [members(out)[name]["encoding"] for name in "abc"], ["utf-16le", "utf-16be", "utf-32le"])


def check_clocks(work):
    """A clock without a name, or of one that version 1.8 cannot write, gets one there."""
    header = structure(t=integer(64, roles=["default-clock-timestamp"]))
    for i, clock in enumerate(({"frequency": 1000}, {"frequency": 1000, "name": "my clock"}, {"frequency": 1000, "name": "clock"},
                               {"frequency": 1000, "name": "fine"})):
        source = write(os.path.join(work, f"in{i}"), struct.pack("<QB", 7, 1), structure(v=integer(8)), clock=clock, header=header)
        out = convert(source, os.path.join(work, f"out{i}"), "ctf")
        expect("clock", text("dump", "--format=babeltrace", out), text("dump", "--format=babeltrace", source))
        with open(os.path.join(out, "metadata"), encoding="utf-8") as file:
            metadata = file.read()
        name = "fine" if i == 3 else "clock_0"
        expect("name", (f"name = {name};" in metadata, f"map = clock.{name}.value" in metadata, "(null)" in metadata), (True, True, False))
    out = convert(os.path.join(HERE, "data", "rfc11"), os.path.join(work, "rfc"), "ctf")
    with open(os.path.join(out, "metadata"), encoding="utf-8") as file:
        expect("clock of version 1.1", "(null)" in file.read(), False)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        globals()["check_" + CHECK](temporary)
