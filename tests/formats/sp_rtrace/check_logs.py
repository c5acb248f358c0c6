# SPDX-License-Identifier: MIT
"""trace-cli on sp-rtrace logs of every kind: check_logs.py TRACE_CLI WHAT

WHAT is texts, conversions, written, damage, cuts, joined or changes. make_logs.py describes the logs. They are written into a
temporary directory, which is kept if a check fails.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace

import make_logs
import text_logs
from sp_log import ALLOC, ARGS, BTRC, CALL, FREE, Call, Library, Packet, Process, Resource, Settings, Style, text, write

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
CALL_LINE = re.compile(rb"^\d+\. (?:@[0-9a-f]+ )?(?:\[[0-9:.]+\] )?(.*?)\((?:\d+\) = )?0x[0-9a-f]+\)?$", re.MULTILINE)


class Check:
    """Runs trace-cli and counts what is not as it should be."""

    def __init__(self, program, directory):
        self.program, self.directory = program, directory
        self.failures = self.checks = 0

    def run(self, *arguments, stdin=None):
        return subprocess.run([self.program, *arguments], input=stdin, capture_output=True, timeout=60, check=False)

    def path(self, name):
        return os.path.join(self.directory, name)

    def put(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def fail(self, name, message):
        self.failures += 1
        if self.failures <= 20:
            print("%s: %s" % (name, message))

    def expect(self, name, condition, message):
        self.checks += 1
        if not condition:
            self.fail(name, message)

    def expect_text(self, name, result, wanted):
        """The output is `wanted`, with nothing said and the exit status 0."""
        self.checks += 1
        if result.returncode or result.stderr:
            self.fail(name, "exit status %d: %s" % (result.returncode, said(result)))
        elif result.stdout != wanted:
            lines = difflib.unified_diff(shown(wanted), shown(result.stdout), "wanted", "printed", lineterm="", n=1)
            self.fail(name, "\n".join(list(lines)[:20]))


def shown(data):
    return [line[:200] for line in data.decode("utf-8", "backslashreplace").split("\n")]


def said(result):
    return result.stderr.decode("utf-8", "backslashreplace")[:500]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def samples():
    for name in sorted(os.listdir(DATA)):
        if name.endswith(".rtrace"):
            yield os.path.join(DATA, name), read(os.path.join(DATA, name[:-len("rtrace")] + "plain.txt"))


def check_texts(check):
    """dump of a log is its text; so is dump of the text."""
    for path, wanted in samples():
        check.expect_text(path, check.run("dump", path), wanted)
    for name, style, records in make_logs.good_logs():
        data, wanted = write(style, records)[0], text(style, records)
        check.expect_text(name, check.run("dump", check.put(name + ".rtrace", data)), wanted)
        check.expect_text(name + " as text", check.run("dump", check.put(name + ".txt", wanted)), wanted)
    for name, data, wanted in text_logs.text_logs():
        check.expect_text("text " + name, check.run("dump", check.put(name + ".txt", data)), wanted)
    check.expect_text("a log from a pipe", check.run("dump", "-", stdin=read(path)), wanted_of(path))


def wanted_of(sample):
    return read(sample[:-len("rtrace")] + "plain.txt")


def convert(check, name, to, source, target):
    result = check.run("convert", "--to=" + to, source, target)
    check.expect(name, result.returncode == 0, "convert --to=%s: exit status %d: %s" % (to, result.returncode, said(result)))
    return target


# These are written with a process about which nothing is known: sp-rtrace's tools need it.
WITHOUT_PROCESS = {"empty", "no-process"}
WRITTEN = {
    "sp-rtrace": Style(),
    "sp-rtrace-1.4": Style((1, 4), plain_strings=True, type_first=True, document_order=True, args_last=True,
                           heap_pointers=True),
}


def written(style, records, to):
    """The packets that a conversion must write, in the order of their bytes, and those of calls in their own."""
    target = replace(WRITTEN[to], arch=style.arch, heap_pointers=True)
    kept = []
    for record in records:
        if isinstance(record, Process) and not style.is_at_least(1, 2):
            record = replace(record, depth=0xFFFFFFFF)
        if isinstance(record, Resource) and not style.is_at_least(1, 3):
            record = replace(record, flags=0)
        if isinstance(record, Call):
            record = written_call(record, style)
        if not isinstance(record, (Settings, Library, Packet)):
            kept.append(record)
    return packets(write(target, kept)[0])


def written_call(call, style):
    """Each call has a backtrace and allocates or releases; an argument's name is never NULL; where a length is that of
    the text, an empty value is."""
    args = call.args and [(name or b"", value or (None if style.plain_strings else value)) for name, value in call.args]
    kind = ALLOC if call.type == ALLOC else FREE
    return replace(call, type=kind, between=[], frames=call.frames or [], args=args)


def packets(log):
    """The handshake of a log of our own, its packets that are about the whole, sorted, and those of calls."""
    offset = 2 + log[1]
    whole, of_calls = [], []
    while offset < len(log):
        end = offset + 8 + int.from_bytes(log[offset + 4:offset + 8], "little")
        (of_calls if log[offset:offset + 4] in (CALL, ARGS, BTRC) else whole).append(log[offset:end])
        offset = end
    return log[:2 + log[1]], sorted(whole), of_calls


def check_written(check):
    """A log is written as the format's page says, byte by byte."""
    for name, style, records in make_logs.good_logs():
        path = check.put(name + ".rtrace", write(style, records)[0])
        for to in WRITTEN if name not in WITHOUT_PROCESS else ():
            wanted = written(style, records, to)
            got = packets(read(convert(check, name, to, path, path + ".written")))
            for what, a, b in zip(("handshake", "packets", "calls"), wanted, got):
                check.expect(name, a == b, "%s of %s are\n%s\nnot\n%s" % (what, to, odd(b, a), odd(a, b)))


def odd(some, others):
    """The first of `some` that is not in `others`."""
    if isinstance(some, bytes):
        return some.hex(" ", 4)
    return next((p[:160].hex(" ", 4) for p in some if p not in others), "%d packets" % len(some))


def check_conversions(check):
    """A log that was converted there and back says what it said."""
    logs = [(os.path.basename(path), path, wanted) for path, wanted in samples()]
    for name, style, records in make_logs.good_logs():
        logs.append((name, check.put(name + ".rtrace", write(style, records)[0]), text(style, records)))
    for name, path, wanted in logs:
        back = check.path(name)
        as_text = convert(check, name, "sp-rtrace-text", path, back + ".txt")
        check.expect(name, read(as_text) == wanted, "the converted text is not the dumped one")
        for to in ("sp-rtrace", "sp-rtrace-1.4"):
            first = convert(check, name, to, path, back + ".first")
            check.expect_text("%s as %s" % (name, to), check.run("dump", first), wanted)
            second = convert(check, name, to, first, back + ".second")
            check.expect(name, read(first) == read(second), "%s of %s has other bytes" % (to, to))
            third = convert(check, name, to, as_text, back + ".third")
            check.expect_text("%s as text as %s" % (name, to), check.run("dump", third), wanted)
            again = convert(check, name, "sp-rtrace-text", first, back + ".again")
            check.expect(name, read(again) == wanted, "the text of %s is another" % to)


def called(output):
    """The names of functions in a text, without their resources' types."""
    return [name.split(b"<")[0].decode("utf-8", "backslashreplace") for name in CALL_LINE.findall(output)]


def expect_survived(check, name, result, wanted, statuses=(0, 1)):
    missing = [name for name in wanted if name not in called(result.stdout)]
    check.expect(name, not missing, "not read: %s (exit status %d: %s)" % (", ".join(missing), result.returncode, said(result)))
    check.expect(name, result.returncode in statuses, "exit status %d: %s" % (result.returncode, said(result)))


def check_damage(check):
    """Damage is told and passed over; everything before and after is read."""
    for name, data, wanted in make_logs.damaged_logs():
        result = check.run("dump", check.put(name + ".rtrace", data))
        expect_survived(check, name, result, wanted, (1,))
        check.expect(name, b"warning" in result.stderr, "no warning: %s" % said(result))


def calls_within(starts, end):
    """The names of calls whose CALL packet ends before `end`."""
    ends = [offset for offset, _ in starts[1:]] + [sys.maxsize]
    seen = {}
    for (_, record), stop in zip(starts, ends):
        if isinstance(record, Call) and record.name not in seen:
            seen[record.name] = stop
    return [name.decode() for name, stop in seen.items() if stop <= end]


def check_cuts(check):
    """A log that ends anywhere: what is whole is read, and a warning says that it ends inside a packet."""
    for style in (Style(), Style((1, 4), big_endian=True, pointer=4)):
        data, starts = write(style, make_logs.basics() + make_logs.calls(*make_logs.NAMES))
        whole = {offset for offset, _ in starts} | {len(data)}
        for length in range(len(data)):
            name = "cut-%d.%d-%d" % (*style.version, length)
            result = check.run("dump", check.put("cut.rtrace", data[:length]))
            if length < starts[0][0]:
                check.expect(name, result.returncode == 1 and result.stderr, "exit status %d" % result.returncode)
                continue
            expect_survived(check, name, result, calls_within(starts, length), (0,))
            check.expect(name, bool(result.stderr) == (length not in whole), "said: %s" % said(result))


def expect_joined(check, name, first, second, starts):
    """Nothing of two logs is lost but what the cut end of the first one held, and that there are two is said."""
    result = check.run("dump", check.put("joined.rtrace", first + second))
    wanted = calls_within(starts, len(first)) + make_logs.SECOND_NAMES
    expect_survived(check, name, result, wanted, (1,))
    check.expect(name, b"another log begins at offset %d\n" % len(first) in result.stderr, "said: %s" % said(result))


def check_joined(check):
    """Behind a log that ends anywhere within its last call, another one is found again, however it is written."""
    for style in (Style(), Style((1, 4), big_endian=True, pointer=4)):
        data, starts = write(style, make_logs.basics() + make_logs.calls(*make_logs.NAMES))
        last = [offset for offset, record in starts if isinstance(record, Call)][-3]
        for other, second in make_logs.second_logs():
            for length in range(last, len(data) + 1):
                name = "joined-%d.%d-%s-%d" % (*style.version, other, length)
                expect_joined(check, name, data[:length], second, starts)
        large, starts = write(style, make_logs.basics() + make_logs.calls("before") + [make_logs.large_call()])
        for other, second in make_logs.second_logs():
            swallowed = large[:len(large) - len(second)]
            expect_joined(check, "joined-large-%d.%d-%s" % (*style.version, other), swallowed, second, starts)


def packet_at(starts, offset):
    return [record for start, record in starts if start <= offset][-1]


def check_changes(check):
    """Each byte of a log is another one: no crash, and only calls whose own packets were hit may be missing."""
    data, starts = write(Style(), make_logs.basics() + make_logs.calls(*make_logs.NAMES))
    for offset in range(starts[0][0], len(data)):
        hit = packet_at(starts, offset)
        wanted = [name for name in make_logs.NAMES if not (isinstance(hit, Call) and hit.name.decode() == name)]
        for change in (0x01, 0x20, 0x80):
            changed = make_logs.patched(data, offset, bytes((data[offset] ^ change,)))
            result = check.run("dump", check.put("changed.rtrace", changed))
            expect_survived(check, "byte %d changed by %#x" % (offset, change), result, wanted)


def main(program, what):
    os.environ["TZ"] = "UTC"
    time.tzset()
    directory = tempfile.mkdtemp(prefix="check-logs.")
    check = Check(program, directory)
    {"texts": check_texts, "conversions": check_conversions, "written": check_written, "damage": check_damage, "cuts": check_cuts,
     "joined": check_joined, "changes": check_changes}[what](check)
    print("%d checks, %d failures" % (check.checks, check.failures))
    if check.failures:
        print("the logs are in %s" % directory)
    else:
        shutil.rmtree(directory)
    return 1 if check.failures or not check.checks else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    sys.exit(main(*sys.argv[1:]))
