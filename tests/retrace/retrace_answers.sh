#!/bin/bash
# SPDX-License-Identifier: MIT
# --check on real programs: the driver that a program was traced on gives the same answers again, and an answer that
# was changed in the trace is found.
# usage: retrace_answers.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
source "$1"
start_x
[[ -z ${TRACE_SANITIZE-} ]] || skip 'a program with a sanitizer takes no preloaded library before its runtime'

for program in glx_triangle glx_arrays glx_client_state glfw_buffers gl_queries gl_reused; do
    run 0 "$cli" trace -o $program.trace -- "$apps/$program"
    run 0 "$cli" retrace --check $program.trace
    contains out.txt '^Checked [0-9]+ answers'
    contains out.txt '^No differences$'
done
run 0 "$cli" trace -o gl_mapped.trace -- "$apps/gl_mapped" 100 # it asks nothing
run 0 "$cli" retrace --check gl_mapped.trace
contains out.txt '^Nothing was compared$'
run 0 "$cli" trace -o es2.trace -- "$apps/egl_es2" window
run 0 "$cli" retrace --check es2.trace
contains out.txt '^No differences$'

# What the program queries is in the trace, and is queried in the replay.
cat >first.txt <<END
glXChooseVisual dpy=0x10 screen=0 attribList=[4,8,1,9,1,10,1,12,24,5,0] = 0x20
glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30
glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1
glViewport x=0 y=0 width=16 height=16
glClearColor red=1.0 green=0.0 blue=0.0 alpha=1.0
glClear mask=16384
glGenTextures n=1 textures=[8]
glBindTexture target=3553 texture=8
glGetIntegerv pname=32873 data=[8]
glEnable cap=3553
glIsEnabled cap=3553 = 1
glGetError = 0
END
{
    cat first.txt
    echo 'glGetIntegerv pname=2978 data=[0,0,16,16]'
    echo 'glGetFloatv pname=3106 data=[1.0,0.0,0.0,1.0]'
} | "$build/bin/make_trace" right.trace
run 0 "$cli" retrace --check right.trace
contains out.txt '^Checked 5 answers; not compared: 1 new names$'
contains out.txt '^No differences$'
{
    cat first.txt
    echo 'glGetIntegerv pname=2978 data=[0,0,16,17]'
    echo 'glGetFloatv pname=3106 data=[1.0,0.0,0.5,1.0]'
    echo 'glEnable cap=1'
    echo 'glGetError = 0'
} | "$build/bin/make_trace" wrong.trace
cat >expected.txt <<END
12: difference: glGetIntegerv: data[3] is 16, but 17 in the trace (1 of 4 differ)
13: difference: glGetFloatv: data[2] is 0, but 0.5 in the trace (1 of 4 differ)
15: difference: glGetError: returned 1280, but 0 in the trace
END
run 1 "$cli" retrace --check wrong.trace
grep ': difference: ' out.txt >found.txt
same differences found.txt expected.txt
contains out.txt '^3 calls differ: '
run 1 "$cli" retrace --headless --check --tolerance=0.5 wrong.trace
[[ $(grep -c ': difference: ' out.txt) -eq 2 ]] || fail "with a tolerance: $(cat out.txt)"
run 0 "$cli" retrace wrong.trace
lacks out.txt 'difference'

# If the driver lacks the version, the replay ends, unless the user allows it.
"$build/bin/make_trace" future.trace <<END
glXCreateContextAttribsARB dpy=0x10 config=0x20 share_context=0x0 direct=1 attrib_list=[8337,4,8338,99,0] = 0x30
glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1
glViewport x=0 y=0 width=16 height=16
END
run 1 "$cli" retrace future.trace
run 0 "$cli" retrace --no-context-check future.trace
contains err.txt '4\.99.*; trying any version$'
lacks err.txt 'could not be replayed'

run 1 "$cli" retrace --check --tolerance=much right.trace
contains err.txt "^error: --tolerance: 'much' is not a number from 0 to 1"
run 1 "$cli" retrace --query-handling=guess right.trace
contains err.txt "^error: unknown query handling 'guess' \(skip, run or check\)"
run 1 "$cli" retrace --query-tolerance=-1 right.trace
contains err.txt "^error: --query-tolerance: '-1' is not a number"

# What a call with an error would have written has no known length. The trace has the program's address.
"$build/bin/make_trace" failing.trace <<END
glXCreateContext dpy=0x10 vis=0x0 shareList=0x0 direct=1 = 0x30
glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1
glGetTexImage target=3553 level=99 format=6408 type=5121 pixels=0x7fff54c00260
glGetError = 1281
glGetCompressedTexImage target=3553 level=40 img=0x7fff54c00260
glGetError = 1281
glGetPixelMapfv map=39321 values=0x7fff54c00260
glGetError = 1280
glEnable cap=57005
glBegin mode=77
glBindTexture target=4660 texture=1
glGetError = 1280
glGetError = 0
glBegin mode=4
glEnd
glGetError = 0
END
run 0 "$cli" retrace --check failing.trace
contains out.txt '^No differences'
lacks err.txt 'could not be replayed'

# A robust context, which the X server has no extension for, but the driver has.
"$build/bin/make_trace" robust.trace <<END
glXChooseFBConfig dpy=0x10 screen=0 attrib_list=[0x8010,1,0] nelements=[1] = [0x20]
glXCreateContextAttribsARB dpy=0x10 config=0x20 share_context=0x0 direct=1 attrib_list=[8337,3,8338,2,8340,4,33366,33362,0] = 0x30
glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1
glGetIntegerv pname=33310 data=[4]
glGetIntegerv pname=33366 data=[33362]
END
run 0 "$cli" retrace --check robust.trace
contains out.txt '^Checked 2 answers'
finish
