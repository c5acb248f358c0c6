#!/bin/bash
# SPDX-License-Identifier: MIT
# The recorded calls of our own programs must be exactly the ones that they make, including arguments.
# expected/APP.txt contains the dump of the recognisable calls. ADDRESS and ID stand for what changes from run
# to run.
source "$(dirname "$0")/e2e.sh"
start_x

# The drawing calls, in order, without numbers. Addresses and X identifiers are replaced.
normalise()
{
    sed -E -e '/^\/\//d' -e '/^$/d' -e 's/^[0-9]+ //' -e 's/0x[0-9a-f]{5,}/ADDRESS/g' \
        -e 's/(drawable|win|draw) = [0-9]+/\1 = ID/g'
}

check() # APP FUNCTION_REGEX [ARGS…]
{
    local app=$1 functions=$2
    run 0 "$cli" trace -o "$app.trace" -- "$apps/$app" "${@:3}"
    run 0 "$cli" dump --color=never --grep="$functions" "$app.trace"
    normalise <out.txt >"$app.txt"
    if [[ -n ${TRACE_UPDATE_EXPECTED-} ]]; then
        cp "$app.txt" "$e2e_dir/expected/$app.txt"
    fi
    same "calls of $app" "$e2e_dir/expected/$app.txt" "$app.txt"
}

check glx_triangle '^gl([A-WYZ]|XSwap|XMake)'
check glx_arrays '^gl(GetError|Vertex|Color|Interleaved|Draw|Array|NewList|EndList|CallList|Enable|Disable)'
check glfw_buffers '^(memcpy|gl(Draw|Map|Unmap|Flush|Buffer|Shader|Uniform|TexImage|PixelStore|Blit|Primitive))'
check glfw_persistent '^(memcpy|gl(Draw|Map|BufferStorage|VertexPointer))'
check egl_es2 '^gl(Vertex|Draw|Uniform|ShaderSource|BindAttrib|BufferData|TexImage)' pbuffer
check glx_dlopen '^gl(Begin|BlendColor|Clear|ClearColor|Color3f|End|Vertex2f|Viewport|XSwapBuffers)$' dlsym
check glx_dlopen '^gl(Begin|BlendColor|Clear|ClearColor|Color3f|End|Vertex2f|Viewport|XSwapBuffers)$' getproc
check egl_dlopen '^(gl|eglSwap)' dlsym
check egl_dlopen '^(gl|eglSwap)' getproc

# Threads: the calls of each are complete and in order, however they are interleaved.
run 0 "$cli" trace -o threads.trace -- "$apps/gl_threads" 3 5
run 0 "$cli" dump --color=never --thread-ids threads.trace
[[ $(sed -nE 's/^[0-9]+ @([0-9a-f]+) .*/\1/p' out.txt | sort -u | wc -l) -eq 4 ]] || fail 'not four threads in the trace'
for thread in $(sed -nE 's/^[0-9]+ @([0-9a-f]+) .*/\1/p' out.txt | sort -u); do
    [[ $thread == 0 ]] && continue
    sed -nE "s/^[0-9]+ @$thread (gl(Begin|End|Clear|Vertex2f|TexCoord2f))\(.*/\1/p" out.txt >sequence.txt
    for ((i = 0; i < 5; i++)); do
        printf '%s\n' glClear glBegin glTexCoord2f glVertex2f glTexCoord2f glVertex2f glTexCoord2f glVertex2f \
            glTexCoord2f glVertex2f glEnd
    done >expected.txt
    same "calls of thread $thread" expected.txt sequence.txt
done
finish
