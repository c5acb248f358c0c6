#!/bin/bash
# SPDX-License-Identifier: MIT
# What the binaries load: trace-cli neither GL nor a window system, the preloadable library nothing but the
# C library, since whatever it needs would be forced on the traced program.
# static: the compression libraries are linked into trace-cli, which then needs nothing but the C library.
# usage: linkage.sh BUILD_DIR [static]
set -u
build=${1:?usage: linkage.sh BUILD_DIR [static]}
failures=0

needed() # FILE
{
    readelf -d "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\].*/\1/p'
}

check() # FILE forbid|allow PATTERN
{
    local library
    if [[ ! -e $1 ]]; then
        echo "$1: not built"
        failures=$((failures + 1))
        return
    fi
    while read -r library; do
        if [[ $2 == forbid && $library =~ $3 ]] || [[ $2 == allow && ! $library =~ $3 ]]; then
            echo "$1 needs $library"
            failures=$((failures + 1))
        fi
    done < <(needed "$1")
}

# The test must be able to see dependencies.
if [[ $(needed "$build/tests/apps/glx_triangle") != *libX11* ]]; then
    echo "readelf does not show that glx_triangle needs libX11"
    exit 1
fi
check "$build/bin/trace-cli" forbid '^lib(GL|EGL|GLX|GLES|OpenGL|X11|xcb|glfw)'
check "$build/lib/trace-cli/diff-images" forbid '^lib(GL|EGL|GLX|GLES|OpenGL|X11|xcb|glfw)'
for binary in bin/trace-cli lib/trace-cli/glreplay archive/libtracecli.so; do
    check "$build/$binary" forbid '^lib(snappy|stdc\+\+)' # we read and write Snappy ourselves, in C
done
if [[ ${2-} == static ]]; then
    check "$build/bin/trace-cli" allow '^libc\.so|^ld-linux'
fi
shopt -s nullglob
preloads=("$build"/lib/*.so "$build"/lib/*/*.so)
if [[ ${#preloads[@]} -eq 0 ]]; then
    echo "no preloadable library under $build/lib"
    failures=$((failures + 1))
fi
for library in "${preloads[@]}"; do
    check "$library" allow '^(libc|libm|libdl|libpthread|librt)\.so|^ld-linux'
done
[[ $failures -eq 0 ]] && echo "${#preloads[@]} preloadable library, linkage as it should be"
exit $((failures != 0))
