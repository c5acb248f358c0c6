#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""open_in_viewers.py TRACE-CLI MODULES TRACE...: opens what `convert` writes in the programs that it is written for.

Not one of the tests, because the viewers are no packages of Debian. MODULES is a directory in which
`npm install speedscope stackvis` ran; Chromium with chromedriver, and node, are needed as well.

Each TRACE is converted to speedscope, chrome and folded. Speedscope shows each of them in Chromium: its tables must
have the functions of each thread, with their times. stackvis draws a flame graph of the folded stacks."""
import base64
import collections
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

TOOL, MODULES, TRACES = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3:]
SPEEDSCOPE = os.path.join(MODULES, "node_modules/speedscope/dist/release/index.html")
STACKVIS = os.path.join(MODULES, "node_modules/.bin/stackvis")
FACTORS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "": 1}


class Browser:
    """A session of chromedriver (the WebDriver protocol)."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{port}"
        for _ in range(100):
            try:
                self.session = self.post("/session", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {
                    "args": ["--headless=new", "--no-sandbox", "--allow-file-access-from-files",
                             "--window-size=1600,20000"]}}}})["sessionId"]
                return
            except OSError:
                time.sleep(0.1)
        sys.exit("chromedriver does not answer")

    def post(self, path, body):
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def run(self, script):
        return self.post(f"/session/{self.session}/execute/sync", {"script": script, "args": []})

    def open(self, url):
        self.post(f"/session/{self.session}/url", {"url": "about:blank"})
        self.post(f"/session/{self.session}/url", {"url": url})

    def close(self):
        urllib.request.urlopen(urllib.request.Request(f"{self.url}/session/{self.session}", method="DELETE"))
        self.driver.terminate()
        self.driver.wait()


def wait_for(browser, script, what):
    for _ in range(100):
        found = browser.run(script)
        if found:
            return found
        time.sleep(0.1)
    sys.exit(f"{what}: Speedscope shows: {browser.run('return document.body.innerText')}")


def to_ns(text):
    number = text.split("(")[0].strip()
    unit = number.lstrip("0123456789.,").strip()
    return float(number[:len(number) - len(unit)].replace(",", "")) * FACTORS[unit]


def press(browser, key):
    browser.run(f"window.dispatchEvent(new KeyboardEvent('keypress', {{key: '{key}'}}))")


ROWS = """return [...document.querySelectorAll('table tr')].map(r => [...r.querySelectorAll('td')].map(c => c.innerText))
    .filter(r => r.length == 3 && r[0].includes('%%') == %s)"""


def read_table(browser, path):
    """The functions of the profile that is shown: {name: (total, self)}, in nanoseconds."""
    table = collections.defaultdict(lambda: [0, 0])
    for total, own, name in wait_for(browser, ROWS % "true", path):
        name = name.split(" {")[0]  # Speedscope appends the arguments of the Chrome format
        table[name][0] += to_ns(total)
        table[name][1] += to_ns(own)
    return table


def show(browser, path, scratch):
    """The tables of functions of all profiles in the file."""
    page = os.path.join(scratch, "profile.js")
    with open(path, "rb") as file, open(page, "w", encoding="utf-8") as script:
        script.write("speedscope.loadFileFromBase64(%s, %s)" % (
            json.dumps(os.path.basename(path)), json.dumps(base64.b64encode(file.read()).decode())))
    browser.open(f"file://{SPEEDSCOPE}#localProfilePath={page}")
    wait_for(browser, "return [...document.querySelectorAll('div')].some(d => d.innerText.includes('Sandwich'))", path)
    time.sleep(0.5)
    press(browser, "3")
    tables = [read_table(browser, path)]
    for _ in range(max(len(browser.run(ROWS % "false")) - 1, 0)):
        press(browser, "n")
        time.sleep(0.2)
        tables.append(read_table(browser, path))
    return tables


def read_folded(path):
    """The total and own time of each function of each thread's stacks."""
    threads = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    with open(path, encoding="utf-8") as file:
        for line in file:
            stack, value = line.rsplit(" ", 1)
            thread, *frames = stack.split(";")
            for frame in set(frames):
                threads[thread][frame][0] += int(value)
            if frames:
                threads[thread][frames[-1]][1] += int(value)
    return threads


def is_close(shown, wanted):
    """Speedscope shows two decimals of a unit that is below a thousand."""
    return abs(shown - wanted) <= max(0.011 * 1e3 ** ((len(str(int(wanted))) - 1) // 3), 0.5)


def are_equal(table, functions):
    return all(name in table and all(map(is_close, table[name], times)) for name, times in functions.items())


def check_tables(what, tables, threads):
    """Each thread has a table. A table may have other rows, of the thread itself."""
    for thread, functions in threads.items():
        found = next((table for table in tables if are_equal(table, functions)), None)
        if found is None:
            sys.exit(f"{what}: no table has what {thread} did: {dict(functions)}: {[dict(t) for t in tables]}")
        tables.remove(found)
    print(f"{what}: {len(threads)} profiles, {sum(map(len, threads.values()))} functions have their times")


def check_flame_graph(path):
    with open(path, "rb") as file:
        drawn = subprocess.run(["node", STACKVIS, "collapsed", "flamegraph-svg"], stdin=file, capture_output=True,
                               text=True, check=True).stdout
    frames = set()
    with open(path, encoding="utf-8") as file:
        for line in file:
            stack = line.rsplit(" ", 1)[0].split(";")
            frames.update(tuple(stack[:n]) for n in range(1, len(stack) + 1))
    drawn_frames = drawn.count("<rect") - 1  # one is the background
    print(f"{path}: {drawn_frames} rectangles of {len(frames)} stacks")
    if not 0 < drawn_frames <= len(frames) + 1:
        sys.exit("that cannot be")


def check(browser, trace, scratch):
    paths = {form: os.path.join(scratch, f"{form}-of-{os.path.basename(trace.rstrip('/'))}.{ending}") for form, ending in
             (("speedscope", "json"), ("chrome", "json"), ("folded", "txt"))}
    for form, path in paths.items():
        subprocess.run([TOOL, "convert", f"--to={form}", trace, path], stderr=subprocess.DEVNULL, check=True)
    threads = read_folded(paths["folded"])
    every = collections.defaultdict(lambda: [0, 0])
    for functions in threads.values():
        for name, times in functions.items():
            every[name] = [a + b for a, b in zip(every[name], times)]
    check_tables(paths["folded"], show(browser, paths["folded"], scratch), {"all": every})
    for form in ("speedscope", "chrome"):
        check_tables(paths[form], show(browser, paths[form], scratch), threads)
    check_flame_graph(paths["folded"])


def main():
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as scratch:
            for trace in TRACES:
                check(browser, trace, scratch)
    finally:
        browser.close()


main()
