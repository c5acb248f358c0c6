# SPDX-License-Identifier: MIT
"""Instrumentation maps of every kind and version, and the names that they give to the functions of logs.
usage: check_maps.py TRACE_CLI [NAME...]"""
import os
import shutil
import subprocess
import sys
import tempfile

from xray_elf import AARCH64, I386, MIPS, S390, X86_64, Elf
from xray_log import Encoder

SLEDS = [(0x1000, 0x1000, 0), (0x1010, 0x1000, 4), (0x1020, 0x1000, 5), (0x1030, 0x1000, 1), (0x1108, 0x1100, 3), (0x1120, 0x1100, 2)]
KINDS = ['function-enter', 'function-exit', 'tail-exit', 'log-args-enter', 'custom-event', 'typed-event']


def equal(found, wanted, what=''):
    if found != wanted:
        sys.exit(f'{name}: {what}\nfound:  {found!r:.3000}\nwanted: {wanted!r:.3000}')


def run(folder, *command, status=0, path=None):
    environment = dict(os.environ, PATH=path) if path is not None else None
    done = subprocess.run([cli, *command], capture_output=True, check=False, timeout=60, cwd=folder, env=environment)
    equal(done.returncode, status, f'{command}: {done.stderr.decode()}')
    return done.stdout.decode(errors='surrogateescape'), done.stderr.decode()


def write(folder, file_name, data):
    path = os.path.join(folder, file_name)
    with open(path, 'wb') as file:
        file.write(data)
    return path


def line(number, address, function, kind, version, always=True):
    return (f'- {{ id: {number}, address: 0x{address:X}, function: 0x{function:X}, kind: {kind}, always-instrument: '
            f"{'true' if always else 'false'}, function-name: ''" + (f', version: {version} }}' if version else ' }'))


def check_sleds():
    """All kinds of sleds, of every version, in files of both sizes and orders of bytes."""
    kinds = [(X86_64, 64, False), (AARCH64, 64, False), (I386, 32, False), (MIPS, 32, True), (MIPS, 64, True), (S390, 64, True)]
    with tempfile.TemporaryDirectory() as folder:
        for machine, bits, big in kinds:
            for version in range(4):
                for how in [None, 'relocated', 'symbol'][:1 if version >= 2 or machine not in (X86_64, AARCH64, S390) else 3]:
                    elf = Elf(machine, bits, big)
                    for i, (address, function, kind) in enumerate(SLEDS):
                        elf.sled(address, function, kind, version, i % 2, how)
                    path = write(folder, 'app', elf.bytes())
                    text = run(folder, 'extract', path)[0].splitlines()
                    equal(text, ['---'] + [line(1 + (i > 3), *sled[:2], KINDS[sled[2]], version, i % 2) for i, sled in enumerate(SLEDS)] + ['...'],
                          f'machine {machine}, {bits} bits, version {version}, {how}')
                    if machine == X86_64 and how != 'symbol' and shutil.which('llvm-xray'):
                        elf = Elf()
                        for address, function, kind in SLEDS:  # a sled of a typed event makes it refuse all
                            elf.sled(address, function, kind % 5, version, 1, how)
                        path = write(folder, 'app', elf.bytes())
                        theirs = subprocess.run(['llvm-xray', 'extract', path], capture_output=True, check=True, timeout=60).stdout.decode()
                        equal(run(folder, 'extract', path)[0], theirs, f'version {version}, {how}')


def check_index():
    """The index of functions numbers them, also where two functions have become one by their code."""
    sleds = [(0x1000, 0x1000), (0x1010, 0x1000), (0x1000, 0x1000), (0x1010, 0x1000), (0x2000, 0x2000)]
    with tempfile.TemporaryDirectory() as folder:
        for how in (None, 'absolute', 'relative', 'relocated'):
            elf = Elf()
            for i, (address, function) in enumerate(sleds):
                elf.sled(address, function, i % 2)
            for first, count in ((0, 2), (2, 2), (4, 1)) if how else ():
                elf.entry(first, count, how)
            text = run(folder, 'extract', write(folder, 'app', elf.bytes()))[0].splitlines()[1:-1]
            equal([int(row.split(',')[0].split(': ')[1]) for row in text], [1, 1, 2, 2, 3] if how else [1, 1, 1, 1, 2], how)
        for wrong in ([(0, 2), (2, 2)], [(0, 2), (1, 4)], [(0, 9)], [(0, 0), (0, 5)], [(2, 3), (0, 2), (0, 1)]):
            elf = Elf()
            for address, function in sleds:
                elf.sled(address, function, 0)
            for first, count in wrong:
                elf.entry(first, count)
            text = run(folder, 'extract', write(folder, 'app', elf.bytes()))[0].splitlines()[1:-1]
            equal([int(row.split(',')[0].split(': ')[1]) for row in text], [1, 1, 1, 1, 2], wrong)


def check_wrong():
    """What is no map is an error that names the file."""
    with tempfile.TemporaryDirectory() as folder:
        elf = Elf()
        elf.sled(0x1000, 0x1000, 9)
        equal('kind: 9,' in run(folder, 'extract', write(folder, 'odd', elf.bytes()))[0], True)
        elf.map += b'x'
        unlinked = Elf(kind=1)
        unlinked.sled(0x1000, 0x1000, 0)
        for data, message in ((elf.bytes(), 'not made of whole sleds'), (unlinked.bytes(), 'an object file'), (b'text', 'not an ELF file'),
                              (elf.bytes()[:200], 'damaged')):
            errors = run(folder, 'extract', write(folder, 'app', data), status=1)[1]
            assert message in errors and errors.count('app') == 1, errors
        for end in range(0, len(unlinked.bytes()), 7):
            run(folder, 'extract', write(folder, 'app', unlinked.bytes()[:end]), status=1)


def functions(text):
    return [row.split(' ', 2)[2].strip() for row in text.splitlines() if row.startswith('enter')]


def log_of(*numbers):
    e = Encoder()
    return e.header() + e.buffer(7, 1, 0, 0, 1000, b''.join(e.enter(n, 1) + e.exit(n, 1) for n in numbers))


def map_of(*addresses, **options):
    elf = Elf(**options)
    for address in addresses:
        elf.sled(address, address, 0)
    return elf.bytes()


def check_objects():
    """Functions of libraries have the number of the library in their high bits."""
    with tempfile.TemporaryDirectory() as folder:
        log = write(folder, 'log', log_of(1, 2, 3, 1 << 24 | 1, 1 << 24 | 2, 15 << 24 | 1, 2 << 24 | 1))
        write(folder, 'app', map_of(0x1000, 0x2000))
        write(folder, 'a.so', map_of(0xa000))
        write(folder, 'b.so', map_of(0xb000))
        numbers = ['#3()', '#16777217()', '#16777218()', '#251658241()', '#33554433()']
        for options, wanted in ((['-m', 'app'], ['@(1000)()', '@(2000)()'] + numbers),
                                (['-m', 'app', '-m', 'a.so'], ['@(1000)()', '@(2000)()', '#3()', '@(a000)()'] + numbers[2:]),
                                (['-m', 'app', '--instr-map=15=b.so'], ['@(1000)()', '@(2000)()'] + numbers[:3] + ['@(b000)()', numbers[4]]),
                                (['-m', '1=a.so', '-m', 'b.so'], ['#1()', '#2()', '#3()', '@(a000)()'] + numbers[2:4] + ['@(b000)()'])):
            equal(functions(run(folder, 'dump', *options, log)[0]), wanted, options)
        for options, message in ((['-m', 'app', '-m', '0=a.so'], 'another file for object 0'), (['-m', '256=app'], 'up to 255'),
                                 (['-m', 'none'], 'none: cannot be opened')):
            for command in ('dump', 'account'):
                errors = run(folder, command, *options, log, status=1)[1]
                assert message in errors, errors
            run(folder, 'convert', '--to=xray', *options, log, 'out', status=1)
            equal(os.path.exists(os.path.join(folder, 'out')), False)


def check_search():
    """The program is found by the name of the log, and never taken if it cannot be the one."""
    with tempfile.TemporaryDirectory() as folder:
        elsewhere, path = os.path.join(folder, 'elsewhere'), os.path.join(folder, 'bin')
        os.mkdir(elsewhere)
        os.mkdir(path)
        program = write(folder, 'a.out', map_of(0x1000, 0x2000))
        os.chmod(program, 0o755)
        log = write(folder, 'xray-log.a.out.Ab3dEf', log_of(1, 2))
        found = ['@(1000)()', '@(2000)()']
        for at, searched in ((elsewhere, path), (folder, path)):
            text, told = run(at, 'dump', '--symbolize', os.path.join(folder, log), path=searched)
            equal(functions(text), found)
            assert told.startswith('note: names of functions are from ') and told.count('\n') == 1, told
        text, told = run(folder, 'account', 'xray-log.a.out.Ab3dEf', path=path)
        equal(('@(1000)' in text, told.count('note: ')), (True, 1))
        text, told = run(folder, 'dump', log, path=path)  # nobody asked
        equal((functions(text), told), (['#1()', '#2()'], ''))
        # In the current directory, and in PATH.
        other = os.path.join(elsewhere, 'xray-log.a.out.Ab3dEf')
        shutil.copy2(log, other)
        equal(functions(run(folder, 'dump', '-y', other, path=path)[0]), found)
        shutil.copy2(program, path)
        equal(functions(run(elsewhere, 'dump', '-y', other, path='/none::' + path)[0]), found)
        # Another program: it lacks a function, is newer than the log, or has no map.
        for file_name in ('xray-log.a.out.Ab3dE', 'xray-log.a.out.Ab3-Ef', 'xray-log..Ab3dEf', 'log.a.out.Ab3dEf'):
            shutil.copy2(log, os.path.join(folder, file_name))
            equal(functions(run(folder, 'dump', '-y', file_name, path=path)[0]), ['#1()', '#2()'], file_name)
        many = write(folder, 'xray-log.a.out.AAAAAA', log_of(1, 3))
        text, told = run(folder, 'dump', '-y', many, path=path, status=1)
        assert 'a.out has no function 3, so another program wrote the log' in told, told
        run(folder, 'convert', '--to=xray-yaml', '-y', many, 'out', path=path, status=1)
        equal(os.path.exists(os.path.join(folder, 'out')), False)
        text, told = run(folder, 'account', many, path=path)
        equal(('#1' in text, '@(' in text, 'has no function 3' in told), (True, False, True))
        os.utime(program, (2**31, 2**31))
        text, told = run(folder, 'account', log, path='/none')
        equal(('@(' in text, 'a.out is newer than the log' in told), (False, True))
        os.chmod(write(folder, 'a.out', b'#!/bin/sh\n'), 0o755)
        os.utime(program, (0, 0))
        equal(functions(run(folder, 'dump', '-y', log, path='/none')[0]), ['#1()', '#2()'])


PROGRAM = '''
#define XRAY __attribute__((xray_always_instrument, noinline))
namespace room {
XRAY int leaf(int x) { return x + 1; }
struct pair { int a; template <class T> XRAY int get(T x) const { return a + leaf(x); } };
}
extern "C" XRAY int plain(int x) { return x; }
int main()
{
    return plain(room::pair{1}.get(2L));
}
'''


def build(folder):
    """A program, or ends the test where there is no compiler for it."""
    source, program = write(folder, 'app.cc', PROGRAM.encode()), os.path.join(folder, 'app')
    command = ['clang++', '-g', '-O1', '-fxray-instrument', '-o', program, source]
    if shutil.which('clang++') is None or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        sys.exit(77)
    return program


def check_names():
    """Names in every text: the YAML with the bytes of llvm-xray's."""
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder)
        log = write(folder, 'log', log_of(1, 2, 3, 9))
        names = ['room::leaf(int)', 'plain', 'int room::pair::get<long>(long) const']
        equal(functions(run(folder, 'dump', '-m', program, log)[0]), [f'{text}()' for text in names] + ['#9()'])
        text = run(folder, 'dump', '--format=fdr-dump', '-m', program, log)[0]
        equal([row for row in text.splitlines() if 'Enter' in row], [f'<Function Enter: #{i} {text} delta = +1>' for i, text in zip((1, 2, 3, 9), names + ['#9'])])
        yaml = run(folder, 'dump', '--format=yaml', '-y', '-m', program, log)[0]
        run(folder, 'convert', '--to=xray-yaml', '-m', program, log, 'out')
        with open(os.path.join(folder, 'out'), encoding='utf-8') as file:
            equal(file.read(), yaml)
        equal(yaml.count("function: '#9',"), 2, yaml)
        again = os.path.join(folder, 'again')  # numbers stay
        run(folder, 'convert', '--to=xray', '-m', program, log, again)
        equal(functions(run(folder, 'dump', again)[0]), ['#1()', '#2()', '#3()', '#9()'])
        run(folder, 'convert', '--to=xray-yaml', '-m', program, log, again, 'both')
        if shutil.which('llvm-xray') is not None:
            theirs = subprocess.run(['llvm-xray', 'convert', '-f', 'yaml', '-y', '-m', program, log], capture_output=True, check=True, timeout=60)
            equal(yaml, theirs.stdout.decode())


def check_mangled():
    """--no-demangle shows the symbols' names in every command, and filters know them."""
    mangled = ['_ZN4room4leafEi', 'plain', '_ZNK4room4pair3getIlEEiT_']
    with tempfile.TemporaryDirectory() as folder:
        program = build(folder)
        log = write(folder, 'log', log_of(1, 2, 3, 9))
        options = ['--no-demangle', '-m', program]
        equal(functions(run(folder, 'dump', *options, log)[0]), [f'{text}()' for text in mangled + ['#9']])
        for command in (['account'], ['account', '--format=csv'], ['account', '--format=json'], ['stack'], ['stack', '--all-stacks', '--stack-format=flame'],
                        ['graph'], ['graph-diff', log], ['dump', '--format=fdr-dump'], ['dump', '--format=yaml']):
            text = run(folder, *command, *options, log)[0]
            equal([part for part in mangled + ['room::'] if part not in text], ['room::'], command)
            plain = run(folder, *command, '-m', program, log)[0]
            equal([part for part in mangled if part in plain], ['plain'], command)
        run(folder, 'convert', '--to=xray-yaml', *options, log, 'out')
        with open(os.path.join(folder, 'out'), encoding='utf-8') as file:
            yaml = file.read()
        equal(yaml, run(folder, 'dump', '--format=yaml', *options, log)[0])
        run(folder, 'trim', '--function=_ZN4*', *options, '-o', 'part', log)
        equal(functions(run(folder, 'dump', 'part')[0]), ['#1()'])
        sleds = run(folder, 'extract', '-s', '--no-demangle', program)[0]
        equal([part for part in mangled + ['room::'] if part not in sleds], ['room::'], 'extract')
        if shutil.which('llvm-xray') is not None:
            for ours, command in ((yaml, ['convert', '-f', 'yaml', '-y', '-m', program, log]), (sleds, ['extract', '-s', program])):
                theirs = subprocess.run(['llvm-xray', *command, '--no-demangle'], capture_output=True, check=True, timeout=60)
                equal(ours, theirs.stdout.decode())


def check_other_machines():
    """What compilers write for other machines."""
    machines = [m for m in ('aarch64-linux-gnu', 'arm-linux-gnueabihf', 'mips-linux-gnu', 'mips64-linux-gnu')]
    if shutil.which('clang') is None or shutil.which('ld.lld') is None:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        source = write(folder, 'app.c', b'__attribute__((xray_always_instrument, noinline)) int one(int x) { return x; }\n'
                       b'__attribute__((xray_always_instrument)) int _start(void) { return one(1) + 1; }\n')
        for machine in machines:
            for link in ('-pie', '-no-pie'):
                subprocess.run(['clang', '--target=' + machine, '-g', '-O1', '-fxray-instrument', '-c', source, '-o', 'app.o'], cwd=folder, check=True)
                subprocess.run(['ld.lld', link, '-e', '_start', 'app.o', '-o', 'app'], cwd=folder, check=True)
                rows = run(folder, 'extract', '-s', 'app')[0].splitlines()[1:-1]
                equal([(row.split('kind: ')[1].split(',')[0], row.split('function-name: ')[1].split(',')[0]) for row in rows],
                      [('function-enter', 'one'), ('function-exit', 'one'), ('function-enter', '_start'), ('function-exit', '_start')], machine)


cli = os.path.abspath(sys.argv[1])
checks = {key[6:]: check for key, check in globals().items() if key.startswith('check_')}
for name in sys.argv[2:] or checks:
    checks[name]()
