#!/bin/bash
# SPDX-License-Identifier: MIT
# A traced program must print the same as without tracing, byte for byte on stdout and stderr, and have the
# same exit status.
source "$(dirname "$0")/e2e.sh"
start_x

compare() # PROGRAM [ARGS…]
{
    local status=0 traced=0
    "$@" >plain.out 2>plain.err </dev/null || status=$?
    "$cli" trace -o app.trace -- "$@" >traced.out 2>traced.err </dev/null || traced=$?
    [[ -s plain.out ]] || fail "$* prints nothing: the comparison would be empty"
    [[ $traced -eq $status ]] || fail "$*: status $traced traced, $status untraced"
    same "$* stdout" plain.out traced.out
    same "$* stderr" plain.err traced.err
    if ! "$cli" dump app.trace >app.txt 2>dump.err; then
        fail "$*: the trace does not dump: $(cat dump.err)"
    fi
    contains app.txt 'gl(Clear|DrawArrays)\('
    rm -f app.trace app.*.trace
}

for arguments in glx_triangle glx_arrays glx_pixmap 'glx_pixmap odd' egl_images 'egl_images other' 'egl_images float' \
    glfw_buffers glfw_persistent 'egl_es2 window' 'egl_es2 pbuffer' 'glx_dlopen dlsym' \
    'glx_dlopen getproc' 'egl_dlopen dlsym' 'egl_dlopen getproc' 'gl_threads 3 4' 'gl_fork early' 'gl_fork late' \
    'gl_fork quiet' 'gl_exits return 0' 'gl_exits return 3' 'gl_exits exit 4' 'gl_exits _exit 5' \
    'gl_exits quick_exit 6' 'gl_exits abort' 'gl_exits segv' 'gl_exits term'; do
    read -r -a words <<<"$arguments"
    compare "$apps/${words[0]}" "${words[@]:1}"
done

# The traced program gets all arguments, including empty ones.
run 0 "$cli" trace -o printf.trace -- printf '[%s]' a '' b
same 'arguments' out.txt <(printf '[a][][b]')

# The traced program gets the input.
run 0 bash -c 'echo hello | "$1" trace -o cat.trace -- cat' bash "$cli"
same 'stdin' out.txt <(echo hello)
finish
