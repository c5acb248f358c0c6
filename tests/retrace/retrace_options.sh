#!/bin/bash
# SPDX-License-Identifier: MIT
# What cannot be replayed must be reported: wrong options, missing and damaged traces, no display, no place to
# write.
# usage: retrace_options.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
data=$2 check_pixels=$3
source "$1"
start_x
tri=$data/tri.trace

refuses() # EXPECTED_ERROR ARGUMENTS…
{
    run 1 "$cli" retrace "${@:2}"
    contains err.txt "$1"
    [[ $(wc -l <err.txt) -eq 1 ]] || fail "more than one line: $(cat err.txt)"
}

refuses '^error: .*no trace given' --headless
refuses '^error: .*no-such-option' --no-such-option "$tri"
refuses '^error: unknown snapshot format .GIF.' --headless -s - --snapshot-format=GIF "$tri"
refuses '^error: .*x-y' --headless -S x-y "$tri"
refuses "^error: --snapshot: a range in '10-5' ends before it begins" --headless -S 10-5 -s - "$tri"
refuses '^error: pictures and states cannot both go' --headless -s - -D 20 "$tri"
refuses '^error: --loop: .many. is not a number' --headless --loop=many "$tri"
refuses '^error: .*missing\.trace.*No such file' --headless missing.trace

# If pictures cannot be written to a place, this is reported before the replay.
refuses '^error: /nonexistent/: No such file or directory$' --headless -s /nonexistent/x- "$tri"
[[ ! -s out.txt ]] || fail "replayed: $(cat out.txt)"
mkdir "$work/x-0000000030.png"
run 1 "$cli" retrace --headless -s "$work/x-" "$tri"
contains err.txt '^error: call 30 glXSwapBuffers: .*/x-0000000030\.png: Is a directory$'

# Several traces are replayed one after the other. If one cannot be read, the others are still replayed.
run 0 "$cli" retrace --headless --call-nos=no -s "$work/two-" "$tri" "$tri"
[[ $(grep -c '^Rendered 1 frames' out.txt) -eq 2 ]] || fail "two traces: $(cat out.txt)"
cmp "$work/two-0000000000.png" "$work/two-0000000001.png" || fail 'pictures of two traces'
run 1 "$cli" retrace --headless missing.trace "$tri"
contains err.txt '^error: .*missing\.trace'
contains out.txt '^Rendered 1 frames'
DISPLAY='' refuses '^error: cannot open a window system' "$tri"

# A truncated trace is replayed up to its end, and a warning is printed.
size=$(stat -c %s "$tri")
head -c $((size - 40)) "$tri" >cut.trace
run 0 "$cli" retrace --headless cut.trace
contains err.txt '^warning: .*cut\.trace'
contains out.txt '^Rendered '
run 1 "$cli" retrace --headless --strict cut.trace
contains err.txt '^error: .*cut\.trace.* is cut off'

# Progress is shown on a terminal; here from the start. The line is erased before other output.
run 0 env TRACE_CLI_PROGRESS=always "$cli" retrace --headless "$tri"
contains err.txt $'^\r\e\\[Kretrace: .*1 frames, [0-9]+ frames/s\r\e\\[K$'
run 0 env TRACE_CLI_PROGRESS=never "$cli" retrace --headless "$tri"
lacks err.txt 'retrace:'

# Runs the command until the picture is there, and sends it the signal.
interrupt() # SIGNAL EXPECTED_STATUS PICTURE COMMAND…
{
    local signal=$1 expected=$2 picture=$3 status=0
    env --default-signal=INT "${@:4}" >out.txt 2>err.txt </dev/null &
    wait_until test -e "$picture"
    kill -s "$signal" $!
    wait $! || status=$?
    [[ $status -eq $expected ]] || fail "status $status instead of $expected: ${*:4}: $(<err.txt)"
}

# Signals end a replay as the end of the trace does: in a loop, in a pause, and in --wait, with the summary, whole
# files, and the status that a shell expects.
interrupt INT 130 "$work/loop-0000000010.png" "$cli" retrace --headless --loop --call-nos=no -s "$work/loop-" "$tri"
contains out.txt '^Rendered [0-9]{2,} frames'
newest=$(find "$work" -name 'loop-*.png' | sort | tail -n 1)
cmp "$newest" "$work/two-0000000000.png" || fail "cut off: $newest"
interrupt TERM 143 "$work/delay-0000000000.png" "$cli" retrace --headless --per-frame-delay=60000000 --call-nos=no \
    -s "$work/delay-" "$tri" "$tri"
[[ $(grep -c '^Rendered 1 frames' out.txt) -eq 1 ]] || fail "goes on after a signal: $(cat out.txt)"
for contexts in EGL GLX; do
    interrupt INT 130 "$work/$contexts-0000000000.png" "$cli" retrace --headless --contexts=$contexts --wait \
        --call-nos=no -s "$work/$contexts-" "$tri"
    contains out.txt '^Rendered 1 frames'
done
# Without a window that one could close, --wait says how it ends.
: >err.txt # it tells when to send the signal
env --default-signal=INT "$cli" retrace --headless --wait "$tri" >out.txt 2>err.txt </dev/null &
wait_until grep -q '^headless: no window can be closed; Ctrl-C ends --wait$' err.txt
kill -s INT $!
wait $! || true
contains err.txt '^headless: no window can be closed; Ctrl-C ends --wait$'
run 0 "$cli" retrace --headless --loop=4 "$tri"
contains out.txt '^Rendered 5 frames'
run 0 "$cli" retrace --headless --loop-frames=0 --loop=2 "$tri"
contains out.txt '^Rendered 3 frames'
"$build/bin/make_trace" frames.trace <<'END'
glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc1
glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1
glXSwapBuffers dpy=0xd1 drawable=7
glXSwapBuffers dpy=0xd1 drawable=7
glXSwapBuffers dpy=0xd1 drawable=7
END
run 0 "$cli" retrace --headless --frames=1-2 frames.trace
contains out.txt '^Rendered 2 frames' # the first one is not counted
run 1 "$cli" retrace --headless --loop-frames=3-4 --loop=2 "$tri"
contains err.txt '^error: --loop-frames: there are only 1 frames$'
refuses '^error: --loop-frames: .3-. is not of the form' --headless --loop-frames=3- "$tri"
refuses '^error: --loop-frames: .\*/2. is not of the form' --headless '--loop-frames=*/2' "$tri"
refuses '^error: --watchdog: .0. is not a number of seconds' --headless --watchdog=0 "$tri"

# Neither disturbs a replay.
run 0 "$cli" retrace --headless --watchdog --markers -d "$tri"
contains out.txt '^Rendered 1 frames'

# Copies to mapped memory stay inside of it, whatever the trace contains. Nothing is copied after the mapping
# has ended because the buffer was deleted or got new storage. Counts are larger than their arrays.
"$build/bin/make_trace" hostile.trace <<END
glXChooseVisual dpy=0x10 screen=0 attribList=[4,0] = 0x20
glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30
glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1
glViewport x=0 y=0 width=16 height=16
glGenBuffers n=1 buffer=[1]
glBindBuffer target=34962 buffer=1
glBufferData target=34962 size=16 data=0x0 usage=35044
glMapBufferRange target=34962 offset=0 length=16 access=2 = 0x5000
memcpy dest=0x5008 src=#aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa n=64
memcpy dest=0x5000 src=#abcd n=64
memcpy dest=0x5010 src=#abcd n=4
memcpy dest=0x4fff src=#abcd n=4
glDeleteBuffers n=1 buffers=[1]
memcpy dest=0x5000 src=#abcd n=4
glGenBuffers n=1 buffer=[2]
glBindBuffer target=34962 buffer=2
glBufferData target=34962 size=16 data=0x0 usage=35044
glMapBufferRange target=34962 offset=0 length=16 access=2 = 0x6000
memcpy dest=0x6000 src=#abcd n=4
glBufferData target=34962 size=8 data=0x0 usage=35044
memcpy dest=0x6000 src=#abcd n=4
glMapBufferRange target=34962 offset=0 length=4096 access=2 = 0x7000
memcpy dest=0x7000 src=#abcd n=4
glNamedBufferDataEXT buffer=2 size=16 data=0x0 usage=35044
glMapNamedBufferRangeEXT buffer=2 offset=0 length=16 access=2 = 0x8000
memcpy dest=0x8000 src=#abcd n=4
glNamedBufferDataEXT buffer=2 size=8 data=0x0 usage=35044
memcpy dest=0x8000 src=#abcd n=4
glDeleteBuffers n=1000000 buffers=[2]
glXSwapBuffers dpy=0x10 drawable=77
END
cat >expected.txt <<END
8: warning: memcpy: 64 bytes do not fit into the mapped buffer
10: warning: memcpy: 0x5010 is not in a mapped buffer
END
run 0 "$cli" retrace --headless hostile.trace
grep memcpy: err.txt >found.txt
same 'warnings of copies' found.txt expected.txt
contains err.txt '^21: warning: glMapBufferRange: the buffer cannot be mapped$'
contains err.txt '^warning: 7 calls could not be replayed:.* glMapBufferRange \(1\)'
contains err.txt '^warning: 7 calls could not be replayed:.* memcpy \(6\)'
contains out.txt '^Rendered 1 frames'

# Blobs and arrays that are too short for the call are padded: megabytes are missing, and nothing behind them is
# read.
"$build/bin/make_trace" short.trace <<END
glXChooseVisual dpy=0x10 screen=0 attribList=[4,0] = 0x20
glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30
glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1
glViewport x=0 y=0 width=16 height=16
glPixelStorei pname=3317 param=1
glGenTextures n=1 textures=[1]
glBindTexture target=3553 texture=1
glTexImage2D target=3553 level=0 internalformat=6408 width=2048 height=2048 border=0 format=6408 type=5121 pixels=#abcd
glTexSubImage2D target=3553 level=0 xoffset=0 yoffset=0 width=2048 height=2048 format=6408 type=5121 pixels=#ab
glGenBuffers n=1 buffer=[1]
glBindBuffer target=34962 buffer=1
glBufferData target=34962 size=20000000 data=#abcd usage=35044
glBufferSubData target=34962 offset=0 size=20000000 data=#abcd
glLoadMatrixf m=[1,2]
glLightfv light=16384 pname=4611 params=[1]
glDrawElements mode=4 count=3000000 type=5125 indices=#00000000
glDeleteTextures n=100000 textures=[1]
glGenTextures n=100000 textures=[7]
glXSwapBuffers dpy=0x10 drawable=77
END
run 0 "$cli" retrace --headless short.trace
lacks err.txt 'could not be replayed'
contains out.txt '^Rendered 1 frames'

# -b disables warnings about single calls. --core creates contexts in which glBegin is an error.
run 0 "$cli" retrace --headless -b hostile.trace
lacks err.txt '^[0-9]+: warning'
run 0 "$cli" retrace --headless "$tri"
lacks err.txt 'GL_INVALID_OPERATION'
run 0 "$cli" retrace --headless --core "$tri"
contains err.txt 'GL_INVALID_OPERATION'

# --sb creates windows without a back buffer, --db, the default, with one. The last of these options counts. A
# trace of the replay contains the configuration that it chose.
double_buffered() # EXPECTED OPTION…
{
    local config
    run 0 "$cli" trace -o own.trace -- "$cli" retrace "${@:2}" "$tri"
    "$cli" dump -v --color=never own.trace >own.txt
    config=$(sed -nE 's/^[0-9]+ glXCreate(ContextAttribsARB|NewContext)\(.* config = (0x[0-9a-f]+),.*/\2/p' own.txt | tail -n 1)
    contains own.txt "config = ${config:-none}, attribute = GLX_DOUBLEBUFFER, value = &$1\\)"
}
if [[ -z ${TRACE_SANITIZE-} ]]; then # a program with a sanitizer takes no preloaded library before its runtime
    double_buffered 1
    double_buffered 0 --sb
    double_buffered 1 --sb --db
fi

# --driver selects a driver, and another kind is an error. --samples overrides the trace.
refuses '^error: --samples: .many. is not a number' --samples=many "$tri"
run 0 "$cli" retrace --headless --driver=null "$tri"
contains err.txt '^headless: .*, NOOP$'
run 0 "$cli" retrace --headless --driver=ref "$tri"
contains err.txt '^headless: .*, softpipe'
run 0 "$cli" retrace --driver=sw "$tri"
run 1 "$cli" retrace --headless --driver=reff "$tri"
contains err.txt '^error: --driver=reff: this is none of hw, .*, ref, .*; .* no reff_dri.so in /'
run 1 env LIBGL_DRIVERS_PATH="$work/none:$work" "$cli" retrace --headless --driver=swrast "$tri"
contains err.txt "there is no swrast_dri.so in $work/none:$work\$"
for name in '' '*' ../dri/swrast; do
    run 1 "$cli" retrace --headless --driver="$name" "$tri"
    contains err.txt '^error: --driver='
done
if ! env -u LIBGL_ALWAYS_SOFTWARE glxinfo -B 2>/dev/null | grep -q 'Accelerated: yes'; then
    run 1 "$cli" retrace --driver=hw "$tri"
    contains err.txt '^error: call [0-9]+ glXMake[A-Za-z]*Current: --driver: this is not a GPU: llvmpipe'
fi
for options in '' --headless; do
    run 0 "$cli" retrace $options --samples=4 -s "$work/multi-" "$tri"
    run 0 "$cli" retrace $options --samples=1 -s "$work/single-" "$tri"
    cmp -s multi-*.png single-*.png && fail "retrace $options --samples=4: edges are as without"
done

# --fullscreen covers the screen.
run 0 "$cli" retrace --fullscreen -s "$work/full-" "$tri"
run 0 "$check_pixels" "$work/full-0000000030.png" 250 250 2,2=77,26,77 20,235=195,8,5 125,20=4,5,172 229,235=7,220,5

# A call of an unknown function is reported once, counted, and does not end the replay.
run 0 "$cli" retrace --headless "$data/all-types.trace"
lacks err.txt '^error'
contains err.txt '^warning: [0-9]+ calls could not be replayed: '

# --verbose prints the replayed calls like dump, but not into pictures.
run 0 "$cli" retrace --headless -v "$tri"
grep -v '^Rendered ' out.txt >printed.txt
"$cli" dump --thread-ids "$tri" | grep -v -e '^//' >dumped.txt
same 'retrace -v' printed.txt dumped.txt
run 0 "$cli" retrace --headless -v -s - --snapshot-format=MD5 "$tri"
contains err.txt '^30 @0 glXSwapBuffers\(dpy = '
[[ $(wc -l <out.txt) -eq 1 ]] || fail "calls among the pictures: $(cat out.txt)"

# Calls that are not in the trace leave no picture, which is told.
run 0 "$cli" retrace --headless -s picture- -S 900000 "$tri"
contains err.txt '^warning: no picture was taken'
run 0 "$cli" dump-images --calls=900000 -o picture- "$tri"
contains err.txt '^warning: no picture was taken'
run 0 "$cli" retrace --headless -s picture- -S 30 "$tri"
lacks err.txt 'no picture'

# What cannot be printed is an error, unless there was another one.
if [[ -c /dev/full ]]; then
    for arguments in --help --gen-passes "--headless $tri" "--headless --ppd $tri" "--headless missing.trace"; do
        status=0
        # shellcheck disable=SC2086 # words
        "$cli" retrace $arguments 2>err.txt >/dev/full || status=$?
        [[ $status -eq 1 ]] || fail "status $status of retrace $arguments, whose output was not written"
        if [[ $arguments == *missing* ]]; then
            lacks err.txt 'standard output'
        else
            contains err.txt '^error: cannot write to the standard output: No space left on device$'
        fi
    done
fi
finish
