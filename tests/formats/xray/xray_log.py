# SPDX-License-Identifier: MIT
"""Writes XRay logs of every version, byte order and bit order, from the description of the format alone."""
import struct

ENTER, EXIT, TAIL, ENTER_ARGS = range(4)
NEW_BUFFER, END, CPU, WRAP, WALL, CUSTOM, ARG, EXTENTS, TYPED, PID = range(10)


class Encoder:
    """The encoding of an FDR log. Reserved bytes are `fill`, since runtimes do not clear them."""

    def __init__(self, version=5, big=False, high=False, frequency=10**9, buffer_size=4096, fill=0xa5):
        self.version, self.big, self.high, self.fill = version, big, high, fill
        self.frequency, self.buffer_size = frequency, buffer_size

    def pack(self, codes, *values):
        return struct.pack(('>' if self.big else '<') + codes, *values)

    def header(self, kind=1):
        flags = 0xc0000000 if self.high else 3
        return self.pack('HHIQQQ', self.version, kind, flags, self.frequency, self.buffer_size, 0)

    def metadata(self, kind, data=b''):
        first = 0x80 | kind if self.high else kind << 1 | 1
        return bytes([first]) + data + bytes([self.fill]) * (15 - len(data))

    def function(self, action, number, delta):
        word = action << 28 | number if self.high else number << 4 | action << 1
        return self.pack('II', word, delta)

    def enter(self, number, delta, *args):
        return self.function(ENTER_ARGS if args else ENTER, number, delta) + b''.join(map(self.arg, args))

    def exit(self, number, delta):
        return self.function(EXIT, number, delta)

    def tail(self, number, delta):
        return self.function(TAIL, number, delta)

    def arg(self, value):
        return self.metadata(ARG, self.pack('Q', value))

    def cpu(self, cpu, ticks):
        return self.metadata(CPU, self.pack('HQ', cpu, ticks))

    def wrap(self, ticks):
        return self.metadata(WRAP, self.pack('Q', ticks))

    def end(self):
        return self.metadata(END)

    def custom(self, data, ticks, delta, cpu=0, lost=False):
        """ticks until version 4, delta since. lost: the data are not in the log."""
        fields = self.pack('i', len(data))
        fields += self.pack('i', delta) if self.version >= 5 else self.pack('Q', ticks)
        if self.version == 4:
            fields += self.pack('H', cpu)
        return self.metadata(CUSTOM, fields) + (b'' if lost else data)

    def typed(self, kind, data, ticks, delta):
        time = self.pack('i', delta) if self.version >= 5 else self.pack('Q', ticks)
        return self.metadata(TYPED, self.pack('i', len(data)) + time + self.pack('H', kind)) + data

    def preamble(self, process, thread, wall, cpu, ticks):
        out = self.metadata(NEW_BUFFER, self.pack('i', thread))
        out += self.metadata(WALL, self.pack('QI', wall // 10**6, wall % 10**6))
        if self.version >= 3:
            out += self.metadata(PID, self.pack('i', process))
        return out + self.cpu(cpu, ticks)

    def buffer(self, process, thread, wall, cpu, ticks, body, padding=b'\0', extents=None):
        """extents: the size that is told instead of the right one. padding: None in version 1: none."""
        data = self.preamble(process, thread, wall, cpu, ticks) + body
        if self.version > 1:
            size = len(data) if extents is None else extents
            return self.metadata(EXTENTS, self.pack('Q', size)) + data
        data += self.end()
        if padding is None:
            return data
        return (data + padding * self.buffer_size)[:self.buffer_size]


class Basic(Encoder):
    """The encoding of a basic log."""

    def header(self, flags=3):
        return self.pack('HHIQQQ', self.version, 0, flags, self.frequency, 0, 0)

    def record(self, cpu, action, function, ticks, thread, process):
        process = process if self.version >= 3 else 0
        return self.pack('HBBiQIIQ', 0, cpu, action, function, ticks, thread, process, 0)

    def argument(self, function, thread, process, value):
        return self.pack('HHiIIQQ', 1, 0, function, thread, process if self.version >= 3 else 0, value, 0)
