# SPDX-License-Identifier: MIT
"""Traces of CTF 1.8, each with one construct that readers have got wrong. GOOD and BAD map the name of a trace to
its files. Those of GOOD are read completely; for each of BAD, a message tells why not."""
import struct

TYPES = """typealias integer { size = 8; align = 8; } := u8;
typealias integer { size = 16; align = 8; } := u16;
typealias integer { size = 32; align = 8; } := u32;
typealias integer { size = 64; align = 8; } := u64;
typealias integer { size = 8; align = 8; signed = true; } := s8;
"""
TRACE = "trace { major = 1; minor = 8; byte_order = le; %s };\n"
HEAD = "/* CTF 1.8 */\n" + TYPES + TRACE % ""
KEYWORDS = ("align callsite const char clock double enum env event floating_point float integer int long short signed "
            "stream string struct trace typealias typedef unsigned variant void _Bool _Complex _Imaginary").split()
MAGIC = 0xC1FC1FC1


def event(fields, head=HEAD):
    return head + "event { name = e; fields := struct { %s }; };\n" % fields


def one(metadata, stream, name="s"):
    return {"metadata": metadata, name: stream}


def pack(form, *values):
    return struct.pack("<" + form, *values)


# --- traces without headers: types ------------------------------------------------------------------------

TAGGED = "enum : u8 { %s } tag; variant <tag> { u8 %s; string %s; } v;"

GOOD = {
    # An array without elements is aligned like one with elements, wherever it stands.
    "array-align": one(event("u8 x; integer { size = 8; align = 32; } y[0]; u8 z;"), b"\1\0\0\0\2"),
    "struct-array-align": one(
        event("u8 x; struct { u8 a; integer { size = 8; align = 64; } b[0]; } y; u8 z;"),
        b"\1" + bytes(7) + b"\5" + bytes(7) + b"\x09"),
    "sequence-align": one(event("u8 n; integer { size = 8; align = 32; } y[n]; u8 z;"), b"\0\0\0\0\2"),
    "option-align": one(
        event("enum : u8 { a, b } t; variant <t> { integer { size = 8; align = 32; } a; u8 b; } y; u8 z;"),
        b"\0\0\0\0\2\3" + b"\0\0" + b"\x08\x09" + b"\1\2\3"),
    "string-align": one(event("integer { size = 3; } a; string s; integer { size = 1; } b; u8 z;"), b"\5hi\0\1\7"),
    "struct-align": one(event("u8 a; struct { u8 b; } align(16) c; struct { u32 d; } align(4) e;"),
                        b"\1\0\2\3\0\0\0\0\4\0\5\6\0\0\0"),
    # Lengths in every scope, of sequences in the same one.
    "sequences": one(HEAD + """stream { packet.context := struct { u8 _pn; u8 p[_pn]; };
        event.context := struct { u8 _cn; u8 c[_cn]; }; };
        event { name = e; context := struct { u8 _sn; u8 s[_sn]; }; fields := struct { u8 _fn; u8 f[_fn]; }; };""",
                     b"\2\1\2" + b"\1\7\1\x08\3abc" + b"\0\0\1a"),
    # Labels select options with and without underscores.
    "variant-no-underscore": one(event(TAGGED % ("a, b", "a", "b")), b"\0\x09\1hi\0"),
    "variant-one-underscore": one(event(TAGGED % ("_a, _b", "_a", "_b")), b"\0\x09\1hi\0"),
    "variant-two-underscores": one(event(TAGGED % ("__a, __b", "__a", "__b")), b"\0\x09\1hi\0"),
    "variant-same-with-underscore": one(event(TAGGED % ("a, _a", "a", "_a")), b"\0\x09\1hi\0"),
    "variant-keywords": one(
        event("enum : u8 { %s } tag; variant <tag> { %s } v;" % (", ".join('"%s"' % w for w in KEYWORDS),
                                                                 " ".join("u8 _%s;" % w for w in KEYWORDS))),
        bytes(part for i in range(len(KEYWORDS)) for part in (i, i + 100))),
    "variant-nested": one(
        event("""enum : u8 { s1, s2 } tag; variant <tag> {
            struct { enum : u8 { q1, q2 } tag; variant <tag> { u8 q1; u16 q2; } _; } s1; u8 s2; } f;"""),
        b"\0\1\2\3\1\4"),
    "variant-signed": one(
        event("enum : s8 { low = -128 ... -1, zero = 0, high = 1 ... 127 } t; variant <t> { u8 low; u16 zero; u8 high; } v;"),
        b"\x80\1\xff\2\0\3\0\x7f\4"),
    "enum-overlap": one(event("enum : u8 { A = 0 ... 3, B = 2, C = 2 ... 9, A = 7 } e;"), bytes([0, 2, 3, 7, 10])),
    "empty-struct": one(event("u8 a; struct { } b; u8 c;"), b"\1\2"),
    "two-dimensions": one(event("row t[2];", HEAD + "typedef u8 row[3];\n"), bytes(range(6))),
    "own-int": one(event("int a; enum { A, B } b;", HEAD + "typealias u16 := int;\n"), b"\1\0\1\0"),
    "order-of-trace": one(event("struct q a; u16 b;", "/* CTF 1.8 */\n" + TYPES + "struct q { u16 x; };\n" +
                                TRACE.replace("= le", "= be") % ""), b"\0\1\0\2"),
    # Whatever else the metadata say.
    "unknown-attributes": one(
        event("u8 a;", HEAD.replace("size = 8;", "size = 8; x = y;").replace("major", 'blah = "aaa"; major') +
              "stream { colour = 1; };\n").replace("fields", "shape := struct { u8 f; }; fields"), b"\1"),
    "escapes": one(event("u8 a;", HEAD + 'env { hostname = "\\x41\\x023\\x0231\\101\\0431\\t\\"\\0no"; };\n'), b"\1"),
    "numbers": one(event("u8 a;", HEAD.replace("trace {", "trace { a = 0xABC; b = 0653; c = +12; d = -12; e = '\\n';")),
                   b"\1"),
    "line-ends": one(event("u8 a;").replace("\n", "\r\n"), b"\1\2"),
    "no-events": one(HEAD, b""),
    "no-streams": {"metadata": event("u8 a;")},
}

# --- traces with packets ------------------------------------------------------------------------------------

CLOCK = "clock { name = c; freq = 1000000000; %s };\n"
TIMES = "".join("typealias integer { size = %d; align = %d; map = clock.c.value; } := t%d;\n" % (n, 1 if n % 8 else 8, n)
                for n in (8, 27, 32, 64))


def packets(header="u32 magic; u32 stream_id;", context="u32 content_size; u32 packet_size; u32 cpu;", before="",
            event_header="u8 id;", order="le", more="", streams=(0,)):
    text = "/* CTF 1.8 */\n" + TYPES + TRACE.replace("= le", "= " + order) % ("packet.header := struct { %s };" % header)
    text += before
    for number in streams:
        text += """stream { id = %d; packet.context := struct { %s }; event.header := struct { %s }; };
            event { name = a; id = 1; stream_id = %d; fields := struct { u8 v; }; };
            event { name = b; id = 2; stream_id = %d; fields := struct { string s; }; };
            """ % (number, context, event_header, number, number)
    return text + more


def timed(event_header="u8 id; t64 timestamp;", offset="", more="", context="", header="u32 magic; u32 stream_id;"):
    return packets(before=CLOCK % offset + TIMES, event_header=event_header, more=more, header=header,
                   context="u32 content_size; u32 packet_size; t64 timestamp_begin; t64 timestamp_end; " + context)


def packet(body, content=None, size=None, magic=MAGIC, stream=0, room=0, order="<"):
    count = 20 + len(body)
    return struct.pack(order + "IIIII", magic, stream, (count if content is None else content) * 8,
                       (count + room if size is None else size) * 8, 3) + body + bytes(room)


def timed_packet(body, begin, end, extra=b"", header=b""):
    bits = (32 + len(extra) + len(header) + len(body)) * 8
    return pack("II", MAGIC, 0) + header + pack("IIQQ", bits, bits, begin, end) + extra + body


def at(*times):
    return b"".join(pack("BQB", 1, time, 9) for time in times)


def short(*times):
    return b"".join(bytes([1, time & 255, 9]) for time in times)


def counted(begin, sequence, discarded=0, instance=0, events=None, end=None):
    events = [begin] if events is None else events
    return timed_packet(at(*events), begin, events[-1] + 1 if end is None else end, pack("QQ", sequence, discarded),
                        pack("Q", instance))


A, B = b"\1\x09", b"\2hi\0"
UST = 'env { domain = "ust"; tracer_name = "lttng-ust"; tracer_major = 2; tracer_minor = 11; hostname = "h"; };'
BARE = 'env { domain = "bare"; tracer_name = "barectf"; tracer_major = 2; tracer_minor = 3; };'
COUNTED = dict(context="u64 packet_seq_num; u64 events_discarded;", header="u32 magic; u32 stream_id; u64 stream_instance_id;")
COMPACT = """enum : integer { size = 5; align = 8; } { compact = 0 ... 30, extended = 31 } id;
    variant <id> { struct { t27 timestamp; } compact; struct { u32 id; t64 timestamp; } extended; } v;"""
LARGE = """enum : u16 { compact = 0 ... 65534, extended = 65535 } id;
    variant <id> { struct { t32 timestamp; } compact; struct { u32 id; t64 timestamp; } extended; } v;"""
SIZES_ONLY = "u32 content_size; u32 packet_size;"


def compact(ident, time, value):
    return pack("IB", ident | (time & (2**27 - 1)) << 5, value)


GOOD.update({
    "only-sizes": one(packets(context=SIZES_ONLY), pack("IIII", MAGIC, 0, 18 * 8, 18 * 8) + A),
    "no-packet-context": one(event("string s;", HEAD.replace("le; ", "le; packet.header := struct { u32 magic; };")),
                             pack("I", MAGIC) + b"hi\0there\0"),
    "room-after-content": one(packets(), packet(A + B, room=3) + packet(B, room=100) + packet(b"") + packet(A)),
    "no-packet-size": one(packets(context="u32 content_size;"), (pack("III", MAGIC, 0, 14 * 8) + A) * 2),
    "no-content-size": one(packets(context="u32 packet_size;"), (pack("III", MAGIC, 0, 14 * 8) + A) * 2),
    "no-sizes": one(packets(context="u32 other;"), pack("III", MAGIC, 0, 5) + A + B),
    "big-endian": one(packets(order="be"), packet(A + B, order=">") + packet(B, order=">")),
    "two-streams": {"metadata": packets(streams=(0, 7)), "x": packet(A) + packet(B), "y": packet(B, stream=7)},
    "other-files": {"metadata": packets(), "x": packet(A), "index/x.idx": b"no index", ".hidden": b"no stream",
                    "empty": b""},
    "times": one(timed(), timed_packet(at(10, 20), 10, 20) + timed_packet(at(30), 25, 40)),
    "empty-packets": one(timed(), timed_packet(b"", 15, 30) + timed_packet(at(35), 35, 52) + timed_packet(b"", 60, 70)),
    "clock-after-use": one(packets(before=TIMES + CLOCK % "offset_s = 9;", event_header="u8 id; t64 timestamp;"),
                           packet(at(10, 20))),
    "clock-at-end": one(packets(before=TIMES, event_header="u8 id; t64 timestamp;", more=CLOCK % "offset_s = 9;"),
                        packet(at(10, 20))),
    "clock-without-value": one(timed().replace("clock.c.value", "clock.c"), timed_packet(at(10, 20), 10, 20)),
    "clock-not-mapped": one(packets(before=CLOCK % "offset_s = 7;", event_header="u8 id; u64 timestamp;"),
                            packet(at(10, 20))),
    "no-clock": one(packets(event_header="u8 id; u64 timestamp;"), packet(at(10, 20))),
    "clock-of-3-hz": one(timed().replace("1000000000", "3"), timed_packet(at(10, 2000), 10, 2000)),
    "clock-of-5-ghz": one(timed(offset="offset_s = 1; offset = 7;").replace("1000000000", "5000000000"),
                          timed_packet(at(10, 2000), 10, 2000)),
    "clock-default": one(timed(offset="offset_s = 1;").replace("freq = 1000000000; ", ""), timed_packet(at(10), 10, 20)),
    "clock-absolute": one(timed(offset='absolute = TRUE; offset_s = 86399; precision = 9; description = "a \\"b\\"";'),
                          timed_packet(at(10), 10, 20)),
    "clock-negative": one(timed(offset="offset = -1000000003; offset_s = 2;"), timed_packet(at(10), 10, 20)),
    "wrap-8": one(timed(event_header="u8 id; t8 timestamp;"), timed_packet(short(250, 251, 3, 5, 5, 4), 250, 600)),
    "wrap-at-begin": one(timed(event_header="u8 id; t8 timestamp;"), timed_packet(short(249, 249, 248), 250, 800)),
    "wrap-between": one(timed(event_header="u8 id; t8 timestamp;"),
                        timed_packet(short(250, 3), 250, 0x1f0) + timed_packet(short(4), 0x1fe, 0x400)),
    "wrap-without-begin": one(packets(before=CLOCK % "" + TIMES, event_header="u8 id; t8 timestamp;"),
                              packet(short(250, 3, 2)) + packet(short(1))),
    "compact": one(timed(event_header=COMPACT), timed_packet(
        compact(1, -3, 7) + compact(1, 2, 8) + pack("BIQB", 31, 1, 2**30, 9) + compact(1, 5, 10), 2**27 - 5, 2**31)),
    "large": one(timed(event_header=LARGE), timed_packet(
        pack("HIB", 1, 2**32 - 3, 7) + pack("HIB", 1, 2, 8) + pack("HIQB", 65535, 1, 2**34, 9) + pack("HIB", 1, 2, 10),
        2**32 - 5, 2**35)),
    "environment": one(timed(more='env { hostname = "h"; procname = "p"; vpid = 42; domain = "ust"; };'),
                       timed_packet(at(10), 10, 20)),
    # Tracers whose packets tell other times than their events.
    "event-after-packet": one(timed(more=UST, **COUNTED),
                              counted(10, 0, events=[10, 20], end=15) + counted(25, 1, events=[25, 30], end=28)),
    "event-before-packet": one(timed(more=BARE, **COUNTED),
                               counted(15, 0, events=[10, 20], end=25) + counted(29, 1, events=[26, 30])),
    "crash": one(timed(more=UST, **COUNTED), counted(10, 0, events=[10, 20], end=0) + counted(25, 1, end=0)),
    # Files of one stream, and traces of one session.
    "tracefile-rotation": {"metadata": timed(**COUNTED), "ch0_0_0": counted(30, 2), "ch0_0_1": counted(20, 1),
                           "ch0_1_0": counted(15, 0, instance=1)},
    "session-rotation": {"a/1/metadata": timed(**COUNTED), "a/1/ch0": counted(10, 0) + counted(20, 1),
                         "a/2/metadata": timed(**COUNTED), "a/2/ch0": counted(32, 2), "b/metadata": timed(**COUNTED),
                         "b/ch0": counted(42, 3)},
    "domains": {"kernel/metadata": timed(offset="offset_s = 6;", **COUNTED), "kernel/ch0": counted(10, 0),
                "ust/metadata": timed(offset="offset_s = 5;", more=UST, **COUNTED), "ust/ch0": counted(12, 0),
                "other/file": b"no trace"},
    # Lost packets and discarded events are told, and do no harm.
    "counters": one(timed(**COUNTED), counted(10, 5, 7) + counted(20, 6, 7) + counted(30, 9, 9)),
    "counters-back": one(timed(**COUNTED), counted(10, 5, 7) + counted(20, 2, 3)),
})

# --- metadata and packets that cannot be read ---------------------------------------------------------------

BAD = {name: one(metadata, bytes(range(1, 17))) for name, metadata in {
    "version 0.8": event("u8 a;").replace("major = 1", "major = 0"),
    "version 1.9 of": event("u8 a;").replace("CTF 1.8", "CTF 1.9"),
    "version 1 of": event("u8 a;").replace("CTF 1.8", "CTF 1"),
    "version 10101010": event("u8 a;").replace("CTF 1.8", "CTF " + "10" * 40),
    '"trace"': "/* CTF 1.8 */\n",
    "no byte order": event("u8 a;").replace("byte_order = le;", ""),
    'a type is expected where "]"': HEAD + "stream {\n packet.context := struct { ]; };",
    "does not fit in 64 bits": event("u8 a;").replace("trace {", "trace { x = 0x%s;" % ("f" * 40)),
    "a number is malformed": event("u8 a;").replace("major = 1", "major = 1x"),
    "does not end": HEAD + 'event { name = "e; };',
    "the metadata end here": HEAD + "event {",
    "\"def\"": event("u8 a;").replace("trace {", 'trace { x = "abc" "def";'),
    "is not a UUID": event("u8 a;").replace("trace {", 'trace { uuid = "2a6422d0-6cee-11e0-8c08";'),
    "is a length, but it is signed": event("s8 n; u8 v[n];"),
    '"n" is not an integer': event("string n; u8 v[n];"),
    '"n" is not a field that comes before': event("u8 v[n]; u8 n;"),
    "must not be negative": event("u8 v[-1];"),
    "a number is expected where \"]\"": event("u8 v[];"),
    "selects, but it is not an enumeration": event("u8 t; variant <t> { u8 a; } v;"),
    '"t" is not an integer': event("floating_point { exp_dig = 8; mant_dig = 24; } t; variant <t> { u8 a; } v;"),
    "a variant has no selector": event("variant { u8 a; } v;"),
    'a name is expected where "2"': event("enum : u8 { a } t; variant <2> { u8 a; } v;"),
    "at least one label": event("enum : u8 { } a;"),
    "a number is expected where \"A\"": event("enum : u8 { A, B = A } a;"),
    'no type "int"': event("enum { A } a;"),
    "needs a type of integers": event("enum { A } a;", HEAD + "typealias string { encoding = ascii; } := int;\n"),
    "a number is expected where \"wrong\"": HEAD + 'event { name = e; id = "wrong"; };',
    "1 to 64 bits, not 0": event("integer { size = 0; } a;"),
    "1 to 64 bits, not 1024": event("integer { size = 1024; } a;"),
    "of 3 bits is not a power": event("integer { size = 8; align = 3; } a;"),
    "2, 8, 10 or 16, not 11": event("integer { size = 8; base = 11; } a;"),
    'expected where "middle"': event("integer { size = 8; byte_order = middle; } a;"),
    'expected where "runes"': event("integer { size = 8; encoding = runes; } a;"),
    'expected where "maybe"': event("integer { size = 8; signed = maybe; } a;"),
    "exp_dig and mant_dig": event("floating_point { exp_dig = 6; mant_dig = 11; } a;"),
    "of 0 bits is not a power": event("struct { u8 a; } align(0) a;"),
    "is more than 32768": event("struct { u8 a; } align(0x80000000) a;"),
    '"d" of this kind': HEAD + "struct d { u8 a; struct d b; };",
    'keyword "env"': event("u8 env;"),
    'a type is expected where "trace"': HEAD + "typealias u8 := trace;",
    'keyword "stream"': HEAD + "typedef u8 stream;",
    'no type "entier"': HEAD + "typealias entier { size = 8; } := q;",
    "a structure is needed": HEAD + "event { name = e; fields := u8; };",
    "the event 1 of stream 0 is declared twice": HEAD + "event { id = 1; }; event { id = 1; };",
    "the stream 1 is declared twice": HEAD + "stream { id = 1; }; stream { id = 1; };",
    'type "row" is declared twice': HEAD + "typedef u8 row[3]; typedef u16 row[3];",
    'name "a" is declared twice': event("u8 a; u8 a;"),
    "a clock has no name": HEAD + "clock { freq = 5; };",
    "must not be 0": HEAD + "clock { name = c; freq = 0; };",
    'clock "c" is not declared': event("integer { size = 8; map = clock.c.value; } a;"),
    'clock "c" is declared twice': HEAD + CLOCK % "" + CLOCK % "",
    "version 116.121": b"\x57\x1d\xd1\x75" + bytes(20) + pack("II", 4096, 4096) + b"\0\0\0ty" + b"x" * 475,
}.items()}

# What comes before the damage, and after the packet that it is in, is read.
BAD_PACKETS = {
    "its size cannot be 0 bits": (packets(), packet(A + B, 0, 0), ""),
    "its content cannot have 0 bits": (packets(), packet(A + B, 0), ""),
    "its content cannot have 800 bits": (packets(), packet(A) + packet(A + B, 100, 26), "a"),
    "its size cannot be 64 bits": (packets(), packet(A) + packet(B, 8, 8) + packet(A), "aa"),
    "the metadata have no stream 5": (packets(), packet(A + B) + packet(A, stream=5) + packet(B), "abb"),
    "the metadata have no event 255": (packets(), packet(A + A + B + b"\xff" + A) + packet(B), "aabb"),
    "it begins with 0x00000005": (packets(), packet(A, magic=5) + packet(B), "b"),
    "it begins with 0xc11ffcc1": (packets(order="be"), packet(A), ""),
    "a field ends beyond": (packets(), packet(A + b"\2hi"), "a"),
    "selects no alternative": (event("enum : u8 { a, b } t; variant <t> { u8 a; } v;").replace("= e;", "= a;"),
                               b"\0\1\1\2", "a"),
    "an array of 4294967295 elements": (event("u32 n; u8 v[n];"), b"\xff" * 8, ""),
}
