#!/bin/bash
# SPDX-License-Identifier: MIT
# Without a display server, a trace must give the same pictures as in windows.
# usage: retrace_headless.sh E2E_LIBRARY DATA_DIRECTORY
data=$2
source "$1"
start_x

without_display()
{
    env -u DISPLAY -u WAYLAND_DISPLAY "$@"
}

# same_pictures TRACE FRAMES: after each draw and each frame, of which there are at least FRAMES
same_pictures()
{
    local options=(-s - --snapshot-format=MD5 -S '*/frame,*/draw')
    run 0 "$cli" retrace "${options[@]}" "$1"
    cp out.txt windows.txt
    lacks err.txt '^headless'
    run 0 without_display "$cli" retrace --headless "${options[@]}" "$1"
    contains err.txt '^headless: EGL [a-z]+.*, llvmpipe'
    same "pictures of $1" windows.txt out.txt
    [[ $(wc -l <out.txt) -ge $2 ]] || fail "$1: $(wc -l <out.txt) pictures, expected at least $2"
}

same_pictures "$data/tri.trace" 2
for program in glxgears es2gears_x11; do
    command -v "$program" >/dev/null || continue
    run 124 "$cli" trace -o long.trace -- timeout 1 "$program"
    run 0 "$cli" trim --frames=0-9 -o "$program.trace" long.trace
    same_pictures "$program.trace" 10
done
finish
