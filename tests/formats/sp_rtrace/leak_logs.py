# SPDX-License-Identifier: MIT
"""Random sp-rtrace logs, and what they leak by the rules of docs/sp-rtrace-format.md."""
import random

from sp_log import ALLOC, FREE, Call, Context, Mapping, Module, Process, Resource

RESOURCES = [Resource(1, b"memory", b"memory allocation in bytes"), Resource(2, b"gobject", b"GObjects", 1),
             Resource(3, b"fd", b"file descriptor")]
ALLOCATORS = {1: b"malloc", 2: b"g_object_ref", 3: b"open"}
RELEASERS = {1: b"free", 2: b"g_object_unref", 3: b"close"}


def backtraces(rng):
    """Few enough to be shared, and alike in their first frames."""
    return [[0x401000 + rng.randrange(4), 0x402000 + rng.randrange(4), 0x500000 + i][:rng.randrange(4)] for i in range(12)]


def random_log(seed, events=400):
    """Allocations and releases of few ids, so that ids are used again, released twice, and allocated twice."""
    rng = random.Random(seed)
    stacks = backtraces(rng)
    records = [Process(), Module(0, b"main"), *RESOURCES, Mapping(b"/usr/bin/prog", 0x400000, 0x480000),
               Mapping(b"/usr/lib/libx.so", 0x500000, 0x600000), Context(1, b"first"), Context(2, b"second")]
    for i in range(events):
        kind, ident = rng.choice((1, 1, 1, 2, 3)), rng.randrange(24)
        common = {"resource": kind, "context": rng.choice((0, 0, 1, 2, 3)), "time": 1000 + i}
        if rng.random() < 0.1 and kind == 1:
            records.append(Call(b"realloc", FREE, ident, **common))
            records.append(Call(b"realloc", ALLOC, rng.choice((ident, ident + 1)), rng.randrange(1, 5000),
                                frames=rng.choice(stacks), **common))
        elif rng.random() < 0.5:
            records.append(Call(ALLOCATORS[kind], ALLOC, ident, rng.choice((0, 1, 100, 4096, 70000)),
                                frames=rng.choice(stacks), **common))
        else:
            records.append(Call(RELEASERS[kind], FREE, ident, **common))
    return records


def leaks(records):
    """The allocations that were never released, with their index from 1, in the order of the log."""
    counted = {r.id for r in records if isinstance(r, Resource) and r.flags & 1}
    live, lost = {}, []     # (type, id) -> [index, call, uses]
    for index, call in enumerate((r for r in records if isinstance(r, Call)), 1):
        key = call.resource, call.id
        if call.type == ALLOC and key in live and call.resource in counted:
            live[key][2] += 1
        elif call.type == ALLOC:
            if key in live:
                lost.append(live.pop(key)[:2])
            live[key] = [index, call, 1]
        elif call.type == FREE and key in live:
            live[key][2] -= 1
            if live[key][2] == 0 or call.resource not in counted:
                del live[key]
    return sorted(lost + [entry[:2] for entry in live.values()], key=lambda entry: entry[0])


def totals(leaked, key):
    """For each value of key(call): how many leaks, and their sizes' sum."""
    out = {}
    for _, call in leaked:
        count, size = out.get(key(call), (0, 0))
        out[key(call)] = count + 1, size + call.size
    return out
