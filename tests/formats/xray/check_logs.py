# SPDX-License-Identifier: MIT
"""What trace-cli reads of XRay logs of every version and order, whole and damaged.
usage: check_logs.py TRACE_CLI [NAME...]"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

from xray_log import EXIT, ENTER, ENTER_ARGS, TAIL, Basic, Encoder

ORDERS = [{'big': False}, {'big': True}, {'big': True, 'high': True}]


class Read:
    """What `dump --format=json` prints for a log."""

    def __init__(self, log, pipe=False):
        with tempfile.NamedTemporaryFile(suffix='.xray') as file:
            file.write(log)
            file.flush()
            name = '-' if pipe else file.name
            done = subprocess.run([cli, 'dump', '--format=json', '--blobs=inline', name], capture_output=True, check=False,
                                  timeout=60, input=log if pipe else b'')
        self.status, self.errors = done.returncode, done.stderr.decode()
        lines = [json.loads(line) for line in done.stdout.decode().splitlines()]
        self.events = [line for line in lines if 'event' in line]

    def plain(self):
        """The events as tuples, without losses: kind, time, process, thread, processor, name, arguments."""
        return [(e['event'], int(e['time_ns']) if 'time_ns' in e else None, e.get('process'), e.get('thread'), e.get('cpu'), e.get('name'),
                 tuple(value(a['value']) for a in e.get('args', []))) for e in self.events if e['event'] != 'loss']

    def lost(self):
        return [e['reason'] for e in self.events if e['event'] == 'loss']


def value(v):
    if v['type'] == 'missing':
        return None
    return int(v['value']) if v['type'] == 'uint' else v.get('value', v.get('base64'))


def equal(found, wanted, what=''):
    if found != wanted:
        sys.exit(f'{name}: {what}\nfound:  {found!r:.3000}\nwanted: {wanted!r:.3000}')


def process_of(encoder):
    return 7 if encoder.version >= 3 else None


def wanted(encoder, thread, cpu, *events):
    return [(kind, time, process_of(encoder), thread, cpu, function, args) for kind, time, function, args in events]


def by_time(*lists):
    return sorted((event for events in lists for event in events), key=lambda event: event[1])


# --- flight data recorder logs ---------------------------------------------------------------------------


def two_threads(e):
    """The buffers of two threads whose times overlap, and what is in them."""
    one = e.enter(1, 0) + e.enter(2, 10, 100) + e.exit(2, 20) + e.cpu(3, 1500) + e.tail(1, 0)
    other = e.enter(1, 5) + e.custom(b'text', 1230, 25, cpu=2) + e.wrap(9000000000) + e.exit(1, 7)
    custom_cpu = 2
    return (e.buffer(7, 100, 10**6, 1, 1000, one), e.buffer(7, 101, 2 * 10**6, 2, 1200, other),
            wanted(e, 100, 1, ('clock reading', 1000, None, ()), ('enter', 1000, '#1', ()), ('enter', 1010, '#2', (100,)),
                   ('exit', 1030, '#2', (None,))) + wanted(e, 100, 3, ('tail exit', 1500, '#1', ())),
            wanted(e, 101, 2, ('clock reading', 1200, None, ()), ('enter', 1205, '#1', ())) +
            wanted(e, 101, custom_cpu, ('instant', 1230, 'custom_event', ('text',))) +
            wanted(e, 101, 2, ('exit', 9000000007, '#1', ())))


def check_versions():
    for version in range(1, 6):
        for order in ORDERS:
            e = Encoder(version=version, **order)
            first, second, of_first, of_second = two_threads(e)
            for log in (first + second, second + first):
                for pipe in (False, True):
                    read = Read(e.header() + log, pipe)
                    equal(read.plain(), by_time(of_first, of_second), f'version {version}, {order}')
                    equal((read.status, read.errors, read.lost()), (0, '', []))


def check_numbers():
    """Both ends of a call have one number, in recursion, too; an exit without an enter has one of its own."""
    e = Encoder()
    body = e.exit(9, 1) + e.enter(1, 1) + e.enter(1, 1) + e.enter(2, 1) + e.exit(1, 1) + e.exit(1, 1) + e.exit(2, 1)
    read = Read(e.header() + e.buffer(7, 1, 0, 0, 0, body))
    numbers = [(event['event'], event['number']) for event in read.events[1:]]
    equal(numbers, [('exit', 0), ('enter', 1), ('enter', 2), ('enter', 3), ('exit', 2), ('exit', 1), ('exit', 4)])


def check_buffers():
    """A call may end in another buffer of its thread; buffers of a thread are read in the order of time."""
    e = Encoder()
    buffers = [e.buffer(7, 1, 10**6, 0, 1000, e.enter(1, 0) + e.enter(2, 10)),
               e.buffer(7, 1, 10**6 + 1, 0, 2000, e.exit(2, 0) + e.enter(3, 5)),
               e.buffer(7, 1, 2 * 10**6, 0, 3000, e.exit(3, 0) + e.exit(1, 5))]
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        read = Read(e.header() + b''.join(buffers[i] for i in order))
        equal([(event['event'], event['number']) for event in read.events if event['event'] != 'clock reading'],
              [('enter', 0), ('enter', 1), ('exit', 1), ('enter', 2), ('exit', 2), ('exit', 0)])


def check_padding():
    """Version 1: what follows the last record is skipped, whatever it is; buffers without padding are read, too."""
    for order in ORDERS:
        e = Encoder(version=1, buffer_size=512, **order)
        stale = e.enter(77, 1) + e.metadata(3) + b'\x7f\xff'
        for padding in (b'\0', b'\xff', b'\x55', stale, None):
            body = [e.enter(1, 0) + e.exit(1, 10), e.enter(2, 0) + e.exit(2, 10)]
            log = e.header() + b''.join(e.buffer(7, 10 + i, 0, 0, 100 * i, body[i], padding) for i in range(2))
            read = Read(log)
            equal([event['name'] for event in read.events if 'name' in event], ['#1', '#1', '#2', '#2'], f'{padding}')
            equal((read.status, read.errors, read.lost()), (0, '', []), f'{padding}')


def check_args():
    """Runtimes before version 4 wrote arguments after a plain enter; an enter with arguments may lack them."""
    e = Encoder()
    body = e.function(ENTER, 1, 0) + e.arg(5) + e.function(ENTER_ARGS, 2, 1) + e.exit(2, 1) + e.enter(1, 1, 2**64 - 1, 6)
    read = Read(e.header() + e.buffer(7, 1, 0, 0, 0, body))
    equal([event[5:] for event in read.plain()[1:]],
          [('#1', (5,)), ('#2', (None,)), ('#2', (None,)), ('#1', (2**64 - 1, 6))])
    many = e.enter(1, 0, *range(40)) + e.exit(1, 1)
    read = Read(e.header() + e.buffer(7, 1, 0, 0, 0, many))
    equal([len(event[6]) for event in read.plain()], [0, 32, 32])
    equal((read.lost(), [event['count'] for event in read.events if event['event'] == 'loss']),
          (['arguments of a call'], [8]))


def check_events():
    """Custom and typed events have absolute times before version 5, which move no other time."""
    for version in range(1, 6):
        for order in ORDERS:
            e = Encoder(version=version, **order)
            body = e.enter(1, 0) + e.custom(b'a\0b', 1100, 100, cpu=4) + e.typed(9, b'typed', 1200, 100) + e.exit(1, 50)
            read = Read(e.header() + e.buffer(7, 1, 0, 2, 1000, body))
            end = 1250 if version == 5 else 1050
            events = [(event[0], event[1], event[4], event[6]) for event in read.plain()[1:]]
            equal(sorted(events, key=lambda event: event[1]), sorted([
                ('enter', 1000, 2, ()), ('exit', end, 2, ()),
                ('instant', 1100, 4 if version == 4 else 2, events[1][3]), ('instant', 1200, 2, (9, 'typed'))],
                key=lambda event: event[1]), f'version {version}')
    negative = Encoder()
    body = negative.enter(1, 100) + negative.custom(b'x', 0, -40) + negative.exit(1, 100)
    read = Read(negative.header() + negative.buffer(7, 1, 0, 2, 1000, body))
    equal([event[1] for event in read.plain()], [1000, 1100, 1060, 1160])


def check_overwritten():
    """Before version 4, the next record was written over the data of a custom event."""
    for version in (1, 2, 3):
        e = Encoder(version=version)
        body = e.enter(1, 0) + e.custom(b'x' * 20, 1005, 0, lost=True) + e.exit(1, 50) + e.enter(2, 1) + e.exit(2, 1)
        read = Read(e.header() + e.buffer(7, 1, 0, 2, 1000, body))
        equal([(event[5], event[6]) for event in read.plain()[1:]],
              [('#1', ()), ('custom_event', (None,)), ('#1', ()), ('#2', ()), ('#2', ())], f'version {version}')
        equal(read.status, 0)


def check_large():
    """Data that are larger than what is read at a time; a program that uses many functions."""
    e = Encoder()
    text = bytes(ord('a') + i % 26 for i in range(300000))
    body = e.enter(1, 0) + e.custom(text, 0, 1) + b''.join(e.enter(i, 1) + e.exit(i, 1) for i in range(1, 2**28, 2**15 + 1))
    read = Read(e.header() + e.buffer(7, 1, 0, 2, 1000, body))
    equal(read.events[2]['args'][0]['value']['value'], text.decode())
    equal([event['name'] for event in read.events[3::2]], [f'#{i}' for i in range(1, 2**28, 2**15 + 1)])


def check_headers():
    """Several logs in one file: each header counts for what follows it; with other counters, times are compared."""
    a, b = Encoder(version=5, frequency=10**9), Encoder(version=3, frequency=2 * 10**9)
    log = b.header() + b.buffer(7, 2, 0, 0, 2100, b.enter(2, 0) + b.exit(2, 200))
    log += a.header() + a.buffer(7, 1, 0, 0, 1000, a.enter(1, 0) + a.exit(1, 100))
    read = Read(log)
    equal([(event[1], event[5]) for event in read.plain() if event[5]], [(1000, '#1'), (1050, '#2'), (1100, '#1'), (1150, '#2')])
    equal((read.status, read.errors), (0, ''))
    equal(Read(convert(log, 'xray')[0]).plain(), read.plain())
    basic = Basic(version=3)
    log += basic.header() + basic.record(0, ENTER, 3, 500, 4, 7)
    equal([event[5] for event in Read(log).plain() if event[5]], ['#3', '#1', '#2', '#1', '#2'])


def check_several():
    """Logs of several processes become one; with different counters, times are written."""
    logs = []
    for i, frequency in ((1, 10**9), (2, 10**9), (3, 2 * 10**9)):
        e = Encoder(frequency=frequency)
        logs.append(e.header() + e.buffer(10 + i, i, 0, 0, 1000 * i, e.enter(i, 0) + e.exit(i, 5000)))
    with tempfile.TemporaryDirectory() as folder:
        for i, log in enumerate(logs):
            with open(os.path.join(folder, str(i)), 'wb') as file:
                file.write(log)
        for names_, wanted_ in ((['0', '1'], [(1000, 11, '#1'), (2000, 12, '#2'), (6000, 11, '#1'), (7000, 12, '#2')]),
                                (['0', '2'], [(1000, 11, '#1'), (1500, 13, '#3'), (4000, 13, '#3'), (6000, 11, '#1')])):
            subprocess.run([cli, 'convert', '--to=xray'] + names_ + ['out'], cwd=folder, check=True, timeout=60)
            with open(os.path.join(folder, 'out'), 'rb') as file:
                read = Read(file.read())
            equal([(event[1], event[2], event[5]) for event in read.plain() if event[5]], wanted_)


def check_frequency():
    """Without a frequency, a tick is taken for a nanosecond; others are converted."""
    for frequency, time in ((0, 2**40), (10**9, 2**40), (2596132000, 2**40 * 10**9 // 2596132000), (1000, 2**40 * 10**6)):
        e = Encoder(frequency=frequency)
        equal(Read(e.header() + e.buffer(7, 1, 0, 0, 2**40, e.enter(1, 0))).plain()[1][1], time)


# --- written logs ------------------------------------------------------------------------------------------


def convert(log, to, status=0):
    """The log of another format, and what was printed on the way."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'in.xray')
        out = os.path.join(folder, 'out')
        with open(path, 'wb') as file:
            file.write(log)
        done = subprocess.run([cli, 'convert', '--to=' + to, path, out], capture_output=True, check=False, timeout=60)
        equal(done.returncode, status, done.stderr.decode())
        with open(out, 'rb') as file:
            return file.read(), done.stderr.decode()


def llvm_yaml(log):
    """What LLVM's reader makes of the log."""
    with tempfile.NamedTemporaryFile(suffix='.xray') as file:
        file.write(log)
        file.flush()
        done = subprocess.run(['llvm-xray', 'convert', '-f', 'yaml', file.name], capture_output=True, check=True)
    return done.stdout


def without(events, *keys):
    return [{key: value for key, value in event.items() if key not in keys} for event in events]


def check_written():
    """All that is read is written; what was written is read and written alike, and its reserved bytes are zeros."""
    for version in range(1, 6):
        for order in ORDERS:
            e = Encoder(version=version, **order)
            first, second, _, _ = two_threads(e)
            log = e.header() + first + second
            new, told = convert(log, 'xray')
            lost = ('cpu',) if version == 4 else ()  # the processor of an event is set before it
            equal(without(Read(new).events, *lost), without(Read(log).events, *lost), f'version {version}, {order}')
            equal(told, '')
            equal(convert(new, 'xray')[0], new)
            plain = Encoder(fill=0)
            body = plain.enter(1, 0) + plain.enter(2, 10, 100) + plain.exit(2, 20) + plain.cpu(3, 1500) + plain.tail(1, 0)
            process = process_of(e) or 0
            assert new.startswith(plain.header() + plain.buffer(process, 100, 10**6, 1, 1000, body)), new
            old, told = convert(log, 'xray-1')
            equal(without(Read(old).events, 'process', *lost), without(Read(log).events, 'process', *lost))
            equal('2  process of a thread' in told, version >= 3)
            equal(len(old), 32 + 2 * 4096)
            equal(convert(old, 'xray-1')[0], old)


def check_written_limits():
    """Long pauses, times that go back, full buffers, and events that are larger than one."""
    e = Encoder(buffer_size=512)
    body = e.enter(1, 0) + e.wrap(2**40) + e.exit(1, 2**32 - 1) + e.enter(2, 0) + e.custom(b'x' * 600, 0, 3)
    body += b''.join(e.enter(i, 1) + e.exit(i, 1) for i in range(1, 200)) + e.cpu(0xffff, 2**63) + e.enter(1, 0)
    log = e.header() + e.buffer(7, 1, 10**6, 1, 1000, body)
    back = e.header() + e.buffer(7, 1, 10**6, 1, 1000, e.enter(1, 0) + e.wrap(5) + e.exit(1, 0) + e.enter(2, 1))
    equal(Read(convert(back, 'xray')[0]).events, Read(back).events)
    new, told = convert(log, 'xray')
    events = [event for event in Read(log).events if event['event'] != 'clock reading']
    equal([event for event in Read(new).events if event['event'] != 'clock reading'], events)
    equal((told, convert(new, 'xray')[0]), ('', new))
    old, told = convert(log, 'xray-1')
    equal((len(old) - 32) % 512, 0)
    assert '1  event that is larger than a buffer' in told, told
    equal([event[1:] for event in Read(old).plain() if event[0] in ('enter', 'exit')],
          [event[:1] + (None,) + event[2:] for event in [event[1:] for event in Read(log).plain() if event[0] in ('enter', 'exit')]])


def check_llvm_reads():
    """LLVM reads the logs of version 5, and finds in them what it finds in the originals."""
    if shutil.which('llvm-xray') is None:
        sys.exit(77)
    for version, order in ((5, ORDERS[0]), (5, ORDERS[1]), (4, ORDERS[0]), (3, ORDERS[0])):
        e = Encoder(version=version, **order)
        first, second, _, _ = two_threads(e)
        if version < 5:  # its reader takes reserved bytes for the processor of an event
            first, second = (e.buffer(7, i, 10**6, 1, 1000 * i, e.enter(1, 0) + e.enter(2, 10, 100) + e.exit(2, 20)) for i in (1, 2))
        log = e.header() + first + second
        new = convert(log, 'xray')[0]
        equal(llvm_yaml(new).split(b'records:')[1], llvm_yaml(log).split(b'records:')[1], f'version {version}')


# --- other programs' formats, and commands ------------------------------------------------------------------


def run(log, *command):
    """What a command prints for the log, whose path replaces LOG."""
    with tempfile.NamedTemporaryFile(suffix='.xray') as file:
        file.write(log)
        file.flush()
        command = [cli] + [file.name if word == 'LOG' else word for word in command]
        done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    return done.stdout.decode(errors='surrogateescape'), done.stderr.decode(), done.returncode


def check_yaml():
    """Bytes as LLVM's tool prints them; where it repeats the type of an event in what follows, ours does not."""
    e = Encoder(fill=0)
    texts = [b'-x', b'a b', b' a', b'true', b'null', b'12', b'0x1f', b'1e5', b'.5', b"it's", b'a:b', b'tab\tx', b'nl\n',
             b'a"b\\', b'\x01\x7f', b'\xc3\xa4', b'\xff\0z', b'a\xffb', b'~', b'a\0b', b'1.', b'+', b'.inf', b'a,b',
             b'^a', b'#', b'yes', b'\xe2\x80\xa8', b'\xc2\x85\xc2\xa0', b'\xf0\x9f\x98\x80', b'a\r', b'"\x1b', b'1e', b'1.2.3']
    body = e.enter(1, 1) + b''.join(e.custom(text, 0, 1) for text in texts) + e.enter(2, 1, 5, 6)
    body += e.function(ENTER_ARGS, 3, 1) + e.function(ENTER, 4, 1) + e.arg(7) + e.exit(3, 1) + e.tail(2, 1) + e.typed(7, b'ty', 0, 1)
    log = e.header() + e.buffer(7, 1, 0, 0, 0, body) + e.buffer(7, 2, 0, 0, 500, e.custom(b'first', 0, 1))
    basic = Basic(version=3)
    other = basic.header() + basic.record(1, ENTER_ARGS, 2, 110, 10, 7) + basic.argument(2, 10, 7, 42) + basic.record(2, EXIT, 2, 120, 10, 7)
    old = Encoder(version=2)
    third = old.header() + old.buffer(7, 1, 0, 0, 0, old.enter(1, 1) + old.exit(1, 1))
    for sample in (log, other, third):
        new = convert(sample, 'xray-yaml')[0]
        equal(run(sample, 'dump', '--format=yaml', 'LOG'), (new.decode(errors='surrogateescape'), '', 0))
        if shutil.which('llvm-xray') is not None:
            equal(new, llvm_yaml(sample))
    assert "kind: custom-event, tsc: 11, data: 'it''s' }" in convert(log, 'xray-yaml')[0].decode(errors='replace')


def check_fdr_dump():
    """Records as LLVM's tool prints them, in the order of the file."""
    for version in (2, 3, 4, 5):
        e = Encoder(version=version)
        body = e.enter(1, 1) + e.enter(2, 1, 5, 2**64 - 1) + e.wrap(2**40) + e.exit(2, 2**32 - 1) + e.tail(1, 0)
        if version >= 4:
            body += e.custom(b'a\0\xffb', 77, -40, cpu=3)
        if version == 5:
            body += e.typed(9, b'typed', 0, 5) + e.exit(1, 0)
        log = e.header() + e.buffer(7, 2, 10**6 + 5, 3, 10**9, body) + e.buffer(7, 1, 0, 0, 5, e.enter(3, 0))
        text, errors, status = run(log, 'dump', '--format=fdr-dump', 'LOG')
        equal((errors, status), ('', 0))
        assert text.startswith('<Buffer: size = ') and text.endswith('<Function Enter: #3 delta = +0>\n'), text
        if shutil.which('llvm-xray') is not None:
            with tempfile.NamedTemporaryFile() as file:
                file.write(log)
                file.flush()
                theirs = subprocess.run(['llvm-xray', 'fdr-dump', file.name], capture_output=True, check=True, timeout=60)
            equal(text, theirs.stdout.decode(errors='surrogateescape'), f'version {version}')
    e = Encoder(version=1, buffer_size=256)
    text, _, status = run(e.header() + e.buffer(7, 1, 0, 0, 5, e.enter(3, 0)), 'dump', '--format=fdr-dump', 'LOG')
    equal((text.splitlines()[-2:], status), (['<Function Enter: #3 delta = +0>', '<End of Buffer>'], 0))
    e = Encoder()
    log = e.header() + e.buffer(7, 1, 0, 0, 5, e.enter(3, 0) + e.metadata(12)) + e.buffer(7, 1, 0, 0, 9, e.exit(3, 0))
    text, errors, status = run(log, 'dump', '--format=fdr-dump', 'LOG')
    equal((text.count('Function'), 'damaged' in errors, status), (2, True, 1))
    basic = Basic(version=3)
    equal(run(basic.header() + basic.record(0, ENTER, 3, 500, 4, 7), 'dump', '--format=fdr-dump', 'LOG')[2], 1)


def check_chrome():
    """Calls have durations, also those that never ended, and numbers are numbers."""
    e = Encoder()
    body = e.enter(1, 0) + e.enter(2, 1500, 42) + e.custom(b'text', 0, 1) + e.enter(3, 1) + e.exit(2, 1) + e.enter(4, 7) + e.exit(9, 1)
    log = e.header() + e.buffer(7, 1, 0, 0, 1000, body) + e.buffer(7, 2, 0, 0, 1500, e.enter(5, 0) + e.tail(5, 2))
    events = json.loads(convert(log, 'chrome')[0])['traceEvents']
    equal([(v['ph'], v['pid'], v['tid'], v['ts'], v.get('dur'), v['name']) for v in events if v['ph'] != 'M'],
          [('X', 7, 2, 1.5, 0.002, '#5'), ('i', 7, 1, 2.501, None, 'custom_event'), ('X', 7, 1, 2.502, 0.001, '#3'),
           ('X', 7, 1, 2.5, 0.003, '#2'), ('X', 7, 1, 2.51, 0.001, '#4'), ('X', 7, 1, 1.0, 1.511, '#1')])
    equal([v['args'] for v in events if v['ph'] in 'Xi' and 'args' in v], [{'data': 'text'}, {'a0': 42}])
    equal([(v['name'], v['tid'], v['args']['name']) for v in events if v['ph'] == 'M'],
          [('process_name', 1, 'process 7'), ('thread_name', 1, 'thread 1'), ('thread_name', 2, 'thread 2')])
    late = Encoder()
    log = late.header() + late.buffer(7, 1, 0, 0, 1795382385113618855, late.enter(1, 0) + late.exit(1, 1234))
    trace = json.loads(convert(log, 'chrome')[0])
    equal(([(v['ts'], v['dur']) for v in trace['traceEvents'] if 'ts' in v], trace['otherData']), ([(0, 1.234)], {'start_ns': '1795382385113618855'}))


def latencies(log, *options):
    rows = run(log, 'account', '--format=json', *options, 'LOG')[0]
    return [(row['Function'], row['Count'], round(row['Sum'] * 10**9)) for row in json.loads(rows)]


def check_account():
    """Threads out of order, recursion, calls whose ends are missing; tables as LLVM's tool prints them."""
    e = Encoder(fill=0)
    nest = e.enter(1, 1) + e.enter(2, 1) + e.enter(2, 10) + e.enter(3, 5) + e.enter(2, 7) + e.exit(2, 100) + e.exit(3, 20)
    nest += e.exit(2, 30) + e.exit(2, 40) + e.enter(2, 1) + e.exit(2, 1000) + e.exit(1, 2000)
    one = e.buffer(7, 1, 0, 0, 0, nest)
    log = e.header() + e.buffer(7, 2, 0, 0, 50, nest) + one
    equal(latencies(log), [('#1', 2, 6428), ('#2', 8, 2948), ('#3', 2, 254)])
    equal(latencies(log, '--recursive-calls-only'), [('#2', 6, 948)])
    equal(latencies(log, '--sort=sum', '--sortorder=dsc', '--top=2'), [('#1', 2, 6428), ('#2', 8, 2948)])
    missing = e.enter(1, 1) + e.enter(2, 10) + e.enter(3, 5) + e.exit(2, 7) + e.enter(4, 3) + e.tail(4, 1) + e.exit(9, 1)
    missing = e.header() + e.buffer(7, 1, 0, 0, 0, missing)
    equal(latencies(missing), [('#2', 1, 12), ('#4', 1, 1)])
    equal(latencies(missing, '--deduce-sibling-calls'), [('#2', 1, 12), ('#3', 1, 7), ('#4', 1, 1)])
    errors = run(missing, 'account', 'LOG')[1]
    assert '2 calls are left out' in errors and '1 ends of calls are left out' in errors, errors
    if shutil.which('llvm-xray') is not None:
        for frequency in (10**9, 2596132000, 0):
            e = Encoder(fill=0, frequency=frequency)
            log = e.header() + one
            for options in ([], ['-f', 'csv'], ['-f', 'csv', '-s', 'sum', '-r', 'dsc', '-p', '2'], ['-f', 'csv', '-s', 'count', '-p', '1'], ['-p', '2']):
                with tempfile.NamedTemporaryFile() as file:
                    file.write(log)
                    file.flush()
                    theirs = subprocess.run(['llvm-xray', 'account', file.name] + options, capture_output=True, check=True, timeout=60)
                equal(run(log, 'account', 'LOG', *options)[0], theirs.stdout.decode(), f'{options}')


def random_calls(e, seed, count, functions=9):
    """Records of calls inside one, some of which end with a tail call, or whose ends are missing."""
    draw, stack, body = random.Random(seed), [], e.enter(functions + 1, 5)
    for _ in range(count):
        ends = stack and draw.random() < 0.5
        if ends and draw.random() < 0.1:
            stack.pop()
        if ends and stack:
            body += (e.tail if draw.random() < 0.2 else e.exit)(stack.pop(), draw.randrange(1, 1000))
        else:
            stack.append(draw.randrange(1, functions + 1))
            body += e.enter(stack[-1], draw.randrange(1, 1000))
    return body + e.exit(functions + 1, 7)


def llvm(log, *command):
    """What llvm-xray prints for the log, whose path replaces LOG."""
    with tempfile.NamedTemporaryFile(suffix='.xray') as file:
        file.write(log)
        file.flush()
        done = subprocess.run(['llvm-xray'] + [file.name if word == 'LOG' else word for word in command], capture_output=True, check=True,
                              timeout=60)
    return done.stdout.decode()


def stored(file):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'data', file), 'rb') as file:
        return file.read()


def check_stacks():
    """Reports and lines are those of LLVM's tool, order included, where it reads the log right."""
    plain = stored('plain-5.xray')
    equal(run(plain, 'stack', 'LOG')[0], stored('plain-5.stack.txt').decode())
    flame = ['--all-stacks', '--stack-format=flame']
    equal(run(plain, 'stack', *flame, '--inclusive', 'LOG')[0], stored('plain-5.flame.txt').decode())
    if shutil.which('llvm-xray') is None:
        return
    e = Encoder(fill=0)
    logs = [plain]
    for seed, threads, functions in ((1, 1, 9), (2, 1, 60), (3, 3, 5), (4, 4, 90)):
        logs.append(e.header() + b''.join(e.buffer(7, 100 * seed + i, i, 0, 10**6 * i, random_calls(e, seed + i, 2000, functions))
                                          for i in range(threads)))
    for log in logs:
        for options in ([], ['--per-thread-stacks'], ['--aggregate-threads'], flame, flame + ['--aggregate-threads'],
                        flame + ['--aggregation-type=count'], flame + ['--aggregate-threads', '--aggregation-type=count']):
            if options == ['--aggregate-threads'] and log != plain:
                continue  # it shows the callers' numbers of only one thread
            ours = options + (['--inclusive'] if '--all-stacks' in options else [])
            equal(run(log, 'stack', *ours, 'LOG')[0], llvm(log, 'stack', *options, 'LOG'), f'{options}')


VALUES = ('none', 'count', 'min', 'med', '90p', '99p', 'max', 'sum')


def check_graphs():
    """Graphs are those of LLVM's tool, order and colours included."""
    plain = stored('plain-5.xray')
    options = ['-d', '-e', 'sum', '-v', '99p', '-c', 'sum', '-b', 'count']
    equal(run(plain, 'graph', *options, 'LOG')[0], stored('plain-5.graph.txt').decode())
    rows = json.loads(run(plain, 'graph', '--format=json', 'LOG')[0])
    equal([(row['Caller'], row['Function'], row['Count']) for row in rows if row['Caller'] != '#6'],
          [('#1', '#1', 12), (None, '#6', 3), (None, '#8', 1)])
    text = run(plain, 'graph', '--function=#3', '-e', 'count', 'LOG')[0]
    equal(text, 'digraph xray {\nF6 -> F3 [label="15"];\nF6 [label="#6"];\nF3 [label="#3"];\n}\n')
    if shutil.which('llvm-xray') is None:
        return
    for seed, functions, frequency in ((1, 9, 10**9), (2, 200, 2596132000), (3, 1000, 0)):
        e = Encoder(fill=0, frequency=frequency)
        log = e.header() + e.buffer(7, 1, 0, 0, 10**6, random_calls(e, seed, 4000, functions))
        for i, value_ in enumerate(VALUES):
            options = ['-d', '-e', value_, '-v', VALUES[i - 1], '-c', VALUES[i - 2], '-b', VALUES[i - 3]]
            equal(run(log, 'graph', *options, 'LOG')[0], llvm(log, 'graph', *options, 'LOG'), f'{seed} {options}')
        equal(run(log, 'graph', '-d', 'LOG')[0], llvm(log, 'graph', '-d', 'LOG'))


def lines_by_name(dot):
    """The lines of a graph of changes, sorted, with names in place of the numbers of vertices, which follow no rule."""
    names = {number: label.split('|')[0].strip('{}') for number, label in re.findall(r'^(F\d+) \[label="([^"]*)"', dot, re.M)}
    return sorted(re.sub(r'^(F\d+)( -> (F\d+))?', lambda match: ' -> '.join(names[n] for n in match.group(1, 3) if n), line)
                  for line in dot.splitlines())


def check_graph_changes():
    """Graphs of two logs are those of LLVM's tool, apart from the order. What was and is nothing did not change."""
    e = Encoder(fill=0)
    logs = []
    for i in range(2):
        calls = b''.join(e.enter(f, 1) + e.exit(f, 2 + (f * 7 % 13) * 3 * (i + f % 2)) for f in range(2 + 2 * i, 60 + 3 * i) for _ in range(1 + f % 3))
        logs.append(e.header() + e.buffer(7, 1, 0, 0, 1000, e.enter(1, 1) + calls + e.exit(1, 5)))
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, str(i)) for i in range(2)]
        for path, log in zip(paths, logs):
            with open(path, 'wb') as file:
                file.write(log)
        text, errors, status = run(b'', 'graph-diff', '--edge-label=count', '--function=#@(2|3|61)', *paths)
        equal((errors, status), ('', 0))
        equal(text.count('color="#FF0000" labelfontcolor'), 2)
        equal(text.count('color="#00FF00" labelfontcolor'), 1)
        equal(run(b'', 'graph-diff', paths[0])[2], 1)
        if shutil.which('llvm-xray') is None:
            return
        for i, value_ in enumerate(VALUES):
            options = ['--edge-label=' + value_, '--edge-color=' + VALUES[i - 1], '--vertex-label=' + VALUES[i - 2],
                       '--vertex-color=' + VALUES[i - 3], '--vertex-label-trun=2']
            theirs = subprocess.run(['llvm-xray', 'graph-diff', *options, *paths], capture_output=True, check=True, timeout=60)
            equal(lines_by_name(run(b'', 'graph-diff', *options, *paths)[0]), lines_by_name(theirs.stdout.decode()), f'{options}')


def check_self_time():
    """The lines of a thread add up to the time of its outermost calls, whichever calls were inside."""
    e = Encoder()
    log = e.header() + b''.join(e.buffer(7, i, i, 0, 10**6 * i, random_calls(e, i, 3000)) for i in (1, 2))
    inclusive = [line.rsplit(' ', 1) for line in run(log, 'stack', '--format=flame', '--inclusive', 'LOG')[0].splitlines()]
    lines = [line.rsplit(' ', 1) for line in run(log, 'stack', '--format=flame', 'LOG')[0].splitlines()]
    for thread in ('thread_1;', 'thread_2;'):
        whole = sum(int(value) for stack, value in inclusive if stack.startswith(thread) and stack.count(';') == 2)
        equal(sum(int(value) for stack, value in lines if stack.startswith(thread)), whole, thread)
    assert not any(stack.endswith(';') or value == '0' for stack, value in lines)
    rows = json.loads(run(log, 'stack', '--format=json', 'LOG')[0])
    equal(sum(row['Count'] for row in rows), run(log, 'dump', 'LOG')[0].count('\nenter'), 'calls')
    equal(round(sum(row['Self'] for row in rows) * 10**9), sum(int(value) for _, value in lines))
    by_id = {row['Id']: row for row in rows}
    for row in rows:
        if row['Parent'] is not None:
            equal(by_id[row['Parent']]['Thread'], row['Thread'])


def check_filters():
    """Functions, threads, processes, processors and times; a call belongs to where it was entered."""
    e = Encoder()
    one = e.enter(1, 0) + e.enter(2, 100) + e.exit(2, 10) + e.cpu(3, 10**9) + e.enter(2, 0) + e.exit(2, 20) + e.exit(1, 10**9)
    other = e.enter(1, 0) + e.enter(3, 5) + e.exit(3, 6) + e.exit(1, 1)
    log = e.header() + e.buffer(7, 100, 0, 1, 0, one) + e.buffer(8, 101, 0, 2, 500, other)
    for options, rows in ((['--function=#2'], [('#2', 2, 30)]), (['--function=@(#2|#3)'], [('#2', 2, 30), ('#3', 1, 6)]),
                          (['--thread=101'], [('#1', 1, 12), ('#3', 1, 6)]), (['--thread=0x64,5', '--function=#2'], [('#2', 2, 30)]),
                          (['--process=8'], [('#1', 1, 12), ('#3', 1, 6)]), (['--cpu=3'], [('#2', 1, 20)]),
                          (['--time=1,'], [('#2', 1, 20)]), (['--time=505ns,1'], [('#3', 1, 6)]),
                          (['--time=,100ns'], [('#1', 1, 2 * 10**9 + 20)]),
                          (['--time=@0.0000001,@1'], [('#1', 1, 12), ('#2', 1, 10), ('#3', 1, 6)])):
        equal(latencies(log, *options), rows, f'{options}')
    flame = run(log, 'stack', '--format=flame', '--thread=100', '--function=#2', 'LOG')[0]
    equal(flame, 'thread_100;#1;#2 30\n')
    for option in ('--time=5', '--time=x,', '--time=1,14:61', '--time=14:00,', '--thread=x', '--cpu=1,', '--process=1,,2'):
        text, errors, status = run(log, 'account', option, 'LOG')
        equal((text, status), ('', 1), option)
        assert option[2:option.index('=')] in errors, errors


def calls_of(trace, *options):
    return re.findall(r'#\d+\(\)', run(b'', 'dump', *options, trace)[0])


def check_times_of_day():
    """Times of day, in UTC and local, select in every format that tells them."""
    e = Encoder()
    wall = 1700000000 * 10**6  # 2023-11-14T22:13:20Z
    body = e.enter(1, 0) + e.exit(1, 100) + e.enter(2, 10**9 - 100) + e.exit(2, 200) + e.enter(3, 10**9 - 200) + e.exit(3, 300)
    log = e.header() + e.buffer(7, 100, wall, 1, 5 * 10**9, body)
    first, second, third = [('#1', 1, 100)], [('#2', 1, 200)], [('#3', 1, 300)]
    cases = ((',', first + second + third), ('22:13:21Z,', second + third), (',22:13:21Z', first), ('22:13:20.9Z,22:13:21.1Z', second),
             ('2023-11-14T22:13:22Z,', third), ('2023-11-14 22:13:21Z,2023-11-14T22:13:22Z', second), ('2023-11-13T22:13:21Z,', first + second + third),
             (',2023-11-13T23:00Z', []), ('22:13Z,22:13:21Z', first), ('03:43:22,', third), (',2023-11-15T03:43:22', first + second),
             ('1.5,22:13:23Z', third), ('2023-11-15T03:43:21,22:13:22Z', second))
    os.environ['TZ'] = 'XST-5:30'  # 5.5 hours before UTC
    with tempfile.TemporaryDirectory() as folder:
        trace, part = os.path.join(folder, 'app.trace'), os.path.join(folder, 'part.trace')
        equal(run(log, 'convert', '--to=apitrace', 'LOG', trace)[2], 0)
        for text, wanted in cases:
            option = f'--time={text}'
            equal(latencies(log, option), wanted, text)
            rows = json.loads(run(b'', 'account', '--format=json', option, trace)[0])
            equal([(row['Function'], row['Count'], round(row['Sum'] * 10**9)) for row in rows], wanted, text)
            calls = [f'{function}()' for function, _, _ in wanted]
            equal(calls_of(trace, option), calls, text)
            equal(run(b'', 'trim', option, '-o', part, trace)[2], 0)
            equal(calls_of(part), calls, text)
        xray = os.path.join(folder, 'again.xray')  # and back
        equal(run(b'', 'convert', '--to=xray', trace, xray)[2], 0)
        equal(len(json.loads(run(b'', 'account', '--format=json', '--time=22:13:21Z,', xray)[0])), 2)


def check_names():
    """Names and lines of functions of a program that was built for it, typed events included."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, 'app.cc'), os.path.join(folder, 'app')
        with open(source, 'w') as file:
            file.write('__attribute__((xray_always_instrument)) int first(int x)\n{\n    return x;\n}\n'
                       'namespace room {\n__attribute__((xray_always_instrument)) void second(const char *p)\n{\n'
                       '    __xray_customevent(p, 4);\n    __xray_typedevent(1, p, 4);\n}\n}\n'
                       'int main()\n{\n    room::second("text");\n    return first(0);\n}\n')
        done = subprocess.run(['clang++', '-g', '-O0', '-fxray-instrument', '-o', program, source], capture_output=True, check=False) \
            if shutil.which('clang++') else None
        if done is None or done.returncode != 0:
            sys.exit(77)
        e = Encoder()
        log = e.header() + e.buffer(7, 1, 0, 0, 0, b''.join(e.enter(i, 0) + e.exit(i, 1) for i in (1, 2, 9)))
        rows = [line[74:] for line in run(log, 'account', '-m', program, 'LOG')[0].splitlines()[2:]]
        equal([row.split('  ')[-1] for row in rows], ['app.cc:2:0: first(int)', 'app.cc:7:0: room::second(char const*)', '(unknown): #9'])
        lines = run(log, 'extract', '-s', program)[0].splitlines()
        equal((lines[0], lines[-1], len(lines)), ('---', '...', 8))
        equal([line.split('kind: ')[1].split(',')[0] for line in lines[1:-1]],
              ['function-enter', 'function-exit', 'function-enter', 'custom-event', 'typed-event', 'function-exit'])
        assert "function-name: 'room::second(char const*)', version: 2 }" in lines[3], lines
        text, errors, status = run(log, 'account', '-m', source, 'LOG')
        equal((text, status), ('', 1))
        errors = run(log, 'account', '-m', cli, 'LOG')[1]
        assert 'no instrumentation map' in errors, errors


# --- damage ------------------------------------------------------------------------------------------------


def check_extents():
    """Each typed event makes the extents too small by its marker, so that buffers end inside a record."""
    e = Encoder()
    body = e.typed(1, b'abcd', 0, 1) + e.enter(1, 1) + e.exit(1, 1) + e.enter(2, 1)
    cut = e.preamble(7, 1, 0, 0, 1000) + body
    cut = cut[:len(cut) - 12]
    log = e.header() + e.buffer(7, 1, 0, 0, 0, b'')[:16].replace(
        e.pack('Q', 64), e.pack('Q', len(cut))) + cut + e.buffer(7, 2, 0, 0, 2000, e.enter(3, 0))
    read = Read(log)
    equal([event[5] for event in read.plain() if event[5]], ['typed_event', '#1', '#3'])
    equal((read.status, read.lost(), read.errors), (0, ['the end of a buffer'], ''))
    for command in (['account'], ['stack'], ['graph']):
        _, errors, status = run(log, *command, 'LOG')
        equal((status, 'events are missing in 1 place' in errors), (0, True), f'{command} {errors}')
        equal('missing' in run(e.header() + e.buffer(7, 1, 0, 0, 0, e.enter(1, 1) + e.exit(1, 1)), *command, 'LOG')[1], False)


def three_buffers(e):
    return [e.buffer(7, i, 0, 0, 1000 * i, e.enter(i, 0) + e.exit(i, 1) + e.enter(10 + i, 0) + e.exit(10 + i, 1))
            for i in (1, 2, 3)]


def names(read):
    return [event[5] for event in read.plain() if event[0] == 'enter']


def check_damage():
    """What is not allowed costs the rest of its buffer; the others are read, and the exit status tells."""
    for version in range(1, 6):
        for order in ORDERS:
            e = Encoder(version=version, buffer_size=256, **order)
            for bad in (e.metadata(12), e.function(5, 1, 0), e.metadata(0), e.metadata(4), e.exit(2, 0) + e.arg(1)):
                buffers = three_buffers(e)
                buffers[1] = e.buffer(7, 2, 0, 0, 2000, e.enter(2, 0) + bad + e.enter(12, 0) + e.exit(12, 0))
                read = Read(e.header() + b''.join(buffers))
                equal(names(read), ['#1', '#11', '#2', '#3', '#13'], f'version {version}, {order}, {bad}')
                equal((read.status, read.lost()), (1, ['the rest of a buffer']))
                assert 'no record that is allowed there begins at offset' in read.errors, read.errors


def check_wrong_extents():
    """Extents that lead nowhere: the next buffer is searched."""
    for size in (0, 16, 100, 5000, 2**63):
        e = Encoder()
        buffers = three_buffers(e)
        buffers[1] = e.buffer(7, 2, 0, 0, 2000, e.enter(2, 0) + e.exit(2, 1) + e.enter(12, 0) + e.exit(12, 1), extents=size)
        read = Read(e.header() + b''.join(buffers))
        found = names(read)
        equal((found[:2], found[-2:]), (['#1', '#11'], ['#3', '#13']), f'{size}')
        if size > 100:
            equal(found, ['#1', '#11', '#2', '#12', '#3', '#13'], f'{size}')


def check_gaps():
    """Bytes between buffers are told, and nothing else is lost."""
    for version in (1, 2, 3, 5):
        e = Encoder(version=version, buffer_size=256)
        for junk in (b'x', b'\0' * 33, os.urandom(100)):
            buffers = three_buffers(e)
            read = Read(e.header() + buffers[0] + junk + buffers[1] + buffers[2])
            equal(names(read), ['#1', '#11', '#2', '#12', '#3', '#13'], f'version {version}')
            equal((read.status, read.lost()), (1, ['bytes between buffers']))
            read = Read(e.header() + junk + b''.join(buffers))
            equal(names(read), ['#1', '#11', '#2', '#12', '#3', '#13'], f'version {version}')


def check_cuts():
    """A log that is cut anywhere is read as far as it goes."""
    for version in (1, 2, 4, 5):
        e = Encoder(version=version, buffer_size=256)
        log = e.header() + b''.join(three_buffers(e)[:2])
        before = 0
        for end in range(len(log)):
            read = Read(log[:end])
            equal(read.status, 0 if end >= 32 else 1, f'version {version}, {end}: {read.errors}')
            assert len(names(read)) >= before, f'{end}'
            before = len(names(read))
        equal(before, 4)


# --- basic logs --------------------------------------------------------------------------------------------


def check_basic():
    """Threads are written in turns, so that the file is not in the order of time."""
    for version in (1, 2, 3):
        for big in (False, True):
            e = Basic(version=version, big=big)
            one = [e.record(1, ENTER, 1, 100, 10, 7), e.record(1, ENTER_ARGS, 2, 110, 10, 7), e.argument(2, 10, 7, 42),
                   e.record(2, EXIT, 2, 120, 10, 7), e.record(2, TAIL, 1, 130, 10, 7)]
            other = [e.record(3, ENTER, 1, 105, 11, 7), e.record(3, EXIT, 1, 125, 11, 7)]
            first = wanted(e, 10, 1, ('enter', 100, '#1', ()), ('enter', 110, '#2', (42,))) + wanted(
                e, 10, 2, ('exit', 120, '#2', (None,)), ('tail exit', 130, '#1', ()))
            second = wanted(e, 11, 3, ('enter', 105, '#1', ()), ('exit', 125, '#1', ()))
            for records in (one + other, other + one, one[:3] + other + one[3:]):
                read = Read(e.header(flags=0xff) + b''.join(records))
                equal(read.plain(), by_time(first, second), f'version {version}')
                equal((read.status, read.errors), (0, ''))
            bad = e.pack('HBBiQIIQ', 9, 0, 0, 0, 0, 0, 0, 0)
            read = Read(e.header() + one[0] + bad + b''.join(one[1:] + other))
            equal((read.plain(), read.status), (by_time(first, second), 1))
            read = Read(e.header() + b''.join(one + other) + b'rest')
            equal((read.plain(), read.status), (by_time(first, second), 0))
            assert 'ends inside' in read.errors


def check_empty():
    """A log without records is a log."""
    for e in [Encoder(version=v, **order) for v in range(1, 6) for order in ORDERS[:2]] + [
            Basic(version=v, big=big) for v in (1, 2, 3) for big in (False, True)]:
        read = Read(e.header())
        equal((read.status, read.events, read.errors), (0, [], ''))


cli = sys.argv[1]
checks = {key[6:]: check for key, check in globals().items() if key.startswith('check_')}
for name in sys.argv[2:] or checks:
    checks[name]()
