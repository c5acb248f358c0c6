#!/bin/bash
# SPDX-License-Identifier: MIT
# A replay must show what the program drew. Our programs read back each frame before they swap, so the trace
# contains the pixels with which the pictures of a replay are compared.
source "$(dirname "$0")/e2e.sh"
start_x

check() # WIDTH HEIGHT FRAMES APP [ARGS…]
{
    local width=$1 height=$2 frames=$3 app=$4 swaps channels
    mkdir -p "$app" && cd "$app" || return
    run 0 "$cli" trace -o app.trace -- "$apps/$app" "${@:5}"
    run 0 "$cli" dump --blobs --grep='^glReadPixels$' app.trace
    grep -oE 'blob_call[0-9_]+\.bin' out.txt | sort -u -V >blobs.txt
    [[ $(wc -l <blobs.txt) -eq $frames ]] || fail "$app: $(wc -l <blobs.txt) frames read back instead of $frames"
    xargs cat <blobs.txt >drawn.raw
    run 0 "$cli" retrace --headless -s - --snapshot-format=MD5 app.trace
    swaps=$(wc -l <out.txt)
    run 0 "$cli" retrace --headless -s - --snapshot-format=RGB app.trace
    channels=$(($(stat -c %s out.txt) / (width * height * swaps))) # three or four, as the window has
    tail -c $((width * height * frames * channels)) out.txt >replayed.raw # GLFW swaps once more, at first
    run 0 "$apps/compare_frames" "$width" "$height" "$channels" drawn.raw replayed.raw || cat out.txt
    cd ..
}

check 160 120 3 glx_triangle
check 160 120 2 glx_arrays
check 96 64 8 glx_windows
check 64 64 3 glx_pixmap odd
check 128 96 3 glfw_buffers
check 96 64 3 egl_es2 window
check 64 64 3 egl_images
check 64 64 3 egl_images late
check 64 64 3 egl_images other
check 64 64 3 egl_images float
check 80 60 2 glx_dlopen dlsym
check 64 64 11 mapped_pages

# The last frame is repeated, although the program destroyed its context after it.
run 0 "$cli" trace -o loop.trace -- "$apps/glx_triangle"
run 0 "$cli" retrace --headless --loop=3 -s - --snapshot-format=MD5 loop.trace
[[ $(wc -l <out.txt) -eq 6 && $(tail -n 4 out.txt | uniq | wc -l) -eq 1 ]] || fail "--loop=3: $(cat out.txt)"
contains err.txt 'Rendered 6 frames'
lacks err.txt warning
finish
