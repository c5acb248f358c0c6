#!/bin/bash
# SPDX-License-Identifier: MIT
# Traces a program of other authors with both tools: equal dumps, equal pictures, and all frames that were recorded. How
# many these are depends on the machine; there must be two, of which the second one is compared.
# usage: programs.sh API SECONDS PROGRAM [ARGS…]   (SECONDS 0: it ends by itself)
source "$(dirname "$0")/e2e.sh"
require apitrace
start_x
api=$1 seconds=$2
shift 2
command -v "$1" >/dev/null || skip "$1 is not installed"

if [[ $seconds == 0 ]]; then
    run 0 "$cli" trace -o ours.trace -- "$@"
    run 0 apitrace trace -a "$api" -o theirs.trace "$@"
else
    trace_frames ours.trace 2 "$seconds" "$@"
    # If it is ended by a signal, apitrace sometimes cuts its own trace in the middle of a call, or waits for ever.
    # Then it is traced again, and longer.
    for attempt in 1 2 3 4; do
        rm -f theirs.trace
        status=0
        timeout -s KILL 300 apitrace trace -a "$api" -o theirs.trace timeout -k 5 "$seconds" "$@" >out.txt 2>err.txt </dev/null ||
            status=$?
        [[ $status -eq 124 ]] && "$cli" dump theirs.trace >/dev/null 2>&1 && [[ $(frames_of theirs.trace) -ge 2 ]] && break
        echo "attempt $attempt: apitrace's status is $status, or its trace is cut or too short"
        seconds=$(awk "BEGIN { print 2 * $seconds }")
    done
fi
ls -l ./*.trace
for trace in ours.trace theirs.trace; do
    same_dump "$trace"
    frames=$(frames_of "$trace")
    [[ $frames -ge 2 ]] || fail "$trace: $frames frames"
    same_replay "$api" "$trace" "$frames"
done
# Repacked traces have the same calls and pictures.
run 0 "$cli" repack --brotli=5 ours.trace packed.trace
run 0 "$cli" dump packed.trace
mv out.txt packed.txt
run 0 "$cli" dump ours.trace
same 'dump of the repacked trace' out.txt packed.txt
[[ $(stat -c %s packed.trace) -lt $(stat -c %s ours.trace) ]] || fail 'brotli made the trace larger'
finish
