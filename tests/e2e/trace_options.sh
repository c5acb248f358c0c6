#!/bin/bash
# SPDX-License-Identifier: MIT
# trace --compression, --timestamp, --live and --debug; the messages at the end, and when there is no trace.
source "$(dirname "$0")/e2e.sh"
require apitrace
start_x

for kind in snappy zstd none; do
    run 0 "$cli" trace --compression=$kind -o $kind.trace "$apps/gl_cheap" color 20000 1
    [[ ! -s err.txt ]] || fail "--compression=$kind says: $(<err.txt)"
    run 0 "$cli" dump --calls=100-200 $kind.trace
    [[ $(count out.txt glColor4f) -eq 101 ]] || fail "$kind.trace has other calls"
    run 0 "$cli" info $kind.trace
done
for kind in snappy none; do
    same_dump $kind.trace
done
bytes() { stat -c %s "$1"; }
[[ $(bytes zstd.trace) -lt $(bytes snappy.trace) ]] || fail 'Zstandard does not make it smaller'
[[ $(bytes none.trace) -gt 700000 ]] || fail "none.trace is compressed: $(bytes none.trace) bytes"
run 0 "$cli" info zstd.trace
contains out.txt '"ContainerType": "Zstandard \(seekable\)"'
run 1 "$cli" trace --compression=gzip "$apps/glx_triangle"
contains err.txt "unknown compression 'gzip' \(snappy, zstd or none\)"

# What selects nothing would lose the run.
for bad in 5-1 1,5-1 '' ' ' , 1, ,1 1,,2; do
    run 1 "$cli" trace --frames="$bad" -o bad.trace touch was.run
    contains err.txt "^error: --frames: (a range in '$bad' ends before|'$bad' is an empty set|there is nothing on one side of a comma in '$bad')"
    run 1 "$cli" trace --calls="$bad" -o bad.trace touch was.run
    contains err.txt "^error: --calls: .*'$bad'"
done
run 1 "$cli" trace --frames=5x touch was.run
contains err.txt '^error: --frames: call set: cannot understand "x" in "5x"'
run 1 "$cli" trace -o '' touch was.run
contains err.txt '^error: --output needs the name of a file'
run 1 "$cli" trace --debug-directory= touch was.run
contains err.txt '^error: --debug-directory: the name of a directory is needed'
[[ ! -e was.run ]] || fail 'a program was run after an error'
run 0 "$cli" trace --frames='1, 3-4 */10' -o good.trace "$apps/glx_triangle"

mkdir stamped && cd stamped || exit 1
run 0 "$cli" trace --timestamp -v "$apps/glx_triangle"
stamped=(glx_triangle.[0-9]*T[0-9]*.trace)
[[ ${stamped[0]} =~ ^glx_triangle\.20[0-9]{6}T[0-9]{6}\.trace$ && -s ${stamped[0]} ]] ||
    fail "--timestamp wrote $(ls)"
contains err.txt "^trace-cli: ${stamped[0]}: 83 calls, 3 frames, [0-9]+ kB$"
run 0 "$cli" trace -t -o named.trace "$apps/glx_triangle"
[[ -s named.trace ]] || fail '-o and -t: no named.trace'
cd ..

run 0 "$cli" trace --live -o live.trace "$apps/gl_sleeps" 2500
[[ $(count err.txt '^trace-cli: [0-9.]+ (k )?calls, [0-9]+ frames; .* calls/s, [0-9.]+ frames/s; rings [0-9]+ % full$') -ge 2 ]] ||
    fail "--live printed: $(<err.txt)"
contains err.txt '^trace-cli: live.trace: [0-9]+ calls, [0-9]+ frames'

# The type of the program's file is given as the reason why nothing was recorded.
run 0 "$cli" trace "$apps/static_program"
contains err.txt 'static_program is statically linked'
run 0 "$cli" trace "$apps/vulkan_program"
contains err.txt 'vulkan_program uses Vulkan'
run 0 "$cli" trace true
lacks err.txt '^trace-cli: true '

if command -v gdb >/dev/null; then
    quoted="it's"
    printf 'run\nquit\n' | "$cli" trace --debug -o "$quoted.trace" "$apps/glx_triangle" >gdb.txt 2>&1 ||
        fail "--debug: status $?: $(tail -n 3 gdb.txt)"
    contains gdb.txt 'exited normally'
    run 0 "$cli" dump "$quoted.trace"
    [[ $(count out.txt '^[0-9]+ glXSwapBuffers') -eq 3 ]] || fail '--debug recorded other calls'
else
    run 127 "$cli" trace --debug "$apps/glx_triangle"
    contains err.txt 'gdb: program not found'
fi
finish
