# SPDX-License-Identifier: MIT
"""Writes ELF files that have nothing but an instrumentation map."""
import struct

X86_64, I386, AARCH64, MIPS, S390 = 62, 3, 183, 8, 22
RELATIVE = {X86_64: 8, AARCH64: 1027, S390: 12}
SYMBOL = {X86_64: 1, AARCH64: 257, S390: 22}
MAP_ADDRESS, INDEX_ADDRESS = 0x5000, 0x9000


class Elf:
    def __init__(self, machine=X86_64, bits=64, big=False, kind=3):
        self.machine, self.wide, self.order, self.kind = machine, bits == 64, '>' if big else '<', kind
        self.word = 'Q' if self.wide else 'I'
        self.size = 8 if self.wide else 4
        self.map, self.index, self.relocations, self.symbols = b'', b'', b'', b''

    def pack(self, codes, *values):
        return struct.pack(self.order + codes, *values)

    def address(self, place, value, how):
        """The bytes of an address. how: absolute, relative to its place, or by a relocation: relative, symbol."""
        mask = (1 << 8 * self.size) - 1
        if how == 'relocated':
            self.relocations += self.pack('QQq', place, RELATIVE[self.machine], value)
        if how == 'symbol':  # half of it is the addend's
            self.symbols += self.pack('IBBHQQ', 0, 0x12, 0, 1, value - 5, 0)
            self.relocations += self.pack('QQq', place, len(self.symbols) // 24 << 32 | SYMBOL[self.machine], 5)
        stored = {'absolute': value, 'relative': value - place & mask}.get(how, 0)
        return self.pack(self.word, stored)

    def sled(self, address, function, kind, version=2, always=1, how=None):
        how = how or ('relative' if version >= 2 else 'absolute')
        place = MAP_ADDRESS + len(self.map)
        entry = self.address(place, address, how) + self.address(place + self.size, function, how) + bytes([kind, always, version])
        self.map += entry + bytes(4 * self.size - len(entry))

    def entry(self, first, count, how='absolute'):
        """An entry of the index of functions: addresses of the first sled and behind the last; relative: their number."""
        place, sled = INDEX_ADDRESS + len(self.index), 4 * self.size
        self.index += self.address(place, MAP_ADDRESS + first * sled, how)
        if how == 'relative':
            self.index += self.pack(self.word, count)
        else:
            self.index += self.address(place + self.size, MAP_ADDRESS + (first + count) * sled, how)

    def bytes(self):
        names = b'\0'
        headers, data = b'', b''
        start = 64 if self.wide else 52
        sections = [(b'xray_instr_map', 1, 2, MAP_ADDRESS, self.map, 0, 1)]
        if self.index:
            sections.append((b'xray_fn_idx', 1, 2, INDEX_ADDRESS, self.index, 0, 1))
        if self.relocations:
            sections.append((b'.rela.dyn', 4, 2, 0x100, self.relocations, len(sections) + 2, 24))
            sections.append((b'.dynsym', 11, 2, 0x200, bytes(24) + self.symbols, 0, 24))
        for name, *_ in sections + [(b'.shstrtab',)]:
            names += name + b'\0'
        sections.append((b'.shstrtab', 3, 0, 0, names, 0, 1))
        headers = bytes(64 if self.wide else 40)
        for name, kind, flags, address, contents, link, size in sections:
            offset, data = start + len(data), data + contents
            at = names.index(b'\0' + name + b'\0') + 1
            headers += self.pack('II' + self.word * 4 + 'II' + self.word * 2, at, kind, flags, address, offset, len(contents), link, 1, 1, size)
        ident = b'\x7fELF' + bytes([2 if self.wide else 1, 2 if self.order == '>' else 1, 1]) + bytes(9)
        count = len(sections) + 1
        head = ident + self.pack('HHI' + self.word * 3 + 'IHHHHHH', self.kind, self.machine, 1, 0, 0, start + len(data), 0, start,
                                 56 if self.wide else 32, 0, 64 if self.wide else 40, count, count - 1)
        return head + data + headers
