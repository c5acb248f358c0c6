#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares two state dumps, of apitrace and of trace-cli, or two of ours. Prints a line for each difference that
is not expected. Exit status: 0 equal, 1 different, 2 not readable.

usage: compare_states.py [--expected=FILE] EXPECTED.json ACTUAL.json
Files whose names end in .ubj are UBJSON.

A line of FILE is the pattern of a path, then " # " and the reason. Of its names, * is any one, and ** any number.
After "missing ", only members that ACTUAL lacks are meant.
"""
import base64
import json
import math
import re
import struct
import sys
import zlib

TOLERANCE = 2e-6  # apitrace prints floats with 7 digits


def unfilter(data, width, height, pixel):
    """Returns the rows of a PNG."""
    rows, above, size = [], bytearray(width * pixel), width * pixel + 1
    for y in range(height):
        kind, row = data[y * size], bytearray(data[y * size + 1:(y + 1) * size])
        for i in range(len(row)) if kind != 0 else ():
            left = row[i - pixel] if i >= pixel else 0
            corner = above[i - pixel] if i >= pixel else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + above[i]) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + above[i]) // 2) & 255
            else:
                estimate = left + above[i] - corner
                nearest = min((abs(estimate - left), 0, left), (abs(estimate - above[i]), 1, above[i]),
                              (abs(estimate - corner), 2, corner))
                row[i] = (row[i] + nearest[2]) & 255
        rows.append(bytes(row))
        above = row
    return b''.join(rows)


def decode_png(data):
    position, packed, header = 8, b'', None
    while position < len(data):
        size, kind = struct.unpack('>I4s', data[position:position + 8])
        body = data[position + 8:position + 8 + size]
        if kind == b'IHDR':
            header = struct.unpack('>IIBB', body[:10])
        elif kind == b'IDAT':
            packed += body
        position += 12 + size
    width, height, depth, colours = header
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colours]
    return ((width, height, depth, channels), unfilter(zlib.decompress(packed), width, height, channels * depth // 8))


def decode_picture(text):
    """Returns what the pixels are, and the pixels."""
    data = base64.b64decode(text)
    if data[:4] == b'\x89PNG':
        return decode_png(data)
    kind, width, height = re.match(rb'(P.)\s+(\d+)\s+(\d+)', data).groups()
    return (int(width), int(height), kind), data


def without_alpha(form, pixels):
    """Windows of apitrace always have an alpha channel, so what is in it says nothing."""
    if len(form) != 4 or form[3] != 4:
        return pixels
    return [pixels[i::4] for i in range(3)]


def equal_numbers(a, b):
    return a == b or math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=1e-30)


def compare(path, a, b):
    """Yields paths and descriptions of differences."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in list(a) + [key for key in b if key not in a]:
            if key not in b:
                yield path + (key,), 'missing; expected ' + json.dumps(a[key])[:100]
            elif key not in a:
                yield path + (key,), 'not expected: ' + json.dumps(b[key])[:100]
            elif key == '__data__':
                (form_a, pixels_a), (form_b, pixels_b) = decode_picture(a[key]), decode_picture(b[key])
                if form_a != form_b:
                    yield path + (key,), f'picture {form_b}, expected {form_a}'
                elif without_alpha(form_a, pixels_a) != without_alpha(form_b, pixels_b):
                    wrong = [i for i in range(min(len(pixels_a), len(pixels_b))) if pixels_a[i] != pixels_b[i]]
                    yield path + (key,), f'{len(wrong)} bytes of {len(pixels_a)} differ, from {wrong[:1]} on'
            else:
                yield from compare(path + (key,), a[key], b[key])
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            yield from compare(path + (str(i),), x, y)
    elif isinstance(a, (int, float)) and isinstance(b, (int, float)) and isinstance(a, bool) == isinstance(b, bool):
        if not equal_numbers(a, b):
            yield path, f'{b}, expected {a}'
    elif a != b:
        yield path, f'{json.dumps(b)[:200]}, expected {json.dumps(a)[:200]}'


def read_patterns(path):
    patterns = []
    for line in open(path, encoding='utf-8') if path else ():
        pattern = line.split(' # ')[0].strip()
        if pattern and not line.startswith('#'):
            only_missing = pattern.startswith('missing ')
            pattern = pattern.split(' ', 1)[1] if only_missing else pattern
            parts = [re.escape(part).replace(r'\*\*', '.*').replace(r'\*', '[^\0]*') for part in pattern.split('/')]
            patterns.append((re.compile('\0'.join(parts)), only_missing))
    return patterns


def decode_ubjson(data, at=0, marker=None):
    """Returns a value, and where it ends. Arrays of bytes become base64, as in JSON."""
    if marker is None:
        marker, at = data[at:at + 1], at + 1
    numbers = {b'i': '>b', b'U': '>B', b'I': '>h', b'l': '>i', b'L': '>q', b'd': '>f', b'D': '>d'}
    if marker in numbers:
        size = struct.calcsize(numbers[marker])
        return struct.unpack(numbers[marker], data[at:at + size])[0], at + size
    if marker in (b'Z', b'T', b'F'):
        return {b'Z': None, b'T': True, b'F': False}[marker], at
    if marker == b'S':
        size, at = decode_ubjson(data, at)
        return data[at:at + size].decode('utf-8', 'replace'), at + size
    if marker == b'[' and data[at:at + 3] == b'$U#':
        size, at = decode_ubjson(data, at + 3)
        return base64.b64encode(data[at:at + size]).decode(), at + size
    items, end = ({}, b'}') if marker == b'{' else ([], b']')
    while data[at:at + 1] != end:
        if marker == b'{':
            key, at = decode_ubjson(data, at, b'S')
            items[key], at = decode_ubjson(data, at)
        elif marker == b'[':
            value, at = decode_ubjson(data, at)
            items.append(value)
        else:
            raise ValueError(f'no UBJSON at byte {at}')
    return items, at + 1


def load(path):
    if path.endswith('.ubj'):
        return decode_ubjson(open(path, 'rb').read())[0]
    # apitrace does not escape control characters, and copies strings that are not UTF-8.
    return json.loads(open(path, encoding='latin-1').read().encode('latin-1').decode('utf-8', 'replace'), strict=False)


def main(arguments):
    expected = None
    if arguments and arguments[0].startswith('--expected='):
        expected = arguments.pop(0).split('=', 1)[1]
    try:
        a, b = (load(path) for path in arguments)
    except ValueError as error:
        print('cannot be read:', error)
        return 2
    patterns = read_patterns(expected)
    status = 0
    for path, text in compare((), a, b):
        path = tuple(name.replace('\n', ' ') for name in path)
        missing = text.startswith('missing;')
        if not any(p.fullmatch('\0'.join(path)) and (missing or not only_missing) for p, only_missing in patterns):
            print('/'.join(path) + ':', text)
            status = 1
    return status


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
