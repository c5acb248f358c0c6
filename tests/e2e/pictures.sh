#!/bin/bash
# SPDX-License-Identifier: MIT
# A replay shows what the program drew: our programs read each frame back before they swap, the trace holds
# those pixels, and a replay's pictures must have the same ones.
source "$(dirname "$0")/e2e.sh"
start_x

check() # CHANNELS WIDTH HEIGHT FRAMES APP [ARGS…]
{
    local channels=$1 width=$2 height=$3 frames=$4 app=$5 blob
    mkdir -p "$app" && cd "$app" || return
    run 0 "$cli" trace -o app.trace -- "$apps/$app" "${@:6}"
    run 0 "$cli" dump --blobs --grep='^glReadPixels$' app.trace
    grep -oE 'blob_call[0-9_]+\.bin' out.txt | sort -u -V >blobs.txt
    [[ $(wc -l <blobs.txt) -eq $frames ]] || fail "$app: $(wc -l <blobs.txt) frames read back instead of $frames"
    while read -r blob; do
        "$apps/rgba_to_rgb" "$width" "$height" <"$blob"
    done <blobs.txt >drawn.rgb
    run 0 "$cli" retrace --headless -s - --snapshot-format=RGB app.trace
    # GLFW swaps once when it opens a window: pictures before the program's own are not its.
    tail -c "$((frames * width * height * channels))" out.txt >replayed.rgb
    if [[ $channels -eq 4 ]]; then # OpenGL ES: with an alpha channel, which the program's own window may lack
        mv replayed.rgb replayed.rgba
        for ((frame = 0; frame < frames; frame++)); do
            tail -c +"$((frame * width * height * 4 + 1))" replayed.rgba | head -c "$((width * height * 4))" |
                "$apps/rgba_to_rgb" "$width" "$height" top
        done >replayed.rgb
    fi
    if ! cmp -s drawn.rgb replayed.rgb; then
        fail "$app: the replay's pictures differ from what was drawn: $(cmp drawn.rgb replayed.rgb 2>&1)"
    fi
    cd ..
}

check 3 160 120 3 glx_triangle
check 3 160 120 2 glx_arrays
check 3 128 96 3 glfw_buffers
check 4 96 64 3 egl_es2 window
check 3 80 60 2 glx_dlopen dlsym
finish
