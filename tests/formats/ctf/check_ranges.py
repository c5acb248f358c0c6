#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_ranges.py TRACE-CLI CHECK: what --time shows of traces of CTF is what the whole trace has in that time,
whatever LTTng's index says; and no more than the packets of that time is read."""
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]
PACKETS, EVENTS, STEP = 40, 25, 7
METADATA = """/* CTF 1.8 */
typealias integer { size = 16; align = 8; } := u16; typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 64; align = 8; } := u64;
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
clock { name = c; freq = 1000000000; offset = 5000; };
typealias integer { size = 32; align = 8; map = clock.c.value; } := t32;
typealias integer { size = 64; align = 8; map = clock.c.value; } := t64;
stream { id = 0; packet.context := struct { t64 timestamp_begin; t64 timestamp_end; u32 content_size;
    u32 packet_size; u32 packet_seq_num; u32 events_discarded; };
  event.header := struct { u16 id; t32 timestamp; }; event.context := struct { u32 _vtid; }; };
event { name = "e"; id = 7; stream_id = 0; fields := struct { u32 n; }; };
event { name = "lttng_ust_statedump:bin_info"; id = 1; stream_id = 0;
  fields := struct { u64 _baddr; u64 _memsz; string _path; }; };
event { name = "lttng_ust_cyg_profile_fast:func_entry"; id = 2; stream_id = 0; fields := struct { u64 _addr; }; };
event { name = "lttng_ust_cyg_profile_fast:func_exit"; id = 3; stream_id = 0; };
"""


def packet(events, begin=None, end=None, sequence=0, discarded=0, magic=0xC1FC1FC1, room=16):
    """events: (id, time, payload)."""
    body = b"".join(struct.pack("<HII", ident, time & 0xFFFFFFFF, 5) + data for ident, time, data in events)
    begin = events[0][1] if begin is None else begin
    end = events[-1][1] if end is None else end
    whole = 8 + 32 + len(body)
    return (struct.pack("<II", magic, 0) + struct.pack("<QQIIII", begin, end, whole * 8, (whole + room) * 8, sequence,
                                                       discarded) + body + bytes(room))


def entry_of(data, offset):
    begin, end, content, size, sequence, discarded = struct.unpack_from("<QQIIII", data, offset + 8)
    return [offset, size, content, begin, end, discarded, 0, 0, sequence]


def entries_of(stream):
    entries, offset = [], 0
    while offset < len(stream):
        entries.append(entry_of(stream, offset))
        offset += entries[-1][1] // 8
    return entries


def index_of(entries, magic=0xC1F1DCC1, minor=1, length=72):
    return struct.pack(">IIII", magic, 1, minor, length) + b"".join(
        struct.pack(">9Q", *entry)[:length].ljust(length, b"\0") for entry in entries)


def ticks(ident, packets=PACKETS, start=1 << 40):
    """A stream whose counters tell of losses now and then; times wrap in 32 bits."""
    time, number, lost, skipped, stream = start + ident, 0, 0, 0, b""
    for i in range(packets):
        events = []
        for _ in range(EVENTS):
            events.append((7, time, struct.pack("<I", number)))
            time += STEP + number % 3 + (1 << 26)
            number += 1
        lost += 4 if i % 5 == 2 else 0
        skipped += 1 if i % 7 == 3 else 0
        stream += packet(events, sequence=i + skipped, discarded=lost)
    return stream


class Trace:
    def __init__(self, streams):
        self.path = tempfile.mkdtemp()
        os.mkdir(os.path.join(self.path, "index"))
        self.put("metadata", METADATA.encode())
        for name, stream in streams.items():
            self.put(name, stream)

    def put(self, name, data):
        with open(os.path.join(self.path, name), "wb") as file:
            file.write(data)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def run(self, *args):
        done = subprocess.run([TOOL, *args, self.path], capture_output=True, text=True, timeout=60)
        assert done.returncode in (0, 1), (args, done)
        return done

    def events(self, *args):
        done = self.run("dump", "--format=json", *args)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return [line for line in lines if "event" in line], done.stderr, done.returncode


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: got {got!r}, not {wanted!r}")


def without_number(events):
    return [{key: value for key, value in event.items() if key != "number"} for event in events]


def compare(trace, whole, begin, end, what):
    got, errors, status = trace.events(f"--time=@{begin}ns,@{end}ns")
    wanted = [event for event in whole if begin <= event["time_ns"] < end]
    warning = "" if any("number" in event for event in wanted) else f"warning: {trace.path}: no event is selected\n"
    expect(what, (without_number(got), errors, status), (without_number(wanted), warning, 0))
    expect(what + ", numbers", [event["number"] for event in got if event["event"] == "instant"],
           list(range(sum(event["event"] == "instant" for event in wanted))))


def spoil(entries, chance, random_one):
    spoilt = [list(entry) for entry in entries]
    for entry in spoilt:
        if random_one.random() < chance:
            field = random_one.randrange(9)
            entry[field] = random_one.choice([0, 2**64 - 1, entry[field] + 8, random_one.randrange(2**42),
                                              random_one.choice(entries)[field]])
    return spoilt


def indexes(entries):
    """Names and contents of indexes, right and wrong."""
    one = random.Random(5)
    right = index_of(entries)
    yield "no index", None
    yield "index 1.1", right
    yield "index 1.0", index_of(entries, minor=0, length=56)
    yield "cut header", right[:11]
    yield "cut", right[:len(right) // 2 + 5]
    yield "stale", index_of(entries[:9])
    yield "other magic", index_of(entries, magic=0xC1F1DCC2)
    yield "no length", index_of(entries, length=0)
    yield "empty", b""
    yield "reversed", index_of(entries[::-1])
    yield "shifted", index_of([[entry[0] + 4] + entry[1:] for entry in entries])
    yield "late", index_of([entry[:3] + [0, 1] + entry[5:] for entry in entries])
    yield "early", index_of([entry[:3] + [2**50, 2**51] + entry[5:] for entry in entries])
    yield "neighbours", index_of([entry[:1] + after[1:] for entry, after in zip(entries, entries[1:])])
    for i in range(12):
        yield f"spoilt {i}", index_of(spoil(entries, 0.1 + 0.07 * i, one))


def check_indexes():
    one = random.Random(3)
    streams = {"c_0": ticks(0), "c_1": ticks(3)}
    with Trace(streams) as trace:
        whole, errors, status = trace.events()
        expect("whole", (len([event for event in whole if event["event"] == "instant"]), errors, status),
               (2 * PACKETS * EVENTS, "", 0))
        assert len({event["event"] for event in whole}) == 2
        times = [event["time_ns"] for event in whole if event["event"] == "instant"]
        for kinds in zip(*(indexes(entries_of(stream)) for stream in streams.values())):
            for number, (what, content) in enumerate(kinds):
                if content is not None:
                    trace.put(f"index/c_{number}.idx", content)
            for _ in range(6):
                begin = one.choice(times) + one.randrange(2)
                compare(trace, whole, begin, begin + one.choice([1, 2, 1 << 30, 1 << 33]), kinds[0][0])
            compare(trace, whole, times[-1], times[-1] + 1, kinds[0][0])


def check_relative():
    with Trace({"c_0": ticks(0)}) as trace:
        whole = trace.events()[0]
        trace.put("index/c_0.idx", index_of(entries_of(ticks(0))))
        first = whole[0]["time_ns"]
        wanted = [event for event in whole if first + 10**9 <= event["time_ns"] < first + 3 * 10**9]
        got = trace.events("--time=1,3")[0]
        expect("relative", without_number(got), without_number(wanted))
        some = [event for event in whole if event["event"] == "instant"][100:102]
        got = [event for event in trace.events("--time=1,30", "--calls=100-101")[0] if event["event"] == "instant"]
        expect("--calls", got, some)


def check_reads():
    """Packets far from the range may be anything."""
    def ten(i, ident):
        return packet([(7 if n < 3 else ident, 1000 * i + n, struct.pack("<I", n)) for n in range(10)], sequence=i)

    good = [ten(i, 7) for i in range(30)]
    bad = [ten(i, 99) for i in range(30)]
    stream = b"".join(good[i] if i in range(13, 18) else bad[i] for i in range(1, 30))
    with Trace({"c_0": good[0] + stream}) as trace:
        assert "no event 99" in trace.events()[1]
        for what in "headers", "index":
            got, errors, status = trace.events("--time=@15005ns,@16003ns")
            expect(what, ([event["time_ns"] for event in got], errors, status),
                   ([*range(15005, 15010), *range(16000, 16003)], "", 0))
            trace.put("index/c_0.idx", index_of(entries_of(good[0] + stream)))
        lost = bytearray(good[0] + stream)
        for i in range(3, 10):
            lost[i * len(good[0])] ^= 1
        trace.put("c_0", lost)
        expect("damaged headers", len(trace.events("--time=@15005ns,@16003ns")[0]), 8)


def check_edges():
    """Events behind the end that their packet tells, and a packet that is cut."""
    late = packet([(7, time, bytes(4)) for time in (3000, 3001, 3900)], begin=3000, end=3001, sequence=3)
    rest = [packet([(7, 1000 * i, bytes(4)), (7, 1000 * i + 9, bytes(4))], sequence=i) for i in range(9)]
    stream = b"".join([*rest[:3], late, *rest[4:]])
    with Trace({"c_0": stream}) as trace:
        for what in "headers", "index":
            for begin, end, wanted in ((3500, 3950, [3900]), (3002, 4001, [3900, 4000])):
                got = trace.events(f"--time=@{begin}ns,@{end}ns")[0]
                expect(what, [event["time_ns"] for event in got], wanted)
            trace.put("index/c_0.idx", index_of(entries_of(stream)))
        trace.put("c_0", stream[:-25])
        got, errors, status = trace.events("--time=@7000ns,")
        expect("cut", ([event["time_ns"] for event in got], status), ([7000, 7009, 8000], 0))
        assert "the file ends" in errors, errors


def check_calls():
    """Functions keep their names; calls that began before are left out with their ends."""
    names = [(1, 10 + i, struct.pack("<QQ", 0x1000 * i, 0x1000) + b"/bin/app\0") for i in range(6)]
    entry = lambda time, address: (2, time, struct.pack("<Q", address))
    leave = lambda time: (3, time, b"")
    packets = [names[:3], names[3:], [entry(100, 0x1100)]]
    for i in range(2, 60):
        packets.append([entry(100 * i, 0x2200), entry(100 * i + 1, 0x3300), leave(100 * i + 5), leave(100 * i + 90)])
    packets.append([leave(7000)])
    stream = b"".join(packet(events, sequence=i) for i, events in enumerate(packets))
    with Trace({"c_0": stream}) as trace:
        trace.put("index/c_0.idx", index_of(entries_of(stream)))
        got = trace.events("--time=@5050ns,@5201ns")[0]
        expect("calls", [(event["event"], event["time_ns"], event["name"], event["number"]) for event in got],
               [("enter", 5100, "app+0x200", 0), ("enter", 5101, "app+0x300", 1), ("exit", 5105, "app+0x300", 1),
                ("exit", 5190, "app+0x200", 0), ("enter", 5200, "app+0x200", 2), ("exit", 5290, "app+0x200", 2)])
        done = trace.run("account", "--format=csv", "--time=@5050ns,@5200ns")
        rows = sorted((line.split(",")[-1].strip('"'), line.split(",")[1]) for line in done.stdout.splitlines()[1:])
        expect("account", (rows, done.stderr), ([("app+0x200", "1"), ("app+0x300", "1")], ""))
        tree = trace.run("stack", "--time=@5050ns,@5200ns").stdout
        assert "app+0x100" in tree, tree
        for begin, end in (5050, 5201), (5103, 5190), (5105, 5106), (7000, 7001), (0, 99), (0, 14):
            done = trace.run("dump", "--format=babeltrace", "--clock-cycles", f"--time=@{begin}ns,@{end}ns")
            got = [int(line[1:line.index("]")]) for line in done.stdout.splitlines()]
            expect("each by itself", got, [time for event in packets for _, time, _ in event if begin <= time < end])


globals()["check_" + sys.argv[2]]()
