#!/bin/bash
# SPDX-License-Identifier: MIT
# Snapshots of more than the first colours: all outputs, depth, stencil, samples, alpha; some of the frames
# only; encoded by several threads.
# usage: retrace_snapshots.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
data=$2 check_pixels=$3
source "$1"
start_x
tri=$data/tri.trace

expect_files() # PATTERN NAME…: these files match, and no others
{
    local pattern=$1 found
    shift
    # shellcheck disable=SC2086 # a pattern
    found=$(cd "$work" && ls $pattern 2>/dev/null | tr '\n' ' ')
    [[ $found == "$* " ]] || fail "files $pattern: $found instead of $*"
}

# Two outputs, which are drawn in reverse order, with depth and stencil; the same with four samples per pixel.
attachments() # SAMPLES
{
    local i
    for i in 1 2; do
        echo "glBindRenderbuffer target=36161 renderbuffer=$i"
        echo "glRenderbufferStorageMultisample target=36161 samples=$1 internalformat=32856 width=8 height=4"
    done
    echo "glBindRenderbuffer target=36161 renderbuffer=3"
    echo "glRenderbufferStorageMultisample target=36161 samples=$1 internalformat=35056 width=8 height=4"
}
several_outputs() # SAMPLES
{
    cat <<END
glXChooseVisual dpy=0x10 screen=0 attribList=[4,0] = 0x20
glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30
glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1
glViewport x=0 y=0 width=48 height=48
glClearColor red=0.2 green=0.4 blue=0.6 alpha=0.5
glClearDepth depth=0.25
glClearStencil s=7
glClear mask=17664
glGenFramebuffers n=1 framebuffers=[1]
glBindFramebuffer target=36160 framebuffer=1
glGenRenderbuffers n=3 renderbuffers=[1,2,3]
$(attachments "$1")
glFramebufferRenderbuffer target=36160 attachment=36064 renderbuffertarget=36161 renderbuffer=1
glFramebufferRenderbuffer target=36160 attachment=36065 renderbuffertarget=36161 renderbuffer=2
glFramebufferRenderbuffer target=36160 attachment=33306 renderbuffertarget=36161 renderbuffer=3
glDrawBuffers n=2 bufs=[36065,36064]
glClearBufferfv buffer=6144 drawbuffer=0 value=[1.0,0.0,0.2,0.4]
glClearBufferfv buffer=6144 drawbuffer=1 value=[0.0,1.0,0.2,0.4]
glClearBufferfi buffer=34041 drawbuffer=0 depth=0.75 stencil=9
glEnable cap=3089
glScissor x=4 y=2 width=4 height=2
glClearBufferfv buffer=6144 drawbuffer=0 value=[0.0,0.0,0.0,0.0]
glDisable cap=3089
END
}
for samples in 0 4; do
    several_outputs $samples >calls.txt
    echo 'glXSwapBuffers dpy=0x10 drawable=77' >>calls.txt
    last=$(($(wc -l <calls.txt) - 2))
    "$build/bin/make_trace" outputs.trace <calls.txt
    name=$(printf '%s-%010d' "$samples" $last)
    run 0 "$cli" retrace --headless -m -s "$work/$samples-" -S $last outputs.trace
    expect_files "$samples-*" "$name-mrt0.png" "$name-mrt1.png" "$name-s.png" "$name-z.png"
    run 0 "$check_pixels" "$work/$name-mrt0.png" 8 4 0,3=255,0,51 7,0=0,0,0 3,0=255,0,51 7,2=255,0,51
    run 0 "$check_pixels" "$work/$name-mrt1.png" 8 4 0,0=0,255,51 7,0=0,255,51
    run 0 "$check_pixels" "$work/$name-z.png" 8 4 0,0=191 7,3=191
    run 0 "$check_pixels" "$work/$name-s.png" 8 4 0,0=9 7,3=9

    # The alpha channel is kept on request.
    run 0 "$cli" retrace --headless --snapshot-alpha -s "$work/alpha$samples-" -S $last outputs.trace
    run 0 "$check_pixels" "$work/alpha$samples-$(printf '%010d' $last).png" 8 4 0,3=255,0,51,102

    # The window, although a framebuffer object is bound.
    run 0 "$cli" retrace --headless --snapshot-force-backbuffer -s "$work/back$samples-" -S $last outputs.trace
    run 0 "$check_pixels" "$work/back$samples-$(printf '%010d' $last).png" 48 48 0,0=51,102,153 47,47=51,102,153
done
# The program's state does not change: later calls have the same effect, and no errors.
run 0 "$cli" retrace --headless -m -s "$work/all-" -S '*' outputs.trace
lacks err.txt 'GL_INVALID'

# A window has depth and stencil as in its configuration, and one color output.
several_outputs 0 | head -n 8 | "$build/bin/make_trace" window.trace
run 0 "$cli" retrace --headless -m -s "$work/window-" -S 7 window.trace
run 0 "$check_pixels" "$work/window-0000000007-mrt0.png" 48 48 0,0=51,102,153
run 0 "$check_pixels" "$work/window-0000000007-z.png" 48 48 0,0=64
run 0 "$check_pixels" "$work/window-0000000007-s.png" 48 48 0,0=7
[[ ! -e $work/window-0000000007-mrt1.png ]] || fail 'a second output of the window'

# In a stream: stencil, depth as floats, color.
run 0 "$cli" retrace --headless -m -s - -S 7 window.trace
grep -a -o -E '^P[5f6]$|.P[5f6]$' out.txt | grep -a -o 'P.' | tr '\n' ' ' >kinds.txt
[[ $(cat kinds.txt) == 'P5 Pf P6 ' ]] || fail "kinds of pictures: $(cat kinds.txt)"
headers=$(printf 'P5\n#7\n48 48\n255\nPf\n#7\n48 48\n1\nP6\n#7\n48 48\n255\n' | wc -c)
[[ $(stat -c %s out.txt) -eq $((headers + 48 * 48 * (1 + 4 + 3))) ]] || fail "$(stat -c %s out.txt) bytes in a stream"

# The picture of every third frame is written, and the numbers go on.
{
    several_outputs 0 | head -n 8
    for ((i = 0; i < 40; i++)); do
        echo "glClearColor red=0.$((10 + i)) green=0.0 blue=0.0 alpha=1.0"
        echo 'glClear mask=16384'
        echo 'glXSwapBuffers dpy=0x10 drawable=77'
    done
} | "$build/bin/make_trace" frames.trace
run 0 "$cli" retrace --headless --call-nos=no --snapshot-interval=15 -s "$work/third-" frames.trace
expect_files 'third-*' third-0000000000.png third-0000000015.png third-0000000030.png
run 0 "$check_pixels" "$work/third-0000000015.png" 48 48 0,0=64,0,0
run 1 "$cli" retrace --snapshot-interval=x frames.trace
contains err.txt "^error: --snapshot-interval: 'x' is not a number"

# The replay ends after the last picture that is wanted; not if there is more to do, and none is left out.
run 0 "$cli" retrace --headless -s "$work/early-" -S 10,13 frames.trace
expect_files 'early-*' early-0000000010.png early-0000000013.png
contains out.txt '^Rendered 2 frames'
run 0 "$cli" retrace --headless -s "$work/first-" -S 0-1 frames.trace
contains out.txt '^Rendered 0 frames'
run 0 "$cli" retrace --headless --check -s "$work/checked-" -S 10 frames.trace
contains out.txt '^Rendered 40 frames'

# Threads write the same files, and their names are printed in order.
run 0 "$cli" retrace --headless -t -s "$work/threads-" frames.trace
grep '^Wrote' out.txt >wrote.txt
[[ $(wc -l <wrote.txt) -eq 40 ]] || fail "$(wc -l <wrote.txt) pictures instead of 40"
sort -c wrote.txt || fail 'names are not in order'
run 0 taskset -c 0 "$cli" retrace --headless -s "$work/alone-" frames.trace
for file in "$work"/threads-*.png; do
    cmp -s "$file" "${file/threads-/alone-}" || fail "$file differs from the one of a single thread"
done

# Pictures of two threads, each with its window: red and green, then blue and white.
clear_to() # THREAD RED GREEN BLUE
{
    echo "@$1 glClearColor red=$2 green=$3 blue=$4 alpha=1.0"
    echo "@$1 glClear mask=16384"
}
{
    for thread in 0 1; do
        echo "@$thread glXChooseVisual dpy=0x10 screen=0 attribList=[4,0] = 0x20"
        echo "@$thread glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x3$thread"
        echo "@$thread glXMakeCurrent dpy=0x10 drawable=7$thread ctx=0x3$thread = 1"
        echo "@$thread glViewport x=0 y=0 width=48 height=$((32 + 16 * thread))"
    done
    clear_to 0 1.0 0.0 0.0
    clear_to 1 0.0 1.0 0.0
    echo '@0 glXSwapBuffers dpy=0x10 drawable=70'
    clear_to 0 0.0 0.0 1.0
    echo '@1 glXSwapBuffers dpy=0x10 drawable=71'
    clear_to 1 1.0 1.0 1.0
    echo '@0 glXSwapBuffers dpy=0x10 drawable=70'
    echo '@1 glXSwapBuffers dpy=0x10 drawable=71'
} | "$build/bin/make_trace" two.trace
for option in --singlethread --headless '--headless --singlethread'; do
    # shellcheck disable=SC2086 # words
    run 0 "$cli" retrace $option --call-nos=no -s "$work/two-" two.trace
    expect_files 'two-*' two-000000000{0,1,2,3}.png
    run 0 "$check_pixels" "$work/two-0000000000.png" 48 32 0,0=255,0,0 47,31=255,0,0
    run 0 "$check_pixels" "$work/two-0000000001.png" 48 48 0,0=0,255,0 47,47=0,255,0
    run 0 "$check_pixels" "$work/two-0000000002.png" 48 32 0,0=0,0,255 47,31=0,0,255
    run 0 "$check_pixels" "$work/two-0000000003.png" 48 48 0,0=255,255,255 47,47=255,255,255
    rm "$work"/two-*
done

# If a picture cannot be written, the replay ends with an error, whichever thread notices it.
if [[ -c /dev/full ]]; then
    ln -s /dev/full "$work/full-0000000010.png"
    run 1 "$cli" retrace --headless -t -s "$work/full-" frames.trace
    contains err.txt '^error: .*full-0000000010\.png'
    [[ -L $work/full-0000000010.png ]] || fail 'the link to the device is gone'
fi
# A list may begin or end a primitive. Nothing can be asked between the two; afterwards, there are pictures again.
pictures_of_list() # EXPECTED CALLS…
{
    "$build/bin/make_trace" list.trace < <(printf '%s\n' \
        'glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc1' \
        'glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1' 'glViewport x=0 y=0 width=32 height=32' \
        "${@:2}" 'glXSwapBuffers dpy=0xd1 drawable=7')
    run 0 "$cli" retrace --headless -s - --snapshot-format=MD5 list.trace
    [[ $(wc -l <out.txt) -eq $1 ]] || fail "$(wc -l <out.txt) pictures instead of $1: ${*:2}"
}
new='glNewList list=4 mode=4864' also='glNewList list=4 mode=4865' begin='glBegin mode=4' vertex='glVertex2f x=0.0 y=0.0'
pictures_of_list 1 "$new" "$begin" glEndList
pictures_of_list 1 "$new" "$begin" glEndList 'glCallList list=4' "$vertex" glEnd
pictures_of_list 0 "$new" "$begin" glEndList 'glCallList list=4' "$vertex"
pictures_of_list 1 "$new" "$vertex" glEnd glEndList "$begin" 'glCallList list=4'
pictures_of_list 1 "$new" "$begin" glEndList "$new" "$vertex" glEndList 'glCallList list=4'
pictures_of_list 1 'glNewList list=100 mode=4864' "$vertex" glEnd glEndList 'glListBase base=3' "$begin" \
    'glCallLists n=2 type=5121 lists=#za' # 122 + 3 is no list, 97 + 3 is
pictures_of_list 1 "$new" glEnd glEndList 'glNewList list=5 mode=4864' "$vertex" 'glCallList list=4' glEndList \
    "$begin" 'glCallList list=5'
pictures_of_list 0 "$also" "$begin" glEndList
pictures_of_list 1 "$also" "$begin" glEnd glEndList

# What the program scales and adds to pixels that it reads is not in the window.
"$build/bin/make_trace" transfer.trace <<'END'
glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc1
glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1
glViewport x=0 y=0 width=32 height=32
glClearColor red=1.0 green=0.0 blue=0.0 alpha=1.0
glClear mask=16384
glPixelTransferf pname=3348 param=0.25
glPixelTransferi pname=3355 param=1
glXSwapBuffers dpy=0xd1 drawable=7
glGetFloatv pname=3348 data=[0.25]
glGetFloatv pname=3355 data=[1.0]
END
run 0 "$cli" retrace --headless --check -s "$work/transfer-" transfer.trace
contains out.txt '^No differences'
run 0 "$check_pixels" "$work/transfer-0000000007.png" 32 32 5,5=255,0,0

# A picture does not change what is drawn next, also while nothing is drawn to.
triangle=$(printf '%s\n' 'glColor3f red=1.0 green=0.5 blue=0.0' 'glBegin mode=4' 'glVertex2f x=-1.0 y=-1.0' \
    'glVertex2f x=1.0 y=-0.8' 'glVertex2f x=-0.4 y=1.0' glEnd)
"$build/bin/make_trace" nothing.trace <<END
glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc1
glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1
glViewport x=0 y=0 width=64 height=64
glClear mask=16384
$triangle
glDrawBuffer mode=0
glXSwapBuffers dpy=0xd1 drawable=7
glDrawBuffer mode=1029
glClear mask=16384
$triangle
glXSwapBuffers dpy=0xd1 drawable=7
END
run 0 "$cli" retrace --headless -s "$work/nothing-" nothing.trace
run 0 "$check_pixels" "$work/nothing-0000000020.png" 64 64 20,40=255,128,0
finish
