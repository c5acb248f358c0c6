#!/bin/bash
# SPDX-License-Identifier: MIT
# Windows on X11, without a window manager: their sizes, and what others do to them.
# usage: retrace_x11.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
data=$2 check_pixels=$3
source "$1"
start_x
tri=$data/tri.trace
other=$apps/x11_other
[[ -x $other ]] || skip 'there are no programs under sanitizers'

# others STATUS WHAT OPTION…: does that to the window of a replay that would go on for long, and expects its status
others()
{
    local expected=$1 status=0
    "$cli" retrace "${@:3}" "$tri" >out.txt 2>err.txt </dev/null &
    "$other" 'trace-cli retrace' "$2" >other.txt || fail "there is no window to $2"
    wait $! || status=$?
    [[ $status -eq $expected ]] || fail "status $status instead of $expected: $*: $(<err.txt)"
}

# Closing a window ends a replay, and a wait after it, as the end of the trace does.
for contexts in GLX EGL; do
    others 0 close --contexts=$contexts --loop --min-frame-duration=1000
    contains out.txt '^Rendered [0-9]+ frames'
    lacks err.txt warning
    others 0 close --contexts=$contexts --wait
    contains out.txt '^Rendered 1 frames'
    lacks err.txt warning
    others 0 destroy --contexts=$contexts --wait
    contains out.txt '^Rendered 1 frames'
done

# Errors of X do not end the process, and are told once.
others 0 destroy --loop=300 --min-frame-duration=1000
contains out.txt '^Rendered [0-9]+ frames'
contains err.txt '^warning: the X server refuses request [0-9.]+: '
sort err.txt | uniq -d >twice.txt
[[ ! -s twice.txt ]] || fail "told twice: $(<twice.txt)"
for contexts in GLX EGL; do
    others 1 kill --contexts=$contexts --loop --min-frame-duration=1000
    contains err.txt "^error: the connection to the X server $DISPLAY is lost\$"
    lacks err.txt 'XIO'
done

# The signal of a lost connection, which comes if it is lost just before a request, does not hide the message.
# That of another pipe ends the replay.
for other_pipe in false true; do
    status=0
    "$build/lib/trace-cli/glreplay" --loop --min-frame-duration=1000 "$tri" >out.txt 2>err.txt </dev/null &
    replay=$!
    "$other" 'trace-cli retrace' size >size.txt
    kill -STOP $replay
    $other_pipe || "$other" 'trace-cli retrace' kill
    sleep 0.2
    kill -PIPE $replay
    kill -CONT $replay
    wait $replay || status=$?
    if $other_pipe; then
        [[ $status -eq 141 ]] || fail "status $status after the signal of a pipe: $(<err.txt)"
    else
        [[ $status -eq 1 ]] || fail "status $status after a lost connection: $(<err.txt)"
        contains err.txt "^error: the connection to the X server $DISPLAY is lost\$"
    fi
done

has_size() # EXPECTED
{
    "$other" 'trace-cli retrace' size >size.txt
    grep -qx "$1" size.txt
}

# size EXPECTED OPTION…: the window gets there
size()
{
    "$cli" retrace --wait "${@:2}" "$tri" >out.txt 2>err.txt </dev/null &
    wait_until has_size "$1"
    "$other" 'trace-cli retrace' close
    wait $! || fail "status $?: $*: $(<err.txt)"
}
size '1280x1024 at 0,0' --fullscreen
size '1280x1024 at 0,0' --fullscreen --contexts=EGL

# wants EXPECTED OPTION…: what the window wants of window managers
wants()
{
    "$cli" retrace --wait "${@:2}" "$tri" >out.txt 2>err.txt </dev/null &
    "$other" 'trace-cli retrace' state >state.txt
    "$other" 'trace-cli retrace' close
    wait $! || fail "status $?: $*: $(<err.txt)"
    [[ $(<state.txt) == "$1" ]] || fail "a window wants '$(<state.txt)' instead of '$1': $*"
}

# A window manager that can cover the screen is asked to. Any other one is kept away.
"$other" claim _NET_WM_STATE_HIDDEN
wants unmanaged --fullscreen
"$other" claim _NET_WM_STATE_FULLSCREEN
wants _NET_WM_STATE_FULLSCREEN --fullscreen
wants _NET_WM_STATE_FULLSCREEN --fullscreen --contexts=EGL
wants ''

# A window has the size of the trace, again and again.
"$build/bin/make_trace" sizes.trace <<'END'
glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc1
glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1
glViewport x=0 y=0 width=80 height=60
glClear mask=16384
glXSwapBuffers dpy=0xd1 drawable=7
glViewport x=0 y=0 width=400 height=300
glClear mask=16384
glXSwapBuffers dpy=0xd1 drawable=7
END
for contexts in GLX EGL; do
    run 0 "$cli" retrace --contexts=$contexts -s "$work/$contexts-" sizes.trace
    run 0 "$check_pixels" "$work/$contexts-0000000004.png" 80 60 0,0=0,0,0
    run 0 "$check_pixels" "$work/$contexts-0000000007.png" 400 300 0,0=0,0,0
    tri=$work/sizes.trace size '400x300 at 0,0' --contexts=$contexts
done

# Where there is no display, the message says which one was looked for.
run 1 env -u DISPLAY -u WAYLAND_DISPLAY "$cli" retrace "$tri"
contains err.txt '^error: cannot open a window system \(--headless needs none\): neither DISPLAY nor WAYLAND_DISPLAY is set$'
run 1 env -u WAYLAND_DISPLAY DISPLAY=:nowhere "$cli" retrace "$tri"
contains err.txt '^error: cannot open a window system \(--headless needs none\): there is no X server at DISPLAY=:nowhere$'
finish
