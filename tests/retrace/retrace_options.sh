#!/bin/bash
# SPDX-License-Identifier: MIT
# What cannot be replayed is said: wrong options, missing and damaged traces, no display, nowhere to write.
# usage: retrace_options.sh E2E_LIBRARY DATA_FOLDER CHECK_PIXELS
data=$2
source "$1"
start_x
tri=$data/tri.trace

refuses() # EXPECTED_ERROR ARGUMENTS…
{
    run 1 "$cli" retrace "${@:2}"
    contains err.txt "$1"
    [[ $(wc -l <err.txt) -eq 1 ]] || fail "more than one line: $(cat err.txt)"
}

refuses '^error: .*no trace given' --headless
refuses '^error: .*more than one trace' "$tri" "$tri"
refuses '^error: .*no-such-option' --no-such-option "$tri"
refuses '^error: unknown snapshot format .GIF.' --headless -s - --snapshot-format=GIF "$tri"
refuses '^error: .*x-y' --headless -S x-y "$tri"
refuses '^error: --loop: .many. is not a number' --headless --loop=many "$tri"
refuses '^error: .*missing\.trace.*No such file' --headless missing.trace
run 1 "$cli" retrace --headless -s /nonexistent/x- "$tri"
contains err.txt '^error: call 30 glXSwapBuffers: /nonexistent/x-0000000030\.png: No such file or directory$'
DISPLAY='' refuses '^error: cannot open a window system' --headless "$tri"

# Cut short: what is there is replayed, and the warning says so.
size=$(stat -c %s "$tri")
head -c $((size - 40)) "$tri" >cut.trace
run 0 "$cli" retrace --headless cut.trace
contains err.txt '^warning: .*cut\.trace'
contains out.txt '^Rendered '

# On a terminal it says how far it is; here from the start. The line is erased before anything else.
run 0 env TRACE_CLI_PROGRESS=always "$cli" retrace --headless "$tri"
contains err.txt $'^\r\e\\[Kretrace: .*1 frames, [0-9]+ frames/s\r\e\\[K$'
run 0 env TRACE_CLI_PROGRESS=never "$cli" retrace --headless "$tri"
lacks err.txt 'retrace:'

# --loop goes on until it is ended, --loop=N as often as it says; --wait stays when the trace is over.
run 124 timeout 3 "$cli" retrace --headless --loop "$tri"
run 124 timeout 3 "$cli" retrace --headless --wait "$tri"
contains out.txt '^Rendered 1 frames'
run 0 "$cli" retrace --headless --loop=4 "$tri"
contains out.txt '^Rendered 5 frames'

# A call that is in no table is named once, counted, and does not end the replay.
run 0 "$cli" retrace --headless "$data/all-types.trace"
lacks err.txt '^error'
contains err.txt '^warning: [0-9]+ calls could not be replayed: '

# --verbose prints what is replayed, as dump does; not into pictures.
run 0 "$cli" retrace --headless -v "$tri"
grep -v '^Rendered ' out.txt >printed.txt
"$cli" dump --thread-ids "$tri" | grep -v -e '^//' -e glXChoose -e glXGetVisual >dumped.txt
same 'retrace -v' printed.txt dumped.txt
run 0 "$cli" retrace --headless -v -s - --snapshot-format=MD5 "$tri"
contains err.txt '^30 @0 glXSwapBuffers\(dpy = '
[[ $(wc -l <out.txt) -eq 1 ]] || fail "calls among the pictures: $(cat out.txt)"
finish
