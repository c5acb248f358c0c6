#!/bin/bash
# SPDX-License-Identifier: MIT
# A known trace must give a known picture, with every combination of options.
# usage: retrace_pictures.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
data=$2 check_pixels=$3
source "$1"
start_x
tri=$data/tri.trace

# A triangle, red at the lower left, green at the lower right and blue on top, on (0.3, 0.1, 0.3).
pixels=(2,2=77,26,77 247,125=77,26,77 20,235=195,8,5 125,20=4,5,172 229,235=7,220,5)
run 0 "$cli" retrace --headless -s "$work/tri-" "$tri"
contains out.txt '^Wrote .*/tri-0000000030\.png$'
contains out.txt '^Rendered 1 frames in [0-9.e-]+ secs, average of [0-9.e+]+ fps$'
run 0 "$check_pixels" "$work/tri-0000000030.png" 250 250 "${pixels[@]}"

# The same as PNM, with the call's number in a comment, and numbered by snapshot.
run 0 "$cli" retrace --headless -s - "$tri"
cp out.txt tri.ppm
printf 'P6\n#30\n250 250\n255\n' | cmp -n 19 - tri.ppm || fail 'PNM header'
run 0 "$check_pixels" tri.ppm 250 250 "${pixels[@]}"
run 0 "$cli" retrace --headless --call-nos=no -s "$work/n-" "$tri"
cmp "$work/n-0000000000.png" "$work/tri-0000000030.png" || fail 'numbered by snapshot'

# MD5 and RGB refer to the same bytes.
run 0 "$cli" retrace --headless -s - --snapshot-format=RGB "$tri"
digest=$(md5sum <out.txt | cut -d ' ' -f 1 | tr a-f A-F)
run 0 "$cli" retrace --headless -s - --snapshot-format=md5 "$tri"
[[ $(cat out.txt) == "$digest" ]] || fail "MD5 $(cat out.txt) of the RGB picture $digest"

# Call sets: after a draw; never between glBegin and glEnd; after a clear, only the background.
run 0 "$cli" retrace --headless -s "$work/c-" -S 19,21-26,*/draw "$tri"
[[ $(echo "$work"/c-*) == "$work/c-0000000019.png $work/c-0000000027.png" ]] || fail "snapshots: $(echo "$work"/c-*)"
run 0 "$check_pixels" "$work/c-0000000019.png" 250 250 2,2=77,26,77 125,200=77,26,77
run 0 "$check_pixels" "$work/c-0000000027.png" 250 250 "${pixels[@]}"

# Loops: the last frame is repeated, and so is its picture.
run 0 "$cli" retrace --headless --loop=3 -s - --snapshot-format=MD5 "$tri"
[[ $(uniq out.txt) == "$digest" && $(wc -l <out.txt) -eq 4 ]] || fail "--loop=3: $(cat out.txt)"
run 0 "$cli" replay --headless -b --singlethread "$tri"
contains out.txt '^Rendered 1 frames'
finish
