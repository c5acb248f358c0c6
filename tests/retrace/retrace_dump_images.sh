#!/bin/bash
# SPDX-License-Identifier: MIT
# dump-images writes what retrace's snapshots are, and makes videos where there is ffmpeg.
# usage: retrace_dump_images.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
data=$2 check_pixels=$3
source "$1"
start_x
tri=$data/tri.trace

# As in apitrace, files are in the current directory and named after the trace.
run 0 "$cli" dump-images "$tri"
contains out.txt '^Wrote tri\.0000000030\.png$'
run 0 "$check_pixels" tri.0000000030.png 250 250 2,2=77,26,77 229,235=7,220,5
cp "$tri" "$work/a.b"
run 0 "$cli" dump-images "$work/a.b"
same 'a name with another extension' a.0000000030.png tri.0000000030.png
cp "$tri" "$work/plain"
run 0 "$cli" dump-images plain
same 'a name without extension' plain.0000000030.png tri.0000000030.png

run 0 "$cli" dump-images --call-nos=no --calls=19,27 -o "$work/few-" "$tri"
[[ $(cd "$work" && echo few-*) == 'few-0000000000.png few-0000000001.png' ]] || fail "pictures: $(echo few-*)"
run 0 "$cli" dump-images --mrt -o "$work/all-" "$tri"
[[ -e all-0000000030-mrt0.png && -e all-0000000030-z.png && -e all-0000000030-s.png ]] || fail "pictures: $(echo all-*)"
mkdir -p "$work/directory" && cd "$work/directory" && run 0 "$cli" dump-images -o ./-x- "$tri"
[[ -e ./-x-0000000030.png ]] || fail 'no picture whose name begins with a dash'
cd "$work" || exit 1

run 1 "$cli" dump-images -o /nonexistent/x- "$tri"
contains err.txt '^error: /nonexistent/: No such file or directory$'
run 1 "$cli" dump-images missing.trace
contains err.txt '^error: missing\.trace: '

# Without ffmpeg, this is reported, and nothing is replayed. ffmpeg would get all pictures as PNM.
mkdir "$work/tools"
PATH=$work/tools run 1 "$cli" dump-images --video=app.mp4 "$tri"
contains err.txt '^error: --video needs the program ffmpeg, which is not installed$'
[[ $(wc -l <err.txt) -eq 1 ]] || fail "more than one line: $(cat err.txt)"
cat >"$work/tools/ffmpeg" <<END
#!/bin/bash
printf '%s\n' "\$@" >"$work/arguments.txt"
cat >"$work/frames.pnm"
exit \${FFMPEG_STATUS-0}
END
chmod +x "$work/tools/ffmpeg"
PATH=$work/tools:$PATH run 0 "$cli" dump-images --video=app.mp4 --rate=25 "$tri"
run 0 "$check_pixels" frames.pnm 250 250 2,2=77,26,77 229,235=7,220,5
grep -x -A 1 -e '-r' arguments.txt | grep -qx 25 || fail "ffmpeg's rate: $(cat arguments.txt)"
[[ $(tail -n 1 arguments.txt) == file:app.mp4 ]] || fail "ffmpeg's file: $(cat arguments.txt)"
FFMPEG_STATUS=1 PATH=$work/tools:$PATH run 1 "$cli" dump-images --video=app.mp4 "$tri"
contains err.txt '^error: app\.mp4: ffmpeg could not make the video$'
PATH=$work/tools:$PATH run 1 "$cli" dump-images --video=app.mp4 missing.trace
contains err.txt '^error: app\.mp4: the trace was not replayed without errors$'

# If ffmpeg is installed, every frame is in the video.
if [[ -x $apps/glx_triangle ]] && command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
    run 0 "$cli" trace -o frames.trace -- "$apps/glx_triangle"
    run 0 "$cli" dump-images --video=frames.mp4 --rate=10 frames.trace
    ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames -of csv=p=0 frames.mp4 >probe.txt
    [[ $(cat probe.txt) == 160,120,3 ]] || fail "video: $(cat probe.txt)"
fi
finish
