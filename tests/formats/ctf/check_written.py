#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_written.py TRACE-CLI CHECK: traces of CTF that trace-cli writes, read by it and by babeltrace2."""
import gzip
import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import suite_traces

TOOL = sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))
RICH = os.path.join(HERE, "data", "ust-rich")
LOGS = os.path.join(HERE, "..", "sp_rtrace", "data")
CALLS = os.path.join(HERE, "..", "..", "data", "all-types.trace")
XRAY = os.path.join(HERE, "..", "xray", "data", "plain-5.xray")


def run(*args, rc=0, **options):
    done = subprocess.run([TOOL, *args], capture_output=True, timeout=120, check=False, **options)
    if done.returncode != rc:
        sys.exit(f"{args}: exit status {done.returncode}, not {rc}: {done.stderr.decode()}")
    return done


def text(*args):
    return run(*args).stdout.decode()


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: got {got!r:.2000}, not {wanted!r:.2000}")


def convert(trace, out, *options, to="ctf"):
    run("convert", f"--to={to}", *options, trace, out)
    return out


def babeltrace(path, *options):
    """What the peer prints; None if it is not installed."""
    if not shutil.which("babeltrace2"):
        return None
    done = subprocess.run(["babeltrace2", *options, path], capture_output=True, timeout=120, check=False)
    if done.returncode != 0:
        sys.exit(f"babeltrace2 {path}: exit status {done.returncode}: {done.stderr.decode():.1000}")
    return done.stdout.decode()


def number(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def string(value):
    return number(len(value)) + value.encode()


def calls_of_threads(threads, rounds):
    """A trace of apitrace's format: each thread calls f(i) in each round."""
    out, known = bytearray(number(6) + number(6) + string("")), False
    for i in range(threads * rounds):
        out += b"\0" + number(i % threads) + number(0)
        if not known:
            out += string("f") + number(1) + string("i")
            known = True
        out += b"\1" + number(0) + b"\4" + number(i) + b"\0\1" + number(i) + b"\0"
    return gzip.compress(out)


HALVES = """/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };
stream { };
event { name = halves; fields := struct { floating_point { exp_dig = 5; mant_dig = 11; align = 16; } _half;
    integer { size = 16; align = 16; } _next; }; };
"""


# --- checks ---------------------------------------------------------------------------------------------

def check_copy(folder):
    """Types, contexts, clock and environment of LTTng's trace are in its copy."""
    out = convert(RICH, os.path.join(folder, "out"))
    wanted = text("dump", "--format=babeltrace", "--clock-date", RICH)
    expect("copy", text("dump", "--format=babeltrace", "--clock-date", out), wanted)
    hide = re.compile(r'"file":"[^"]*"|"stream":[0-9]+')
    expect("fields", hide.sub("", text("dump", "--format=json", out)), hide.sub("", text("dump", "--format=json", RICH)))
    expect("files", sorted(os.listdir(out)), ["ch0_1", "metadata"])
    # babeltrace2 prints what an earlier event had for an empty text.
    hide = re.compile(r'_seqtxt_length = 0, seqtxt = "[^"]*"')
    peer = babeltrace(out)
    if peer is not None:
        expect("peer", hide.sub("", peer), hide.sub("", babeltrace(RICH)))
    again = convert(out, os.path.join(folder, "again"))
    for name in os.listdir(out):
        with open(os.path.join(out, name), "rb") as a, open(os.path.join(again, name), "rb") as b:
            expect(name, b.read(), a.read())


def check_other_sizes(folder):
    """Numbers of sizes that are not written keep their values in another size."""
    trace = os.path.join(folder, "in")
    os.mkdir(trace)
    with open(os.path.join(trace, "metadata"), "w", encoding="utf-8") as file:
        file.write(HALVES)
    with open(os.path.join(trace, "stream"), "wb") as file:
        file.write(struct.pack("<eHeH", 1.5, 7, -0.25, 8))
    out = convert(trace, os.path.join(folder, "out"))
    dump = text("dump", "--format=babeltrace", trace)
    expect("values", dump.count("half = 1.5, next = 7"), 1)
    expect("copy", text("dump", "--format=babeltrace", out), dump)


BITS = """/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = ORDER; };
typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 32; align = 8; } := u32;
clock { name = c; freq = 1000; };
stream { event.header := struct { u8 id; integer { size = 32; align = 8; map = clock.c.value; } timestamp; };
    event.context := struct { u8 length; u8 kind; string filler; }; };
event { id = 0; name = bytes; fields := struct { u32 a; u8 s[stream.event.context.length]; }; };
event { id = 1; name = bits; fields := struct { integer { size = 3; align = 1; } a;
    integer { size = 6; align = 1; signed = true; } b; }; };
event { id = 2; name = padded; fields := struct { u8 a; integer { size = 32; align = 32; } b; }; };
event { id = 3; name = text; fields := struct { string s; enum : u8 { one = 1, two = 2 } tag;
    variant <tag> { u8 one; u32 two; } v; }; };
"""


def bits_stream(order):
    """Events of all kinds, one after the other at all alignments; texts that do not fit into what is read at once."""
    out = bytearray()
    for i in range(64):
        for kind in (i & 3, i * 7 >> 2 & 3):
            length = i % 5
            is_long = kind == 3 and i % 16 == 3
            out += struct.pack(order + "BIBB", kind, 1000 + i, length, i) + b"f" * (5000 if is_long else 1) + b"\0"
            if kind == 0:
                out += struct.pack(order + "I", 1 << 31 | i) + bytes(range(length))
            elif kind == 1:
                both = (i & 7) | (i & 63) << 3 if order == "<" else ((i & 7) << 6 | (i & 63)) << 7
                out += both.to_bytes(2, "little" if order == "<" else "big")
            elif kind == 2:
                out += b"\xaa" * (-len(out) % 4) + bytes([i]) + b"\xaa" * 3 + struct.pack(order + "I", i << 20)
            else:
                out += b"x" * (70000 if is_long else i + 1) + b"\0" + (b"\1\x80" if i % 3 else b"\2" + struct.pack(order + "I", i))
    return bytes(out)


CALLS_DIFFER = [
    ("0 glV0(v = NULL) = 1", "0 glV0(v = 0x0) = 1"),
    ('16 glV16(v = "nul")', "16 glV16(v = blob(5))"),
    ('32 glV32(v = "human")', '32 glV32(v = {text = "human", _value_length = 4, value = {109, 97, 99, 104}})'),
    ('33 glV33(v = L"h\\551\\555\\"")', '33 glV33(v = "h\\3\\551\\444\\770\\555\\"")'),
]


def check_bits(folder):
    """What is copied byte by byte, and what is not because it begins or ends elsewhere, keeps its values."""
    for name, order in (("le", "<"), ("be", ">")):
        trace = os.path.join(folder, name)
        os.mkdir(trace)
        with open(os.path.join(trace, "metadata"), "w", encoding="utf-8") as file:
            file.write(BITS.replace("ORDER", name))
        with open(os.path.join(trace, "stream"), "wb") as file:
            file.write(bits_stream(order))
        wanted = text("dump", "--format=babeltrace", trace)
        expect("events", wanted.count("\n"), 128)
        out = convert(trace, os.path.join(folder, name + "-out"))
        expect("copy", text("dump", "--format=babeltrace", out), wanted)
        some = convert(trace, os.path.join(folder, name + "-some"), "--field=length=3")
        wanted = [line for line in text("dump", "--format=babeltrace", "--no-delta", trace).splitlines() if "{ length = 3," in line]
        expect("some", text("dump", "--format=babeltrace", "--no-delta", some).splitlines(), wanted)
        if shutil.which("babeltrace2"):
            expect("peer", babeltrace(out), babeltrace(trace))


def files_of(trace):
    """The names and contents of a trace's files."""
    return {os.path.relpath(os.path.join(place, name), trace): open(os.path.join(place, name), "rb").read()
            for place, _, names in os.walk(trace) for name in names}


def write_trace(path, files):
    os.mkdir(path)
    for name, content in files.items():
        os.makedirs(os.path.dirname(os.path.join(path, name)), exist_ok=True)
        with open(os.path.join(path, name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    return path


def check_deferred(folder):
    """Fields are passed over where they are copied. A filter wants them, and the copy is the same."""
    traces = [RICH, os.path.join(HERE, "data", "rfc11")]
    for name, order in (("le", "<"), ("be", ">")):
        files = {"metadata": BITS.replace("ORDER", name), "stream": bits_stream(order)}
        traces.append(write_trace(os.path.join(folder, name), files))
    for name, files in suite_traces.GOOD.items():
        traces.append(write_trace(os.path.join(folder, name), files))
    for number, (metadata, stream, _) in enumerate(suite_traces.BAD_PACKETS.values()):
        traces.append(write_trace(os.path.join(folder, f"bad-{number}"), suite_traces.one(metadata, stream)))
    for trace in traces:
        for to in ("ctf", "ctf2", "ctf-rfc"):
            copies = [os.path.join(folder, "out"), os.path.join(folder, "filtered")]
            done = [subprocess.run([TOOL, "convert", f"--to={to}", *options, trace, out], capture_output=True, check=False)
                    for out, options in zip(copies, ([], ["--function=*"]))]
            expect(f"{trace}: status", done[0].returncode, done[1].returncode)
            told = [[line for line in d.stderr.replace(b"/out", b"/filtered").splitlines() if b"no event is selected" not in line]
                    for d in done]
            expect(f"{trace}: messages", told[0], told[1])
            expect(f"{trace} as {to}", files_of(copies[0]), files_of(copies[1]))
            for out in copies:
                shutil.rmtree(out, ignore_errors=True)


def number_of_bits(name, bits):
    return {"name": name, "field-class": {"type": "fixed-length-unsigned-integer", "length": bits,
                                          "byte-order": "little-endian", "alignment": 8}}


def check_reserved_names(folder):
    """In CTF 2, fields may have the names by which readers of 1.8 tell the fields of packets."""
    names = ["packet_size", "timestamp_begin", "events_discarded"]
    parts = [{"type": "preamble", "version": 2}, {"type": "trace-class"},
             {"type": "data-stream-class",
              "packet-context-field-class": {"type": "structure", "member-classes": [number_of_bits(n, 32) for n in names]},
              "event-record-common-context-field-class": {"type": "structure", "member-classes": [number_of_bits("timestamp", 8)]}},
             {"type": "event-record-class", "name": "e",
              "payload-field-class": {"type": "structure", "member-classes": [number_of_bits("id", 8)]}}]
    trace = write_trace(os.path.join(folder, "in"),
                        {"metadata": "".join("\x1e" + json.dumps(part) + "\n" for part in parts),
                         "stream": struct.pack("<III4B", 77, 78, 5, 1, 2, 3, 4)})
    wanted = text("dump", "--format=babeltrace", trace)
    expect("events", wanted.count("packet_size = 77, timestamp_begin = 78, events_discarded = 5"), 2)
    for to in ("ctf", "ctf2"):
        out = convert(trace, os.path.join(folder, to), to=to)
        expect(to, text("dump", "--format=babeltrace", out).replace("_field = ", " = "), wanted)
    if shutil.which("babeltrace2"):
        expect("peer", babeltrace(os.path.join(folder, "ctf")).count("packet_size_field = 77"), 2)


def check_reader_fields(folder):
    """What only a reader of the RFC's packets needs does not become a field of events."""
    source = os.path.join(HERE, "data", "rfc11")
    for to in ("ctf", "ctf2", "ctf-rfc"):
        out = convert(source, os.path.join(folder, to), to=to)
        expect(to, text("dump", "--format=babeltrace", out).replace("_data_length = 3, ", ""), text("dump", "--format=babeltrace", source))


def check_calls(folder):
    """Calls keep their arguments as typed fields, and become calls again."""
    out = convert(CALLS, os.path.join(folder, "out"))
    back = convert(out, os.path.join(folder, "back"), to="apitrace")
    wanted = text("dump", CALLS)
    for before, after in CALLS_DIFFER:
        expect(before, wanted.count(before), 1)
        wanted = wanted.replace(before, after)
    expect("calls", text("dump", back), wanted)
    peer = babeltrace(out)
    if peer is None:
        return
    lines = peer.splitlines()
    expect("enter", lines[36].split(") ", 1)[1],
           'lttng_ust_cyg_profile:func_entry: { vtid = 0, procname = "" }, { addr = 0x100000130, call_site = 0x0, '
           'function = ( "glV18" : container = 19 ), args = { v = ( "E_A" : container = 1 ) } }')
    expect("exit", lines[1].split(") ", 1)[1],
           'lttng_ust_cyg_profile:func_exit: { vtid = 0, procname = "" }, { addr = 0x100000010, call_site = 0x0, '
           'function = ( "glV0" : container = 1 ), ret = 1 }')
    expect("lines", len(lines), 73)


TIMELESS = """version=2.0, arch=x86_64, process=./prog, pid=12, backtrace depth=10, timestamps=no, origin=x 1, 
& a : b
@ 1 : a context
<1> : memory (memory allocation in bytes)
: /a path/b => 0x1-0x2
1. @1 malloc(1) = 0x10
\t0x5

2. free(0x10)

"""


def check_resources(folder):
    """Logs of allocations become what they were, but for the header that version 1.1 has no place for."""
    timeless = os.path.join(folder, "timeless")
    with open(timeless, "w", encoding="utf-8") as file:
        file.write(TIMELESS)
    for log in (os.path.join(LOGS, "01-memory-pie.rtrace"), os.path.join(LOGS, "03-file.rtrace"), timeless):
        wanted = convert(log, os.path.join(folder, "wanted"), to="sp-rtrace-text")
        with open(wanted, encoding="utf-8") as file:
            wanted = file.read().replace("timestamps=no, ", "")
        for to in ("ctf", "ctf2", "ctf-rfc"):
            out = convert(log, os.path.join(folder, "out"), to=to)
            with open(convert(out, os.path.join(folder, "back"), to="sp-rtrace-text"), encoding="utf-8") as file:
                back = file.read().replace("timestamps=no, ", "")
            shutil.rmtree(out)
            if to == "ctf-rfc":
                wanted, back = wanted.partition("\n")[2], back.partition("\n")[2]
            if log == timeless: # the others of its events have none, either
                back = back.replace("[00:00:00.000] ", "")
            expect(f"{log} {to}", back, wanted)


def check_empty(folder):
    """A trace without events is one that can be read."""
    log = os.path.join(folder, "log")
    with open(log, "w", encoding="utf-8") as file:
        file.write("version=2.0, arch=x86_64, process=./prog, pid=12, backtrace depth=10, origin=x 1,\n")
    bare = os.path.join(folder, "bare")  # there is not even a stream
    os.mkdir(bare)
    with open(os.path.join(bare, "metadata"), "w", encoding="utf-8") as file:
        file.write("/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };")
    for to in ("ctf", "ctf2", "ctf-rfc"):
        out = convert(log, os.path.join(folder, to), to=to)
        expect(to, text("dump", out), "")
        expect(to, text("dump", convert(bare, os.path.join(folder, "bare-" + to), to=to)), "")
    if shutil.which("babeltrace2"):
        expect("peer", babeltrace(os.path.join(folder, "ctf")), "")


def check_xray(folder):
    """Calls without arguments have the shape that viewers of call stacks know; nothing of the account changes."""
    out = convert(XRAY, os.path.join(folder, "out"))
    expect("account", text("account", out), text("account", XRAY))
    expect("stacks", text("stack", "--aggregate-threads", out), text("stack", "--aggregate-threads", XRAY))
    peer = babeltrace(out)
    if peer is None:
        return
    entries = [line for line in peer.splitlines() if "func_entry" in line]
    expect("entries", len(entries), 79)
    expect("entry", entries[0].split(") ", 2)[2],
           'lttng_ust_cyg_profile:func_entry: { cpu_id = 1 }, { vpid = 23757, vtid = 23757, procname = "" }, '
           '{ addr = 0x8, call_site = 0x0, function = ( "#8" : container = 1 ) }')
    environment = babeltrace(out, "--output-format=ctf-metadata")
    for line in ('domain = "ust";', 'tracer_name = "lttng-ust";', "tracer_major = 2;"):
        if line not in environment:
            sys.exit(f"the environment has no {line}")


def check_threads(folder):
    """More threads than files that may be open."""
    trace = os.path.join(folder, "in.trace")
    with open(trace, "wb") as file:
        file.write(calls_of_threads(1500, 3))
    out = os.path.join(folder, "out")
    run("convert", "--to=ctf", trace, out, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))
    expect("files", len(os.listdir(out)), 1501)
    expect("calls", text("dump", "--format=json", out).count('"event":"enter"'), 4500)


def check_names(folder):
    """Names that would be written alike: of a length and a field, and of fields whose other characters become underscores."""
    lengths = convert(RICH, os.path.join(folder, "lengths"), to="ctf-rfc")  # it has fields seq and _seq_length
    byte = {"type": "fixed-length-unsigned-integer", "length": 8, "byte-order": "little-endian"}
    names = ["a-b", "a.b", "a_b", "\u00e9", "\u00e8"]
    members = [{"name": name, "field-class": byte} for name in names]
    alike = os.path.join(folder, "alike")
    os.mkdir(alike)
    with open(os.path.join(alike, "metadata"), "w", encoding="utf-8") as file:
        for fragment in ({"type": "preamble", "version": 2}, {"type": "data-stream-class"},
                         {"type": "event-record-class", "name": "e",
                          "payload-field-class": {"type": "structure", "member-classes": members}}):
            file.write("\x1e" + json.dumps(fragment) + "\n")
    with open(os.path.join(alike, "stream"), "wb") as file:
        file.write(bytes([1, 2, 3, 4, 5]))
    for source in lengths, alike:
        out = convert(source, source + "-out")
        babeltrace(out)
        # The values are the same; a length that was made is a value more.
        values = re.compile(r"= ([^,()]*)[,)]")
        wanted, got = (values.findall(re.sub(r", _\w+_length_* = \d+", "", text("dump", path))) for path in (source, out))
        expect("values", got, wanted)


def check_errors(folder):
    """Nothing is left after an error, and what is there stays."""
    out = os.path.join(folder, "out")
    os.mkdir(out)
    precious = os.path.join(out, "precious")
    with open(precious, "w", encoding="utf-8") as file:
        file.write("x")
    done = run("convert", "--to=ctf", RICH, out, rc=1)
    if b"remove it, or give another name" not in done.stderr:
        sys.exit(done.stderr.decode())
    expect("left", os.listdir(folder), ["out"])
    expect("left", os.listdir(out), ["precious"])
    if b"needs a name" not in run("convert", "--to=ctf", RICH, "-", rc=1).stderr:
        sys.exit("standard output")
    os.remove(precious)
    convert(RICH, out)  # an empty folder is replaced,
    convert(CALLS, out)  # and a trace
    expect("replaced", sorted(os.listdir(out)), ["metadata", "stream_00000", "stream_00001", "stream_00002"])
    # The disk is full.
    for to, limit in (("ctf", 4096), ("apitrace", 1), ("xray", 1)):
        done = run("convert", f"--to={to}", RICH, os.path.join(folder, "full"), rc=1,
                   preexec_fn=lambda size=limit: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN),
                                                  resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))))
        if not re.search(rb"error: .*full: cannot write: File too large\n", done.stderr):
            sys.exit(f"{to}: {done.stderr.decode()}")
    expect("left", os.listdir(folder), ["out"])


def check_killed(folder):
    """What a killed conversion leaves is not read as a trace."""
    trace = os.path.join(folder, "in.trace")
    with open(trace, "wb") as file:
        file.write(calls_of_threads(3, 60000))
    out = os.path.join(folder, "out")
    with subprocess.Popen([TOOL, "convert", "--to=ctf", trace, out]) as process:
        while len(os.listdir(folder)) < 2 and process.poll() is None:
            time.sleep(0.001)
        process.kill()
    if process.returncode == 0:
        sys.exit("it was too fast to be killed")
    for name in os.listdir(folder):
        if name != "in.trace" and b"error" not in run("info", os.path.join(folder, name), rc=1).stderr:
            sys.exit(f"{name} is read")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        globals()["check_" + sys.argv[2]](temporary)
