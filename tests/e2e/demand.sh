#!/bin/bash
# SPDX-License-Identifier: MIT
# Only what is wanted is recorded: some frames, calls or functions, or what lies between a start and a stop.
source "$(dirname "$0")/e2e.sh"
require apitrace
start_x

run 0 "$cli" trace -o all.trace "$apps/glx_triangle"
run 0 "$cli" dump -v --call-nos=no --multiline=no all.trace
grep -v '^//' out.txt >all.txt

# names FILE: the functions of a dump without numbers
names()
{
    sed -n 's/^\([a-zA-Z0-9]*\)(.*/\1/p' "$1"
}

# selected OPTION…: records with the options; the dump is in out.txt
selected()
{
    run 0 "$cli" trace -o some.trace "$@" -- "$apps/glx_triangle" || return
    contains out.txt '^glx_triangle 2: '
    same_dump some.trace
    run 0 "$cli" dump -v --call-nos=no --multiline=no some.trace
    contains out.txt "^// trace.selection = \"$(printf '%s ' "$@" | sed 's/ $//; s/[*]/[*]/g')\"$"
}

selected --calls=10-19
names out.txt >some.names
sed -n '11,20p' all.txt >part.txt
names part.txt >part.names
same 'calls 10 to 19' part.names some.names

selected '--functions=glXSwap* glClear'
[[ $(count out.txt '^glXSwapBuffers') -eq 3 && $(count out.txt '^gl') -eq $(count all.txt '^(glXSwap|glClear\()') ]] ||
    fail "--functions: $(<out.txt)"

selected --frames=1
[[ $(count out.txt '^glXSwapBuffers') -eq 1 ]] || fail '--frames=1 has other frames'
lacks out.txt '^glXCreate'
frame=$(awk '/^glXSwapBuffers/ && ++n == 1 { from = NR } /^glXSwapBuffers/ && n == 2 { print NR - from; exit }' all.txt)
[[ $(count out.txt '^gl') -eq $frame ]] || fail "frame 1 has $frame calls, the trace $(count out.txt '^gl')"
run 0 "$cli" info some.trace
contains out.txt '"FramesCount": 1'
run 0 "$cli" dump --calls=0 some.trace # numbers begin at 0, and the index knows them
[[ $(count out.txt '^0 gl') -eq 1 ]] || fail 'no call 0'

selected --frames=1 --state
contains out.txt '^glXCreateContext'
contains out.txt '^glXMakeCurrent'
[[ $(count out.txt '^glXSwapBuffers') -eq 1 ]] || fail '--state records other frames'
run 0 "$cli" retrace --headless some.trace

# With this many ranges, the program records all calls, and only the collector selects. The traces are the same.
many=$(printf '%s,' {9000..9040..2})1
for app in glx_triangle glx_arrays gl_threads; do
    run 0 "$cli" trace --frames=1 --state -o some.trace "$apps/$app"
    run 0 "$cli" trace "--frames=$many" --state -o by_collector.trace "$apps/$app"
    for trace in some by_collector; do
        run 0 "$cli" dump --multiline=no "$trace.trace"
        grep -v '^//' out.txt | sed 's/0x[0-9a-f]\{5,\}/ADDRESS/g' >"$trace.txt"
    done
    [[ $app == gl_threads ]] || same "$app: calls that the program leaves out" by_collector.txt some.txt
    [[ $(wc -l <some.txt) -eq $(wc -l <by_collector.txt) ]] || fail "$app: as many calls"
done

# The property is complete.
long=$(printf 'glVertex2f,%.0s' {1..100})glClear
selected --functions="$long"

run 1 "$cli" trace --functions=glNothing "$apps/glx_triangle"
contains err.txt "no function is called 'glNothing'"
run 1 "$cli" trace --frames=x "$apps/glx_triangle"

echo '--- markers of the program'
run 0 "$cli" trace --paused -o markers.trace "$apps/gl_markers"
run 0 "$cli" dump --call-nos=no markers.trace
contains out.txt '^// trace.selection = "--paused"$'
[[ $(count out.txt '^glXSwapBuffers') -eq 2 && $(count out.txt '^glStringMarkerGREMEDY') -eq 4 ]] ||
    fail "markers: $(<out.txt)"
contains out.txt '^glClearColor\(red = 2,'
contains out.txt '^glClearColor\(red = 4,'
lacks out.txt '^glClearColor\(red = [135],'
same_dump markers.trace
run 0 "$cli" trace -o markers.trace "$apps/gl_markers" # stopped by the first stop
run 0 "$cli" dump --call-nos=no markers.trace
contains out.txt '^glClearColor\(red = 1,'
lacks out.txt '^glClearColor\(red = [35],'

echo '--- triggers'
is_traced()
{
    pgrep -P "$tracer" glxgears >/dev/null && [[ -e gears.trace ]]
}

require glxgears
for way in tracer program signal; do
    rm -f gears.trace
    "$cli" trace --paused -o gears.trace glxgears >/dev/null 2>err.txt &
    tracer=$!
    wait_until is_traced
    gears=$(pgrep -P "$tracer" glxgears)
    case $way in
    tracer) start=("$cli" trigger "$tracer" start) stop=("$cli" trigger "$tracer" stop) ;;
    program) start=("$cli" trigger "$gears" start) stop=("$cli" trigger "$gears" stop) ;;
    signal) start=(kill -USR1 "$tracer") stop=(kill -USR2 "$tracer") ;;
    esac
    sleep 0.5
    "${start[@]}" || fail "$way: start: status $?"
    sleep 2
    "${stop[@]}" || fail "$way: stop: status $?"
    sleep 0.5
    kill "$gears"
    wait "$tracer"
    [[ $? -eq 143 ]] || fail "$way: glxgears did not run on: $(<err.txt)"
    run 0 "$cli" dump --call-nos=no gears.trace
    lacks out.txt '^glXCreateContext'
    [[ $(count out.txt '^glXSwapBuffers') -gt 2 ]] || fail "$way: nothing was recorded"
done
run 1 "$cli" trigger 1x start
contains err.txt "'1x' is no process id"
run 1 "$cli" trigger $$ start
contains err.txt 'is neither trace-cli trace nor a program that it traces'
run 1 "$cli" trigger $$ go
contains err.txt "unknown command 'go' \(start, stop or dump\)"

# The signals have their usual meaning for the program.
run 138 "$cli" trace sh -c 'kill -USR1 $$'
run 0 "$cli" trace sh -c 'trap "exit 0" USR2; kill -USR2 $$; exit 1'
finish
