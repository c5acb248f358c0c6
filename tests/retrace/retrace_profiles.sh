#!/bin/bash
# SPDX-License-Identifier: MIT
# Profiles of real replays: apitrace's lines, and a file for Perfetto that its rules of nesting allow.
# usage: retrace_profiles.sh E2E_LIBRARY DATA_DIRECTORY
data=$2
source "$1"
start_x
tri=$data/tri.trace

# The same calls as in apitrace's output. The number of pixels is not compared, because its window has another
# size in the first frame.
calls() # FILE: number, name, and whether there are pixels
{
    awk '$1 == "call" { print $2, ($11 > 0 ? "drawn" : $11), $13 } $1 == "frame_end"' "$1"
}
run 0 "$cli" retrace --headless --ppd "$tri"
calls out.txt >ours.txt
contains ours.txt '^20 drawn glBegin$'
contains ours.txt '^12 -1 glViewport$'
contains ours.txt '^frame_end$'
contains out.txt '^Rendered 1 frames'
if command -v apitrace >/dev/null; then
    run 0 apitrace replay --ppd "$tri"
    calls out.txt >apitrace.txt
    same "apitrace's lines" ours.txt apitrace.txt
    run 0 apitrace replay --list-metrics "$tri"
    cp out.txt apitrace.txt
    run 0 "$cli" retrace --headless --list-metrics "$tri"
    same "apitrace's metrics" out.txt apitrace.txt
    cp out.txt listed.txt
    run 0 "$cli" retrace --headless --list-metrics
    same 'metrics without a trace' out.txt listed.txt
    run 0 "$cli" retrace --list-metrics
    same 'metrics of windows' out.txt listed.txt
    metrics='opengl: Pixels Drawn'
    run 0 apitrace replay "--pdrawcalls=$metrics" "$tri"
    sed '/^Rendered/d; s/[1-9][0-9]*$/drawn/' out.txt >apitrace.txt
    run 0 "$cli" retrace --headless "--pdrawcalls=$metrics" "$tri"
    sed '/^Rendered/d; s/[1-9][0-9]*$/drawn/' out.txt >ours.txt
    same "apitrace's table" ours.txt apitrace.txt
fi
run 0 "$cli" retrace --headless --gen-passes --pcalls='opengl: CPU Start' "$tri"
[[ $(cat out.txt) == 1 ]] || fail "--gen-passes: $(cat out.txt)"

# There are times, and those of the GPU are on the CPU's clock.
run 0 "$cli" retrace --headless --pcpu --pgpu --pmem --min-cpu-time=0 "$tri"
awk '$1 == "call" && $13 == "glClear" { exit !($4 > 0 && $6 > 0 && $3 + 1000000 > $5 && $7 > 0 && $9 > 0) }' out.txt ||
    fail "glClear: $(grep glClear out.txt)"

# Slices of a track are nested, and all of them end.
run 0 "$cli" retrace --headless --profile=profile.json "$tri"
contains out.txt '^ +program +draws +GPU ms'
contains out.txt '^ +0 +2 '
if command -v python3 >/dev/null; then
    python3 - <<'END' || fail 'profile.json'
import json
tracks = {}
for event in json.load(open('profile.json'))['traceEvents']:
    if event['ph'] == 'M':
        continue
    track = tracks.setdefault((event['pid'], event['tid']), {'open': [], 'at': 0, 'names': []})
    start = round(event['ts'] * 1000)  # in nanoseconds, whose sums are exact
    assert start >= track['at'], event
    track['at'] = start + round(event.get('dur', 0) * 1000)
    track['names'].append(event.get('name'))
    if event['ph'] == 'B':
        track['open'].append(event['name'])
    if event['ph'] == 'E':
        track['open'].pop()
assert sorted(tracks) == [(1, 1), (2, 1)]
assert all(not track['open'] for track in tracks.values())
assert tracks[2, 1]['names'] == ['frame 0', 'glClear', 'glBegin', None], tracks[2, 1]
assert 'glXSwapBuffers' in tracks[1, 1]['names']
END
fi

# Each of several threads has tracks of its own.
for thread in 0 1; do
    echo "@$thread glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x3$thread"
    echo "@$thread glXMakeCurrent dpy=0x10 drawable=7$thread ctx=0x3$thread = 1"
    echo "@$thread glViewport x=0 y=0 width=48 height=48"
done >calls.txt
for frame in 1 2 3; do
    for thread in 0 1 1 0; do
        echo "@$thread glClear mask=16384"
    done
    echo "@$((frame % 2)) glXSwapBuffers dpy=0x10 drawable=7$((frame % 2))"
done >>calls.txt
"$build/bin/make_trace" two.trace <calls.txt
for option in '' --singlethread; do
    # shellcheck disable=SC2086 # none or one
    run 0 "$cli" retrace --headless $option --pgpu --profile=two.json two.trace
    [[ $(grep -c ' glClear$' out.txt) -eq 12 ]] || fail "lines of two threads: $(cat out.txt)"
    python3 - <<'END' || fail "tracks of two threads $option"
import collections, json
slices = collections.Counter((e['pid'], e['tid'], e['name']) for e in json.load(open('two.json'))['traceEvents']
                             if e['ph'] in 'BX')
assert all(slices[process, thread, 'glClear'] == 6 for process in (1, 2) for thread in (1, 2)), slices
assert [slices[1, thread, 'frame 0'] for thread in (1, 2)] == [1, 1], slices
assert [slices[1, thread, 'frame 1'] for thread in (1, 2)] == [1, 1], slices
END
done

refuses() # EXPECTED_ERROR ARGUMENTS…
{
    run 1 "$cli" retrace --headless "${@:2}"
    contains err.txt "$1"
}
refuses '^error: --pcalls: there is no metric .CPU.' --pcalls='opengl: CPU' "$tri"
refuses '^error: --min-cpu-time: .x. is not a number' --min-cpu-time=x "$tri"
refuses '^error: --profile: one trace at a time' --profile=x.json "$tri" "$tri"
refuses '^error: /nonexistent/x.json: No such file' --profile=/nonexistent/x.json "$tri"
finish
