# SPDX-License-Identifier: MIT
"""For gdb, with a program that is traced: prints who makes the first calls of GL functions, as JSON lines.

Variables: GDB_FUNCTIONS (their names, separated by blanks), GDB_CALLS (how many of them), GDB_OUTPUT (a file).
"""
import json
import os

import gdb

functions = set(os.environ["GDB_FUNCTIONS"].split())
left = int(os.environ["GDB_CALLS"])
output = open(os.environ["GDB_OUTPUT"], "w", encoding="utf-8")


def frame_of(frame):
    place = frame.find_sal()
    file = place.symtab.filename if place.symtab else None
    return {"function": frame.name(), "file": file, "line": place.line if file else None,
            "inlined": frame.type() == gdb.INLINE_FRAME}


def callers(frame):
    out = []
    while frame is not None and len(out) < 200:
        if frame.type() != gdb.TAILCALL_FRAME: # what gdb concludes to have been there
            out.append(frame_of(frame))
        try:
            frame = frame.older()
        except gdb.error:
            break
    return out


class Calls(gdb.Breakpoint):
    """Where the recorder is told of a call: by the function that stands in for GL's."""

    def stop(self):
        global left
        stub = gdb.newest_frame().older()
        while stub is not None and stub.name() is not None and not stub.name().startswith(("gl", "egl")):
            stub = stub.older()
        if stub is None or stub.name() not in functions or left == 0:
            return False
        left -= 1
        output.write(json.dumps({"call": stub.name(), "frames": callers(stub.older())}) + "\n")
        output.flush()
        return False


for setting in ("pagination off", "confirm off", "breakpoint pending on", "backtrace past-main on",
                "backtrace past-entry on", "print inferior-events off", "debuginfod enabled off", "width 0"):
    try:
        gdb.execute("set " + setting)
    except gdb.error:
        pass
for signal in ("SIGUSR1", "SIGUSR2", "SIGSEGV", "SIGALRM", "SIGCHLD", "SIGPIPE", "SIG34", "SIG35"):
    gdb.execute("handle " + signal + " nostop noprint pass", to_string=True)
Calls("capture_enter")
