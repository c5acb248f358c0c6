#!/bin/bash
# SPDX-License-Identifier: MIT
# What windows on X11 show, with and without memory that is shared with the server.
# usage: retrace_shown.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
check_pixels=$3
source "$1"
other=$apps/x11_other
[[ -x $other ]] || skip 'there are no programs under sanitizers'

# make WIDTH HEIGHT: a trace whose last frame is red at the bottom, with a green corner
make()
{
    "$build/bin/make_trace" "$1x$2.trace" <<END
glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc1
glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1
glViewport x=0 y=0 width=$1 height=$2
glClearColor red=0 green=0 blue=1 alpha=1
glClear mask=16384
glXSwapBuffers dpy=0xd1 drawable=7
glClear mask=16384
glEnable cap=3089
glScissor x=0 y=0 width=$1 height=$(($2 / 2))
glClearColor red=1 green=0 blue=0 alpha=1
glClear mask=16384
glScissor x=0 y=0 width=10 height=10
glClearColor red=0 green=1 blue=0 alpha=1
glClear mask=16384
glXSwapBuffers dpy=0xd1 drawable=7
END
}
make 80 60
make 600 400

# shown WIDTH HEIGHT CONTEXTS SHARED: a window shows the last frame; the process shares memory then, or not
shown()
{
    local width=$1 height=$2 status=0 is_shared=false
    "$build/lib/trace-cli/glreplay" --wait --contexts="$3" "$width"x"$height".trace >out.txt 2>err.txt </dev/null &
    wait_until has_picture "$width" "$height"
    "$check_pixels" shown.ppm "$width" "$height" "0,0=0,0,255" "$((width - 1)),$((height / 2 - 1))=0,0,255" \
        "$((width - 1)),$((height - 1))=255,0,0" "11,$((height - 1))=255,0,0" "0,$((height - 1))=0,255,0" ||
        fail "$3 shows another picture of $1x$2"
    grep -q SYSV "/proc/$!/maps" && is_shared=true
    [[ $is_shared == "$4" ]] || fail "memory is shared: $is_shared instead of $4, for $1x$2 by $3"
    "$other" 'trace-cli retrace' close
    wait $! || status=$?
    [[ $status -eq 0 ]] || fail "status $status: $(<err.txt)"
    lacks err.txt warning
}

has_picture() # WIDTH HEIGHT
{
    "$other" 'trace-cli retrace' picture >shown.ppm
    "$check_pixels" shown.ppm "$1" "$2" "0,$(($2 - 1))=0,255,0" 2>/dev/null
}

start_x
shown 600 400 EGL true
shown 80 60 EGL false
kill "$xvfb_process"
wait "$xvfb_process" 2>/dev/null
start_x -extension MIT-SHM
shown 600 400 EGL false
shown 80 60 EGL false
shown 600 400 GLX false
finish
