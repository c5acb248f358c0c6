#!/bin/bash
# SPDX-License-Identifier: MIT
# A trace gives the same pictures with contexts of GLX and of EGL, whichever the program had, on X11 and on Wayland.
# usage: retrace_windows.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
data=$2 check_pixels=$3
source "$1"
start_x
[[ -z ${TRACE_SANITIZE-} ]] || skip 'a program with a sanitizer takes no preloaded library before its runtime'
pictures=(-s - --snapshot-format=MD5 -S '*/frame,*/draw')
traces=("$data/tri.trace")
for program in glxgears es2gears_x11; do
    command -v "$program" >/dev/null || continue
    trace_frames long.trace 10 1 "$program"
    run 0 "$cli" trim --frames=0-9 -o "$program.trace" long.trace
    traces+=("$program.trace")
done

# creates TRACE FUNCTION OPTION…: the replay calls FUNCTION
creates()
{
    run 0 "$cli" trace -o own.trace -- "$cli" retrace "${@:3}" "$1"
    "$cli" dump -v --color=never own.trace >own.txt
    contains own.txt "^[0-9]+ $2\("
}

for trace in "${traces[@]}"; do
    run 0 "$cli" retrace "${pictures[@]}" "$trace"
    cp out.txt expected.txt
    for options in --contexts=glx --contexts=EGL '--headless --contexts=GLX'; do
        # shellcheck disable=SC2086
        run 0 "$cli" retrace $options "${pictures[@]}" "$trace"
        same "pictures of $trace $options" expected.txt out.txt
    done
    contains err.txt '^headless: hidden windows on X11, '
    cp expected.txt "${trace##*/}.txt"
    if [[ -z ${TRACE_SANITIZE-} ]]; then # a program with a sanitizer takes no preloaded library before its runtime
        creates "$trace" 'glXCreate(ContextAttribsARB|NewContext)' --contexts=GLX
        creates "$trace" eglCreateContext --contexts=EGL
    fi
done
# A pbuffer keeps its picture, though a window stands for it, and a context without surfaces draws to none.
run 0 "$cli" trace -o surfaceless.trace -- "$apps/egl_surfaceless"
contains out.txt '^error 0x506, red 255$'
for options in '' --singlethread --headless; do
    # shellcheck disable=SC2086
    run 0 "$cli" retrace --check $options surfaceless.trace
done
for api in glx egl; do
    run 0 "$cli" trace -o $api.trace -- "$apps/surfaceless_first" $api
    contains out.txt '^status 0x8219, error 0x506$'
    contains out.txt '^draws to 0x405, reads 0x405, viewport 64x64'
    for options in '' --singlethread --headless --contexts=GLX --contexts=EGL '--headless --contexts=GLX'; do
        # shellcheck disable=SC2086
        run 0 "$cli" retrace --check $options $api.trace || cat out.txt
        contains out.txt '^No differences$'
    done
done

# One program has windows of GLX and of EGL, red and green ones.
"$build/bin/make_trace" mixed.trace <<END
glXChooseVisual dpy=0x10 screen=0 attribList=[4,0] = 0x20
glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30
glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1
glViewport x=0 y=0 width=40 height=40
glClearColor red=1.0 green=0.0 blue=0.0 alpha=1.0
glClear mask=16384
glXSwapBuffers dpy=0x10 drawable=77
eglBindAPI api=12450 = 1
eglCreateContext dpy=0x11 config=0x99 share_context=0x0 attrib_list=[12344] = 0x40
eglCreateWindowSurface dpy=0x11 config=0x99 win=0x500 attrib_list=[12344] = 0x41
glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1
eglMakeCurrent dpy=0x11 draw=0x41 read=0x41 ctx=0x40 = 1
glViewport x=0 y=0 width=50 height=50
glClearColor red=0.0 green=1.0 blue=0.0 alpha=1.0
glClear mask=16384
eglSwapBuffers dpy=0x11 surface=0x41 = 1
eglMakeCurrent dpy=0x11 draw=0x0 read=0x0 ctx=0x0 = 1
glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1
glGetError = 0
glClear mask=16384
glXSwapBuffers dpy=0x10 drawable=77
END
for options in '' --singlethread --headless --contexts=GLX --contexts=EGL; do
    # shellcheck disable=SC2086
    run 0 "$cli" retrace --check $options -s "$work/mixed-" mixed.trace
    lacks err.txt 'could not be replayed'
    run 0 "$check_pixels" "$work/mixed-0000000006.png" 40 40 8,8=255,0,0
    run 0 "$check_pixels" "$work/mixed-0000000015.png" 50 50 8,8=0,255,0
    run 0 "$check_pixels" "$work/mixed-0000000020.png" 40 40 8,8=255,0,0
done

# A window with one buffer keeps what was drawn, whichever name the buffer has.
run 0 "$cli" trace -o single.trace -- "$apps/glx_single"
contains out.txt '^buffer 0x404$'
contains out.txt '^front buffer: 255,128,0 and 255,255,255, error 0x0$'
for options in '' --singlethread --headless --contexts=GLX --contexts=EGL; do
    # shellcheck disable=SC2086
    run 0 "$cli" retrace --check $options single.trace || cat out.txt
    contains out.txt '^No differences$'
done

# So does one of EGL that was to have one buffer, and grows in a frame.
"$build/bin/make_trace" grows.trace <<'END'
eglBindAPI api=12450 = 1
eglCreateContext dpy=0x11 config=0x99 share_context=0x0 attrib_list=[12344] = 0x40
eglCreateWindowSurface dpy=0x11 config=0x99 win=0x500 attrib_list=[12422,12421,12344] = 0x41
eglMakeCurrent dpy=0x11 draw=0x41 read=0x41 ctx=0x40 = 1
glViewport x=0 y=0 width=20 height=20
glScissor x=0 y=0 width=1 height=1
glEnable cap=0xc11
glClearColor red=0.0 green=0.0 blue=1.0 alpha=1.0
glClear mask=16384
glBegin mode=0
glVertex2f x=0.0 y=0.0
glEnd
glViewport x=0 y=0 width=60 height=60
glReadPixels x=0 y=0 width=1 height=1 format=6408 type=5121 pixels=$0000ffff
END
for options in '' --headless --contexts=GLX --sb; do
    # shellcheck disable=SC2086
    run 0 "$cli" retrace --check $options grows.trace || cat out.txt
    contains out.txt '^No differences$'
done

# Pbuffers have colours that no window has, and the one buffer that those of EGL have.
for api in glx egl; do
    run 0 "$cli" trace -o pbuffers.trace -- "$apps/gl_pbuffers" $api
    contains out.txt 'error 0x0$'
    for options in '' --singlethread --headless; do
        # shellcheck disable=SC2086
        run 0 "$cli" retrace --check $options pbuffers.trace || cat out.txt
        contains out.txt '^No differences$'
    done
    run 0 "$cli" retrace -s - --snapshot-format=MD5 -S '*/render' pbuffers.trace
    cp out.txt expected.txt
    run 0 "$cli" retrace --headless -s - --snapshot-format=MD5 -S '*/render' pbuffers.trace
    same "pictures of pbuffers of $api" expected.txt out.txt
done

# config WINDOWS COLOURS…: what a trace tells about configuration 0x20
config()
{
    local attribute=8 colour
    echo "glXGetFBConfigAttrib dpy=0xd1 config=0x20 attribute=32784 value=[$1] = 0"
    for colour in "${@:2}"; do
        echo "glXGetFBConfigAttrib dpy=0xd1 config=0x20 attribute=$attribute value=[$colour] = 0"
        attribute=$((attribute + 1))
    done
    echo 'glXCreateNewContext dpy=0xd1 config=0x20 renderType=0x8014 shareList=0x0 direct=1 = 0xc1'
}

# A pixmap for which a pbuffer stands grows in a frame, and keeps what it has.
"$build/bin/make_trace" pixmap.trace <<END
$(config 6 5 6 5 0)
glXCreatePixmap dpy=0xd1 config=0x20 pixmap=5 attribList=[0] = 7
glXMakeContextCurrent dpy=0xd1 draw=7 read=7 ctx=0xc1 = 1
glViewport x=0 y=0 width=20 height=20
glClearColor red=1.0 green=1.0 blue=0.0 alpha=1.0
glClear mask=16384
glBegin mode=0
glVertex2f x=0.0 y=0.0
glEnd
glViewport x=0 y=0 width=60 height=50
glGetIntegerv pname=0xd53 params=[6]
glReadPixels x=5 y=5 width=1 height=1 format=6408 type=5121 pixels=\$ffff00ff
glScissor x=50 y=40 width=10 height=10
glEnable cap=0xc11
glClearColor red=0.0 green=1.0 blue=0.0 alpha=1.0
glClear mask=16384
glReadPixels x=55 y=45 width=1 height=1 format=6408 type=5121 pixels=\$00ff00ff
END
for options in '' --singlethread --headless; do
    # shellcheck disable=SC2086
    run 0 "$cli" retrace --check $options pixmap.trace || cat out.txt
    contains out.txt '^Checked [23] answers'
    contains out.txt '^No differences$'
done

# Where windows had such colours, there is a window, which a snapshot shows as well.
"$build/bin/make_trace" deep.trace <<END
$(config 7 10 10 10 2)
glXMakeContextCurrent dpy=0xd1 draw=7 read=7 ctx=0xc1 = 1
glViewport x=0 y=0 width=40 height=40
glClearColor red=0.0 green=1.0 blue=0.0 alpha=1.0
glClear mask=16384
glXSwapBuffers dpy=0xd1 drawable=7
END
"$cli" retrace --wait -s "$work/deep-" deep.trace >out.txt 2>err.txt </dev/null &
"$apps/x11_other" 'trace-cli retrace' close >other.txt || fail "no window has deep colours"
wait $! || fail "status $? of deep colours: $(<err.txt)"
run 0 "$check_pixels" "$work/deep-"*.png 40 40 8,8=0,255,0

run 1 "$cli" retrace --contexts=WGL "$data/tri.trace"
contains err.txt "^error: --contexts: 'WGL' is neither GLX nor EGL"

# The compositor draws nothing. Not every GLFW can do Wayland.
command -v weston >/dev/null || finish
unset DISPLAY
export XDG_RUNTIME_DIR=$work/runtime WAYLAND_DISPLAY=retrace-test
mkdir -m 700 "$XDG_RUNTIME_DIR"
weston --backend=headless-backend.so --socket="$WAYLAND_DISPLAY" --width=1280 --height=1024 --idle-time=0 >weston.log 2>&1 &
weston=$!
wait_until test -S "$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY"
if "$cli" retrace "$data/tri.trace" >out.txt 2>err.txt; then
    for trace in "${traces[@]}"; do
        run 0 "$cli" retrace "${pictures[@]}" "$trace"
        same "pictures of $trace on Wayland" "${trace##*/}.txt" out.txt
    done
    run 1 "$cli" retrace --contexts=GLX "$data/tri.trace"
    contains err.txt '^error: there is no GLX on Wayland'
else
    contains err.txt '^error: cannot open a window system .*X11: The DISPLAY'
fi
kill "$weston"
wait "$weston"
finish
