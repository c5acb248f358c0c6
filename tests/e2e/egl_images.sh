#!/bin/bash
# SPDX-License-Identifier: MIT
# Replays EGL images, EGL syncs and labels of sync objects. Nothing must be reported, and the pictures must be
# those of apitrace's replay of apitrace's trace, which contains the pixels of the images instead.
source "$(dirname "$0")/e2e.sh"
require apitrace
start_x
run 0 "$cli" trace -o ours.trace -- "$apps/egl_images"
cp out.txt printed.txt
contains printed.txt '^egl_images 2: [0-9a-f]+ error 0x0$'
run 0 apitrace trace -a egl -o theirs.trace "$apps/egl_images"
run 0 apitrace replay --headless -s - --snapshot-format=MD5 theirs.trace
tail -n +2 out.txt >reference.txt # as same_replay does
[[ $(sort -u reference.txt | wc -l) -eq 2 ]] || fail "apitrace's pictures: $(cat out.txt)"
for trace in ours.trace theirs.trace; do
    run 0 "$cli" retrace --headless -s - --snapshot-format=MD5 "$trace"
    tail -n +2 out.txt >pictures.txt
    same "pictures of $trace" reference.txt pictures.txt
    lacks err.txt 'warning|error'
    # GLX has no images: the pixels are those of the trace, and one warning tells that.
    run 0 "$cli" retrace --contexts=GLX -s - --snapshot-format=MD5 "$trace"
    tail -n +2 out.txt >pictures.txt
    same "pictures of $trace by GLX" reference.txt pictures.txt
    [[ $(count err.txt 'warning|error') -le 1 ]] || fail "$trace by GLX: $(cat err.txt)"
done

# Components of floating point: recording them leaves the program no error.
run 0 "$cli" trace -o float.trace -- "$apps/egl_images" float
contains out.txt '^egl_images 2: [0-9a-f]+ error 0x0$'
run 0 "$cli" retrace --check --contexts=GLX float.trace
contains out.txt '^No differences$'

# A pixel pack buffer that another context has deleted stays bound while the image is recorded.
for again in '' again; do
    run 0 "$apps/egl_deleted_pack" $again
    cp out.txt untraced.txt
    contains untraced.txt '^size 1024, name [01], byte 0x55, error 0x0$'
    run 0 "$cli" trace -o pack.trace -- "$apps/egl_deleted_pack" $again
    same "the pack buffer, traced or not" untraced.txt out.txt
    run 0 "$cli" dump pack.trace
    contains out.txt 'glTexImage2D\(.*width = 16, height = 16.* // fake'
    run 0 "$cli" retrace --check --headless pack.trace
    contains out.txt '^No differences$'
done
finish
