# SPDX-License-Identifier: MIT
"""Traps of XRay's logs: where what runtimes wrote, the document and LLVM's reader differ.
usage: check_traps.py TRACE_CLI [NAME...]"""
import json
import os
import subprocess
import sys
import tempfile

from xray_log import CPU, ENTER, ENTER_ARGS, EXIT, NEW_BUFFER, PID, WALL, Basic, Encoder

ORDERS = [{'big': False}, {'big': True}, {'big': True, 'high': True}]


def equal(found, wanted, what=''):
    if found != wanted:
        sys.exit(f'{name}: {what}\nfound:  {found!r:.3000}\nwanted: {wanted!r:.3000}')


def run(log, *command, status=0):
    with tempfile.NamedTemporaryFile(suffix='.xray') as file:
        file.write(log)
        file.flush()
        done = subprocess.run([cli, *command, file.name], capture_output=True, check=False, timeout=60)
    equal(done.returncode, status, done.stderr.decode())
    return done.stdout.decode(), done.stderr.decode()


def read(log, status=0):
    """The events: kind, time, process, thread, processor, name or reason, arguments."""
    text, errors = run(log, 'dump', '--format=json', '--blobs=inline', status=status)
    events = [json.loads(line) for line in text.splitlines() if '"event"' in line]
    if status == 0:
        equal(errors, '')
    return [(e['event'], int(e['time_ns']) if 'time_ns' in e else None, e.get('process'), e.get('thread'), e.get('cpu'),
             e.get('name', e.get('reason')), [a['value'].get('value') for a in e.get('args', [])]) for e in events]


def calls(events):
    return [(e[0], e[1], e[5]) for e in events if e[0] in ('enter', 'exit', 'tail exit')]


# --- headers ---------------------------------------------------------------------------------------------


def check_header():
    """Bits and bytes without a meaning are ignored, and versions that nobody wrote refused."""
    for order in ORDERS:
        e = Encoder(**order)
        body = e.buffer(7, 1, 0, 0, 1000, e.enter(1, 0) + e.exit(1, 5))
        wanted = read(e.header() + body)
        equal(calls(wanted), [('enter', 1000, '#1'), ('exit', 1005, '#1')])
        for flags in (0, 0xff, 0xfffffffc, 0xffffffff):
            head = e.pack('HHIQQ', 5, 1, flags, 10**9, 0) + b'\x94\x66\0\0\xf2\x1b\xd2\xca'
            equal(read(head + body), wanted, f'{flags}')
            properties = json.loads(run(head + body, 'info')[0])['Properties']
            bits = (flags >> 31, flags >> 30 & 1) if order.get('high') else (flags & 1, flags >> 1 & 1)
            equal((properties['xray.constant-tsc'], properties['xray.nonstop-tsc']), tuple(('no', 'yes')[bit] for bit in bits))
        for kind, version in ((1, 0), (1, 6), (1, 256 * 5), (0, 0), (0, 4), (2, 1), (0xffff, 5)):
            run(e.pack('HHIQQQ', version, kind, 3, 10**9, 0, 0) + body, 'dump', status=1)
    b = Basic(version=3)
    log = b.pack('HHIQQQ', 3, 0, 0xffffffff, 10**9, 2**63 + 5, 77) + b.record(0, ENTER, 1, 500, 4, 7)
    equal(calls(read(log)), [('enter', 500, '#1')])


def check_frequency():
    """Counters beyond what fits into nanoseconds; without a frequency, account prints ticks."""
    for frequency, ticks, time in ((1, 2**63, 2**63 - 1), (0, 2**64 - 1, 2**63 - 1), (2**64 - 1, 2**64 - 1, 10**9), (3, 10, 3333333333)):
        e = Encoder(frequency=frequency)
        equal(read(e.header() + e.buffer(7, 1, 0, 0, ticks, e.enter(1, 0)))[1][1], time, f'{frequency}')
    e = Encoder(frequency=0)
    text = run(e.header() + e.buffer(7, 1, 0, 0, 5, e.enter(1, 0) + e.exit(1, 1500)), 'account', '--format=csv')[0]
    equal(text.splitlines()[1].split(',')[2:8], ['1.500000e+03'] * 6)


def check_same_header():
    """A log without any padding whose header's size is that of all buffers, as one reading of the document has it."""
    for order in ORDERS:
        e = Encoder(version=1, **order)
        data = b''.join(e.buffer(7, i, 0, 0, 100 * i, e.enter(i, 0) + e.exit(i, 5), padding=None) for i in (1, 2, 3))
        e.buffer_size = len(data)
        equal([call[2] for call in calls(read(e.header() + data))], ['#1', '#1', '#2', '#2', '#3', '#3'])


# --- buffers -----------------------------------------------------------------------------------------------


def check_two_processors():
    """A thread's first buffer of version 1 has two records of the processor; the second one counts."""
    for order in ORDERS:
        e = Encoder(version=1, **order)
        log = e.header() + e.buffer(7, 1, 0, 2, 1000, e.cpu(3, 1010) + e.enter(1, 0) + e.exit(1, 5))
        equal([(event[1], event[4]) for event in read(log)], [(1000, 2), (1010, 3), (1015, 3)])


def check_switched_buffer():
    """Where a thread goes on in another buffer, the runtime of version 1 wrote the ticks since its last record, although the
    buffer begins with the counter at that record. Any other number is what the document says: ticks since the beginning."""
    for delta, begin in ((495, 1500), (494, 1994), (0, 1500), (4, 1504)):
        e = Encoder(version=1)
        one = e.buffer(7, 1, 0, 0, 1000, e.enter(1, 0) + e.enter(2, 5), padding=None)
        other = e.buffer(7, 1, 1, 0, 1500, e.exit(2, delta) + e.exit(1, 7), padding=None)
        stranger = e.buffer(7, 2, 0, 0, 1001, e.enter(9, 2) + e.exit(9, 1), padding=None)
        for log in (one + other + stranger, stranger + other + one):
            found = [call for call in calls(read(e.header() + log)) if call[2] != '#9']
            equal(found, [('enter', 1000, '#1'), ('enter', 1005, '#2'), ('exit', begin, '#2'), ('exit', begin + 7, '#1')], f'{delta}')
    e = Encoder(version=2)  # which does it right
    one = e.buffer(7, 1, 0, 0, 1000, e.enter(1, 0) + e.enter(2, 5))
    other = e.buffer(7, 1, 1, 0, 1500, e.exit(2, 495) + e.exit(1, 7))
    equal(calls(read(e.header() + one + other))[2], ('exit', 1995, '#2'))


def check_short_thread_ids():
    """The document gives a thread 2 bytes in version 1, runtimes 4. No number of a thread is as high as 4 bytes with waste."""
    for order in ORDERS:
        for version, thread in ((1, 4660), (5, 0xa5a51234 if not order['big'] else 0x1234a5a5)):
            e = Encoder(version=version, **order)
            log = e.buffer(7, 0, 0, 0, 1000, e.enter(1, 0))
            at = 0 if version == 1 else 16
            log = log[:at + 1] + e.pack('H', 4660) + b'\xa5\xa5' + log[at + 5:]
            equal([event[3] for event in read(e.header() + log)], [thread] * 2, f'{version}, {order}')
        e = Encoder(version=1, **order)
        for thread in (1, 65536, 4194304):
            equal(read(e.header() + e.buffer(7, thread, 0, 0, 1000, e.enter(1, 0)))[1][3], thread)


def check_preambles():
    """A process may be told in any version; buffers without records are buffers."""
    for version in range(1, 6):
        for with_process in (False, True):
            e = Encoder(version=version)
            data = e.metadata(NEW_BUFFER, e.pack('i', 5)) + e.metadata(WALL, e.pack('QI', 3, 999999))
            data += (e.metadata(PID, e.pack('i', 77)) if with_process else b'') + e.metadata(CPU, e.pack('HQ', 4, 1000))
            one = data + e.enter(1, 1) + (e.end() if version == 1 else b'')
            none = data + (e.end() if version == 1 else b'')
            if version > 1:
                one, none = (e.metadata(7, e.pack('Q', len(b))) + b for b in (one, none))
            process = 77 if with_process else None
            events = read(e.header() + none + one + none)
            equal(sorted((event[0], event[2]) for event in events), [('clock reading', process)] * 3 + [('enter', process)])


def check_second_wrap():
    """Buffers of a thread on both sides of a full second, in any order, by the counter."""
    e = Encoder()
    buffers = [e.buffer(7, 1, wall, 0, ticks, e.enter(i, 0) + e.exit(i, 5))
               for i, (wall, ticks) in enumerate(((1999998, 100), (1999999, 200), (2000000, 300), (2000001, 400)), 1)]
    for order in ((0, 1, 2, 3), (3, 0, 2, 1), (1, 3, 0, 2)):
        found = calls(read(e.header() + b''.join(buffers[i] for i in order)))
        equal([call[1] for call in found], [100, 105, 200, 205, 300, 305, 400, 405])


def check_end_of_buffer():
    """Since version 2, no record ends a buffer."""
    for version in (2, 3, 4, 5):
        e = Encoder(version=version)
        log = e.header() + e.buffer(7, 1, 0, 0, 1000, e.enter(1, 0) + e.end() + e.exit(1, 5)) + e.buffer(7, 2, 0, 0, 2000, e.enter(2, 0))
        events = read(log, status=1)
        equal([event[5] for event in events if event[5]], ['#1', 'the rest of a buffer', '#2'])


def check_no_thread():
    """No thread or process has the number 0, in any log, and none is printed."""
    e, b = Encoder(), Basic(version=3)
    for log in (e.header() + e.buffer(0, 0, 0, 0, 1000, e.enter(1, 0)), b.header() + b.record(0, ENTER, 1, 1000, 0, 0)):
        equal(read(log)[-1][:4], ('enter', 1000, None, None))
        equal('thread' in run(log, 'dump', '--format=yaml')[0], False)


# --- records -----------------------------------------------------------------------------------------------


def check_processors():
    """A processor's number has 16 bits in FDR logs, 8 in basic ones."""
    for order in ORDERS:
        for cpu in (255, 256, 65535):
            e = Encoder(**order)
            equal([event[4] for event in read(e.header() + e.buffer(7, 1, 0, cpu, 0, e.enter(1, 0) + e.cpu(cpu - 1, 5) + e.exit(1, 0)))],
                  [cpu, cpu, cpu - 1])
            four = Encoder(version=4, **order)
            equal(read(four.header() + four.buffer(7, 1, 0, 1, 0, four.custom(b'x', 9, 0, cpu=cpu)))[1][4], cpu)


def check_sizes():
    """Events may have no data, and none has less."""
    for version in (1, 3, 4, 5):
        e = Encoder(version=version)
        log = e.header() + e.buffer(7, 1, 0, 0, 1000, e.custom(b'', 1001, 1) + e.typed(3, b'', 1002, 1) + e.enter(1, 1))
        equal(sorted((event[5], event[6]) for event in read(log)[1:]), [('#1', []), ('custom_event', ['']), ('typed_event', [3, ''])])
        negative = e.metadata(5, e.pack('iiH', -1, 0, 0)) + e.enter(2, 0)
        log = e.header() + e.buffer(7, 1, 0, 0, 1000, e.enter(1, 0) + negative) + e.buffer(7, 2, 0, 0, 2000, e.enter(3, 0))
        equal([event[5] for event in read(log, status=1) if event[5]], ['#1', 'the rest of a buffer', '#3'])
    e = Encoder()
    huge = e.metadata(5, e.pack('ii', 2**31 - 1, 0)) + e.enter(2, 0)
    log = e.header() + e.buffer(7, 1, 0, 0, 1000, e.enter(1, 0) + huge) + e.buffer(7, 2, 0, 0, 2000, e.enter(3, 0))
    equal([event[5] for event in read(log) if event[5]], ['#1', 'the end of a buffer', '#3'])


def check_function_0():
    """No function has the number 0; one in a damaged log keeps it, and its unknown argument."""
    e = Encoder()
    log = e.header() + e.buffer(7, 1, 0, 0, 1000, e.function(ENTER_ARGS, 0, 0) + e.function(ENTER, 0, 1) + e.exit(0, 1))
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'in'), 'wb') as file:
            file.write(log)
        subprocess.run([cli, 'convert', '--to=xray', 'in', 'out'], cwd=folder, check=True, timeout=60)
        with open(os.path.join(folder, 'out'), 'rb') as file:
            equal(read(file.read()), read(log))
    equal([(event[5], event[6]) for event in read(log)[1:]], [('#0', [None]), ('#0', []), ('#0', [])])


def check_far_back():
    """Times that go back, and events with deltas in both directions."""
    e = Encoder()
    body = e.enter(1, 2**32 - 1) + e.wrap(500) + e.exit(1, 1) + e.custom(b'a', 0, -2**31) + e.custom(b'b', 0, 2**31 - 1)
    log = e.header() + e.buffer(7, 1, 0, 0, 2**33, body)
    equal([event[1] for event in read(log)][1:3], [2**33 + 2**32 - 1, 501])


def check_basic_arguments():
    """An argument belongs to the call before it, if function and thread are the same; since version 3, the process, too."""
    for version in (1, 2, 3):
        for big in (False, True):
            e = Basic(version=version, big=big)
            call, end = e.record(1, ENTER_ARGS, 2, 110, 10, 7), e.record(1, EXIT, 2, 120, 10, 7)
            other = e.pack('HHiIIQQ', 1, 0, 2, 10, 99, 42, 0)  # of another process, which means nothing before version 3
            for argument, is_its in ((e.argument(2, 10, 7, 42), True), (e.argument(3, 10, 7, 42), False), (e.argument(2, 11, 7, 42), False),
                                     (other, version < 3)):
                events = read(e.header() + call + argument + end, status=0 if is_its else 1)
                equal((events[0][5], events[0][6]), ('#2', [42] if is_its else [None]), f'version {version}')
                equal([event[0] for event in events[1:]], ['exit'] + ([] if is_its else ['loss']))
            waste = e.pack('HBBiQIIQ', 0, 1, ENTER, 2, 110, 10, 0xa5a5a5a5, 0xa5a5a5a5a5a5a5a5)
            equal(read(e.header() + waste)[0][2:4], (0xa5a5a5a5 if version == 3 else None, 10))


# --- many --------------------------------------------------------------------------------------------------


def check_account_of_threads():
    """What account counts of many threads in any order is what they did."""
    e = Encoder()
    buffers, wanted = [], {}
    for thread in range(1, 40):
        for part in range(3):
            body = b''
            for function in range(1, 4):
                times = thread * function % 5 + part
                for _ in range(times):
                    body += e.enter(function, 1) + e.exit(function, function * 10 + thread)
                count, total = wanted.get(function, (0, 0))
                wanted[function] = (count + times, total + times * (function * 10 + thread))
            buffers.append(e.buffer(7, thread, 0, 0, part * 10000 + 1000 * (thread % 7), body))
    for log in (buffers, buffers[::-1], buffers[1::2] + buffers[::2]):
        rows = json.loads(run(e.header() + b''.join(log), 'account', '--format=json')[0])
        equal({row['Number']: (row['Count'], round(row['Sum'] * 10**9)) for row in rows}, wanted)


def check_many():
    """Many small buffers, each of another thread, and headers: time and memory grow with them, and no more."""
    count = 60000
    for e, step in ((Encoder(), 0), (Encoder(), 10), (Encoder(version=1), 0)):
        log = e.header() + b''.join(e.buffer(7, i + 1, 0, 0, i * step, e.enter(1, 0) + e.exit(1, 1), padding=None) for i in range(count))
        equal(run(log, 'account', '--format=csv')[0].splitlines()[1].split(',')[:2], ['1', str(count)])
    e = Encoder()
    log = (e.header() + e.buffer(7, 1, 0, 0, 5, e.enter(1, 0) + e.exit(1, 1))) * count
    equal(run(log, 'account', '--format=csv')[0].splitlines()[1].split(',')[:2], ['1', str(count)])
    lost = e.buffer(7, 1, 0, 0, 5, e.enter(1, 0) + e.exit(1, 1), extents=10**7)
    equal(run(e.header() + lost * count, 'account', '--format=csv')[0].splitlines()[1].split(',')[:2], ['1', str(count)])


def memory_of(*command):
    """Kilobytes that a command had in memory at most."""
    null = os.open(os.devnull, os.O_WRONLY)
    process = os.posix_spawn(cli, [cli, *command], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)])
    os.close(null)
    _, status, usage = os.wait4(process, 0)
    equal(status, 0, command)
    return usage.ru_maxrss


def check_memory():
    """Bytes that a thread costs which has ended, and one that has calls at the same time as all others."""
    count = 50000
    e = Encoder()
    body = e.enter(1, 0) + e.enter(2, 10) + e.exit(2, 10) + e.exit(1, 10)
    bounds = ((['account'], 550, 1450), (['stack'], 1050, 1950), (['graph'], 550, 1450), (['dump'], 420, 1000), (['convert', '--to=apitrace'], 440, 1650),
              (['convert', '--to=perfetto'], 600, 1750), (['convert', '--to=chrome'], 650, 2450), (['convert', '--to=speedscope'], 800, 1900))
    with tempfile.TemporaryDirectory() as folder:
        for same_time in (False, True):
            path, out = os.path.join(folder, 'log'), os.path.join(folder, 'out')
            with open(path, 'wb') as file:
                file.write(e.header())
                for i in range(count):  # what this process had in memory before counts, too
                    file.write(e.buffer(7, 1000 + i, 0, 0, 1000 if same_time else 1000 * i, body))
            for command, *bound in bounds:
                used = memory_of(*command, path, *([out] if command[0] == 'convert' else [])) * 1024 // count
                if used > bound[same_time]:
                    sys.exit(f'{name}: {command} takes {used} bytes for each of {count} threads, at the same time: {same_time}')


cli = os.path.abspath(sys.argv[1])
checks = {key[6:]: check for key, check in globals().items() if key.startswith('check_')}
for name in sys.argv[2:] or checks:
    checks[name]()
