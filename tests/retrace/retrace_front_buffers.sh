#!/bin/bash
# SPDX-License-Identifier: MIT
# With and without a display server, windows have a front and a back buffer as in a trace. The pixels that the
# program got are those that OpenGL prescribes.
# usage: retrace_front_buffers.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
check_pixels=$3
source "$1"
start_x

front=1028 back=1029 both=1032 front_left=1024 back_left=1026
declare -A colours=([black]='0 0 0' [red]='1 0 0' [green]='0 1 0' [blue]='0 0 1')

# The calls of a trace, one function for each thing to do.
window() # [NUMBER [SHARED_CONTEXT]]
{
    echo "glXCreateContext dpy=0xd1 vis=0x0 shareList=${2-0x0} direct=true = 0xc${1-1}
glXMakeCurrent dpy=0xd1 drawable=${1-1} ctx=0xc${1-1} = 1
glViewport x=0 y=0 width=16 height=16"
}

clear() # COLOUR
{
    printf 'glClearColor red=%s.0 green=%s.0 blue=%s.0 alpha=1.0\nglClear mask=16384\n' ${colours[$1]}
}

draw() # BUFFER [COLOUR]
{
    echo "glDrawBuffer buf=$1"
    [[ $# -eq 1 ]] || clear "$2"
}

pixel() # COLOUR [X Y]
{
    local bytes=${colours[$1]//1/ff}
    bytes=${bytes//0/00}
    echo "glReadPixels x=${2-5} y=${3-5} width=1 height=1 format=6408 type=5121 pixels=\$${bytes// /}ff"
}

read_from() # BUFFER COLOUR [X Y]
{
    echo "glReadBuffer src=$1"
    pixel "${@:2}"
}

without_display()
{
    env -u DISPLAY -u WAYLAND_DISPLAY MALLOC_PERTURB_=165 "$cli" retrace --headless "$@"
}

# check NAME COUNT [windows]: the trace on standard input has COUNT answers, all of which the replay gives; in windows,
# too, where Mesa 22 reads what it knew of the front buffer before a swap.
check()
{
    "$build/bin/make_trace" "$1.trace"
    run 0 without_display --check "$1.trace"
    contains out.txt "^Checked $2 answers"
    contains out.txt '^No differences$'
    lacks err.txt 'warning: [^g]'
    [[ ${3-} == windows ]] || return
    run 0 "$cli" retrace --check "$1.trace"
    contains out.txt '^No differences$'
}

{
    window
    draw $back green
    draw $front red
    echo "glGetIntegerv pname=3073 params=[$front]"
    read_from $front red
    echo "glGetIntegerv pname=3074 params=[$front]"
    read_from $back green
    draw $back_left blue
    read_from $back_left blue
    read_from $front_left red
    echo 'glXSwapBuffers dpy=0xd1 drawable=1'
    pixel blue
    draw $front_left green
    pixel green
    echo 'glXSwapBuffers dpy=0xd1 drawable=1'
    pixel blue
    echo 'glGetError = 0'
} | check each 8

# A front buffer that is selected for the first time shows the last frame.
{
    window
    clear red
    echo 'glXSwapBuffers dpy=0xd1 drawable=1'
    read_from $front red
    draw $back green
    pixel red
} | check frame 2

# Nothing was ever shown: it is black.
{
    window
    clear red
    echo "glReadBuffer src=$front
glReadPixels x=5 y=5 width=1 height=1 format=6408 type=5121 pixels=\$00000000"
} | check black 1 windows

for name in $both 1030; do # GL_LEFT
    {
        window
        draw "$name" red
        read_from $front red
        clear green
        pixel green
        read_from $back green
        draw $back blue
        pixel blue
        read_from $front green
        draw "$name" red
        echo 'glXSwapBuffers dpy=0xd1 drawable=1'
        draw $back blue
        read_from "$name" red
    } | check both 6 windows
done

# So do the outputs of a shader that draw to one each, if they are the same.
{
    window
    echo "glDrawBuffers n=2 bufs=[$front_left,$back_left]"
    clear red
    echo 'glGetError = 0'
    read_from $front red
    read_from $back red
    draw $back blue
    pixel blue
    read_from $front red
} | check both_outputs 5 windows

# Nothing is drawn, and what was selected before is selected again.
{
    window
    draw $back green
    draw $front red
    draw 0 blue
    echo 'glGetIntegerv pname=3073 params=[0]'
    read_from $front red
    read_from $back green
    echo 'glDrawBuffer buf=4660
glGetIntegerv pname=3073 params=[0]
glGetError = 1280'
} | check nothing 3 windows

# Lists and attributes select buffers, too.
{
    window
    window 2 0xc1
    echo 'glXMakeCurrent dpy=0xd1 drawable=1 ctx=0xc1 = 1'
    clear green
    echo 'glNewList list=5 mode=4864'
    draw $front
    echo 'glEndList'
    read_from $back green
    clear blue
    pixel blue
    echo 'glPushAttrib mask=16384
glCallList list=5'
    clear red
    pixel blue
    echo 'glPopAttrib'
    clear green
    pixel green
    read_from $front red
    echo 'glCallLists n=1 type=5121 lists=$05'
    clear blue
    pixel blue
    echo 'glDrawBuffer buf=1029
glNewList list=6 mode=4865
glDrawBuffer buf=1028
glEndList'
    clear red
    pixel red
    echo 'glXMakeCurrent dpy=0xd1 drawable=2 ctx=0xc2 = 1'
    clear green
    echo 'glCallList list=5'
    clear blue
    read_from $back green
    read_from $front blue
} | check lists 9 windows

# The functions for several buffers, and for framebuffers that are not bound.
{
    window
    clear green
    echo "glDrawBuffers n=1 bufs=[$front_left]"
    clear red
    echo 'glGenFramebuffers n=1 framebuffers=[3]
glBindFramebuffer target=36160 framebuffer=3'
    echo "glNamedFramebufferReadBuffer framebuffer=0 src=$front
glNamedFramebufferDrawBuffer framebuffer=0 buf=$back
glGetIntegerv pname=36006 params=[3]
glGetIntegerv pname=36010 params=[3]
glBindFramebuffer target=36160 framebuffer=0"
    pixel red
    clear blue
    pixel red
    echo "glNamedFramebufferDrawBuffers framebuffer=0 n=1 bufs=[$front_left]"
    clear green
    pixel green
    echo "glFramebufferDrawBufferEXT framebuffer=0 mode=$back"
    clear red
    pixel green
    echo "glFramebufferDrawBuffersEXT framebuffer=0 n=1 bufs=[$front_left]"
    clear blue
    pixel blue
    echo "glFramebufferReadBufferEXT framebuffer=0 mode=$back"
    pixel red
} | check named 8

# All buffers of a window have one depth buffer and one stencil buffer.
{
    window
    echo 'glClearDepth depth=0.0
glClearStencil s=3
glClear mask=17664'
    draw $front
    echo 'glReadPixels x=5 y=5 width=1 height=1 format=6402 type=5126 pixels=$00000000
glReadPixels x=5 y=5 width=1 height=1 format=6401 type=5121 pixels=$03
glGetIntegerv pname=3074 params=[1029]
glClearDepth depth=1.0
glClear mask=256
glReadPixels x=5 y=5 width=1 height=1 format=6402 type=5126 pixels=$0000803f
glDrawBuffer buf=0
glReadBuffer src=1028
glReadPixels x=5 y=5 width=1 height=1 format=6402 type=5126 pixels=$0000803f
glReadPixels x=5 y=5 width=1 height=1 format=6401 type=5121 pixels=$03
glGetIntegerv pname=3074 params=[1028]'
} | check depth 5 windows

# Parts of the back buffer are shown.
{
    window
    draw $back red
    echo 'glXSwapBuffers dpy=0xd1 drawable=1'
    clear green
    echo 'glScissor x=0 y=0 width=1 height=1
glEnable cap=3089
glXCopySubBufferMESA dpy=0xd1 drawable=1 x=8 y=4 width=8 height=4'
    read_from $front green 8 4
    pixel green 15 7
    pixel red 7 4
    pixel red 8 3
    pixel red 8 8
    echo 'glGetIntegerv pname=3073 params=[1029]'
} | check parts 5

# A window that grows keeps both.
{
    window
    draw $back red
    draw $front green
    echo 'glViewport x=0 y=0 width=64 height=48'
    pixel red 15 15
    read_from $front green 15 15
    clear blue
    pixel blue 63 47
    read_from $back red
    echo 'glGetIntegerv pname=3073 params=[1028]'
} | check growing 4 windows

# What the program draws depends on a query, but not what the replayer copies.
{
    window
    clear green
    echo 'glGenQueries n=1 ids=[5]
glBeginQuery target=35092 id=5
glEndQuery target=35092
glXSwapBuffers dpy=0xd1 drawable=1'
    clear blue
    echo 'glBeginConditionalRender id=5 mode=36371'
    clear red
    echo 'glViewport x=0 y=0 width=64 height=48'
    clear red
    pixel blue
    read_from $front green
    draw $back red
    echo 'glEndConditionalRender'
    read_from $back blue 15 15
    clear red
    pixel red
} | check conditional 4

# Two contexts draw to different buffers of a window, and one reads from another window.
{
    window
    draw $front red
    echo 'glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc2
glXMakeCurrent dpy=0xd1 drawable=1 ctx=0xc2 = 1'
    clear green
    pixel green
    echo 'glXMakeCurrent dpy=0xd1 drawable=1 ctx=0xc1 = 1
glGetIntegerv pname=3073 params=[1028]'
    read_from $front red
    read_from $back green
    clear blue
    pixel green
    window 3
    draw $front green
    echo 'glXMakeContextCurrent dpy=0xd1 draw=3 read=1 ctx=0xc3 = 1'
    read_from $front blue
    draw $both red
    pixel blue
    echo 'glXMakeCurrent dpy=0xd1 drawable=3 ctx=0xc3 = 1
glXSwapBuffers dpy=0xd1 drawable=1
glXMakeCurrent dpy=0xd1 drawable=1 ctx=0xc1 = 1'
    read_from $front green
} | check contexts 7

# Drawables with a back buffer (0x20), and one without (0x21).
drawables()
{
    local i
    for i in 0 1; do
        echo "glXChooseFBConfig dpy=0xd1 screen=0 attrib_list=[5,$((1 - i)),32784,4,0] nelements=[1] = [0x2$i]
glXCreateNewContext dpy=0xd1 config=0x2$i renderType=32788 shareList=0x0 direct=true = 0xc$i"
    done
    for i in 0 1 2; do
        echo "glXCreatePbuffer dpy=0xd1 config=0x2$((i / 2)) attrib_list=[32833,16,32832,16,0] = $((i + 1))"
    done
}

bind() # CONTEXT DRAW READ
{
    echo "glXMakeContextCurrent dpy=0xd1 draw=$2 read=$3 ctx=0xc$1 = 1"
}

# The buffer that is drawn to belongs to the context; that which is read, to the context and the drawable.
{
    drawables
    bind 0 1 1
    draw $back green
    draw $front red
    read_from $front red
    bind 0 2 2
    clear blue
    draw $back green
    pixel green
    bind 0 2 1
    pixel red
    echo "glReadBuffer src=$back"
    pixel green
    bind 0 1 2
    pixel green
    read_from $front blue
    bind 0 1 1
    pixel green
} | check drawables 7 windows

# A context without a back buffer draws to the front buffer, but reads the back buffer of a drawable that has both.
{
    drawables
    bind 0 1 1
    clear red
    bind 1 3 3
    clear green
    pixel green
    bind 1 1 3
    clear blue
    pixel green
    bind 1 1 1
    pixel red
    read_from $front blue
    draw $back green
    pixel blue
    bind 0 1 1
    pixel green
    read_from $front blue
    bind 0 3 3
    clear red
    pixel red
} | check configurations 8 windows

# A swap without a context, and depths and stencils of a window while a framebuffer object is drawn to.
{
    window
    draw $back green
    draw $front red
    echo "glDrawBuffer buf=$back
glXMakeCurrent dpy=0xd1 drawable=0 ctx=0x0 = 1
glXSwapBuffers dpy=0xd1 drawable=1
glXMakeCurrent dpy=0xd1 drawable=1 ctx=0xc1 = 1"
    read_from $front green
    echo "glReadBuffer src=$back
glClearDepth depth=0.0
glClear mask=256
glDrawBuffer buf=$front
glClearDepth depth=1.0
glClear mask=256
glGenFramebuffers n=1 framebuffers=[3]
glBindFramebuffer target=36009 framebuffer=3
glReadPixels x=5 y=5 width=1 height=1 format=6402 type=5126 pixels=\$0000803f"
} | check unbound 2

# What is selected without a drawable is selected for the next one.
{
    window
    echo "glXMakeCurrent dpy=0xd1 drawable=0 ctx=0xc1 = 1
glDrawBuffer buf=$front
glXMakeCurrent dpy=0xd1 drawable=2 ctx=0xc1 = 1"
    clear red
    read_from $front red
} | check without_drawable 1

# A pbuffer of EGL has one buffer, whatever it is called.
{
    echo 'eglBindAPI api=12450 = 1
eglCreateContext dpy=0xd1 config=0x20 share_context=0x0 attrib_list=[12344] = 0xc1
eglCreatePbufferSurface dpy=0xd1 config=0x20 attrib_list=[12375,16,12374,16,12344] = 0x70
eglMakeCurrent dpy=0xd1 draw=0x70 read=0x70 ctx=0xc1 = 1'
    draw $back green
    read_from $front green
} | check pbuffer 1

# Fragment shaders may draw to it by another output than the first.
{
    window
    clear green
    echo "glDrawBuffers n=3 bufs=[0,0,$front_left]
glGetIntegerv pname=34855 params=[$front_left]
glClearBufferfv buffer=6144 drawbuffer=2 value=[1.0,0.0,0.0,1.0]"
    read_from $front red
    read_from $back green
} | check outputs 3

# A picture that cannot be taken while a list is compiled does not become part of it.
{
    window
    clear green
    pixel green
    echo "glReadBuffer src=$front
glNewList list=5 mode=4864
glEndList
glCallList list=5"
    clear green
    echo "glReadPixels x=5 y=5 width=1 height=1 format=6408 type=5121 pixels=\$00000000"
} | check list 2
run 0 without_display --check -s "$work/list-" -S 7,8 list.trace
contains err.txt '^7: warning: the framebuffer cannot be read while a display list is compiled'
[[ ! -e list-0000000007.png && -e list-0000000008.png ]] || fail 'pictures of lists'

# What a list selects only holds after it.
{
    window
    echo 'glNewList list=5 mode=4864'
    draw $front red
    clear green
    echo 'glEndList'
    pixel black
} >drawing.txt
"$build/bin/make_trace" drawing.trace <drawing.txt
run 0 without_display drawing.trace
contains err.txt '^6: warning: what a display list draws goes to the buffer that was selected before it$'
[[ $(grep -c 'display list' err.txt) -eq 1 ]] || fail "more than one warning: $(cat err.txt)"

# Pictures and states show what is drawn to, and change nothing.
{
    window
    echo 'glClearDepth depth=0.0
glClear mask=256'
    draw $back green
    draw $front red
    echo "glReadBuffer src=$back"
    pixel green
    draw $back
    echo 'glXSwapBuffers dpy=0xd1 drawable=1'
    read_from $front green
} | check pictures 2
run 0 without_display --check -m -s "$work/shown-" -S 7,11,13 pictures.trace
contains out.txt '^No differences$'
run 0 "$check_pixels" "$work/shown-0000000007-mrt0.png" 32 32 5,5=0,255,0
run 0 "$check_pixels" "$work/shown-0000000011-mrt0.png" 32 32 5,5=255,0,0
run 0 "$check_pixels" "$work/shown-0000000011-z.png" 32 32 5,5=0
run 0 "$check_pixels" "$work/shown-0000000013-mrt0.png" 32 32 5,5=0,255,0
run 0 without_display -D 11 pictures.trace
contains out.txt '"GL_FRONT"'

# Only --check keeps what was shown before a program names the front buffer.
{
    window
    clear red
    echo 'glXSwapBuffers dpy=0xd1 drawable=1'
    clear green
    read_from $front red
    draw $front blue
} | check late 1
run 0 without_display late.trace
contains err.txt '^8: warning: the front buffer begins with what is in the back buffer now'
[[ $(grep -c 'front buffer' err.txt) -eq 1 ]] || fail "more than one warning: $(cat err.txt)"
finish
