#!/bin/bash
# SPDX-License-Identifier: MIT
# The library in place of the GL libraries, by LD_LIBRARY_PATH: the same output and the same calls as with LD_PRELOAD,
# however the program finds GL.
# usage: library_path.sh
source "$(dirname "$0")/e2e.sh"
start_x

calls() # TRACE: without addresses and what differs by window
{
    "$cli" dump --color=never "$1" | sed -E '/^\/\//d; s/0x[0-9a-f]{5,}/ADDRESS/g; s/^[0-9]+ //' | grep -E '^(gl|egl)[A-Z]'
}

for program in glx_triangle "egl_es2 window" glx_dlopen egl_dlopen "gl_threads"; do
    read -r -a words <<<"$program"
    run 0 "$apps/${words[0]}" "${words[@]:1}" && sort out.txt >plain.out
    run 0 "$cli" trace -o preload.trace -- "$apps/${words[0]}" "${words[@]:1}"
    run 0 "$cli" trace --inject=library-path -o path.trace -- "$apps/${words[0]}" "${words[@]:1}" && sort out.txt >traced.out
    same "stdout of $program" plain.out traced.out
    lacks err.txt '^(trace-cli|ERROR)'
    calls preload.trace | sort >preload.txt
    calls path.trace | sort >path.txt
    [[ -s path.txt ]] || fail "$program: no calls"
    same "calls of $program" preload.txt path.txt
done
# This also works if the program clears LD_PRELOAD.
run 0 "$cli" trace --inject=library-path -o cleared.trace -- env -u LD_PRELOAD "$apps/glx_triangle"
[[ -e cleared.trace ]] || fail 'not recorded without LD_PRELOAD'
run 1 "$cli" trace --inject=magic -- true
finish
