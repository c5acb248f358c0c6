#!/bin/bash
# SPDX-License-Identifier: MIT
# Without a display server, a trace must give the same pictures as in windows.
# usage: retrace_headless.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
data=$2 check_pixels=$3
source "$1"
start_x
[[ -z ${TRACE_SANITIZE-} ]] || skip 'a program with a sanitizer takes no preloaded library before its runtime'

without_display()
{
    env -u DISPLAY -u WAYLAND_DISPLAY "$@"
}

# same_pictures TRACE FRAMES: compares the pictures after each draw and each frame; there are at least FRAMES
# frames
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
    trace_frames long.trace 10 1 "$program"
    run 0 "$cli" trim --frames=0-9 -o "$program.trace" long.trace
    same_pictures "$program.trace" 10
done

# What was drawn before a window grows is kept, and what was cleared is cleared where it is new. This is so in windows,
# too, whatever their memory contained.
"$build/bin/make_trace" growing.trace <<'END'
glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc1
glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1
glViewport x=0 y=0 width=16 height=16
glClearColor red=1.0 green=0.0 blue=0.0 alpha=1.0
glClear mask=16384
glReadBuffer src=1028
glColorMask red=0 green=1 blue=0 alpha=1
glEnable cap=35977
glEnable cap=3089
glScissor x=0 y=0 width=1 height=1
glViewport x=16 y=0 width=16 height=48
glXSwapBuffers dpy=0xd1 drawable=7
END
for mode in --headless '' --contexts=EGL; do
    # shellcheck disable=SC2086
    run 0 env MALLOC_PERTURB_=165 "$cli" retrace $mode -s "$work/growing-" growing.trace
    run 0 "$check_pixels" "$work/growing-0000000011.png" 32 48 0,47=255,0,0 31,17=255,0,0 31,15=255,0,0 5,5=255,0,0
done

# Nor is any row left out if it grows in one direction only; what the frame has cleared before is cleared there, too, and
# the program's state is as before.
"$build/bin/make_trace" wider.trace <<'END'
glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc1
glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1
glViewport x=0 y=0 width=16 height=48
glClearColor red=1.0 green=0.0 blue=0.0 alpha=1.0
glClear mask=16384
glGenFramebuffers n=1 framebuffers=[2]
glBindFramebuffer target=36008 framebuffer=2
glDepthMask flag=0
glStencilMaskSeparate face=1028 mask=5
glColorMask red=1 green=0 blue=1 alpha=0
glEnable cap=3089
glViewport x=32 y=0 width=8 height=48
glGetIntegerv pname=36010 params=[2]
glGetIntegerv pname=36006 params=[0]
glGetIntegerv pname=2930 params=[0]
glGetIntegerv pname=2968 params=[5]
glGetIntegerv pname=3107 params=[1,0,1,0]
glGetFloatv pname=3106 params=[1.0,0.0,0.0,1.0]
glIsEnabled cap=3089 = 1
glIsEnabled cap=35977 = 0
glXSwapBuffers dpy=0xd1 drawable=7
END
for mode in --headless '' --contexts=EGL; do
    # shellcheck disable=SC2086
    run 0 "$cli" retrace $mode --check -s "$work/wider-" wider.trace
    contains out.txt '^Checked 8 answers'
    contains out.txt '^No differences$'
    run 0 "$check_pixels" "$work/wider-0000000020.png" 40 48 0,0=255,0,0 31,0=255,0,0 31,47=255,0,0 33,0=255,0,0 39,47=255,0,0
done

# The only buffer counts as the back buffer, as in a window, and the program's selection is kept.
if [[ -z ${TRACE_SANITIZE-} ]]; then # a program with a sanitizer takes no preloaded library before its runtime
    run 0 without_display "$cli" trace -o own.trace -- "$cli" retrace --headless growing.trace
    "$cli" dump --color=never own.trace | sed -nE 's/^[0-9]+ gl(Draw|Read)Buffer\(.* = (GL_[A-Z]+)\).*/\1 \2/p' >selected.txt
    for buffer in 'Draw GL_BACK' 'Read GL_FRONT'; do
        [[ $(grep "${buffer% *}" selected.txt | tail -1) == "$buffer" ]] || fail "not the last: $buffer"
    done
    printf '%s\n' 'Draw GL_BACK' 'Read GL_BACK' >expected.txt
    same 'first selected buffers' expected.txt <(head -2 selected.txt)

    # A swap makes the driver draw what is current, and nothing else.
    "$build/bin/make_trace" swaps.trace <<'END'
glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc1
glXMakeCurrent dpy=0xd1 drawable=8 ctx=0xc1 = 1
glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1
glViewport x=0 y=0 width=16 height=16
glXSwapBuffers dpy=0xd1 drawable=8
glXSwapBuffers dpy=0xd1 drawable=7
END
    run 0 without_display "$cli" trace -o own.trace -- "$cli" retrace --headless swaps.trace
    "$cli" dump --color=never own.trace | sed -nE 's/^[0-9]+ (eglSwapBuffers|glFlush)\(.*/\1/p' >swaps.txt
    printf '%s\n' eglSwapBuffers eglSwapBuffers glFlush >expected.txt
    same 'swaps of pbuffers' expected.txt swaps.txt
fi

# config_state TRACE ATTRIBUTES COMMAND…: replays a program with such a configuration, and dumps its state
config_state()
{
    "$build/bin/make_trace" "$1" <<END
glXChooseFBConfig dpy=0xd1 screen=0 attrib_list=[$2,0] nelements=[1] = [0x20]
glXCreateNewContext dpy=0xd1 config=0x20 render_type=32788 share_list=0x0 direct=1 = 0xc1
glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1
glViewport x=0 y=0 width=16 height=16
END
    run 0 "${@:3}" -D 3 "$1"
}

# The stencil buffer is not left out for the sake of a depth buffer that was not wanted; GLX gives the deepest one.
config_state stencil.trace 12,0,13,8 without_display "$cli" retrace --headless
contains out.txt '"GL_STENCIL_BITS":8,'
config_state depth.trace 12,24,13,0 without_display "$cli" retrace --headless
contains out.txt '"GL_DEPTH_BITS":32,"GL_STENCIL_BITS":0,'

# EGL has no accumulation buffers, and GLX has no floating-point colours.
accumulation=14,16,15,16,16,16,17,16 float=0x8011,4,8,16,9,16,10,16,11,16
config_state accumulation.trace $accumulation without_display "$cli" retrace --headless
contains err.txt '^1: warning: drawables have no accumulation buffer: EGL .*is DISPLAY set'
config_state accumulation.trace $accumulation "$cli" retrace --headless
contains err.txt '^headless: hidden windows on X11, llvmpipe'
lacks err.txt 'warning: '
contains out.txt '"GL_ACCUM_RED_BITS":16,'
config_state auxiliary.trace 7,1 without_display "$cli" retrace --headless
contains err.txt '^1: warning: drawables have no auxiliary buffers: EGL '
config_state stereo.trace 6,1 without_display "$cli" retrace --headless
contains err.txt '^1: warning: drawables have no stereo buffers: EGL '
for option in --db --headless; do
    config_state float.trace $float "$cli" retrace $option
    contains err.txt '^headless: EGL surfaceless, llvmpipe'
    contains out.txt '"GL_RED_BITS":16,'
done
config_state float.trace $float "$cli" retrace --contexts=GLX
contains err.txt '^1: warning: drawables have no floating-point colours: windows on X11$'

# A surface has sRGB colours if the program wanted that of the surface, whatever its context has.
surface_attributes() # ATTRIBUTES EXPECTED
{
    "$build/bin/make_trace" colours.trace <<END
eglBindAPI api=12450 = 1
eglCreateContext dpy=0xd1 config=0x20 share_context=0x0 attrib_list=[12344] = 0xc1
eglCreatePbufferSurface dpy=0xd1 config=0x20 attrib_list=[12375,8,12374,4,$1,12344] = 0x70
eglMakeCurrent dpy=0xd1 draw=0x70 read=0x70 ctx=0xc1 = 1
END
    run 0 without_display "$cli" trace -o own.trace -- "$cli" retrace --headless colours.trace
    "$cli" dump --color=never own.trace |
        sed -nE 's/^[0-9]+ eglCreatePbufferSurface\(.*attrib_list = \{([^}]*)\}.*/\1/p' >attributes.txt
    echo "$2" >expected.txt
    same "attributes of a surface with $1" expected.txt attributes.txt
}
surface_attributes 12445,12426 'EGL_WIDTH, 8, EGL_HEIGHT, 4, EGL_NONE'
surface_attributes 12445,12425 \
    'EGL_WIDTH, 8, EGL_HEIGHT, 4, EGL_GL_COLORSPACE, EGL_COLORSPACE_sRGB, EGL_NONE'

# Pbuffers have only a front buffer. It is cleared as the back buffer, also by calls that Mesa does not let it be.
"$build/bin/make_trace" clears.trace <<'END'
glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc1
glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1
glViewport x=0 y=0 width=32 height=32
glClearBufferfv buffer=6144 drawbuffer=0 value=[1.0,0.0,0.0,1.0]
glXSwapBuffers dpy=0xd1 drawable=7
glDrawBuffer mode=1029
glGenFramebuffers n=1 framebuffers=[5]
glBindFramebuffer target=36009 framebuffer=5
glClearBufferfv buffer=6144 drawbuffer=0 value=[0.0,0.0,1.0,1.0]
glClearNamedFramebufferfv framebuffer=0 buffer=6144 drawbuffer=0 value=[0.0,1.0,0.0,1.0]
glGetIntegerv pname=36006 params=[5]
glBindFramebuffer target=36009 framebuffer=0
glGetIntegerv pname=3073 params=[1029]
glXSwapBuffers dpy=0xd1 drawable=7
glDrawBuffer mode=1028
glReadBuffer src=1028
END
run 0 without_display "$cli" retrace --headless -s "$work/clears-" clears.trace
run 0 "$check_pixels" "$work/clears-0000000004.png" 32 32 5,5=255,0,0
run 0 "$check_pixels" "$work/clears-0000000013.png" 32 32 5,5=0,255,0
run 0 without_display "$cli" retrace --headless --check clears.trace
contains out.txt '^No differences'
finish
