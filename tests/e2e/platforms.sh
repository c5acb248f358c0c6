#!/bin/bash
# SPDX-License-Identifier: MIT
# EGL without X11: surfaceless, devices, GBM where there is a render node, and Wayland where weston is installed.
# usage: platforms.sh
source "$(dirname "$0")/e2e.sh"
unset DISPLAY WAYLAND_DISPLAY

run 0 "$apps/egl_platforms" && mv out.txt plain.out
contains plain.out '^surfaceless: 255 12[78] 0 255$'
run 0 "$cli" trace -o platforms.trace -- "$apps/egl_platforms" && mv out.txt traced.out
same 'stdout of egl_platforms' plain.out traced.out
same 'stderr of egl_platforms' /dev/null err.txt
run 0 "$cli" dump --color=never platforms.trace && mv out.txt platforms.txt
contains platforms.txt '^[0-9]+ eglGetPlatformDisplay\(platform = EGL_PLATFORM_SURFACELESS_MESA, native_display = NULL'
! grep -q '^device: 255' plain.out || contains platforms.txt '^[0-9]+ eglGetPlatformDisplay\(platform = EGL_PLATFORM_DEVICE_EXT, native_display = 0x'
! grep -q '^gbm: 255' plain.out || contains platforms.txt '^[0-9]+ eglGetPlatformDisplay\(platform = EGL_PLATFORM_GBM_KHR, native_display = 0x'
[[ $(count platforms.txt '^[0-9]+ glReadPixels\(') -eq $(grep -c ' 255$' plain.out) ]] || fail "not every pixel was read in the trace"

command -v weston >/dev/null && command -v es2gears_wayland >/dev/null || finish
export XDG_RUNTIME_DIR=$work/wayland
mkdir -m 700 "$XDG_RUNTIME_DIR"
weston --backend=headless-backend.so --socket=e2e --idle-time=0 >weston.log 2>&1 &
weston=$!
wait_until test -S "$XDG_RUNTIME_DIR/e2e"
export WAYLAND_DISPLAY=e2e
trace_frames gears.trace 3 2 es2gears_wayland
kill "$weston"
run 0 "$cli" dump --color=never gears.trace && mv out.txt gears.txt
contains gears.txt '^[0-9]+ eglCreate(Platform)?WindowSurface'
run 0 "$cli" retrace --headless gears.trace
finish
