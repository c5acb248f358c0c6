#!/bin/bash
# SPDX-License-Identifier: MIT
# The driver gets the calls that the program made, all of them, in their order, with the same arguments: the replay
# is recorded in turn. It may make further ones, such as those that choose formats of arrays in memory.
# usage: retrace_same_calls.sh E2E_LIBRARY
source "$1"
start_x
[[ -z ${TRACE_SANITIZE-} ]] || skip 'a program with a sanitizer takes no preloaded library before its runtime'

# Calls whose result says what they are for, and those that the recorder has made up, are left out; and what drivers
# return: addresses, and names, which the replay translates.
calls_of() # TRACE
{
    "$cli" dump --call-nos=no "$1" | grep -E '^gl[A-WYZ]' | grep -vE '// fake|^gl(Get|Is|DebugMessageCallback)' |
        sed -E 's/ = [^()]*$//'
}

# replays PROGRAM OPTION…: holds the replay of a trace to the trace
replays()
{
    run 0 "$cli" trace -o own.trace -- "$cli" retrace "${@:2}" "$1.trace"
    calls_of "$1.trace" >wanted.txt
    calls_of own.trace >found.txt
    [[ -s wanted.txt ]] || fail "$1 makes no calls"
    awk -v what="$*" -v at=0 'NR == FNR { wanted[count++] = $0; next } $0 == wanted[at] { at++ }
        END { if (at < count) { print what ": call " at " of " count " is missing: " wanted[at]; exit 1 } }' \
        wanted.txt found.txt || fail "$* makes other calls"
    rm own.trace
}

for program in glx_triangle glx_arrays glx_pixmap glx_windows gl_queries glfw_buffers gl_markers egl_surfaceless \
    array_bases array_elements interleaved_formats instanced_arrays client_attributes mapped_parts named_floats \
    bindings_of_attributes buffers_over_arrays es_index_buffers es1_arrays; do
    run 0 "$cli" trace -o $program.trace -- "$apps/$program"
    replays $program --headless
done
for program in glx_triangle glx_windows glfw_buffers es_index_buffers; do
    replays $program
    replays $program --singlethread
done
replays glx_triangle --headless --contexts=GLX
replays es1_arrays --headless --contexts=EGL
finish
