#!/bin/bash
# SPDX-License-Identifier: MIT
# Triggers of the flight recorder: at the same time, while calls have not returned, and when the program has ended.
source "$(dirname "$0")/e2e.sh"
require apitrace
start_x

start() # OPTION… PROGRAM ARGUMENT…: runs it with a flight recorder until it waits; tracer
{
    rm -f waits go
    "$cli" trace --flight-recorder=1M "$@" >/dev/null 2>trace.err &
    tracer=$!
    wait_until test -e waits
    rm -f waits
}

replays() # TRACE
{
    run 0 apitrace replay --headless "$1"
    run 0 "$cli" retrace --headless "$1"
}

echo '--- several at once'
start -o many.trace "$apps/gl_frames" 2000 wait=1000
callers=()
for i in 1 2 3 4 5 6 7 8; do
    "$cli" trigger "$tracer" dump >"name.$i" 2>&1 &
    callers+=($!)
done
for caller in "${callers[@]}"; do
    wait "$caller" || fail "a trigger: status $?"
done
[[ $(cat name.* | sort -u | grep -c '^many.*trace$') -eq 8 ]] || fail "the files are $(cat name.*)"
while read -r name; do
    run 0 "$cli" dump "$name"
    contains out.txt '^// trace.flightRecorder.trigger = "trace-cli trigger"$'
    contains out.txt 'glClearColor\(red = 999,'
done < <(cat name.*)
touch go
wait "$tracer" || fail "status $?: $(<trace.err)"
[[ $(find . -name 'many*.trace' | wc -l) -eq 9 ]] || fail "files: $(ls)"

echo '--- a call that has not returned'
start -o inside.trace "$apps/gl_inside" 'return'
run 0 "$cli" trigger "$tracer" dump
contains out.txt '^inside.trace$'
touch go
wait "$tracer" || fail "status $?: $(<trace.err)"
run 0 "$cli" dump inside.trace
lacks out.txt 'glCreateShader\(type = GL_ZERO'
contains out.txt '^// trace.flightRecorder.unfinished = "glCreateShader"$'
last=$(grep -aE '^[0-9]+ glXSwapBuffers' out.txt | tail -n 1)
run 0 "$cli" dump --calls="${last%% *}" inside.trace
contains out.txt "^${last%% *} glXSwapBuffers"
same_dump inside.trace
replays inside.trace
run 0 "$cli" dump inside.1.trace
contains out.txt '^[0-9]+ glCreateShader\(type = GL_ZERO\) = 0$'
lacks out.txt 'unfinished'
replays inside.1.trace

start -o ends.trace "$apps/gl_inside" exit
touch go
wait "$tracer" || fail "status $?: $(<trace.err)"
run 0 "$cli" dump ends.trace
contains out.txt '^// trace.flightRecorder.unfinished = "glCreateShader"$'
replays ends.trace
start -o killed.trace "$apps/gl_inside" kill # the call may be the reason
touch go
wait "$tracer"
run 0 "$cli" dump killed.trace
contains out.txt '^[0-9]+ glCreateShader\(type = .*// incomplete$'
start -o stopped.trace sh -c "'$apps/gl_inside' kill &"
wait_until grep -q 'waiting for' trace.err
kill -TERM "$tracer"
wait "$tracer" || fail "status $?: $(<trace.err)"
touch go
wait_until test ! -e go # the program, which goes on without its tracer, removes it
run 0 "$cli" dump stopped.trace
contains out.txt '^// trace.flightRecorder.trigger = "the end of the recording"$'
lacks out.txt '// incomplete'

echo '--- when the program has ended'
rm -f waits
"$cli" trace --flight-recorder=1M -o over.trace sh -c "$apps/gl_frames 10; touch waits; until [ -e go ]; do sleep 0.02; done" >/dev/null 2>trace.err &
tracer=$!
wait_until test -e waits
wait_until test -s over.trace
run 1 "$cli" trigger "$tracer" dump
contains err.txt 'the programs that made GL calls have ended, and their last calls are in files already'
touch go
wait "$tracer" || fail "status $?: $(<trace.err)"
run 0 "$cli" dump over.trace
contains out.txt '^// trace.flightRecorder.trigger = "the end of the program"$'
[[ $(find . -name 'over*.trace' | wc -l) -eq 1 ]] || fail "files: $(ls)"
finish
