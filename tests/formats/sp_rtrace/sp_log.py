# SPDX-License-Identifier: MIT
"""Sp-rtrace logs from a plain description: their bytes, and the text that stands for them.

This knows the two protocols by itself and asks nobody: docs/sp-rtrace-format.md says what it relies on.
A log is a Style, which says how things are written, and a list of records, which says what.
"""
import struct
import time
from dataclasses import dataclass, field, replace

FREE, ALLOC = 1, 2
PINF, MINF, RESR, MMAP, CTXR = b"PINF", b"MINF", b"RESR", b"MMAP", b"CTXR"
CALL, ARGS, BTRC, NLIB, HINF, OCFG, FILE = b"CALL", b"ARGS", b"BTRC", b"NLIB", b"HINF", b"OCFG", b"FILE"

HEAP_LINES = (
    "non-mapped space allocated from system", "number of free chunks", "number of fastbin blocks",
    "number of mapped regions", "space in mapped regions", "maximum total allocated space",
    "space available in freed fastbin blocks", "total allocated space", "total free space",
    "top-most, releasable (via malloc_trim) space")


@dataclass(frozen=True)
class Style:
    """How a log is written. The defaults are those of sp-rtrace 2.0 on x86-64."""
    version: tuple = (2, 0)
    big_endian: bool = False
    pointer: int = 8
    arch: bytes = b"x86_64"
    plain_strings: bool = False     # a string's length is that of its text, as in the document
    type_first: bool = None         # [type][size]; None: what this version's programs write
    document_order: bool = False    # the fields of CALL as the document has them
    args_last: bool = False         # ARGS after BTRC, as in the document
    heap_pointers: bool = False     # HINF starts with two pointers, as in the document
    handshake_size: str = "rest"    # what its size counts: the rest, all of it, or the rest without padding

    def is_at_least(self, major, minor):
        return self.version >= (major, minor)


@dataclass
class Process:
    pid: int = 4711
    secs: int = 1300000000
    usecs: int = 250000
    depth: int = 10
    name: bytes = b"./prog"


@dataclass
class Module:
    id: int
    name: bytes
    version: tuple = (1, 0)


@dataclass
class Context:
    id: int
    name: bytes


@dataclass
class Resource:
    id: int
    type: bytes
    desc: bytes
    flags: int = 0


@dataclass
class Mapping:
    path: bytes
    start: int
    end: int


@dataclass
class Call:
    name: bytes
    type: int
    id: int
    size: int = 0
    resource: int = 1
    context: int = 0
    time: int = 0
    args: list = None               # None: no ARGS; else pairs of name and value, None: NULL
    frames: list = field(default_factory=list)  # None: no BTRC
    between: list = field(default_factory=list)  # packets between CALL and what belongs to it


@dataclass
class Heap:
    bottom: int
    top: int
    values: list


@dataclass
class Attachment:
    name: bytes
    path: bytes


@dataclass
class Settings:                     # OCFG
    path: bytes
    options: bytes


@dataclass
class Library:                      # NLIB
    name: bytes


@dataclass
class Packet:
    """Any packet at all: its type and its data as they are."""
    type: bytes
    data: bytes = b""


class Writer:
    """Turns records into bytes, and remembers where each packet starts."""

    def __init__(self, style):
        self.style = style
        self.order = ">" if style.big_endian else "<"
        self.out = bytearray(self.handshake())
        self.starts = []            # (offset, record) of each packet

    def handshake(self):
        s = self.style
        body = bytes((*s.version, len(s.arch))) + s.arch + bytes((s.big_endian, s.pointer))
        total = -(-(2 + len(body)) // 4) * 4
        size = {"rest": total - 2, "all": total, "unpadded": len(body)}[s.handshake_size]
        return (bytes((0xF0, size)) + body).ljust(total, b"\0")

    def dword(self, value):
        return struct.pack(self.order + "I", value & 0xFFFFFFFF)

    def dwords(self, *values):
        return b"".join(self.dword(v) for v in values)

    def pointer(self, value):
        return struct.pack(self.order + ("Q" if self.style.pointer == 8 else "I"), value)

    def string(self, text):
        if text is None:
            return bytes(4)
        padded = text + bytes(-(2 + len(text)) % 4)
        if not text and not self.style.plain_strings:
            padded = bytes(2)
        length = len(text) if self.style.plain_strings else len(padded)
        return struct.pack(self.order + "H", length) + (padded or bytes(2))

    def frame(self, kind, size):
        """The eight bytes before a packet's data. A type is a 32-bit number whose lowest byte is the first letter."""
        s = self.style
        number = self.dword(struct.unpack("<I", kind)[0])
        type_first = s.is_at_least(2, 0) if s.type_first is None else s.type_first
        return number + self.dword(size) if type_first else self.dword(size + 4) + number

    def put(self, kind, data, record=None):
        self.starts.append((len(self.out), record))
        self.out += self.frame(kind, len(data)) + data

    def put_process(self, r):
        depth = self.dword(r.depth) if self.style.is_at_least(1, 2) else b""
        self.put(PINF, self.dwords(r.pid, r.secs, r.usecs) + depth + self.string(r.name), r)

    def put_module(self, r):
        self.put(MINF, self.dwords(r.id, r.version[0] << 16 | r.version[1]) + self.string(r.name), r)

    def put_context(self, r):
        self.put(CTXR, self.dword(r.id) + self.string(r.name), r)

    def put_resource(self, r):
        flags = self.dword(r.flags) if self.style.is_at_least(1, 3) else b""
        self.put(RESR, self.dword(r.id) + flags + self.string(r.type) + self.string(r.desc), r)

    def put_mapping(self, r):
        self.put(MMAP, self.pointer(r.start) + self.pointer(r.end) + self.string(r.path), r)

    def put_heap(self, r):
        address = self.pointer if self.style.heap_pointers else self.dword
        self.put(HINF, address(r.bottom) + address(r.top) + self.dwords(*r.values), r)

    def put_attachment(self, r):
        self.put(FILE, self.string(r.name) + self.string(r.path), r)

    def put_settings(self, r):
        self.put(OCFG, self.string(r.path) + self.string(r.options), r)

    def put_library(self, r):
        self.put(NLIB, self.string(r.name), r)

    def put_packet(self, r):
        self.put(r.type, r.data, r)

    def put_call(self, r):
        if self.style.document_order:
            head, tail = (r.time, r.resource, r.context, r.type), self.pointer(r.id) + self.dword(r.size)
        else:
            head, tail = (r.resource, r.context, r.time, r.type), self.dword(r.size) + self.pointer(r.id)
        self.put(CALL, self.dwords(*head) + self.string(r.name) + tail, r)
        for packet in r.between:
            self.put_packet(packet)
        parts = [self.put_args, self.put_frames]
        for part in reversed(parts) if self.style.args_last else parts:
            part(r)

    def put_args(self, r):
        if r.args is not None:
            pairs = b"".join(self.string(name) + self.string(value) for name, value in r.args)
            self.put(ARGS, self.dword(len(r.args)) + pairs, r)

    def put_frames(self, r):
        if r.frames is not None:
            self.put(BTRC, self.dword(len(r.frames)) + b"".join(map(self.pointer, r.frames)), r)

    def put_record(self, record):
        getattr(self, "put_" + type(record).__name__.lower())(record)


def write(style, records):
    """The log: its bytes, and where each packet starts."""
    writer = Writer(style)
    for record in records:
        writer.put_record(record)
    return bytes(writer.out), writer.starts


def text_header(style, process):
    line = b"version=2.0, "
    if style.arch:
        line += b"arch=" + style.arch + b", "
    if process:
        t = time.localtime(process.secs)
        stamp = "%d.%d.%d %02d:%02d:%02d" % t[:6]
        if process.secs or process.usecs:
            line += b"timestamp=%s, " % stamp.encode()
        if process.name:
            line += b"process=%s, " % process.name
        if process.pid:
            line += b"pid=%d, " % process.pid
        if style.is_at_least(1, 2):
            line += b"backtrace depth=%d, " % process.depth
    return line + b"origin=sp-rtrace 1.8, \n"


def text_heap(style, heap, calls):
    blocks = [call.id for call in calls if call.type == ALLOC]
    lowest, highest = min(blocks, default=(1 << 8 * style.pointer) - 1), max(blocks, default=0)
    out = b"## heap status information:\n"
    for name, value in (("heap bottom", heap.bottom), ("heap top", heap.top), ("lowest block", lowest),
                        ("highest block", highest)):
        out += b"##   %s 0x%x\n" % (name.encode(), value)
    for name, value in zip(HEAP_LINES, heap.values):
        out += b"##   %s %d\n" % (name.encode(), value)
    return out


def text_resource(style, r):
    refcount = b" [refcount]" if r.flags & 1 and style.is_at_least(1, 3) else b""
    return b"<%x> : %s (%s)%s\n" % (1 << (r.id - 1) % 32, r.type, r.desc, refcount)


def text_call(index, call, types):
    out = b"%d. " % index
    if call.context:
        out += b"@%x " % call.context
    if call.time:
        s, ms = divmod(call.time, 1000)
        out += b"[%02d:%02d:%02d.%03d] " % (s // 3600, s // 60 % 60, s % 60, ms)
    out += call.name or b""
    if len(types) > 1 and call.resource in types:
        out += b"<" + types[call.resource] + b">"
    out += b"(%d) = 0x%x\n" % (call.size, call.id) if call.type == ALLOC else b"(0x%x)\n" % call.id
    for name, value in call.args or []:
        out += b"\t$%s = %s\n" % (name or b"", value or b"")
    return out + b"".join(b"\t0x%x\n" % frame for frame in call.frames or []) + b"\n"


def text(style, records):
    """The text for a log: what is known of the whole comes first, whatever place it had in the log."""
    def of(kind):
        return [r for r in records if isinstance(r, kind)]
    calls = of(Call)
    types = {r.id: r.type for r in of(Resource)}
    out = text_header(style, of(Process)[-1] if of(Process) else None)
    out += b"".join(b"& %s : %s\n" % (r.name, r.path) for r in of(Attachment))
    out += b"".join(text_heap(style, r, calls) for r in of(Heap)[-1:])
    out += b"".join(b"## tracing module: [%x] %s (%d.%d)\n" % (r.id, r.name, *r.version) for r in of(Module))
    out += b"".join(b"@ %x : %s\n" % (r.id, r.name) for r in of(Context))
    out += b"".join(text_resource(style, r) for r in of(Resource))
    out += b"".join(b": %s => 0x%x-0x%x\n" % (r.path, r.start, r.end) for r in of(Mapping))
    return out + b"".join(text_call(i, call, types) for i, call in enumerate(calls, 1))


def narrowed(record, style):
    """The record with addresses that a pointer of this style can hold."""
    mask = (1 << 8 * style.pointer) - 1
    if isinstance(record, Call):
        frames = record.frames and [f & mask for f in record.frames]
        return replace(record, id=record.id & mask, frames=frames)
    if isinstance(record, Mapping):
        return replace(record, start=record.start & mask, end=record.end & mask)
    if isinstance(record, Heap):
        wide = mask if style.heap_pointers else 0xFFFFFFFF
        return replace(record, bottom=record.bottom & wide, top=record.top & wide)
    return record
