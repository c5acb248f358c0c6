#!/bin/bash
# SPDX-License-Identifier: MIT
# Each process that uses GL must have its own file, complete and readable by both tools. Other processes must
# have none.
source "$(dirname "$0")/e2e.sh"
require apitrace
start_x

frames() # TRACE: its number of frames
{
    "$cli" dump --grep='SwapBuffers$' "$1" | grep -c SwapBuffers
}

clear_colors() # TRACE
{
    "$cli" dump --grep='^glClearColor$' "$1" | sed -E 's/^[0-9]+ //' | tr '\n' ' '
}

expect_traces() # FRAMES_OF_FIRST…: the traces app.trace, app.1.trace, … exist, with so many frames each
{
    local index=0 name
    for expected; do
        name=app.trace
        [[ $index -gt 0 ]] && name=app.$index.trace
        if [[ ! -e $name ]]; then
            fail "no $name"
        else
            same_dump "$name"
            [[ $(frames "$name") -eq $expected ]] || fail "$name: $(frames "$name") frames instead of $expected"
        fi
        index=$((index + 1))
    done
    [[ $(ls *.trace | wc -l) -eq $index ]] || fail "traces: $(ls *.trace | tr '\n' ' '), expected $index"
}

echo '--- both sides of a fork draw'
run 0 "$cli" trace -o app.trace -- "$apps/gl_fork" late
expect_traces 2 1
[[ $(clear_colors app.1.trace) == *"green = 0.75,"* ]] || fail "the child's trace is $(clear_colors app.1.trace)"
[[ $(clear_colors app.trace) == *"green = 0.25,"*"green = 0.5,"* ]] || fail "the parent's trace is $(clear_colors app.trace)"
rm -f *.trace

echo '--- a fork before any GL call: whoever draws first has the name that was asked for'
run 0 "$cli" trace -o app.trace -- "$apps/gl_fork" early
expect_traces 1 1
rm -f *.trace

echo '--- a child that makes no GL call has no file'
run 0 "$cli" trace -o app.trace -- "$apps/gl_fork" quiet
expect_traces 2
rm -f *.trace

echo '--- a program that becomes another one keeps what it had done'
run 0 "$cli" trace -o app.trace -- "$apps/gl_fork" exec "$apps/glx_triangle"
expect_traces 1 3
rm -f *.trace

echo '--- its first trace is complete when the other one begins to record'
"$cli" trace -o app.trace -- "$apps/gl_fork" exec "$apps/gl_sleeps" 60000 >out.txt 2>err.txt &
tracer=$!
sleeps()
{
    "$cli" dump app.1.trace 2>/dev/null | grep -q 'glClearStencil(s = 1)'
}
wait_until sleeps
run 0 "$cli" dump --timestamps app.trace
same 'stderr of a complete trace' err.txt /dev/null
program=$(pgrep -P $tracer)
kill "$program"
wait $tracer
rm -f *.trace

echo '--- a child that runs another GL program'
run 0 "$cli" trace -o app.trace -- "$apps/gl_fork" spawn "$apps/glx_triangle"
expect_traces 2 3
rm -f *.trace

echo '--- a shell that runs two GL programs'
run 0 "$cli" trace -o app.trace -- sh -c "$apps/glx_triangle; $apps/glx_arrays"
expect_traces 3 2
rm -f *.trace
finish
