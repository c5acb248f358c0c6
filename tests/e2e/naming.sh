#!/bin/bash
# SPDX-License-Identifier: MIT
# The names of traces: PROGRAM.trace in the working directory, then PROGRAM.1.trace, …; -o overwrites an
# existing file.
source "$(dirname "$0")/e2e.sh"
start_x

run 0 "$cli" trace "$apps/glx_triangle"
run 0 "$cli" trace -- "$apps/glx_triangle"
run 0 "$cli" trace "$apps/glx_triangle"
for name in glx_triangle.trace glx_triangle.1.trace glx_triangle.2.trace; do
    [[ -s $name ]] || fail "no $name"
    run 0 "$cli" dump "$name"
    contains out.txt '^// process.name = ".*/glx_triangle"$'
    contains out.txt '^[0-9]+ glXSwapBuffers\('
done
[[ $(ls -A | grep -c trace) -eq 3 ]] || fail "more than the three traces: $(ls -A | tr '\n' ' ')"

mkdir -p directory
run 0 "$cli" trace -o directory/mine.trace "$apps/glx_triangle"
[[ -s directory/mine.trace ]] || fail 'no directory/mine.trace'
run 0 "$cli" trace -o directory/mine.trace "$apps/glx_arrays"
run 0 "$cli" dump directory/mine.trace
contains out.txt '^// process.name = ".*/glx_arrays"$'
[[ $(ls -A directory) == mine.trace ]] || fail "directory holds $(ls -A directory | tr '\n' ' ')"

# Arguments belong to the program, even if they look like our options.
run 2 "$cli" trace -o usage.trace -- "$apps/gl_killed"
run 3 "$cli" trace -o exits.trace "$apps/gl_exits" return 3
run 0 "$cli" dump exits.trace
contains out.txt '^// process.commandLine = "return 3"$'

# A program without GL calls leaves no trace. This is only reported on request.
run 0 "$cli" trace -o none.trace -- true
[[ -e none.trace ]] && fail 'true(1) left a trace'

# A program that is found in PATH.
run 0 env PATH="$apps:$PATH" "$cli" trace -o path.trace glx_triangle
[[ -s path.trace ]] || fail 'a program found through PATH left no trace'
finish
