#!/bin/bash
# SPDX-License-Identifier: MIT
# Our traces in apitrace, and apitrace's traces in trace-cli: equal dumps and equal pictures, for our own
# programs.
# usage: exchange.sh APP [ARGS…]
source "$(dirname "$0")/e2e.sh"
require apitrace
start_x
app=$1
api=gl
[[ $app == egl_* ]] && api=egl

run 0 "$cli" trace -o ours.trace -- "$apps/$app" "${@:2}"
run 0 apitrace trace -a "$api" -o theirs.trace "$apps/$app" "${@:2}"
frames=$(apitrace dump ours.trace | grep -c SwapBuffers)
for trace in ours.trace theirs.trace; do
    same_dump "$trace"
    same_replay "$api" "$trace" "$frames"
    cp out.txt "$trace.md5"
done
same 'pictures from both traces' ours.trace.md5 theirs.trace.md5
finish
