#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the textures of a state dump of tests/apps/es_textures. Prints a line for each that is wrong or missing.
Exit status: 0 all are right, 1 not.

usage: check_es_textures.py DUMP.json LIST
LIST: lines that the program printed; others are not checked.
"""
import re
import struct
import sys

from compare_states import decode_picture, load

SIDE, LAYERS, LEVELS = 4, 6, 3
BYTES = [(10,), (20,), (30,), (40,)]
ETC = [(255, 138, 2), (255, 138, 2), (2, 2, 255), (2, 2, 255)]  # columns

# Components are bytes, or floats. 'texels': these follow each other, as the program says; 'columns', 'rows' (from
# the bottom): of each layer; 'all': one for all.
EXPECTED = {
    'alpha': ('texels', BYTES),
    'mipmaps': ('texels', BYTES),
    'luminance': ('texels', BYTES),
    'luminance_alpha': ('texels', [(10, 20), (30, 40)]),
    'etc1': ('columns', ETC),
    'dxt1': ('rows', [(255, 0, 0)] * 2 + [(0, 0, 255)] * 2),
    'cube_luminance': ('texels', BYTES),
    'depth16': ('all', (0.5,)),
    'depth_stencil': ('all', (0.5,)),
    'luminance_float': ('all', (-1.5,)),
    'alpha_half': ('all', (-1.5,)),
    'rgba_float': ('all', (-1.5, 1000.25, 0.125, 0.5)),
    'rgba32f': ('all', (-1.5, 1000.25, 0.125, 0.5)),
    'rgb16f': ('all', (-1.5, 0.125, 1.0)),
    'rgb9_e5': ('all', (0.0, 1000.0, 0.0)),
    'r8ui': ('texels', [(value[0], 0, 0, 1) for value in BYTES]),
    'rgba32ui': ('all', (1, 200, 255, 255)),
    'rgba32i': ('all', (0, 100, 255, 7)),
    'rgba8_snorm': ('all', (-1.0, 1.0, 0.0, 1.0)),
    'srgb8': ('all', (10, 20, 30)),
    'depth32f': ('all', (0.5,)),
    'depth24_stencil8': ('all', (0.5,)),
    'etc2_alpha': ('columns', [texel + (128,) for texel in ETC]),
    'srgb_etc2': ('columns', ETC),
    'array_etc2': ('columns', ETC),
    'array_luminance': ('texels', BYTES),
    'volume_r32i': ('all', (0, 0, 0, 1)),
    'cube_depth16': ('all', (0.5,)),
    'stencil8': ('texels', BYTES),
}
FACES = [f'GL_TEXTURE_CUBE_MAP_{sign}_{axis}' for axis in 'XYZ' for sign in ('POSITIVE', 'NEGATIVE')]

TARGETS = {'array': 'GL_TEXTURE_2D_ARRAY', 'volume': 'GL_TEXTURE_3D'}


def texel(kind, values, first, side, x, y):
    if kind == 'texels':
        return values[(x + y * side + y + first) % len(values)]
    return {'columns': lambda: values[x], 'rows': lambda: values[y], 'all': lambda: values}[kind]()


def pictures(name):
    """Yields the target, the level, the number of layers and the components, from top to bottom."""
    kind, values = EXPECTED[name]
    layers = range(LAYERS if name.startswith(('array', 'volume')) else 1)
    for level in range(LEVELS if name == 'mipmaps' else 1):
        side = SIDE >> level
        for face in range(LAYERS) if name.startswith('cube') else (0,):
            target = FACES[face] if name.startswith('cube') else TARGETS.get(name.split('_')[0], 'GL_TEXTURE_2D')
            # The picture of all layers is stored from the last layer to the first one.
            yield target, level, len(layers), [
                component for layer in reversed(layers) for y in reversed(range(side)) for x in range(side)
                for component in texel(kind, values, layer + face + level, side, x, y)]


def components(picture):
    form, pixels = decode_picture(picture['__data__'])
    if isinstance(form[-1], bytes):
        pixels = pixels.split(b'\n', 3)[-1]
        return [round(value, 4) for value in struct.unpack(f'<{len(pixels) // 4}f', pixels)] # depths are rounded
    return list(pixels)


def main(dump, listing):
    textures, status = load(dump)['textures'], 0
    for unit, name in re.findall(r'^(\d+) (\w+)$', open(listing, encoding='utf-8').read(), re.MULTILINE):
        for target, level, layers, wanted in pictures(name):
            picture = textures.get(f'GL_TEXTURE{unit}, {target}, level = {level}')
            found = None
            if picture is not None:
                found = components(picture)
                sizes = [picture[key] for key in ('__class__', '__width__', '__height__', '__depth__')]
                if sizes != ['image', SIDE >> level, SIDE >> level, layers]:
                    found = sizes
            if found != wanted:
                print(f'{name}, {target}, level {level}: {found}, expected {wanted}')
                status = 1
    return status


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
