#!/bin/bash
# SPDX-License-Identifier: MIT
# -a gl records GL and GLX, -a egl records EGL and GL. Without -a, the APIs that the program uses are
# recorded.
source "$(dirname "$0")/e2e.sh"
start_x

trace() # STATUS OPTION… -- PROGRAM
{
    rm -f narrow.trace
    run "$1" "$cli" trace -o narrow.trace "${@:2}"
    if [[ -e narrow.trace ]]; then
        "$cli" dump -v narrow.trace >dump.txt
    else
        : >dump.txt
    fi
}

trace 0 -- "$apps/glx_triangle"
contains dump.txt 'glXSwapBuffers\('
trace 0 -- "$apps/egl_es2"
contains dump.txt 'eglSwapBuffers\('
contains dump.txt 'glDrawArrays\('

trace 0 -a gl -- "$apps/glx_triangle"
contains dump.txt 'glXSwapBuffers\('
contains dump.txt 'glBegin\('
trace 0 --api=egl -- "$apps/egl_es2"
contains dump.txt 'eglSwapBuffers\('
contains dump.txt 'glDrawArrays\('

trace 0 -a egl -- "$apps/glx_triangle"
lacks dump.txt '^[0-9]+ glX'
trace 0 -a gl -- "$apps/egl_es2"
lacks dump.txt '^[0-9]+ egl'

run 1 "$cli" trace -a vulkan -- "$apps/glx_triangle"
contains err.txt 'vulkan'
[[ $(wc -l <err.txt) -le 2 ]] || fail 'the error is not a line'
finish
