#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_traces.py TRACE-CLI CHECK: what trace-cli makes of traces of CTF, against what was put into them.

data/ust-rich was recorded with LTTng-UST 2.13.5; data/ust-rich.pretty.txt is what babeltrace2 2.0.4 prints
for it."""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
RICH = os.path.join(DATA, "ust-rich")
PRETTY = os.path.join(DATA, "ust-rich.pretty.txt")


def run(*args):
    done = subprocess.run([TOOL, *args], capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 1), (args, done.returncode, done.stderr)
    return done


def events(path):
    """The events of a trace, and the warnings."""
    done = run("dump", "--format=json", path)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return [line for line in lines if "event" in line], done.stderr, done.returncode


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: got {got!r}, not {wanted!r}")


def members(value):
    return {member["name"]: member["value"] for member in value["members"]}


def args(event):
    return {arg["name"]: arg["value"] for arg in event["args"]}


# --- traces that are written here -----------------------------------------------------------------------

UUID = bytes(range(16))
UUID_TEXT = "00010203-0405-0607-0809-0a0b0c0d0e0f"
HEAD = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
trace { major = 1; minor = 8; uuid = "%s"; byte_order = %s;
  packet.header := struct { uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; }; };
clock { name = c; freq = 1000000000; offset = 1000; };
typealias integer { size = 32; align = 8; signed = false; map = clock.c.value; } := time32_t;
typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := time64_t;
stream { id = 0;
  packet.context := struct { time64_t timestamp_begin; time64_t timestamp_end; uint32_t content_size;
    uint32_t packet_size; uint32_t packet_seq_num; uint32_t events_discarded; uint32_t cpu_id; };
  event.header := struct { uint16_t id; time32_t timestamp; }; };
"""
FIELDS = "event { name = \"e\"; id = 7; stream_id = 0; fields := struct { %s }; };\n"


def packet(payloads, order="<", sequence=0, discarded=0, begin=0, magic=0xC1FC1FC1, ident=7, size=None,
           content=None, uuid=UUID, room=0):
    """A packet of events with these payloads, a nanosecond apart."""
    body = b"".join(struct.pack(order + "HI", ident, (begin + i) & 0xFFFFFFFF) + p for i, p in enumerate(payloads))
    whole = 24 + 36 + len(body)
    content = whole * 8 if content is None else content
    size = (whole + room) * 8 if size is None else size
    return (struct.pack(order + "I", magic) + uuid + struct.pack(order + "I", 0) +
            struct.pack(order + "QQIIIII", begin, begin + len(payloads), content, size, sequence, discarded, 3) +
            body + bytes(room))


class Trace:
    """A directory with metadata and streams, while it is used."""

    def __init__(self, fields, streams, order="le", metadata=None):
        self.path = tempfile.mkdtemp()
        text = metadata if metadata is not None else HEAD % (UUID_TEXT, order) + FIELDS % fields
        self.put("metadata", text if isinstance(text, bytes) else text.encode())
        for number, stream in enumerate(streams):
            self.put(f"s{number}", stream)

    def put(self, name, data):
        with open(os.path.join(self.path, name), "wb") as file:
            file.write(data)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path)


# --- checks ---------------------------------------------------------------------------------------------


def check_values():
    got, errors, status = events(RICH)
    expect("warnings", (errors, status), ("", 0))
    expect("events", len(got), 160)
    second = args([event for event in got if event["name"] == "demo:all_types"][1])
    expect("hex64", second["hex64"], {"type": "integer", "value": str(0xDEADBEEFCAFEF00E), "base": 16, "bits": 64})
    expect("net16", second["net16"], {"type": "uint", "value": 256})
    expect("d", second["d"], {"type": "double", "value": 3.141592653589793})
    expect("arr", second["arr"], {"type": "array", "element": "sint", "values": [1, -2, 3]})
    expect("col32", second["col32"], {"type": "labelled", "value": 2, "labels": ["SHADES"]})
    expect("txt", second["txt"], {"type": "string", "value": "odd "})
    expect("cpu", members(got[0]["packet_context"])["cpu_id"], {"type": "uint", "value": 1})
    expect("procname", members(got[0]["common_context"])["procname"], {"type": "string", "value": "demo"})
    expect("origin", (got[0]["process"], got[0]["thread"], got[0]["cpu"]), (32435, 32438, 1))
    fields = "integer { size = 3; signed = 1; } a; integer { size = 13; } b; integer { size = 60; align = 4; } c;"
    with Trace(fields, [packet([bytes([0xFD, 0x1F]) + bytes(8)])]) as path:
        got = args(events(path)[0][0])
        expect("bits", (got["a"]["value"], got["b"]["value"]), (-3, 0x3FF))
    with Trace(fields, [packet([bytes([0xBF, 0xF8]) + bytes(8)], order=">")], order="be") as path:
        got = args(events(path)[0][0])
        expect("bits", (got["a"]["value"], got["b"]["value"]), (-3, 0x1FF8))
    fields = ("floating_point { exp_dig = 5; mant_dig = 11; align = 8; } h;"
              "floating_point { exp_dig = 15; mant_dig = 113; align = 8; } q;")
    for order, name in (("<", "le"), (">", "be")):
        quad = (0xC0004 << 108).to_bytes(16, "little" if order == "<" else "big")
        with Trace(fields, [packet([struct.pack(order + "e", -2.5) + quad], order=order)], order=name) as path:
            got = args(events(path)[0][0])
            expect("floats", (got["h"], got["q"]), ({"type": "float", "value": -2.5}, {"type": "double", "value": -2.5}))
    with Trace("uint8_t v;", [packet([b"\1", b"\3"], begin=0xFFFFFFFF), packet([b"\2"], begin=0xFFFFFFFF)]) as path:
        got = events(path)[0]
        expect("merged", [args(event)["v"]["value"] for event in got], [1, 2, 3])
        expect("wrapped", [event["time_ns"] for event in got], [0xFFFFFFFF, 0xFFFFFFFF, 0x100000000])


def check_babeltrace():
    # For a text of no characters babeltrace2 prints that of an earlier event.
    wanted = re.sub(r'_length = 0, seqtxt = "[^"]*"', '_length = 0, seqtxt = ""', open(PRETTY, encoding="latin-1").read())
    done = subprocess.run([TOOL, "dump", "--format=babeltrace", RICH], capture_output=True, timeout=60,
                          env=dict(os.environ, TZ="UTC"))
    expect("status", (done.returncode, done.stderr), (0, b""))
    for got, line in zip(done.stdout.decode("latin-1").splitlines(), wanted.splitlines()):
        expect("text", got, line)
    expect("length", len(done.stdout), len(wanted))
    first = wanted.splitlines()[1]
    forms = {
        "--no-delta": first.replace("(+0.000006369) ", ""),
        "--clock-date --clock-gmt": first.replace("[", "[2026-11-20 ", 1),
        "--names=none": re.sub(r"\w+ = ", "", first),
        "--fields=trace:hostname,trace:domain": first.replace(" vm ", " vm:ust "),
        "--fields=loglevel --names=header,payload,context": re.sub(
            r"^\[(.*?)\] \((.*?)\) vm (.*?): ",
            r"timestamp = \1, delta = \2, loglevel = TRACE_DEBUG_LINE (13), name = \3, ", first),
    }
    for options, line in forms.items():
        done = run("dump", "--format=babeltrace", "--clock-gmt", *options.split(), RICH)
        expect(options, done.stdout.splitlines()[1], line)
    both = "--fields=trace,trace:hostname"
    for folder, name in (("", "vm/ust/uid/0/64-bit"), ("/ust/", "vm/uid/0/64-bit"), ("/ust/uid/0/64-bit", "vm")):
        done = run("dump", "--format=babeltrace", "--clock-gmt", "--fields=trace", RICH + folder)
        expect("trace of " + folder, done.stdout.splitlines()[1], first.replace(" vm ", f" {name}"))
        done = run("dump", "--format=babeltrace", "--clock-gmt", both, RICH + folder)
        expect("trace and host of " + folder, done.stdout.splitlines()[1], first.replace(" vm ", f" {name}vm "))
    expect("wrong name", run("dump", "--names=payload,all", RICH).returncode, 1)


def context_cases():
    """Fields of a context, and what makes its bytes and its text for the i-th event."""
    long = "m" * 300
    signed = "integer { size = 64; align = 8; signed = true; }"
    choice = f"enum : uint8_t {{ a = 0, b = 1 }} t; variant <t> {{ {signed} a; uint64_t b; }} x;"
    seven = " ".join(f"uint8_t m{n};" for n in range(7))
    yield ("numbers", f"uint32_t a; {signed} s;",
           lambda i: (struct.pack("<Iq", i % 150, -(i % 7)), f"a = {i % 150}, s = {-(i % 7)}"))
    yield ("long", f"uint8_t {long}; uint8_t {long}2;",
           lambda i: (bytes([i % 3, i % 2]), f"{long} = {i % 3}, {long}2 = {i % 2}"))
    yield ("choice", choice,
           lambda i: (struct.pack("<Bq", i % 2, -1), (f't = ( "{"ab"[i % 2]}" : container = {i % 2} ), '
                                                      f"x = {{ {(-1, 2**64 - 1)[i % 2]} }}")))
    yield ("seven", seven, lambda i: (bytes([i % 5] * 7), ", ".join(f"m{n} = {i % 5}" for n in range(7))))


def check_contexts():
    """Contexts that come back among many others, with long names, and whose types change."""
    metadata = (HEAD + FIELDS) % (UUID_TEXT, "le", "uint8_t v;")
    for name, fields, make in context_cases():
        made = [make(i) for i in range(3000)]
        events = packet([context + bytes([i & 255]) for i, (context, _) in enumerate(made)])
        text = metadata.replace("cpu_id; };", "cpu_id; }; event.context := struct { %s };" % fields)
        with Trace("", [events], metadata=text) as path:
            for options in ((), ("--names=none",)):
                done = run("dump", "--format=babeltrace", "--no-delta", *options, path)
                expect(name + " messages", (done.stderr, done.returncode), ("", 0))
                lines = done.stdout.splitlines()
                expect(name + " lines", len(lines), 3000)
                for line, (_, wanted) in zip(lines, made):
                    wanted = wanted if not options else re.sub(r"\w+ = (?!\d+ \))", "", wanted)
                    expect(f"{name} in {line}", "{ " + wanted + " }, " in line, True)


def check_times_of_day():
    """--time selects by the time of day, in UTC and local, which babeltrace2 printed."""
    with open(PRETTY, encoding="latin-1") as pretty:
        times = [line[1:19] for line in pretty]
    os.environ["TZ"] = "XST+3"  # 3 hours after UTC
    for at in (0, 1, 80, len(times) - 1):
        local = f"{int(times[at][:2]) - 3}{times[at][2:]}"
        for time in (times[at] + "Z", local):
            wanted = times.index(times[at])
            expect(time, len(run("dump", "--format=babeltrace", f"--time={time},", RICH).stdout.splitlines()), len(times) - wanted)
            expect(time, len(run("dump", "--format=babeltrace", f"--time=,{time}", RICH).stdout.splitlines()), wanted)


def values_of(path):
    got, errors, status = events(path)
    return [args(e)["v"]["value"] if "args" in e else e["reason"] for e in got], errors, status


HEADERS = """/* CTF 1.8 */
typealias integer { size = 8; align = 8; } := u8; typealias integer { size = 32; align = 8; } := u32;
trace { major = 1; minor = 8; byte_order = %s; packet.header := struct { u32 magic; }; };
clock { name = c; };
typealias integer { size = 27; align = 1; map = clock.c.value; } := t27;
typealias integer { size = 64; align = 8; map = clock.c.value; } := t64;
stream { event.header := struct { enum : integer { size = 5; align = 1; } { compact = 0 ... 30, extended = 31 } id;
    variant <id> { struct { t27 timestamp; } compact; struct { u32 id; t64 timestamp; } extended; } v; } align(8); };
event { name = "first"; id = 0; fields := struct { u8 n; }; };
event { name = "last"; id = 30; fields := struct { u8 n; }; };
event { name = "after"; id = 31; fields := struct { u8 n; }; };
event { name = "far"; id = 400; fields := struct { u8 n; }; };
"""


def check_headers():
    """Events whose id and time have 5 and 27 bits, or, where these do not suffice, 32 and 64."""
    for order, name in ("<", "le"), (">", "be"):
        def short(ident, time, number):
            word = ident | time << 5 if order == "<" else ident << 27 | time
            return struct.pack(order + "IB", word, number)

        def long(ident, time, number):
            return bytes([31 if order == "<" else 31 << 3]) + struct.pack(order + "IQB", ident, time, number)
        stream = struct.pack(order + "I", 0xC1FC1FC1) + b"".join(
            [long(31, 5 << 27, 1), short(0, 7, 2), long(400, (5 << 27) + 9, 3), short(30, 3, 4), long(0, 7 << 27, 5)])
        with Trace("", [stream], metadata=HEADERS % name) as path:
            got, errors, status = events(path)
        expect("headers", [(event["name"], event["time_ns"], args(event)["n"]["value"]) for event in got],
               [("after", 5 << 27, 1), ("first", (5 << 27) + 7, 2), ("far", (5 << 27) + 9, 3),
                ("last", (6 << 27) + 3, 4), ("first", 7 << 27, 5)])
        expect("errors", (errors, status), ("", 0))


def check_calls():
    text = HEAD % (UUID_TEXT, "le")
    text = text.replace("event.header :=", "event.context := struct { uint32_t _vpid; uint32_t _vtid; }; event.header :=")
    events_text = ""
    for ident, name, fields in (
            (0, "lttng_ust_statedump:bin_info", "uint64_t _baddr; uint64_t _memsz; string _path;"),
            (1, "lttng_ust_cyg_profile:func_entry", "uint64_t _addr; uint64_t _call_site;"),
            (2, "lttng_ust_cyg_profile:func_exit", "uint64_t _addr; uint64_t _call_site;"),
            (3, "lttng_ust_cyg_profile_fast:func_exit", "")):
        events_text += f'event {{ name = "{name}"; id = {ident}; stream_id = 0; fields := struct {{ {fields} }}; }};\n'

    def stream(*list_of):
        data = packet([])
        for at, (ident, tid, payload) in enumerate(list_of):
            data += struct.pack("<HIII", ident, at, 9, tid) + payload
        return packet([], content=len(data) * 8, size=len(data) * 8) + data[60:]

    def call(address):
        return struct.pack("<QQ", address, 0x77)

    made = stream((0, 1, struct.pack("<QQ", 0x1000, 0x1000) + b"/bin/app\0"), (1, 1, call(0x1100)), (1, 2, call(0x1100)),
                  (1, 1, call(0x5000)), (2, 1, call(0x5000)), (3, 1, b""), (2, 2, call(0x1100)), (2, 2, call(0x1200)),
                  (3, 3, b""))
    with Trace("", [made], metadata=text + events_text) as path:
        got, errors, _ = events(path)
        expect("warnings", errors, "")
        ends = [(e["event"], e["thread"], e["name"], e["number"]) for e in got]
        expect("calls", ends, [("instant", 1, "lttng_ust_statedump:bin_info", 0), ("enter", 1, "app+0x100", 1),
                               ("enter", 2, "app+0x100", 2), ("enter", 1, "0x5000", 3), ("exit", 1, "0x5000", 3),
                               ("exit", 1, "app+0x100", 1), ("exit", 2, "app+0x100", 2), ("exit", 2, "app+0x200", 4),
                               ("instant", 3, "lttng_ust_cyg_profile_fast:func_exit", 5)])
        text = run("dump", "--format=babeltrace", path).stdout.splitlines()
        assert "lttng_ust_cyg_profile:func_entry: { cpu_id = 3 }, { vpid = 9, vtid = 1 }, { addr = 4352, call_site = 119 }" in text[1], text[1]
        table = run("account", path).stdout
        assert "app+0x100" in table and "0x5000" in table, table


def check_damage():
    def three(second, **more):
        return packet([b"\1", b"\2"], begin=0, sequence=0) + second + packet([b"\5"], begin=20, sequence=2, **more)

    good = packet([b"\3", b"\4"], begin=10, sequence=1)
    cases = {
        "intact": (three(good), [1, 2, 3, 4, 5], 0, ""),
        "bad magic": (three(packet([b"\3"], magic=0x12345678, sequence=1)), [1, 2, "packets are missing", 5], 1, "0x12345678"),
        "content": (three(packet([b"\3"], content=8000, sequence=1)), [1, 2, "packets are missing", 5], 1, "8000"),
        "size": (three(packet([b"\3"], size=0, sequence=1)), [1, 2, "packets are missing", 5], 1, "0 bits"),
        "other trace": (three(packet([b"\3"], uuid=bytes(16), sequence=1)), [1, 2, "packets are missing", 5], 1, "UUID"),
        "unknown event": (three(packet([b"\3"], ident=9, begin=10, sequence=1)), [1, 2, 5], 1, "event 9"),
        "short": (three(packet([b"\3", b""], begin=10, sequence=1)), [1, 2, 3, 5], 1, "ends beyond"),
        "zeros": (three(good) + bytes(5000), [1, 2, 3, 4, 5], 1, "0x00000000"),
        "cut": (three(good)[:-1], [1, 2, 3, 4], 0, "the file ends"),
        "discarded": (three(good, discarded=9), [1, 2, 3, 4, "discarded by the tracer", 5], 0, ""),
    }
    cases["rotated"] = (packet([b"\1"], sequence=5, discarded=9) + packet([b"\2"], sequence=6, discarded=9), [1, 2], 0, "")
    for name, (stream, values, status, message) in cases.items():
        with Trace("uint8_t v;", [stream]) as path:
            got = values_of(path)
            expect(name, (got[0], got[2], message in got[1]), (values, status, True))
            expect(name + ": lines", len(got[1].splitlines()), 1 if message else 0)
    with Trace("uint32_t n; uint8_t v[n];", [packet([struct.pack("<I", 0xFFFFFFFF)])]) as path:
        expect("hostile length", (len(events(path)[0]), events(path)[2]), (0, 1))
    stream = three(good)
    for place in range(0, len(stream)):  # whatever is changed, the others stay
        changed = bytearray(stream)
        changed[place] ^= 0x55
        with Trace("uint8_t v;", [bytes(changed)]) as path:
            got = [v for v in values_of(path)[0] if isinstance(v, int)]
            assert len(set([1, 2, 3, 4, 5]) - set(got)) <= 4 or place < 60, (place, got)


def check_many_damages():
    """The first warnings are printed, and the number of the others."""
    bad = packet([b"\3"], ident=9, begin=10, sequence=1)
    with Trace("uint8_t v;", [b"".join(packet([b"\1"], begin=i) + bad for i in range(3000))]) as path:
        for command in ["dump"], ["dump", "--format=json"], ["info"], ["account"]:
            done = run(*command, path)
            lines = done.stderr.splitlines()
            expect(command, (done.returncode, len(lines), lines[-1]),
                   (1, 11, "warning: 2990 more parts are damaged or cut"))
            expect(command, all("event 9" in line for line in lines[:10]), True)
        done = subprocess.run([TOOL, "diff", path, path], capture_output=True, text=True, timeout=60, check=False)
        expect("diff", [line for line in done.stderr.splitlines() if "more parts" in line],
               ["warning: 2990 more parts are damaged or cut"] * 2)


def instance_packet(instance, values, **more):
    """A packet that tells which instance of its stream class it belongs to."""
    whole = packet(values, **more)
    sizes = struct.unpack("<II", whole[40:48])
    return (whole[:24] + struct.pack("<Q", instance) + whole[24:40] +
            struct.pack("<II", sizes[0] + 64, sizes[1] + 64) + whole[48:])


def check_rotation():
    """The counters of a stream go on from file to file, in whatever order their names are, and in other directories."""
    text = (HEAD % (UUID_TEXT, "le") + FIELDS % "uint8_t v;").replace("stream_id; }", "stream_id; uint64_t stream_instance_id; }")
    files = {
        "c_0_10": instance_packet(0, [b"\5"], begin=50, sequence=4, discarded=7) +
                  instance_packet(0, [b"\6"], begin=60, sequence=5, discarded=9),
        "c_0_2": instance_packet(0, [b"\1"], begin=10, sequence=0) + instance_packet(0, [b"\2"], begin=20, sequence=1, discarded=4),
        "c_0_9": instance_packet(0, [b"\3"], begin=30, sequence=2, discarded=7),
        "c_1_0": instance_packet(1, [b"\4"], begin=40, sequence=8, discarded=100),
        "c_1_1": instance_packet(1, [b"\7"], begin=70, sequence=9, discarded=100),
    }
    wanted = [1, "discarded by the tracer", 2, "discarded by the tracer", 3, 4, "packets are missing", 5,
              "discarded by the tracer", 6, 7]
    for apart in (False, True):
        with tempfile.TemporaryDirectory() as path:
            for name, content in files.items():
                directory = os.path.join(path, name[-1] if apart else "")
                os.makedirs(directory, exist_ok=True)
                open(os.path.join(directory, "metadata"), "w").write(text)
                open(os.path.join(directory, name), "wb").write(content)
            got, _, status = events(path)
            expect(f"apart {apart}", [args(e)["v"]["value"] if "args" in e else e["reason"] for e in got], wanted)
            expect("counts", [e["count"] for e in got if "reason" in e and e["reason"] != "packets are missing"], [4, 3, 2])
            expect("status", status, 0)


def check_many_streams():
    """More streams than a process may have files open, and little memory for each."""
    streams = [packet([b"\1"] * 50, begin=i) for i in range(1500)]
    with Trace("uint8_t v;", streams) as path:
        done = subprocess.run(["bash", "-c", 'ulimit -n 24; exec "$@"', "bash", TOOL, "dump", path], capture_output=True,
                              timeout=60)
        expect("status", (done.returncode, done.stderr), (0, b""))
        expect("events", done.stdout.count(b"\n"), 1500 * 50)


def check_large_events():
    """Events larger than what is read at once, also as the first that is read of a file."""
    head = ("/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; }; stream { };\n"
            "typealias integer { size = 8; encoding = UTF8; } := letter;\n"
            "event { name = e; fields := struct { integer { size = 32; } n; letter text[n]; string s; }; };\n")
    with tempfile.TemporaryDirectory() as path:
        with open(os.path.join(path, "metadata"), "w", encoding="ascii") as file:
            file.write(head)
        sizes = [300000, 3, 1100000, 262144]
        for name in "ab":
            with open(os.path.join(path, name), "wb") as file:
                for size in sizes:
                    file.write(struct.pack("<I", size) + b"x" * size + b"y" * size + b"\0")
        done = run("dump", path)
        expect("messages", done.stderr, "")
        expect("sizes", sorted((line.count("x"), line.count("y")) for line in done.stdout.splitlines()),
               sorted((size + 1, size) for size in sizes * 2))


def check_metadata():
    head = HEAD % (UUID_TEXT, "le")
    good = head + FIELDS % "uint8_t v;"
    wrong = {
        "trace { major = 1; minor = 7; byte_order = le; };": ":1: version 1.7",
        "typealias integer { size = 65; } := x;": ":1: the size of an integer",
        "\n\nstruct { nothing x; };": ":3: no type \"nothing\"",
        "/* open": ":1: the comment",
        "env { a = \"x; };": ":1: the quotation",
        head + "event { name = 1": "a name is expected where",
        head + FIELDS % "uint8_t v[n];": "\"n\" is not a field that comes before",
        head + FIELDS % "variant <t> { uint8_t a; } v;": "\"t\" is not a field that comes before",
        head + FIELDS % "uint8_t v; uint8_t v;": "declared twice",
        head + "typealias integer { size = 8; align = 3; } := x;": "not a power of two",
        head + "enum : uint8_t { A = 3 ... 1 };": "ends before it begins",
        head + "typealias integer { size = 99999999999999999999; } := x;": "does not fit in 64 bits",
        head + "typealias floating_point { exp_dig = 15; mant_dig = 64; } := x;": "not 15 and 64",
        head + "struct {" * 200: "are nested",
    }
    for text, message in wrong.items():
        with Trace("", [packet([b"\1"])], metadata=text) as path:
            done = run("dump", path)
            expect(text[-40:], (done.returncode, len(done.stderr.splitlines())), (1, 1))
            assert message in done.stderr and "metadata:" in done.stderr, (text, done.stderr)
    for order in "<>":  # in packets, of either byte order
        packets = b""
        for at in range(0, len(good), 700):
            part = good[at:at + 700].encode()
            packets += struct.pack(order + "I16sIIIBBBBB", 0x75D11D57, UUID, 0, (37 + len(part)) * 8, 1024 * 8, 0, 0,
                                   0, 1, 8) + part + bytes(1024 - 37 - len(part))
        with Trace("", [packet([b"\1"])], metadata=packets) as path:
            expect("packets", values_of(path), ([1], "", 0))
        with Trace("", [packet([b"\1"])], metadata=packets[:1100]) as path:
            errors = run("dump", path).stderr
            assert "the file ends within the packet at offset 1024" in errors, errors
    for cut in range(len(good)):
        with Trace("", [packet([b"\1"])], metadata=good[:cut]) as path:
            done = run("dump", path)
            assert len(done.stderr.splitlines()) <= 1, (cut, done.stderr)


def check_cut_metadata():
    """Metadata in packets that are cut anywhere end at once, with a line. babeltrace2 2.0.4 spins for ever."""
    directory = os.path.join(RICH, "ust", "uid", "0", "64-bit")
    whole = open(os.path.join(directory, "metadata"), "rb").read()
    stream = open(os.path.join(directory, "ch0_0"), "rb").read()
    content = lambda at: struct.unpack("<I", whole[at + 24:at + 28])[0] // 8  # noqa: E731
    for cut in [*range(1, len(whole), 211), 4000, 4096, 5000, len(whole) - 1]:
        last = cut // 4096 * 4096  # the padding of a packet may be missing
        with Trace("", [stream], metadata=whole[:cut]) as path:
            done = subprocess.run([TOOL, "dump", path], capture_output=True, text=True, timeout=10)
            is_whole = cut == last or (len(whole) - last <= 4096 and cut - last >= content(last))
            if not is_whole:
                expect(f"cut at {cut}", (done.returncode, len(done.stderr.splitlines())), (1, 1))


def compare_with_peer(name, fields, payloads, order):
    with Trace(fields, [packet(payloads, order=order)], order="le" if order == "<" else "be") as path:
        wanted = subprocess.run(["babeltrace2", path], capture_output=True, timeout=60).stdout
        got = subprocess.run([TOOL, "dump", "--format=babeltrace", path], capture_output=True, timeout=60).stdout
        expect(name + order, got.decode("latin-1"), wanted.decode("latin-1"))
        expect(name + order, len(got.splitlines()), len(payloads))


def check_peer():
    """babeltrace2 prints the same of every type, in both byte orders."""
    if shutil.which("babeltrace2") is None:
        sys.exit(77)
    for order in "<>":
        compare_with_peer("variant", """enum : uint8_t { A, B = 5 ... 9, _C = 20 } t; uint8_t n;
            variant <t> { uint8_t A; string B; struct { uint8_t _x; uint16_t y; } _C; } _v; uint8_t z;""",
                          [b"\0\1\7\1", b"\6\1hi\0\1", b"\x14\1\1\2\3\4"], order)
        compare_with_peer("bases", """integer { size = 8; base = 8; signed = 1; } a; integer { size = 5; base = 2; } b;
            integer { size = 3; base = 16; signed = 1; } c; integer { size = 20; base = 16; align = 8; } d;
            integer { size = 12; base = 8; signed = 1; } e; uint8_t z;""",
                          [bytes([0xF9, 0x5A, 1, 2, 0xF3, 0xFF, 4]), bytes([7, 255, 254, 253, 252, 251, 250])], order)
        compare_with_peer("labels", """enum : integer { size = 16; base = 16; align = 8; signed = 1; }
            { A = -2, B = -5 ... -1, C } e; enum : integer { size = 8; base = 2; } { Q = 3 } f;
            enum : uint8_t { X = 1, Y = 1, Z = 0 ... 3 } g;""",
                          [bytes([0xFE, 0xFF, 3, 1]), bytes([0xFF, 0xFE, 9, 2]), bytes([0, 0, 5, 7])], order)
        compare_with_peer("nested", """struct { uint8_t n; struct { uint8_t m; uint16_t v[m]; string s; } q[n];
            uint8_t a[2][3]; } s; integer { size = 8; encoding = UTF8; } t[4];
            floating_point { exp_dig = 8; mant_dig = 24; align = 8; } f[2];""",
                          [bytes([2, 1, 1, 2]) + b"ab\0\0\0" + bytes(range(1, 7)) + b"xy\0z" +
                           struct.pack(order + "ff", 1.5, float("nan"))], order)
        compare_with_peer("bits", """integer { size = 3; signed = 1; } a; integer { size = 13; } b;
            integer { size = 60; align = 4; } c; integer { size = 64; signed = 1; } d;""",
                          [bytes(range(200, 218))], order)
        compare_with_peer("floats", "floating_point { exp_dig = 11; mant_dig = 53; align = 8; } f[6];",
                          [struct.pack(order + "6d", 1e300, -0.0, float("inf"), 123456789, 1e-5, 0.1)], order)
        compare_with_peer("strings", "string s;", [bytes(range(1, 128)) + b"\0", b"\xff\xc3\xa9\0"], order)


def check_trace_names():
    """babeltrace2 prints the same names of traces, whichever folder is opened, with and without a host."""
    if shutil.which("babeltrace2") is None:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as path:
        os.makedirs(os.path.join(path, "b", "c"))
        with open(os.path.join(path, "b", "c", "metadata"), "w") as file:
            file.write(HEAD % (UUID_TEXT, "le") + FIELDS % "uint8_t n;")
        with open(os.path.join(path, "b", "c", "s"), "wb") as file:
            file.write(packet([b"\1", b"\2"]))
        for opened in path, path + "/b/", path + "/b/c", RICH, RICH + "//ust/uid", RICH + "/ust/uid/0/64-bit/":
            for fields in "trace", "all", "trace,loglevel", "trace,trace:domain":
                for names in "all", "none", "payload", "header":
                    options = ["--clock-gmt", f"--fields={fields}", f"--names={names}", opened]
                    got = run("dump", "--format=babeltrace", *options).stdout
                    wanted = subprocess.run(["babeltrace2", *options], capture_output=True, text=True).stdout
                    hide = lambda text: re.sub(r'(\[ ?\]|= 0|, 0), (seqtxt = )?"[^"]*"', "", text)
                    expect(f"{opened} {fields} {names}", hide(got), hide(wanted))


globals()["check_" + sys.argv[2]]()
