#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two traces that are alike: usage: random_traces.py MAKE_TRACE SEED A.trace B.trace"""
import random
import subprocess
import sys

FUNCTIONS = {"glA": 0, "glB": 1, "glC": 3, "glVertex3f": 0, "glEnd": 0, "glXSwapBuffers": 0,
             "glGetString": 1, "glXGetProcAddress": 1, "glXGetCurrentContext": 0}


def value(variety):
    x = random.randrange(variety)
    return random.choice([str(x), f"-{x + 1}", f"{x}.5", f"{0.1 * x:.3f}", f'"s{x}"', f'"a-b\'{x}"', f"0x{x * 4096:x}",
                          f"[{x},{x + 1}]", f"[{x}]", f"#{x % 256:02x}", f"{x % 2}.0", f"{x % 2}", "[]",
                          f"[{x}.25,{x}]", "true", "100000000000000000000.0"])


def call(variety, function=None):
    function = function or random.choice([*FUNCTIONS, "glGetError"])
    if function == "glGetError":
        return "glGetError = " + random.choice(["0", "0", "0", "1280"])
    args = "".join(f" a{i}={value(variety)}" for i in range(FUNCTIONS[function]))
    return function + args + (" = " + value(variety) if args and random.random() < 0.4 else "")


def changed(calls, rate, variety):
    for c in calls:
        change = random.random() / rate
        if change < 0.25:
            continue
        if change < 0.5:
            yield call(variety)
        yield call(variety, c.split(" ")[0]) if 0.5 <= change < 1 else c


def main():
    make_trace, seed, *paths = sys.argv[1:]
    random.seed(int(seed))
    variety = random.choice([2, 5, 50])
    pool = [call(variety) for _ in range(random.choice([4, 10, 100]))]
    count = random.choice([5, 20, 60, 250, 1200])
    a = [random.choice(pool) if random.random() < 0.8 else call(variety) for _ in range(count)]
    b = list(changed(a, random.choice([0.02, 0.1, 0.4]), variety))
    if random.random() < 0.3:
        middle = len(b) // 2
        b = b[middle:] + b[:middle]
    for path, calls in zip(paths, (a, b)):
        subprocess.run([make_trace, path], input="\n".join([*calls, "glEnd"]).encode(), check=True)


main()
