#!/bin/bash
# SPDX-License-Identifier: MIT
# Stops, slows down or kills the collector. A program must lose no calls while the collector lives, and must
# never be blocked after it has died.
source "$(dirname "$0")/e2e.sh"
start_x

is_gone() # PID
{
    ! kill -0 "$1" 2>/dev/null
}

recorded() # TRACE TEXT: is it in the dump?
{
    [[ -s $1 ]] && "$cli" dump "$1" 2>/dev/null | grep -qF "$2"
}

flood=1000000 # several rings full

all_calls_are_there() # TRACE WHAT
{
    "$cli" dump --grep='^glClearStencil$' "$1" >calls.txt 2>dump.err
    same "$2: stderr of dump" dump.err /dev/null
    [[ $(wc -l <calls.txt) -eq $flood ]] || fail "$2: $(wc -l <calls.txt) of $flood calls"
    contains calls.txt "^[0-9]+ glClearStencil\(s = $flood\)"
    rm -f "$1" calls.txt
}

echo '--- stopped while the program floods it'
"$cli" trace -o app.trace -- "$apps/gl_flood" $flood 5 started >out.txt 2>err.txt &
tracer=$!
wait_until test -e started
kill -STOP $tracer
sleep 3
kill -CONT $tracer
wait $tracer
status=$?
[[ $status -eq 5 ]] || fail "status $status instead of 5"
contains out.txt "^made $flood calls$"
same 'stderr after a stop' err.txt /dev/null
all_calls_are_there app.trace 'stopped for 3 s'
rm -f started

echo '--- stopped when the program looks for it'
"$cli" trace -o app.trace -- sh -c 'echo >waiting; while [ ! -e go ]; do sleep 0.05; done; exec "$@"' sh "$apps/gl_flood" $flood 5 \
    >out.txt 2>err.txt &
tracer=$!
wait_until test -e waiting
kill -STOP $tracer
echo >go
sleep 7
kill -CONT $tracer
wait $tracer
status=$?
[[ $status -eq 5 ]] || fail "status $status instead of 5"
same 'stderr after a late answer' err.txt /dev/null
all_calls_are_there app.trace 'stopped for 7 s before the first call'
rm -f go waiting

killed() # WHAT SIGNAL…: those signals to the collector while the program runs
{
    local what=$1 signal program
    shift
    "$cli" trace -o app.trace -- sh -c '"$@"; echo $? >status' sh "$apps/gl_flood" 3000000 5 started >out.txt 2>err.txt &
    tracer=$!
    wait_until test -e started
    program=$(pgrep -P $tracer)
    for signal; do
        kill -"$signal" $tracer
        sleep 0.5
    done
    wait $tracer 2>/dev/null
    wait_until is_gone "$program"
    [[ $(cat status) == 5 ]] || fail "$what: the program's status is $(cat status)"
    contains out.txt '^made 3000000 calls$'
    run 0 "$cli" dump --calls=0-100 app.trace
    rm -f started status app.trace
}

echo '--- killed'
killed 'killed' KILL
echo '--- stopped, then killed'
killed 'stopped, then killed' STOP KILL

echo '--- killed when it is idle: all calls are there'
"$cli" trace -o app.trace -- "$apps/gl_sleeps" 60000 >out.txt 2>err.txt &
tracer=$!
wait_until recorded app.trace 'glClearStencil(s = 1)'
program=$(pgrep -P $tracer)
kill -KILL $tracer
kill "$program"
wait $tracer 2>/dev/null
run 0 "$cli" dump app.trace
contains out.txt '^[0-9]+ glClearStencil\(s = 1\)'
finish
