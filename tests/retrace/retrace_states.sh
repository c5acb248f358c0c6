#!/bin/bash
# SPDX-License-Identifier: MIT
# State dumps say the same as apitrace's, and do not disturb the replay.
# usage: retrace_states.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
data=$2 check_pixels=$3 here=$(cd "$(dirname "$0")" && pwd)
source "$1"
require python3 apitrace
start_x
[[ -z ${TRACE_SANITIZE-} ]] || skip 'a program with a sanitizer takes no preloaded library before its runtime'

compare() # EXPECTED ACTUAL: two dumps
{
    python3 "$here/compare_states.py" --expected="$here/expected_states.txt" "$1" "$2" >difference.txt 2>&1 && return
    fail "$1 and $2 differ"
    head -n 20 difference.txt
}

like_apitrace() # TRACE CALL
{
    apitrace replay --headless -D "$2" "$1" >theirs.json 2>/dev/null
    run 0 "$cli" retrace -D "$2" "$1" && mv out.txt ours.json && compare theirs.json ours.json
}

last_draw() # TRACE
{
    "$cli" dump --calls='*/draw' "$1" | sed -n 's/^\([0-9]*\) .*/\1/p' | tail -n 1
}

record() # NAME COMMAND…
{
    local name=$1
    shift
    timeout 300 "$cli" trace -o "$name.trace" "$@" >/dev/null 2>&1
    [[ -s $name.trace ]] || fail "no trace of $*"
}

# A later frame of the fixed pipeline, and of a program of OpenGL ES: apitrace's windows begin with a size
# of 32 x 32, and always have an alpha channel.
tri=$data/tri.trace
for program in glxgears es2gears_x11; do
    command -v "$program" >/dev/null || continue
    trace_frames "$program.trace" 20 1 "$program"
    frame=$("$cli" dump --calls='*/frame' "$program.trace" | sed -n 's/^\([0-9]*\) .*/\1/p' | head -n 20 | tail -n 1)
    like_apitrace "$program.trace" $((frame - 1))
done

# A core profile: buffers, shaders, uniform blocks.
record core "$apps/glfw_buffers"
like_apitrace core.trace "$(last_draw core.trace)"

# Programs of piglit, if they are there: integer textures, images of shaders.
piglit=/usr/lib/x86_64-linux-gnu/piglit/bin
for program in fbo-integer arb_shader_image_load_store-layer; do
    [[ -x $piglit/$program ]] || continue
    record piglit "$piglit/$program" -auto -fbo
    like_apitrace piglit.trace "$(last_draw piglit.trace)"
done

# Programs of a pipeline, whose shaders are gone: their sources, and the vertices that they read.
"$build/bin/make_trace" pipeline.trace <<'END'
glXCreateContext dpy=0xd1 vis=0x0 shareList=0x0 direct=true = 0xc1
glXMakeCurrent dpy=0xd1 drawable=7 ctx=0xc1 = 1
glCreateShaderProgramv type=35633 count=1 strings=["attribute/**/vec4/**/place;void/**/main(){gl_Position=place;}"] = 3
glGenProgramPipelines n=1 pipelines=[1]
glUseProgramStages pipeline=1 stages=1 program=3
glBindProgramPipeline pipeline=1
glGenBuffers n=1 buffers=[1]
glBindBuffer target=34962 buffer=1
glBufferData target=34962 size=32 data=#00000000000000000000000000000000 usage=35044
glVertexAttribPointer index=0 size=4 type=5126 normalized=0 stride=0 pointer=0x0
glEnableVertexAttribArray index=0
END
run 0 "$cli" retrace --headless -D 10 pipeline.trace
contains out.txt '"shaders":\{"GL_VERTEX_SHADER":"attribute/\*\*/vec4'
contains out.txt '"vertices":\[\{"place":'

# Contexts of all kinds can be dumped.
for kind in compat core es1 es2 es3; do
    record "$kind" "$apps/gl_queries" "$kind"
    run 0 "$cli" retrace --headless -D 0-100000/10 --dump-prefix="$work/$kind-" "$kind.trace"
    files=("$work/$kind"-*.json)
    python3 -c 'import json, sys; sys.exit("parameters" not in json.load(open(sys.argv[1])))' "${files[-1]}" ||
        fail "$kind: ${files[-1]}"
done

# Several calls in one run have a line each. The replay ends after the last one.
run 0 "$cli" retrace --headless -D 19,27 "$tri"
[[ $(wc -l <out.txt) -eq 2 ]] || fail "$(wc -l <out.txt) dumps instead of 2"
tail -n 1 out.txt >second.json
run 0 "$cli" retrace --headless -D 27 "$tri"
same 'the same call alone' second.json out.txt
contains err.txt '^Rendered 0 frames'

# What apitrace says about two of them, which are different, is what diff-state says.
run 0 "$cli" retrace --headless -D 19 "$tri" && mv out.txt first.json
for option in '' --keep-images --ignore-added; do
    # shellcheck disable=SC2086 # none or one
    apitrace diff-state $option first.json second.json >theirs.txt
    run 1 "$cli" diff-state $option first.json second.json
    same "differences${option:+ with $option}" theirs.txt out.txt
done

# UBJSON has the same contents, in a file.
run 0 "$cli" retrace --headless -D 27 --dump-format=ubjson --dump-prefix="$work/binary-" "$tri"
compare second.json "$work/binary-0000000027.ubj"
run 0 "$cli" diff-state --keep-images second.json "$work/binary-0000000027.ubj"

picture_of() # DUMP MEMBER FILE [PART]: prints the size
{
    python3 -c 'import base64, json, sys
d = json.load(open(sys.argv[1]))[sys.argv[4]][sys.argv[2]]
open(sys.argv[3], "wb").write(base64.b64decode(d["__data__"]))
print(d["__width__"], d["__height__"], d["__depth__"])' "$1" "$2" "$3" "${4-textures}"
}

# OpenGL ES 1 tells neither sizes nor pixels of textures. Its framebuffer objects are an extension's.
{
    cat <<END
eglBindAPI api=12448 = 1
eglCreateContext dpy=0xd1 config=0x20 share_context=0x0 attrib_list=[12440,1,12344] = 0xc1
eglCreatePbufferSurface dpy=0xd1 config=0x20 attrib_list=[12375,8,12374,4,12344] = 0x70
eglMakeCurrent dpy=0xd1 draw=0x70 read=0x70 ctx=0xc1 = 1
glPixelStorei pname=3317 param=1
glGenTextures n=2 textures=[1,2]
glBindTexture target=3553 texture=1
glTexParameteri target=3553 pname=33169 param=1
glTexImage2D target=3553 level=0 internalformat=6407 width=3 height=2 border=0 format=6407 type=5121 pixels=#AAABBBCCCaaabbbccc
glBindTexture target=34067 texture=2
END
    for i in 0 1 2 3 4 5; do
        echo "glTexImage2D target=$((34069 + i)) level=0 internalformat=6408 width=1 height=1 border=0" \
            "format=6408 type=5121 pixels=#000$i"
    done
    cat <<END
glGenFramebuffersOES n=1 framebuffers=[5]
glBindFramebufferOES target=36160 framebuffer=5
glFramebufferTexture2DOES target=36160 attachment=36064 textarget=3553 texture=1 level=0
END
} >calls.txt
"$build/bin/make_trace" es1_textures.trace <calls.txt
run 0 "$cli" retrace --headless -D 18 es1_textures.trace && mv out.txt es1.json
[[ $(picture_of es1.json 'GL_TEXTURE0, GL_TEXTURE_2D, level = 0' flat.png) == '3 2 1' ]] || fail 'the size of a texture'
run 0 "$check_pixels" flat.png 3 2 0,0=97,97,97,255 2,0=99,99,99,255 0,1=65,65,65,255 2,1=67,67,67,255
[[ $(picture_of es1.json 'GL_TEXTURE0, GL_TEXTURE_2D, level = 1' small.png) == '1 1 1' ]] || fail 'the size of a level'
[[ $(picture_of es1.json 'GL_TEXTURE0, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, level = 0' face.png) == '1 1 1' ]] ||
    fail 'the size of a face'
run 0 "$check_pixels" face.png 1 1 0,0=48,48,48,53
[[ $(picture_of es1.json GL_COLOR_ATTACHMENT0 attached.png framebuffer) == '3 2 1' ]] || fail 'the size of an attachment'
same 'the texture that is attached' flat.png attached.png

contains es1.json '"GL_TEXTURE_CROP_RECT_OES":\[0,0,0,0\]'

# OpenGL ES 2 and 3.0 do not tell sizes either.
for version in 2.0 3.0; do
    MESA_GLES_VERSION_OVERRIDE=$version record old "$apps/egl_es2" pbuffer
    MESA_GLES_VERSION_OVERRIDE=$version like_apitrace old.trace "$(last_draw old.trace)"
    contains ours.json '"GL_TEXTURE0, GL_TEXTURE_2D, level = 0":'
done

# Single samples of a texture: each is drawn in another colour.
{
    cat <<END
glXChooseVisual dpy=0x10 screen=0 attribList=[4,0] = 0x20
glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30
glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1
glGenTextures n=1 textures=[1]
glBindTexture target=37120 texture=1
glTexImage2DMultisample target=37120 samples=4 internalformat=32856 width=8 height=2 fixedsamplelocations=1
glGenFramebuffers n=1 framebuffers=[1]
glBindFramebuffer target=36160 framebuffer=1
glFramebufferTexture2D target=36160 attachment=36064 textarget=37120 texture=1 level=0
glViewport x=0 y=0 width=8 height=2
glEnable cap=36433
END
    for i in 0 1 2 3; do
        echo "glSampleMaski maskNumber=0 mask=$((1 << i))"
        echo "glColor4f red=0.0 green=0.$((2 * i)) blue=1.0 alpha=1.0"
        echo 'glRectf x1=-1.0 y1=-1.0 x2=1.0 y2=1.0'
        [[ $i != 3 ]] || echo 'glRectf x1=0.0 y1=0.0 x2=1.0 y2=1.0'
    done
    echo 'glColor4f red=1.0 green=0.0 blue=0.0 alpha=1.0'
    echo 'glRectf x1=0.5 y1=0.0 x2=1.0 y2=1.0'
} >calls.txt
last=$(($(wc -l <calls.txt) - 1))
echo 'glXSwapBuffers dpy=0x10 drawable=77' >>calls.txt
"$build/bin/make_trace" samples.trace <calls.txt
texture='GL_TEXTURE0, GL_TEXTURE_2D_MULTISAMPLE'
run 0 "$cli" retrace --headless -D $last --msaa-no-resolve samples.trace && mv out.txt samples.json
[[ $(picture_of samples.json "$texture" samples.png) == '8 8 1' ]] || fail 'the size of all samples'
run 0 "$check_pixels" samples.png 8 8 0,7=0,0,255,255 7,6=0,0,255,255 0,5=0,51,255,255 0,3=0,102,255,255 \
    0,0=0,153,255,255 7,0=255,0,0,255 7,1=0,153,255,255 5,0=0,153,255,255
run 0 "$cli" retrace --headless -D $last samples.trace && mv out.txt resolved.json
[[ $(picture_of resolved.json "$texture" resolved.png) == '8 2 1' ]] || fail 'the size of the resolved texture'
run 0 "$check_pixels" resolved.png 8 2 0,1=0,77,255,255
# The replay continues normally: both dumps apart from the texture, and the later frame, are the same.
run 0 "$cli" retrace --headless -D $((last - 1)),$last --msaa-no-resolve samples.trace
sed -n 2p out.txt >again.json
same 'a second dump' again.json samples.json

# The replay continues normally.
for trace in tri core; do
    [[ $trace == tri ]] && file=$tri || file=$trace.trace
    run 0 "$cli" retrace --headless -s - --snapshot-format=MD5 -S '*/frame,*/draw' "$file"
    mv out.txt plain.txt
    run 0 "$cli" retrace --headless -s - --snapshot-format=MD5 -S '*/frame,*/draw' -D '*' \
        --dump-prefix="$work/all-" "$file"
    same "pictures of $trace" plain.txt out.txt
    rm -f "$work"/all-*
done
run 0 "$cli" retrace --headless --check -D '*' --dump-prefix="$work/all-" core.trace

run 1 "$cli" retrace --headless -D 99999 "$tri"
contains err.txt '^error: no state was dumped'
run 1 "$cli" retrace --headless -D 27 --dump-prefix=/nowhere/x "$tri"
contains err.txt '^error: .*/nowhere/x0000000027.json'
run 1 "$cli" retrace --dump-format=xml "$tri"
contains err.txt "^error: unknown format of state dumps 'xml'"
finish
