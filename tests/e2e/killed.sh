#!/bin/bash
# SPDX-License-Identifier: MIT
# kill -9 at any moment: the trace can be opened, ends without a warning, and its last call is at most one
# behind what the program counted.
source "$(dirname "$0")/e2e.sh"
start_x

counter()
{
    od -An -tu8 -N8 "$1" | tr -d ' '
}

has_counted() # NUMBER: more than that?
{
    [[ -s counter && $(counter counter) -gt $1 ]]
}

last_call()
{
    "$cli" dump --grep='^glClearStencil$' "$1" | tail -n 1 | sed -nE 's/^[0-9]+ glClearStencil\(s = ([0-9]+)\).*/\1/p'
}

check() # TRACE COUNTER WHAT
{
    local counted recorded
    run 0 "$cli" dump --calls=0-10 "$1"
    same "stderr of dump, $3" err.txt /dev/null
    counted=$(counter "$2")
    recorded=$(last_call "$1")
    echo "$3: counted $counted, the trace's last is ${recorded:-missing}"
    # The program counts after the call, so one more call than counted may be recorded; one less is allowed.
    if [[ -z $recorded || $recorded -lt $((counted - 1)) || $recorded -gt $((counted + 1)) ]]; then
        fail "$3: counted $counted, the trace's last is ${recorded:-missing}"
    fi
    rm -f "$1" "$2"
}

for limit in 1 999 12345 300000; do
    run $((128 + 9)) "$cli" trace -o killed.trace -- "$apps/gl_killed" counter "$limit"
    check killed.trace counter "killed at $limit"
done

# Killed from outside, wherever it is.
for seconds in 0.7 1.1; do
    "$cli" trace -o killed.trace -- "$apps/gl_killed" counter >out.txt 2>err.txt &
    tracer=$!
    wait_until has_counted 0
    sleep "$seconds"
    program=$(pgrep -P "$tracer")
    kill -9 "$program"
    wait "$tracer"
    status=$?
    [[ $status -eq 137 ]] || fail "status $status instead of 137 after kill -9"
    check killed.trace counter "killed from outside after $seconds s"
done

# The tracer is killed: the program continues normally.
"$cli" trace -o orphan.trace -- "$apps/gl_killed" counter >out.txt 2>err.txt &
tracer=$!
wait_until has_counted 1000
program=$(pgrep -P "$tracer")
kill -9 "$tracer"
wait "$tracer" 2>/dev/null
before=$(counter counter)
wait_until has_counted "$before" # it may be waiting for room in its ring, and has to find out
kill -9 "$program" 2>/dev/null
finish
