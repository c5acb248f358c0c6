# SPDX-License-Identifier: MIT
"""Random traces of CTF 1.8: types, nested types, headers, clocks, packets and values, all by a seed."""
import os
import random
import struct


class Bits:
    """Bits of a packet; big endian begins with the highest bit of a byte."""

    def __init__(self, is_big):
        self.bytes, self.at, self.is_big = bytearray(), 0, is_big

    def grow(self):
        self.bytes += bytes((self.at + 7) // 8 - len(self.bytes))

    def align(self, align):
        self.at = -(-self.at // align) * align
        self.grow()

    def put(self, value, size):
        begin, self.at = self.at, self.at + size
        self.grow()
        for i in range(size):
            at = begin + (size - 1 - i if self.is_big else i)
            if value >> i & 1:
                self.bytes[at // 8] |= 0x80 >> at % 8 if self.is_big else 1 << at % 8

    def patch(self, at, value):
        """Sets 64 bits that begin at a byte."""
        self.bytes[at // 8:at // 8 + 8] = value.to_bytes(8, "big" if self.is_big else "little")


# --- types: each declares a field, and writes a random value --------------------------------------------

class Integer:
    def __init__(self, size, align=8, signed=False, base=10, more=""):
        self.size, self.align, self.signed, self.base, self.more = size, align, signed, base, more
        self.low = -(1 << size - 1) if signed else 0
        self.high = (1 << size - signed) - 1

    def type(self):
        return (f"integer {{ size = {self.size}; align = {self.align}; signed = {str(self.signed).lower()}; "
                f"base = {self.base};{self.more} }}")

    def declare(self, name):
        return f"{self.type()} {name}"

    def put(self, bits, value):
        bits.align(self.align)
        bits.put(value & (1 << self.size) - 1, self.size)
        return value

    def write(self, r, bits, _):
        anything = r.randint(self.low, self.high)
        return self.put(bits, r.choice([0, self.low, self.high, anything, anything]))


class Character(Integer):
    def __init__(self):
        super().__init__(8, more=" encoding = UTF8;")

    def write(self, r, bits, _):
        return self.put(bits, r.choice(b"\0AB ~a"))


class Float:
    def __init__(self, size, align):
        self.size, self.align = size, align

    def declare(self, name):
        digits = (8, 24) if self.size == 32 else (11, 53)
        return "floating_point { exp_dig = %d; mant_dig = %d; align = %d; } %s" % (*digits, self.align, name)

    def write(self, r, bits, _):
        value = r.choice([0.0, -0.0, 1.5, 1e10, 3.14159, 1e-5, float("inf"), r.uniform(-1e6, 1e6)])
        bits.align(self.align)
        bits.put(int.from_bytes(struct.pack(">f" if self.size == 32 else ">d", value), "big"), self.size)


class Enumeration:
    def __init__(self, r, integer, number):
        self.integer, self.align, self.labels, self.is_selector = integer, integer.align, [], False
        value = 0
        for i in range(r.randint(1, 4)):
            end = min(value + r.choice([0, 0, 1, 3]), integer.high)
            self.labels.append((f"L{i}_{number}", value, end))
            value = end + r.choice([1, 1, 2])
            if value > integer.high:
                break

    def declare(self, name):
        return "enum : %s { %s } %s" % (self.integer.type(), ", ".join("%s = %d ... %d" % l for l in self.labels), name)

    def write(self, r, bits, _):
        _, low, high = r.choice(self.labels)
        if not self.is_selector and r.random() < 0.2:
            low, high = self.integer.low, self.integer.high
        return self.integer.put(bits, r.randint(low, high))

    def label(self, value):
        return next(name for name, low, high in self.labels if low <= value <= high)


class String:
    align = 8

    def declare(self, name):
        return f"string {name}"

    def write(self, r, bits, _):
        bits.align(8)
        for byte in r.choice([b"", b"hello", b'a "q" \\ ?', b"x" * r.randint(1, 300), "h\u00e9".encode(), b"\t\n", b"%s%n"]) + b"\0":
            bits.put(byte, 8)


class Structure:
    def __init__(self, members, align=1):
        self.members, self.minimum = members, align
        self.align = max([align] + [kind.align for _, kind in members])

    def declare(self, name):
        align = f" align({self.minimum})" if self.minimum > 1 else ""
        return "struct { %s}%s %s" % ("".join(kind.declare(n) + "; " for n, kind in self.members), align, name)

    def write(self, r, bits, _):
        values = {}
        bits.align(self.align)
        for name, kind in self.members:
            values[name] = kind.write(r, bits, values)


class Array:
    def __init__(self, element, length):
        """length: a number, or the name of a field."""
        self.element, self.length, self.align = element, length, element.align

    def declare(self, name):
        return self.element.declare(f"{name}[{self.length}]")

    def write(self, r, bits, values):
        bits.align(self.align)
        for _ in range(values.get(self.length, self.length)):
            self.element.write(r, bits, {})


class Length(Integer):
    def write(self, r, bits, _):
        return self.put(bits, min(r.choice([0, 1, 2, 3, 7]), self.high))


class Variant:
    align = 1

    def __init__(self, selector, enumeration, options):
        self.selector, self.enumeration, self.options = selector, enumeration, options

    def declare(self, name):
        return "variant <%s> { %s} %s" % (self.selector, "".join(kind.declare(n) + "; " for n, kind in self.options), name)

    def write(self, r, bits, values):
        dict(self.options)[self.enumeration.label(values[self.selector])].write(r, bits, {})


# --- a trace ---------------------------------------------------------------------------------------------

class Maker:
    def __init__(self, seed):
        self.r, self.count = random.Random(seed), 0
        self.is_big = self.r.random() < 0.4

    def name(self):
        self.count += 1
        return self.r.choice(["a", "Len", "str", "x_y", "cpu", "uuid", "magic", "content", "_x", "__y", "_timestamp"]) + str(self.count)

    def integer(self, sizes=None, signed=None, kind=Integer):
        r = self.r
        size = r.choice(sizes or [8, 16, 32, 64, r.randint(1, 60)])
        return kind(size, r.choice([8, 8, 16, 32, 64] + [1] * (size % 8 != 0)), r.random() < 0.4 if signed is None else signed,
                    10 if sizes else r.choice([10, 10, 16, 8, 2, "x"]))

    def leaf(self):
        chance = self.r.random()
        if chance < 0.6:
            return self.integer()
        if chance < 0.75:
            return Float(self.r.choice([32, 64]), self.r.choice([1, 8, 32, 64]))
        return String() if chance < 0.9 else Enumeration(self.r, self.integer([5, 8, 64]), self.count)

    def members(self, depth, count):
        r, out = self.r, []
        for _ in range(count):
            chance = r.random() if depth < 4 else 0
            element = r.choice([self.leaf, self.leaf, Character, lambda: Structure(self.members(depth + 2, 2))])
            if chance < 0.6:
                out.append((self.name(), self.leaf()))
            elif chance < 0.72:
                out.append((self.name(), Structure(self.members(depth + 1, r.randint(0, 4)), r.choice([1, 1, 8, 32]))))
            elif chance < 0.8:
                out.append((self.name(), Array(element(), r.choice([0, 1, 2, 5]))))
            elif chance < 0.9:
                out.append((self.name(), self.integer([3, 8, 8, 16], False, Length)))
                out.append((self.name(), Array(element(), out[-1][0])))
            else:
                selector = Enumeration(r, self.integer([3, 8, 16], False), self.count)
                selector.is_selector = True
                options = [(label, self.leaf() if r.random() < 0.7 else Structure(self.members(depth + 2, 2)))
                           for label, _, _ in selector.labels]
                r.shuffle(options)
                out.append((self.name(), selector))
                out.append((self.name(), Variant(out[-1][0], selector, options)))
        return out

    def scope(self, most, chance=1.0):
        return Structure(self.members(0, self.r.randint(1, most))) if self.r.random() < chance else None


def uint(size, align=8, is_time=False):
    return Integer(size, align, more=" map = clock.c.value;" if is_time else "")


def block(name, structure):
    return f" {name} := {structure.declare('').rstrip()};" if structure is not None else ""


class Stream:
    """A stream class, of which there is one file."""

    def __init__(self, maker, number):
        r = maker.r
        self.maker, self.number, self.is_compact = maker, number, r.random() < 0.4
        self.time_size = r.choice([64, 32, 27, 48, 16])
        self.extra = maker.members(2, r.randint(0, 2))
        self.common = maker.scope(3, 0.5)
        self.events = [(i if r.random() < 0.8 else 40 + i, maker.scope(2, 0.3), maker.scope(6, 0.9)) for i in range(r.randint(1, 4))]

    def header(self):
        if not self.is_compact:
            return Structure([("id", uint(16)), ("timestamp", uint(self.time_size, 8 if self.time_size % 8 == 0 else 1, True))])
        return None

    def metadata(self):
        compact = (f"struct {{ enum : {uint(5, 1).type()} {{ compact = 0 ... 30, extended = 31 }} id; variant <id> {{ "
                   f"struct {{ {uint(27, 1, True).declare('timestamp')}; }} compact; "
                   f"struct {{ {uint(32).declare('id')}; {uint(64, 8, True).declare('timestamp')}; }} extended; }} v; }} align(8)")
        context = [("timestamp_begin", uint(64, 8, True)), ("timestamp_end", uint(64, 8, True)), ("content_size", uint(64)),
                   ("packet_size", uint(64)), ("cpu_id", uint(32))]
        header = f" event.header := {compact};" if self.is_compact else block("event.header", self.header())
        out = f"stream {{ id = {self.number};{header}{block('packet.context', Structure(context + self.extra))}"
        out += block("event.context", self.common) + " };\n"
        for ident, specific, payload in self.events:
            out += f'event {{ name = "ev:{self.number} {ident}"; id = {ident}; stream_id = {self.number};'
            out += block("context", specific) + block("fields", payload) + " };\n"
        return out

    def put_event(self, bits, time):
        ident, specific, payload = self.maker.r.choice(self.events)
        bits.align(8)
        if not self.is_compact:
            bits.put(ident, 16)
            bits.put(time & (1 << self.time_size) - 1, self.time_size)
        elif ident < 31:
            bits.put(ident, 5)
            bits.put(time & (1 << 27) - 1, 27)
        else:
            bits.put(31, 5)
            bits.align(8)
            bits.put(ident, 32)
            bits.put(time, 64)
        for scope in self.common, specific, payload:
            if scope is not None:
                scope.write(self.maker.r, bits, {})

    def packet(self, begin):
        """Returns the bytes, the time of the end, and the number of events."""
        r, bits, time, count = self.maker.r, Bits(self.maker.is_big), begin, self.maker.r.randint(0, 12)
        bits.put(0xC1FC1FC1, 32)
        bits.put(self.number, 32)
        bits.align(max([8] + [kind.align for _, kind in self.extra]))
        sizes = bits.at + 64
        for value in begin, 0, 0, 0:
            bits.put(value, 64)
        bits.put(self.number, 32)
        values = {}
        for name, kind in self.extra:
            values[name] = kind.write(r, bits, values)
        for _ in range(count):
            time += r.choice([0, 1, 5, 300] + [60000] * (self.time_size > 16))
            self.put_event(bits, time)
        content = bits.at
        bits.align(8)
        bits.at += r.choice([0, 0, 8, 64, 800])
        bits.grow()
        for i, value in enumerate((time, content, 8 * len(bits.bytes))):
            bits.patch(sizes + 64 * i, value)
        return bytes(bits.bytes), time, count


def make(seed, path):
    """Writes a trace into a new folder. Returns the number of its events."""
    maker = Maker(seed)
    r, total = maker.r, 0
    order = "be" if maker.is_big else "le"
    text = "/* CTF 1.8 */\n" + f"trace {{ major = 1; minor = 8; byte_order = {order};"
    text += block("packet.header", Structure([("magic", uint(32)), ("stream_id", uint(32))])) + " };\n"
    if r.random() < 0.7:
        text += f'env {{ hostname = "h0"; vpid = {r.randint(1, 99999)}; procname = "p q"; domain = "ust"; }};\n'
    frequency = r.choice([1000000000, 1000000000, 1000000, 3, 1193182, 2400000000])
    text += f"clock {{ name = c; freq = {frequency}; offset_s = {r.randint(0, 10**9)}; offset = {r.choice([0, 1000])}; }};\n"
    os.makedirs(path)
    for number in range(r.choice([1, 1, 2, 3])):
        stream, time = Stream(maker, number), r.randint(0, 10**6)
        text += stream.metadata()
        with open(os.path.join(path, f"s{number}"), "wb") as file:
            for _ in range(r.randint(1, 4)):
                data, time, count = stream.packet(time + r.choice([0, 10, 5000]))
                total += count
                file.write(data)
    with open(os.path.join(path, "metadata"), "w") as file:
        file.write(text)
    return total
