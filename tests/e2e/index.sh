#!/bin/bash
# SPDX-License-Identifier: MIT
# The index that `trace` writes must be, byte for byte, the one that `index` makes by reading the trace,
# however the program ended. Other tools must not notice it.
source "$(dirname "$0")/e2e.sh"
require apitrace
start_x

has_index()
{
    tail -c 8 "$1" | grep -qa trcidx
}

calls()
{
    "$cli" dump -v --multiline=no "$@" 2>/dev/null | grep -v '^//'
}

# Lookups by the index must have the same results as reading everything, as from a pipe, which has no index.
check_lookups() # TRACE
{
    local count range frame
    calls - < <(cat "$1") >all.txt
    count=$(wc -l <all.txt)
    for range in 0-0 3-9 $((count / 2))-$((count / 2 + 7)) $((count - 3))-$((count + 3)); do
        calls --calls="$range" "$1" >found.txt
        awk -v first="${range%-*}" -v last="${range#*-}" '$1 + 0 >= first && $1 + 0 <= last' all.txt >expected.txt
        same "calls $range of $1" found.txt expected.txt
    done
    for frame in 0 1 2; do
        calls --frames="$frame" "$1" >found.txt
        awk -v frame="$frame" 'frame == n { print } $2 ~ /^(glX|egl)SwapBuffers\(/ { n++ } BEGIN { n = 0 }' all.txt \
            >expected.txt
        same "frame $frame of $1" found.txt expected.txt
    done
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
        check_lookups "$trace"
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

# All kinds of ends, and processes that fork or exec.
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

has_counted()
{
    [[ -s counter && $(od -An -tu8 -N8 counter) -gt 100000 ]]
}

# Killed from outside, at any moment.
"$cli" trace -o app.trace -- "$apps/gl_killed" counter >out.txt 2>err.txt &
tracer=$!
wait_until has_counted
kill -9 "$(pgrep -P "$tracer")"
wait "$tracer"
check_index app.trace

# Nobody writes an index if the collector is killed, or if there is none.
rm -f counter
"$cli" trace -o app.trace -- "$apps/gl_killed" counter >out.txt 2>err.txt &
tracer=$!
wait_until has_counted
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
