# SPDX-License-Identifier: MIT
"""trace-cli leaks on random sp-rtrace logs, against a model: check_leaks.py TRACE_CLI"""
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import replace

import leak_logs
from sp_log import Style, text, write

SUM = re.compile(r"^# (Resource|Context) - (\w+).*:\n# (\d+) block\(s\) leaked with total size of (\d+) bytes$", re.MULTILINE)
GROUP = re.compile(r"((?:^\d+\. .*\n(?:\t\$.*\n)*)+)# allocation summary: (\d+) block\(s\) with total size (\d+)\n((?:\t0x.*\n)*)",
                   re.MULTILINE)
NAMES = {1: "memory", 2: "gobject", 3: "fd"}


def in_context(mask):
    return lambda index, call: bool(call.context & mask) if mask else call.context == 0


def by_way_of(start, end):
    return lambda index, call: any(start <= frame < end for frame in call.frames)


# Options, and which leaks they leave. The files are written by main().
FILTERS = [
    ([], lambda index, call: True),
    (["--resource=memory"], lambda index, call: call.resource == 1),
    (["--resource=gobject,fd"], lambda index, call: call.resource != 1),
    (["--context=1"], in_context(1)),
    (["--context=3"], in_context(3)),
    (["--context=0"], in_context(0)),
    (["--exclude=odd"], lambda index, call: index % 2 == 0),
    (["--exclude=odd", "--include=thirds"], lambda index, call: index % 2 == 0 or index % 3 == 0),
    (["--call-address=prog:1000+2"], by_way_of(0x401000, 0x401002)),
    (["--call-address=libx:0+4"], by_way_of(0x500000, 0x500004)),
    (["--context=2", "--resource=memory", "--call-address=prog:1001+1"],
     lambda index, call: call.context & 2 and call.resource == 1 and 0x401001 in call.frames),
]


def expected_sums(leaked):
    sums = {("Resource", NAMES[key]): total for key, total in leak_logs.totals(leaked, lambda call: call.resource).items()}
    for name, chosen in (("first", in_context(1)), ("second", in_context(2)), ("none", in_context(0))):
        calls = [call for index, call in leaked if chosen(index, call)]
        sums["Context", name] = len(calls), sum(call.size for call in calls)
    return {key: total for key, total in sums.items() if total[0]}


def found_sums(output):
    sums = {(kind, name): (int(count), int(size)) for kind, name, count, size in SUM.findall(output)}
    return {key: total for key, total in sums.items() if total[0]}


def indices(output):
    return [int(index) for index in re.findall(r"^(\d+)\. ", output, re.MULTILINE)]


def expected_groups(leaked):
    groups = {}
    for index, call in leaked:
        groups.setdefault(tuple(call.frames), []).append((index, call.size))
    return {frames: (sorted(i for i, _ in calls), len(calls), sum(s for _, s in calls)) for frames, calls in groups.items()}


def found_groups(output):
    groups = []
    for calls, count, size, frames in GROUP.findall(output):
        addresses = tuple(int(line, 16) for line in frames.split())
        groups.append((addresses, (sorted(indices(calls)), int(count), int(size))))
    return groups


class Check:
    def __init__(self, program, folder):
        self.program, self.folder, self.failures, self.checks = program, folder, 0, 0

    def leaks(self, *options):
        result = subprocess.run([self.program, "leaks", *options], capture_output=True, timeout=60, check=False, cwd=self.folder)
        self.expect(options, "status and messages", (0, b""), (result.returncode, result.stderr))
        return result.stdout.decode()

    def expect(self, options, what, wanted, found):
        self.checks += 1
        if wanted != found:
            self.failures += 1
            if self.failures <= 10:
                print("%s: %s: wanted\n  %s\nfound\n  %s" % (" ".join(options), what, str(wanted)[:600], str(found)[:600]))

    def log(self, name, leaked):
        for options, keeps in FILTERS:
            kept = [(index, call) for index, call in leaked if keeps(index, call)]
            output = self.leaks(*options, name)
            self.expect([*options, name], "leaks", [index for index, _ in kept], indices(output))
            self.expect([*options, name], "sums", expected_sums(kept), found_sums(output))
            self.expect([*options, name], "sums alone", expected_sums(kept), found_sums(self.leaks("--summary", *options, name)))
            self.groups(kept, [*options, name])
            cut = [(index, replace(call, frames=call.frames[:1])) for index, call in leaked]
            self.groups([(index, call) for index, call in cut if keeps(index, call)], ["--depth=1", *options, name])

    def groups(self, kept, options):
        for sort, order in (("size", lambda g: -g[1][2]), ("size-asc", lambda g: g[1][2]), ("count", lambda g: -g[1][1]),
                            ("count-asc", lambda g: g[1][1])):
            arguments = ["--compress", "--sort=" + sort, *options]
            found = found_groups(self.leaks(*arguments))
            self.expect(arguments, "groups", expected_groups(kept), dict(found))
            self.expect(arguments, "order", sorted(map(order, found)), list(map(order, found)))


def put(folder, name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def main(program, folder):
    os.environ["TZ"] = "UTC"
    time.tzset()
    put(folder, "odd", b"".join(b"%d\n" % i for i in range(1, 1000, 2)))
    put(folder, "thirds", b"".join(b"%d\n" % i for i in range(3, 1000, 3)))
    check = Check(os.path.abspath(program), folder)
    for seed in range(3):
        records = leak_logs.random_log(seed)
        put(folder, "log.rtrace", write(Style(), records)[0])
        put(folder, "log.txt", text(Style(), records))
        leaked = leak_logs.leaks(records)
        check.log("log.rtrace", leaked)
        check.log("log.txt", leaked)
    print("%d checks, %d failures" % (check.checks, check.failures))
    return 1 if check.failures or not check.checks else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="check-leaks.") as temporary:
        sys.exit(main(sys.argv[1], temporary))
