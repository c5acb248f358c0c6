#!/bin/bash
# SPDX-License-Identifier: MIT
# The index that `trace` leaves in a trace is, byte for byte, the one that `index` makes by reading the trace,
# however the program ended; other tools do not notice it.
source "$(dirname "$0")/e2e.sh"
require apitrace
start_x

has_index()
{
    tail -c 8 "$1" | grep -qa trcidx
}

check_index() # TRACE…
{
    local trace
    for trace; do
        has_index "$trace" || fail "$trace has no index"
        cp "$trace" again.trace
        run 0 "$cli" index --force again.trace
        same "the index of $trace, and one made anew" "$trace" again.trace
        same_dump "$trace"
    done
    rm -f ./*.trace
}

for program in glx_triangle glx_windows gl_threads glfw_buffers "egl_es2 window" "gl_cheap enable 50000 2"; do
    # shellcheck disable=SC2086
    run 0 "$cli" trace -o app.trace -- "$apps"/$program
    check_index app.trace
done
run 0 "$cli" trace --timestamps=no -o app.trace -- "$apps/glx_triangle"
check_index app.trace

# Ends of all kinds; a process each of a fork and of an exec.
for ending in '3 return 3' '3 _exit 3' '139 segv' '137 kill'; do
    read -r -a words <<<"$ending"
    run "${words[0]}" "$cli" trace -o app.trace -- "$apps/gl_exits" "${words[@]:1}"
    check_index app.trace
done
run 0 "$cli" trace -o app.trace -- "$apps/gl_fork" late
[[ -e app.1.trace ]] || fail 'the forked child has no trace'
check_index ./*.trace
run 0 "$cli" trace -o app.trace -- sh -c "'$apps/glx_triangle'; exec '$apps/glx_triangle'"
[[ -e app.1.trace ]] || fail 'the second program has no trace'
check_index ./*.trace

# From outside, in the middle of anything.
"$cli" trace -o app.trace -- "$apps/gl_killed" counter >out.txt 2>err.txt &
tracer=$!
for ((i = 0; i < 200; i++)); do
    [[ -s counter && $(od -An -tu8 -N8 counter) -gt 100000 ]] && break
    sleep 0.05
done
kill -9 "$(pgrep -P "$tracer")"
wait "$tracer"
check_index app.trace

# What has nobody to write it at the end is none: the collector is killed, or there is none.
rm -f counter
"$cli" trace -o app.trace -- "$apps/gl_killed" counter >out.txt 2>err.txt &
tracer=$!
for ((i = 0; i < 200; i++)); do
    [[ -s counter && $(od -An -tu8 -N8 counter) -gt 100000 ]] && break
    sleep 0.05
done
program=$(pgrep -P "$tracer")
kill -9 "$tracer" "$program"
wait "$tracer" 2>/dev/null
run 0 env LD_PRELOAD="$build/lib/trace-cli/gltrace.so" TRACE_FILE="$work/alone.trace" "$apps/glx_triangle"
for trace in app.trace alone.trace; do
    has_index "$trace" && fail "$trace has an index"
    "$cli" dump "$trace" >out.txt 2>err.txt
    [[ $(wc -l <out.txt) -gt 20 ]] || fail "$trace has no calls: $(head -n 3 err.txt)"
done
run 0 "$cli" index alone.trace
same_dump alone.trace
finish
