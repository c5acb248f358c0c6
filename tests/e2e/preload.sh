#!/bin/bash
# SPDX-License-Identifier: MIT
# The library without the collector: LD_PRELOAD with TRACE_FILE, or without it for the default name.
source "$(dirname "$0")/e2e.sh"
require apitrace
start_x

shopt -s nullglob
libraries=("$build"/lib/*.so "$build"/lib/*/*.so)
library=${libraries[0]:?no preloadable library}

for app in glx_triangle glx_arrays egl_es2 glx_dlopen; do
    "$apps/$app" >plain.out 2>plain.err
    run 0 env LD_PRELOAD="$library" TRACE_FILE="$work/hand.trace" "$apps/$app"
    same "$app stdout" plain.out out.txt
    same_dump hand.trace
    "$cli" trace -o collected.trace -- "$apps/$app" >/dev/null 2>&1
    # Only addresses differ from run to run.
    for trace in hand collected; do
        "$cli" dump -v "$trace.trace" | sed -E 's/0x[0-9a-f]+/ADDRESS/g; s/(drawable|win|xid|id|drawable) = [0-9]+/\1 = ID/g' >$trace.txt
    done
    same "$app by hand and collected" hand.txt collected.txt
    rm -f hand.trace
done

for how in 'return 0' 'exit 4' '_exit 5' 'quick_exit 6' '_Exit 7' 'execl 8' 'execlp 8' 'execle 8' 'execv 8' 'execvp 8' \
    'execve 8' 'execvpe 8' 'fexecve 8'; do
    read -r -a words <<<"$how"
    run "${words[1]}" env LD_PRELOAD="$library" TRACE_FILE=ends.trace "$apps/gl_exits" "${words[@]}"
    run 0 "$cli" dump ends.trace
    contains out.txt '^[0-9]+ glClearStencil\(s = 123\)$'
    rm -f ends.trace
done

# Calls before an exec are in a file, too. Each program has its own file.
run 0 env LD_PRELOAD="$library" TRACE_FILE=exec.trace "$apps/gl_fork" exec "$apps/gl_exits" exit 0
run 0 "$cli" dump exec.trace
contains out.txt '^[0-9]+ glXSwapBuffers\('
contains out.txt '^// process.name = ".*/gl_fork"$'
run 0 "$cli" dump exec.1.trace
contains out.txt '^[0-9]+ glClearStencil\(s = 123\)$'
rm -f exec.trace exec.1.trace

# Programs with little of some resource. (tests/e2e/unharmed.sh compares what they print on stderr.)
for app in 'many_threads 8' thread_ends small_stacks no_address_space little_address_space no_descriptors \
           small_files_only 'filtered_calls early memfd_create socket'; do
    read -r -a words <<<"$app"
    "$apps/${words[0]}" "${words[@]:1}" >plain.out 2>plain.err
    run 0 env LD_PRELOAD="$library" TRACE_FILE=short.trace "$apps/${words[0]}" "${words[@]:1}"
    same "$app stdout" plain.out out.txt
    "$cli" trace -o collected.trace -- "$apps/${words[0]}" "${words[@]:1}" >/dev/null 2>&1
    for trace in short collected; do
        "$cli" dump --grep='^glColor4ub$' "$trace.trace" | sed -E 's/^[0-9]+ //' | sort >$trace.txt
    done
    [[ -s short.txt ]] || fail "$app: no calls by hand"
    same "$app by hand and collected" short.txt collected.txt
    rm -f short.trace collected.trace
done

# A library that is bound directly to the C library's functions.
run 0 env LD_PRELOAD="$library" TRACE_FILE=deepbind.trace "$apps/deepbind_exit"
run 0 "$cli" dump -v deepbind.trace
contains out.txt '^[0-9]+ glGetError\(\) = GL_NO_ERROR$'

run 0 env LD_PRELOAD="$library" "$apps/glx_triangle"
[[ -s glx_triangle.trace ]] || fail 'no glx_triangle.trace without TRACE_FILE'

# The file cannot be written: the program continues, and one line gives the reason.
run 0 env LD_PRELOAD="$library" TRACE_FILE=/nowhere/at/all.trace "$apps/glx_triangle"
contains err.txt '/nowhere/at/all.trace'
"$apps/glx_triangle" >plain.out 2>/dev/null
same 'stdout with an unwritable file' plain.out out.txt

# Whichever of libglvnd's libraries a program opens, its lookups lead to the wrappers, and only to functions that
# exist.
run 0 "$apps/gl_lookup"
sed -E 's/: lib.*/: gltrace.so/' out.txt >lookups.expected
run 0 env LD_PRELOAD="$library" TRACE_FILE=lookups.trace "$apps/gl_lookup"
same 'lookups' lookups.expected out.txt
contains out.txt '^libOpenGL.so.0 glClear: gltrace.so$'
contains out.txt '^libGL.so.1 glNoSuchFunction: nowhere$'
finish
