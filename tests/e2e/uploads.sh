#!/bin/bash
# SPDX-License-Identifier: MIT
# Calls with more data than any ring holds: all of it is in the trace, what is recorded of it needs little memory,
# and if the program ends in the middle, the trace can be read and the loss is told.
source "$(dirname "$0")/e2e.sh"
limit=65536 # kB, for trace-cli with four threads that record; each has a ring of 4 MB

# peak STATUS COMMAND…: runs it as `run` does, and keeps its peak memory in kB, and that of its children, in peak.txt
peak()
{
    run "$1" python3 -c '
import resource, subprocess, sys
status = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open("peak.txt", "w"))
sys.exit(status if status >= 0 else 128 - status)' "${@:2}"
}

little_memory() # WHAT
{
    local used
    used=$(cat peak.txt)
    echo "$1: $used kB"
    [[ $used -le $limit ]] || fail "$1: $used kB of memory"
}

check_calls() # TRACE BYTES THREADS
{
    "$cli" dump -v "$1" | cut -c -150 | sed -E 's/^[0-9]+ //' | sort >calls.txt
    [[ $(count calls.txt "^glBufferSubData\\(.*, data = blob\\($2\\)\\)\$") -eq $3 ]] || fail "$1: blobs"
    [[ $(count calls.txt "^glShaderSource\\(.*\"hello\".*length = \\{5, $(($2 / 64))\\}\\)\$") -eq $3 ]] || fail "$1: strings"
    [[ $(count calls.txt "^glDeleteBuffers\\(n = $(($2 / 256)), buffers = \\{0, 0,") -eq $3 ]] || fail "$1: arrays"
    [[ $(count calls.txt '^glClearStencil\(s = [123]\)$') -eq $((3 * $3)) ]] || fail "$1: other calls"
}

peak 0 "$cli" trace -o app.trace "$apps/gl_uploads" 1024 1
little_memory '1 GB'
check_calls app.trace $((1 << 30)) 1
rm -f app.trace
peak 0 "$cli" trace --compression=zstd -o app.trace "$apps/gl_uploads" 256 1
little_memory 'zstd'
check_calls app.trace $((1 << 28)) 1
rm -f app.trace

peak 0 "$cli" trace -o app.trace "$apps/gl_uploads" 128 4
little_memory 'four threads at once'
check_calls app.trace $((1 << 27)) 4
cp app.trace again.trace
run 0 "$cli" index --force again.trace
same 'the index, and one made anew' app.trace again.trace
rm -f app.trace again.trace

echo '--- without trace-cli'
peak 0 env TRACE_FILE=app.trace LD_PRELOAD="$build/lib/trace-cli/gltrace.so" "$apps/gl_uploads" 128 2
little_memory 'without trace-cli'
check_calls app.trace $((1 << 27)) 2
rm -f app.trace

echo '--- no space'
peak 1 bash -c 'ulimit -Sf 200000; exec "$@"' bash "$cli" trace --compression=none -o app.trace \
    sh -c 'ulimit -Sf unlimited; exec "$@"' sh "$apps/gl_uploads" 512 1
little_memory 'no space'
contains err.txt '^trace-cli: warning: app.trace: 6 calls were lost: the file could not be written$'
rm -f app.trace

echo '--- the program is killed'
run 137 "$cli" trace -o app.trace "$apps/gl_uploads" 512 1 app.trace
contains err.txt '^trace-cli: warning: app.trace: 1 calls are cut off: .*$'
run 0 "$cli" dump app.trace
contains out.txt '^0 glBufferSubData\(target = GL_ARRAY_BUFFER, offset = 7, size = 536870912, data = blob\(536870912\)\) // incomplete$'
if command -v apitrace >/dev/null; then
    apitrace dump app.trace | grep -v '^//' >theirs.txt
    grep -v '^//' out.txt >ours.txt
    same 'the killed one' ours.txt theirs.txt
fi
finish
