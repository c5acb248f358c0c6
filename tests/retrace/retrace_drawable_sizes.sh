#!/bin/bash
# SPDX-License-Identifier: MIT
# Drawables of different sizes, bound to one context without a viewport, are as large in the replay: the program's
# pixels are read again, and pictures have the drawables' sizes.
# usage: retrace_drawable_sizes.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
check_pixels=$3
source "$1"
start_x
[[ -z ${TRACE_SANITIZE-} ]] || skip 'a program with a sanitizer takes no preloaded library before its runtime'

for mode in glx egl mixed views; do
    run 0 "$apps/window_sizes" $mode
    cp out.txt untraced.txt
    run 0 "$cli" trace -o $mode.trace -- "$apps/window_sizes" $mode
    same "$mode: traced or not" untraced.txt out.txt
    "$cli" dump -v --color=never $mode.trace >dump.txt
    mapfile -t reads < <(sed -nE 's/^([0-9]+) glReadPixels\(.*/\1/p' dump.txt)
    mapfile -t sizes < <(sed -nE 's/^[0-9]+: ([0-9]+)x([0-9]+) .*/\1 \2/p' untraced.txt)
    [[ ${#reads[@]} -ge 6 && ${#reads[@]} -eq ${#sizes[@]} ]] || fail "$mode: ${#reads[@]} reads, ${#sizes[@]} sizes"
    for options in '' --singlethread --headless --contexts=GLX --contexts=EGL; do
        # shellcheck disable=SC2086
        run 0 "$cli" retrace --check $options $mode.trace || cat out.txt
        contains out.txt '^No differences$'
        lacks err.txt 'could not be replayed'
        rm -f picture-*
        # shellcheck disable=SC2086
        run 0 "$cli" retrace $options -s picture- -S "$(IFS=,; echo "${reads[*]}")" $mode.trace
        for i in "${!reads[@]}"; do
            # shellcheck disable=SC2086
            run 0 "$check_pixels" "picture-$(printf %010d "${reads[i]}").png" ${sizes[i]} ||
                fail "$mode $options: call ${reads[i]} is not ${sizes[i]}"
        done
    done
    command -v apitrace >/dev/null || continue
    run 0 apitrace replay --headless $mode.trace
    lacks err.txt '(Query(Drawable|Surface)|unsupported)'
done
finish
