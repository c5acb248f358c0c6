# SPDX-License-Identifier: MIT
"""The formats for other programs, compared with what a model of threads and stacks says of the same events.
usage: check_exports.py TRACE_CLI DATA [NAME...]; DATA: tests/data"""
import collections
import csv
import difflib
import gzip
import io
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'xray'))
import perfetto_trace  # noqa: E402
from xray_log import Encoder  # noqa: E402

PROCESS = 7
TARGETS = ['apitrace', 'sp-rtrace', 'sp-rtrace-1.4', 'sp-rtrace-text', 'xray', 'xray-1', 'xray-yaml', 'chrome', 'speedscope', 'folded',
           'csv', 'jsonl', 'perfetto', 'ctf', 'ctf2', 'ctf-rfc']


def equal(found, wanted, what=''):
    if found != wanted:
        sys.exit(f'{name}: {what}\nfound:  {found!r:.3000}\nwanted: {wanted!r:.3000}')


def convert(to, *inputs):
    """Returns the bytes of the output (of a folder None), and what was left out. inputs: bytes of traces, or the path of a directory."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, data in enumerate(inputs):
            if isinstance(data, str):
                paths.append(data)
                continue
            paths.append(os.path.join(folder, f'in{i}'))
            with open(paths[-1], 'wb') as file:
                file.write(data)
        out = os.path.join(folder, 'out')
        done = subprocess.run([cli, 'convert', f'--to={to}', *paths, out], capture_output=True, check=False, timeout=60)
        errors = done.stderr.decode()
        if done.returncode != 0:
            sys.exit(f'{name}: {errors}')
        lines = [line.split(maxsplit=1) for line in errors.splitlines()[1:]]
        left_out = {what: int(count) for count, what in lines}
        if os.path.isdir(out):
            return None, left_out
        with open(out, 'rb') as file:
            return file.read(), left_out


def number(value):
    out = b''
    while value >= 0x80:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def string(data):
    data = data.encode() if isinstance(data, str) else data
    return number(len(data)) + data


def trace_of(calls, properties=()):
    """A trace of apitrace's format, without times, of calls (name, {argument: integer}, result or None)."""
    out, known = number(6) + number(6), {}
    for key, value in properties:
        out += string(key) + string(value)
    out += string('')
    for i, (function, args, result) in enumerate(calls):
        out += b'\0' + number(0)
        if function in known:
            out += number(known[function])
        else:
            known[function] = len(known)
            out += number(known[function]) + string(function) + number(len(args)) + b''.join(string(a) for a in args)
        for k, value in enumerate(args.values()):
            out += b'\1' + number(k) + (b'\4' + number(value) if isinstance(value, int) else b'\7' + string(value))
        out += b'\0\1' + number(i)
        if result is not None:
            out += b'\2\4' + number(result)
        out += b'\0'
    return gzip.compress(out)


# --- a model of threads ----------------------------------------------------------------------------------------------

def random_events(seed, count, start=1000):
    """Beginnings and ends of calls of three threads, as (thread, begins, function, time). Some have no other end."""
    draw = random.Random(seed)
    times, stacks, events = [start + i for i in range(3)], [[], [], []], []
    for _ in range(count):
        t = draw.randrange(3)
        times[t] += draw.choice((0, 1, 5, 1000, 100000))
        if len(stacks[t]) > 6 or (stacks[t] and draw.random() < 0.48):
            function = stacks[t].pop()
            if draw.random() < 0.05:
                continue  # the end is missing
        elif draw.random() < 0.03:
            events.append((t, False, 9, times[t]))
            continue
        else:
            function = draw.randrange(1, 5)
            stacks[t].append(function)
            events.append((t, True, function, times[t]))
            continue
        events.append((t, False, function, times[t]))
    return events


def log_of(events):
    e = Encoder(buffer_size=1 << 20, fill=0)
    log = e.header()
    for t in range(3):
        own = [event for event in events if event[0] == t]
        body, last = b'', own[0][3]
        for _, begins, function, time in own:
            body += (e.enter if begins else e.exit)(function, time - last)
            last = time
        log += e.buffer(PROCESS, 100 + t, 0, 0, own[0][3], body)
    return log


def balanced(events):
    """The same with every end: for each thread a list of (begins, function, time); and how many calls had none. Ends
    without a beginning are left out, and counted."""
    threads, endless, lost = collections.OrderedDict(), 0, 0
    last = max(event[3] for event in events)
    stacks = collections.defaultdict(list)
    for t, begins, function, time in sorted(events, key=lambda event: event[3]):
        out, stack = threads.setdefault(t, []), stacks[t]
        if begins:
            stack.append(function)
            out.append((True, function, time))
            continue
        if function not in stack:
            lost += 1
            continue
        while True:
            ended = stack.pop()
            out.append((False, ended, time))
            if ended == function:
                break
            endless += 1
    for t, stack in stacks.items():
        endless += len(stack)
        threads[t] += [(False, function, last) for function in reversed(stack)]
    return threads, endless, lost


def selves(threads):
    """The time spent in each stack without the calls within, and the stacks that have no calls within."""
    sums, inner = collections.Counter(), set()
    for t, events in threads.items():
        stack, last = [], None
        for begins, function, time in events:
            if stack:
                sums[(t, *stack)] += time - last
            if begins:
                if stack:
                    inner.add((t, *stack))
                stack.append(function)
                sums[(t, *stack)] += 0
            else:
                stack.pop()
            last = time
    return {stack: time for stack, time in sums.items() if time > 0 or stack not in inner}


# --- Speedscope ------------------------------------------------------------------------------------------------------

def profiles_of(data):
    """Each profile of the file as (name, unit, list of (begins, name, time)), held to the rules of the format."""
    trace = json.loads(data)
    equal(trace['$schema'], 'https://www.speedscope.app/file-format-schema.json')
    names = [frame['name'] for frame in trace['shared']['frames']]
    equal(len(set(names)), len(names), 'frames twice')
    out = []
    for profile in trace['profiles']:
        if profile['type'] == 'sampled':
            stacks = [tuple(names[frame] for frame in stack) for stack in profile['samples']]
            equal((len(set(stacks)), len(profile['weights']), profile['startValue']), (len(stacks), len(stacks), 0))
            equal(sum(profile['weights']), profile['endValue'])
            out.append((profile['name'], profile['unit'], dict(zip(stacks, profile['weights']))))
            continue
        equal(profile['type'], 'evented')
        last, stack, events = profile['startValue'], [], []
        for event in profile['events']:
            assert event['at'] >= last, event
            last = event['at']
            if event['type'] == 'O':
                stack.append(event['frame'])
            else:
                equal((event['type'], stack.pop()), ('C', event['frame']))
            events.append((event['type'] == 'O', names[event['frame']], last))
        equal((stack, last <= profile['endValue']), ([], True))
        out.append((profile['name'], profile['unit'], events))
    return out


def check_speedscope():
    for seed in range(10):
        events = random_events(seed, 400)
        data, left_out = convert('speedscope', log_of(events))
        threads, endless, lost = balanced(events)
        equal(sorted(profiles_of(data)), [(f'process {PROCESS}, thread {100 + t}', 'nanoseconds', [(b, f'#{f}', time) for b, f, time in own])
                                          for t, own in sorted(threads.items())])
        equal((left_out.get('that a call has no end', 0), left_out.get('exit without an enter', 0)), (endless, lost))
    # Times that a double cannot hold are counted from the first one.
    events = random_events(3, 50, 1795382385113618855)
    found = profiles_of(convert('speedscope', log_of(events))[0])
    first = min(event[3] for event in events)
    equal([own for _, _, own in sorted(found)],
          [[(b, f'#{f}', time - first) for b, f, time in own] for _, own in sorted(balanced(events)[0].items())])
    # Without times, it is the order that counts. Names are text, whatever they are.
    data, left_out = convert('speedscope', trace_of([('f', {'a': 1}, None), (b'\xff;', {'b': 2}, 3), ('f', {'a': 4}, None)]))
    equal(profiles_of(data), [('thread 0', 'none', [(True, 'f', 0), (False, 'f', 1), (True, '\ufffd;', 2), (False, '\ufffd;', 3), (True, 'f', 4), (False, 'f', 5)])])
    equal(left_out, {'argument': 3, 'return value': 1, 'that an event has no time': 6})


def check_spool():
    """More events than fit into a block of the temporary file, of threads that take turns."""
    events = random_events(1, 60000)
    data, _ = convert('speedscope', log_of(events))
    equal([own for _, _, own in sorted(profiles_of(data))],
          [[(b, f'#{f}', time) for b, f, time in own] for _, own in sorted(balanced(events)[0].items())])


# --- folded stacks ---------------------------------------------------------------------------------------------------

def summed(threads):
    """A profile by XRay: of each thread, the calls and ticks of each stack, with those within."""
    out = struct.pack('<QQQQ', 0x7872617970726f66, 0x20180424, 1700000000123456789, PROCESS)
    for i, (thread, stacks) in enumerate(threads.items()):
        data = b''.join(struct.pack(f'<{len(stack) + 1}IQQ', *stack[::-1], 0, *value) for stack, value in stacks)
        out += struct.pack('<IIQ', 16 + len(data), i, thread) + data
    return out


def check_sums():
    """Sums of calls become the time that was spent in each stack without the calls within, whatever their order."""
    generator = random.Random(5)
    for _ in range(10):
        wanted, threads = {}, {}
        for thread in range(100, 103):
            own = {tuple(generator.randrange(1, 5) for _ in range(generator.randrange(1, 6))): generator.randrange(1000) for _ in range(30)}
            own.update({stack[:depth]: 0 for stack in list(own) for depth in range(1, len(stack)) if stack[:depth] not in own})
            stacks = [(stack, (3, sum(time for other, time in own.items() if other[:len(stack)] == stack))) for stack in own]
            generator.shuffle(stacks)
            threads[thread] = stacks
            inner = {stack[:-1] for stack in own}
            wanted[thread] = {tuple(f'#{f}' for f in stack): time for stack, time in own.items() if time > 0 or stack not in inner}
        data, left_out = convert('speedscope', summed(threads))
        equal(left_out, {'property': 2, 'clock reading': 1})
        equal(profiles_of(data), [(f'process {PROCESS}, thread {thread}', 'none', own) for thread, own in wanted.items()])
        data, left_out = convert('folded', summed(threads))
        equal(left_out, {'property': 2, 'clock reading': 1})
        equal(data.decode().splitlines(), sorted(f'process-{PROCESS},thread-{thread};' + ';'.join(stack) + f' {time}'
                                                 for thread, own in wanted.items() for stack, time in own.items()))
    # A stack whose own sum is missing, or less than those within, took no time itself.
    data = convert('folded', summed({1: [((1, 2), (1, 50)), ((3,), (1, 10)), ((3, 4), (1, 70))]}))[0]
    equal(data.decode().splitlines(), [f'process-{PROCESS},thread-1;#1;#2 50', f'process-{PROCESS},thread-1;#3;#4 70'])


def check_folded():
    for seed in range(10):
        events = random_events(seed, 400)
        data, left_out = convert('folded', log_of(events))
        threads, endless, lost = balanced(events)
        wanted = {f'process-{PROCESS},thread-{100 + stack[0]};' + ';'.join(f'#{f}' for f in stack[1:]): time
                  for stack, time in selves(threads).items()}
        lines = data.decode().splitlines()
        equal(dict((line.rsplit(' ', 1)[0], int(line.rsplit(' ', 1)[1])) for line in lines), wanted)
        equal(data.splitlines(), sorted(data.splitlines()), 'not sorted')
        equal((left_out.get('that a call has no end', 0), left_out.get('exit without an enter', 0)), (endless, lost))
    # What would end a name, a stack or a line is replaced. Without times, calls are counted.
    names = ['a;b', 'new\nline', 'operator new 12', 'std', 'std::x', 'std y', '', b'\xff', 'end ', 'a;b']
    data, left_out = convert('folded', trace_of([(n, {'a': 1}, None) for n in names], [('process.name', 'x')]))
    lines = data.decode().splitlines()
    equal(sorted(lines), sorted('thread-0;' + line for line in (
        'a:b 2', 'new line 1', 'operator new_12 1', 'std 1', 'std::x 1', 'std y 1', '? 1', '\ufffd 1', 'end_ 1')))
    equal(data.splitlines(), sorted(data.splitlines()), 'not sorted')
    equal(left_out, {'property': 1, 'argument': 10, 'that an event has no time': 20})


# --- Chrome ----------------------------------------------------------------------------------------------------------

def check_chrome():
    for seed in range(10):
        events = random_events(seed, 400)
        data, left_out = convert('chrome', log_of(events))
        threads, endless, lost = balanced(events)
        wanted = []
        for t, own in threads.items():
            stack = []
            for begins, function, time in own:
                if begins:
                    stack.append((function, time))
                else:
                    wanted.append((PROCESS, 100 + t, f'#{function}', stack[-1][1], time - stack[-1][1]))
                    stack.pop()
        found = [(e['pid'], e['tid'], e['name'], round(e['ts'] * 1000), round(e['dur'] * 1000))
                 for e in json.loads(data)['traceEvents'] if e['ph'] == 'X']
        equal(sorted(found), sorted(wanted))
        equal((left_out.get('that a call has no end', 0), left_out.get('exit without an enter', 0)), (endless, lost))
    # Arguments and results; text that is not UTF-8.
    data, left_out = convert('chrome', trace_of([('f', {'a': 1, 'b': b'\xff'}, None), ('g', {}, 5)], [('process.name', 'x'), ('more', 'y')]))
    found = [(e['name'], e['args']) for e in json.loads(data)['traceEvents']]
    equal(found, [('process_name', {'name': 'x'}), ('thread_name', {'name': 'thread 0'}), ('f', {'a': 1, 'b': '\ufffd'}), ('g', {'return value': 5})])
    equal(left_out, {'property': 1, 'that an event has no time': 4})


# --- lines -----------------------------------------------------------------------------------------------------------

STRANGE = [('f', {'a': 1, 'b, "c"\n': 'x, "y"\r\n;'}, 7), (b'n\xff"', {}, None), ('f', {'a': 2 ** 63, 'b, "c"\n': ''}, None)]


def dumped(*traces):
    with tempfile.NamedTemporaryFile() as file:
        path = traces[0] if isinstance(traces[0], str) else file.name
        file.write(b'' if isinstance(traces[0], str) else traces[0])
        file.flush()
        return subprocess.run([cli, 'dump', '-v', '--format=json', path], capture_output=True, check=True, timeout=60).stdout


def check_jsonl():
    """The lines are those of dump, but the first one."""
    for trace in (log_of(random_events(1, 2000)), trace_of(STRANGE, [('process.name', 'x')])):
        data, left_out = convert('jsonl', trace)
        equal(data.split(b'\n')[1:], dumped(trace).split(b'\n')[1:])
        equal(left_out, {})
        json.loads(data.split(b'\n')[0])['trace']['properties']
    equal(json.loads(convert('jsonl', trace)[0].split(b'\n')[0]), {'trace': {'dump_version': 1, 'properties': [{'name': 'process.name', 'value': 'x'}]}})


def check_csv():
    rows = list(csv.DictReader(io.StringIO(convert('csv', trace_of(STRANGE))[0].decode(), newline='')))
    equal([(r['number'], r['kind'], r['thread'], r['name'], r['arguments'], r['return_value'], r['time_ns']) for r in rows],
          [('0', 'call', '0', 'f', 'a = 1, b, "c"\n = "x, \\"y\\"\\r\\n;"', '7', ''), ('1', 'call', '0', 'n\ufffd"', '', '', ''),
           ('2', 'call', '0', 'f', f'a = {2 ** 63}, b, "c"\n = ""', '', '')])
    for seed in range(5):
        events = random_events(seed, 400)
        data, left_out = convert('csv', log_of(events))
        equal(left_out.keys(), {'property'})
        rows = list(csv.DictReader(io.StringIO(data.decode(), newline='')))
        entered = sorted((int(r['time_ns']), int(r['thread']), r['name']) for r in rows if r['kind'] == 'call')
        equal(entered, sorted((time, 100 + t, f'#{f}') for t, begins, f, time in events if begins))
        _, endless, lost = balanced(events)
        calls = [r for r in rows if r['kind'] == 'call']
        equal((sum(r['duration_ns'] == '' for r in calls), sum(r['kind'] == 'exit' for r in rows)), (endless, lost))
        equal({r['process'] for r in calls}, {str(PROCESS)})


# --- Perfetto --------------------------------------------------------------------------------------------------------

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'perfetto.proto')


def perfetto(data):
    """What our reader makes of it. protoc, if there is one, must know all fields, too."""
    if shutil.which('protoc'):
        done = subprocess.run(['protoc', f'--proto_path={os.path.dirname(SCHEMA)}', '--decode=Trace', 'perfetto.proto'],
                              input=data, capture_output=True, check=True, timeout=60)
        unknown = [line for line in done.stdout.decode().splitlines() if re.match(r' *[0-9]+[ :]', line)]
        equal(unknown, [], 'fields that protoc does not know')
    return perfetto_trace.Reader(perfetto_trace.read_schema(SCHEMA), data)


def check_perfetto():
    for seed in range(6):
        events = random_events(seed, 400)
        data, left_out = convert('perfetto', log_of(events))
        threads, endless, lost = balanced(events)
        last, wanted = max(event[3] for event in events), []
        for t, own in threads.items():
            stack = []
            for begins, function, time in own:
                if begins:
                    stack.append((function, time))
                else:
                    wanted.append((PROCESS, 100 + t, *stack.pop(), time))
        found = [(track['thread']['pid'], track['thread']['tid'], int(slice_name[1:]), begin, last if end is None else end)
                 for track, slice_name, begin, end, _, _ in perfetto(data).slices]
        equal(sorted(found), sorted(wanted))
        open_calls = sum(end is None for _, _, _, end, _, _ in perfetto(data).slices)
        equal((left_out.get('that a call has no end', 0) + open_calls, left_out.get('exit without an enter', 0)), (endless, lost))
    # Values of all types, and backtraces, outermost frame first.
    with open(os.path.join(data_directory, 'all-types.trace'), 'rb') as file:
        reader = perfetto(convert('perfetto', file.read())[0])
    values = {slice_name: args.get('v') for _, slice_name, _, _, args, _ in reader.slices}
    equal([values[f'glV{i}'] for i in (0, 1, 2, 3, 4, 28, 29, 31)],
          [0, False, True, -5, 2 ** 63, [7, 8], {'x': 1, '-': {'in': 2}, 'y': 3}, 0xdeadbeef])
    equal([track['name'] for track in reader.tracks.values()], ['thread 0', 'thread 31', 'thread 1'])
    stacks = [stack for _, _, _, _, _, stack in reader.slices if stack]
    equal(stacks, [[('?',), ('func()', '/lib/m.so', 255, 'f.c', 12)]])
    reader = perfetto(convert('perfetto', trace_of(STRANGE))[0])
    equal([(slice_name, begin, end, args) for _, slice_name, begin, end, args, _ in reader.slices],
          [('f', 0, 1000, {'a': 1, 'b, "c"\n': 'x, "y"\r\n;', 'return value': 7}), ('n\ufffd"', 2000, 3000, {}),
           ('f', 4000, 5000, {'a': 2 ** 63, 'b, "c"\n': ''})])


# --- what is left out ------------------------------------------------------------------------------------------------

KINDS = ('call', 'enter', 'exit', 'tail exit', 'instant', 'allocation', 'release', 'resource type', 'context', 'tracing module',
         'memory mapping', 'heap statistics', 'mark', 'attachment', 'comment', 'loss', 'clock reading', 'sum of calls')


def xray_sample():
    e = Encoder()
    body = e.enter(1, 0) + e.enter(2, 15, 42, 7) + e.custom(b'text', 0, 1) + e.typed(3, b'data', 0, 1) + e.exit(2, 10)
    body += e.enter(3, 1) + e.tail(3, 5) + e.exit(9, 1) + e.enter(4, 1) + e.exit(1, 100) + e.enter(5, 1)
    return e.header() + e.buffer(PROCESS, 1, 10**9, 3, 1000, body)


def samples():
    """A trace of each format that is read: name to bytes, or to the path of a directory."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(data_directory, 'all-types.trace'), 'rb') as file:
        out = {'apitrace': file.read(), 'xray': xray_sample()}
    out['xray-profile'] = summed({1: [((1,), (1, 50)), ((1, 2), (3, 40))], 2: [((3,), (1, 7))]})
    with open(os.path.join(here, 'all-records.txt'), 'rb') as file:
        out['sp-rtrace-text'] = file.read()
    out['sp-rtrace'] = convert('sp-rtrace', out['sp-rtrace-text'])[0]
    out['ctf'] = os.path.join(here, '..', 'ctf', 'data', 'ust-rich')
    return out


def documented():
    """The words of docs/conversions.md, "What the warning counts": each with the formats that leave it out."""
    path = os.path.join(data_directory, '..', '..', 'docs', 'conversions.md')
    with open(path, encoding='utf-8') as file:
        table = file.read().split('## What the warning counts')[1].split('\n## ')[0]
    rows = re.findall(r'^\| `(.*?)` \| (.*?) \|', table, re.M)
    return {what: re.findall(r'[a-z0-9.-]+', formats) for what, formats in rows}


def check_matrix():
    """Every format becomes every other one. What is left out is what left_out.txt lists, the table in the documents names
    it, and events of a kind are counted as often as they occur."""
    golden = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'left_out.txt')
    with open(golden, encoding='utf-8') as file:
        wanted = file.read()
    words, found = documented(), []
    for source, trace in samples().items():
        kinds = collections.Counter(line.get('event', 'call') for line in map(json.loads, dumped(trace).splitlines()[1:]))
        for target in TARGETS:
            left_out = convert(target, trace)[1]
            for what, count in left_out.items():
                if target not in words.get(what, ()):
                    sys.exit(f'{name}: docs/conversions.md does not say that {target} leaves out "{what}"')
                if what in KINDS:
                    equal(count, kinds[what], f'{source} to {target}: {what}')
            found.append(f'{source} to {target}:' + (' nothing' if not left_out else ''))
            found += [f'    {count} {what}' for what, count in left_out.items()]
    text = '\n'.join(found) + '\n'
    if os.environ.get('TRACE_UPDATE_EXPECTED'):
        with open(golden, 'w', encoding='utf-8') as file:
            file.write(text)
    elif text != wanted:
        sys.exit(''.join(difflib.unified_diff(wanted.splitlines(True), text.splitlines(True), 'left_out.txt', 'found')))


cli, data_directory, names_of_checks = sys.argv[1], sys.argv[2], sys.argv[3:]
for name in names_of_checks or [key[6:] for key in list(globals()) if key.startswith('check_')]:
    globals()['check_' + name]()
