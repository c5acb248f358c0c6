# SPDX-License-Identifier: MIT
"""What trace-cli reads of XRay's profiles, whole and damaged.
usage: check_profiles.py TRACE_CLI [NAME...]"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'data')
BLOCKS = [(100, [([1], 1, 1000), ([2, 1], 3, 900), ([3, 2, 1], 2**40, 2**63 + 5)]), (101, []), (102, [([7] * 300, 2, 0)])]


def equal(found, wanted, what=''):
    if found != wanted:
        sys.exit(f'{name}: {what}\nfound:  {found!r:.3000}\nwanted: {wanted!r:.3000}')


class Profile:
    def __init__(self, big=False):
        self.order = '>' if big else '<'

    def pack(self, codes, *values):
        return struct.pack(self.order + codes, *values)

    def header(self, process=7, time=1700000000123456789, version=0x20180424):
        return self.pack('QQQQ', 0x7872617970726f66, version, time, process)

    def record(self, path, count, ticks):
        return self.pack(f'{len(path) + 1}I', *path, 0) + self.pack('QQ', count, ticks)

    def block(self, number, thread, records, size=None):
        data = b''.join(self.record(*record) for record in records)
        return self.pack('IIQ', 16 + len(data) if size is None else size, number, thread) + data

    def profile(self, blocks=None, **options):
        blocks = BLOCKS if blocks is None else blocks
        return self.header(**options) + b''.join(self.block(i, *block) for i, block in enumerate(blocks))


def read(data, *options, pipe=False):
    """Exit status, errors, and the events: sums as (process, thread, path from the innermost, count, ticks)."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        done = subprocess.run([cli, 'dump', '--format=json', *options, '-' if pipe else file.name], capture_output=True, check=False, timeout=60,
                              input=data if pipe else b'')
    events = [json.loads(text) for text in done.stdout.decode().splitlines()]
    found = []
    for e in events[1:]:
        if e['event'] == 'sum of calls':
            found.append((e.get('process'), e.get('thread'), e['functions'][::-1], int(e['count']), int(e['ticks'])))
        else:
            found.append((e['event'], e.get('reason', e.get('reading_ns'))))
    return done.returncode, done.stderr.decode(), found


def wanted(blocks, process=7):
    return [(process, thread, [f'#{n}' for n in path], count, ticks) for thread, records in blocks for path, count, ticks in records]


CLOCK = ('clock reading', '1700000000123456789')


def check_orders():
    """Both orders of bytes, from a file and a pipe; several profiles in a file."""
    for big in (False, True):
        p = Profile(big)
        for pipe in (False, True):
            equal(read(p.profile(), pipe=pipe), (0, '', [CLOCK] + wanted(BLOCKS)))
        equal(read(p.profile() + p.profile(process=8)), (0, '', [CLOCK] + wanted(BLOCKS) + [CLOCK] + wanted(BLOCKS, 8)))
        equal(read(p.profile([])), (0, '', [CLOCK]))
        equal(read(p.profile([(0, [([0xffffffff], 1, 1)])], process=0))[2][1:], [(None, None, ['#4294967295'], 1, 1)])


def check_cuts():
    """A profile that is cut anywhere is read as far as it goes."""
    p = Profile()
    whole, count = p.profile(), 0
    ends = {32, 32 + len(p.block(0, *BLOCKS[0])), 32 + len(p.block(0, *BLOCKS[0])) + 16, len(whole)}
    for end in list(range(32, 200)) + [len(whole) - 20, len(whole)]:
        status, errors, events = read(whole[:end])
        equal((status, 'ends inside a block' in errors), (0, end not in ends), f'{end}: {errors}')
        assert len(events) >= count and events == ([CLOCK] + wanted(BLOCKS))[:len(events)], f'{end}'
        count = len(events)
    equal(count, 5)


def check_damage():
    """Records that do not end with their block cost its rest; blocks without a size, the rest of the file."""
    p = Profile()
    sums = [CLOCK] + wanted(BLOCKS[:1])
    second = p.block(1, 5, [([4], 1, 1)])
    first = p.block(0, *BLOCKS[0])
    for bad in (p.pack('I', 0), p.pack('II', 9, 9), p.pack('IIQ', 9, 0, 5), b'xyz'):
        longer = p.pack('I', len(first) + len(bad)) + first[4:] + bad
        status, errors, events = read(p.header() + longer + second)
        equal((status, events), (1, sums + [('loss', 'the rest of a block'), (7, 5, ['#4'], 1, 1)]), f'{bad}')
        assert f'no record begins at offset {32 + len(first)}' in errors, errors
    for size in (0, 15):
        status, errors, events = read(p.header() + first + p.block(0, 1, [], size=size) + second)
        equal((status, events), (1, sums + [('loss', 'the rest of the file')]))
    status, errors, events = read(p.profile(version=1))
    equal((status, events), (1, []))
    assert 'version 1' in errors, errors


def check_runtime():
    """A profile that clang's runtime wrote: three threads, in each of which work() makes n calls of mid() with three of leaf() each."""
    path = os.path.join(DATA, 'profile.xray')
    with open(path, 'rb') as file:
        status, errors, events = read(file.read())
    equal((status, errors, len(events)), (0, '', 25))
    for thread, n in ((30545, 5), (30546, 7), (30544, 2)):
        counts = {tuple(e[2]): e[3] for e in events[1:] if e[1] == thread}
        equal(counts, {('#4',): 1, ('#2', '#4'): n, ('#1', '#2', '#4'): 3 * n} |
              {('#3',) * i + ('#4',): 1 for i in range(1, 5)} | {('#1', '#3', '#3', '#3', '#3', '#4'): 1})


def flame(path, *options):
    done = subprocess.run([cli, 'stack', '--all-stacks', '--stack-format=flame', *options, path], capture_output=True, check=True, timeout=60)
    return done.stdout.decode().splitlines()


def check_stack():
    """Stacks have the time that was spent in their last function alone, in whatever order the paths come; nothing is guessed of single calls."""
    paths = [([1], 1, 1000), ([2, 1], 3, 900), ([3, 2, 1], 6, 600), ([4, 1], 1, 50), ([3, 4, 1], 1, 60), ([5], 2, 7)]
    times = {'thread_5;#1': 50, 'thread_5;#1;#2': 300, 'thread_5;#1;#2;#3': 600, 'thread_5;#1;#4;#3': 60, 'thread_5;#5': 7}
    for order in (paths, paths[::-1], paths[2:] + paths[:2]):
        with tempfile.NamedTemporaryFile() as file:
            file.write(Profile().profile([(5, order[:3]), (5, order[3:])]))
            file.flush()
            equal({text.rsplit(' ', 1)[0]: int(text.rsplit(' ', 1)[1]) for text in flame(file.name)}, times)
            equal(len(flame(file.name, '--func=#3')), 2)
            text = subprocess.run([cli, 'stack', file.name], capture_output=True, check=True, timeout=60).stdout.decode()
            equal(text.splitlines()[:2], ['', 'Unique Stacks: 3'])
            for command in ('account', 'graph'):
                done = subprocess.run([cli, command, file.name], capture_output=True, check=False, timeout=60)
                equal((done.returncode, done.stdout, b'trace-cli stack' in done.stderr), (1, b'', True))


PROGRAM = '''
#define XRAY extern "C" __attribute__((xray_always_instrument, noinline))
extern "C" int __xray_log_select_mode(const char *), __xray_log_init_mode(const char *, const char *), __xray_patch(void),
    __xray_log_finalize(void), __xray_log_flushLog(void);
XRAY int leaf(volatile int *n) { return ++*n; }
XRAY int twice(volatile int *n) { leaf(n); return leaf(n) + 1; }
XRAY int outer(volatile int *n) { for (int i = 0; i < 5; ++i) twice(n); return leaf(n) + 1; }
int main()
{
    volatile int n = 0;
    __xray_log_select_mode("xray-profiling");
    __xray_log_init_mode("xray-profiling", "");
    __xray_patch();
    outer(&n);
    __xray_log_finalize();
    __xray_log_flushLog();
    return n != 11;
}
'''


def check_live():
    """A profile of a program that counts its own calls, with names."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, 'app.cc'), os.path.join(folder, 'app')
        with open(source, 'w', encoding='utf-8') as file:
            file.write(PROGRAM)
        command = ['clang++', '-g', '-O1', '-fxray-instrument', '-fxray-modes=xray-profiling', '-o', program, source]
        if shutil.which('clang++') is None or subprocess.run(command, capture_output=True, check=False).returncode != 0:
            sys.exit(77)
        environment = dict(os.environ, XRAY_OPTIONS=f'patch_premain=false xray_logfile_base={folder}/xray-log.')
        subprocess.run([program], check=True, capture_output=True, env=environment, timeout=60)
        logs = [log for log in os.listdir(folder) if log.startswith('xray-log.app.')]
        equal(len(logs), 1)
        for options in (['-m', program], ['--symbolize']):
            done = subprocess.run([cli, 'dump', '--format=json', *options, logs[0]], cwd=folder, capture_output=True, check=True, timeout=60)
            sums = [json.loads(text) for text in done.stdout.decode().splitlines() if '"sum of calls"' in text]
            equal(sorted((s['functions'], s['count']) for s in sums),
                  [(['outer'], 1), (['outer', 'leaf'], 1), (['outer', 'twice'], 5), (['outer', 'twice', 'leaf'], 10)])


cli = os.path.abspath(sys.argv[1])
checks = {key[6:]: check for key, check in globals().items() if key.startswith('check_')}
for name in sys.argv[2:] or checks:
    checks[name]()
