#!/bin/bash
# SPDX-License-Identifier: MIT
# The flight recorder: keeps the newest calls in memory, and writes them when triggered, into a file that both
# tools read and that has the names and bindings of before.
source "$(dirname "$0")/e2e.sh"
require apitrace
start_x

frames=$apps/gl_frames

# plain_dump FILE: prints the calls without numbers and addresses
plain_dump()
{
    "$cli" dump --call-nos=no --multiline=no "$1" | sed '/^\/\//d; s/0x[0-9a-f]*/ADDRESS/g'
}

# property NAME: its value in out.txt, a dump
property()
{
    sed -n "s|^// trace.flightRecorder$1 = \"\(.*\)\"\$|\1|p" out.txt
}

# whole_frames FILE ALL: after the calls that restore the state, FILE has the last calls of ALL, from the start
# of a frame
whole_frames()
{
    local state
    run 0 "$cli" dump "$1"
    state=$(property .state | sed 's/[^0-9]*\([0-9]*\).*/\1/')
    plain_dump "$1" | tail -n +$((state + 1)) | sed '/^$/d' >part.txt
    plain_dump "$2" | sed '/^$/d' | tail -n "$(wc -l <part.txt)" >tail.txt
    same "$1" part.txt tail.txt
    head -n 1 part.txt | grep -q '^glGenLists' || fail "$1 begins within a frame: $(head -n 1 part.txt)"
}

echo '--- the end of the program'
run 0 "$cli" trace -o all.trace "$frames" 3000
for options in '' --compression=zstd --compression=none --backtrace --timestamps=no --live; do
    rm -f end.trace
    # shellcheck disable=SC2086
    run 0 "$cli" trace --flight-recorder=64K $options -o end.trace "$frames" 3000
    [[ -s end.trace && ! -e end.1.trace ]] || fail "$options: not one file: $(ls)"
    [[ $options == --compression=zstd ]] && run 0 "$cli" repack --snappy end.trace new.trace && mv new.trace end.trace
    same_dump end.trace
    if [[ $options != --backtrace ]]; then
        whole_frames end.trace all.trace
        run 0 "$cli" leaks --summary end.trace
        grep -v 'end.trace' out.txt >end.leaks
        run 0 "$cli" leaks --summary all.trace
        grep -v 'all.trace' out.txt >all.leaks
        same 'what leaks' all.leaks end.leaks
    else
        run 0 "$cli" dump end.trace
        contains out.txt 'gl_frames.*(main|make_and_delete)'
    fi
done
run 0 "$cli" dump end.trace
[[ $(property '') == 64K && $(property .trigger) == 'the end of the program' ]] || fail 'properties'
contains out.txt '^// trace.flightRecorder.begin = "call [0-9]+, frame [0-9]+, '
contains out.txt '^// trace.flightRecorder.missing = '
contains out.txt '^[0-9]* glXMakeCurrent'
contains out.txt '^[0-9]* glActiveTexture.texture = GL_TEXTURE1.$'
contains out.txt '^[0-9]* glViewport'
run 0 "$cli" info end.trace
contains out.txt '"trace.flightRecorder": "64K",'
run 0 "$cli" retrace --headless end.trace
run 0 "$cli" trim --frames=3 -o trimmed.trace end.trace
run 0 "$cli" info trimmed.trace
contains out.txt '"FramesCount": 1,'
run 0 "$cli" trace --flight-recorder=64M -o short.trace "$frames" 5 # everything fits
run 0 "$cli" dump short.trace
contains out.txt '^0 glX'
lacks out.txt 'flightRecorder.(begin|missing)'
plain_dump short.trace >short.txt
run 0 "$cli" trace -o short.all.trace "$frames" 5
plain_dump short.all.trace >short.all.txt
same 'a short run' short.all.txt short.txt

echo '--- crashes'
for how in segv kill abort; do
    "$cli" trace --flight-recorder=64K -o crash.trace "$apps/gl_exits" "$how" >/dev/null 2>err.txt
    [[ $? -gt 128 ]] || fail "$how: the program's status is lost"
    run 0 "$cli" dump crash.trace
    contains out.txt '^[0-9]* glClearStencil\(s = 123\)'
    rm -f crash.trace
done

echo '--- slow frames and markers'
run 0 "$cli" trace --flight-recorder=1M --trigger-frame-time=60 -o slow.trace "$frames" 20000 slow=300
run 0 "$cli" dump slow.trace
contains out.txt '^// trace.flightRecorder.trigger = "frame [0-9]+ took [0-9.]+ ms"'
contains out.txt 'glClearColor\(red = 300,'
[[ -e slow.1.trace ]] || fail 'no file at the end'
run 0 "$cli" trace --flight-recorder=1M -o mark.trace "$frames" 400 mark=300
run 0 "$cli" dump mark.trace
contains out.txt '^// trace.flightRecorder.trigger = "a marker"'
contains out.txt 'trace-cli:dump'

echo '--- triggers'
"$cli" trace --flight-recorder=256K -o kept.trace "$frames" 300000 wait=1000 wait=200000 wait=300000 >/dev/null 2>trace.err &
tracer=$!
wait_until test -e waits
rm -f waits
[[ ! -e kept.trace ]] || fail 'a file before the trigger'
before=$(sed -n 's/^VmHWM: *\([0-9]*\).*/\1/p' "/proc/$tracer/status")
run 0 "$cli" trigger "$tracer" dump
contains out.txt '^kept.trace$'
run 0 "$cli" dump kept.trace
contains out.txt '^// trace.flightRecorder.trigger = "trace-cli trigger"'
contains out.txt 'glClearColor\(red = 999,'
same_dump kept.trace
touch go
wait_until test -e waits
rm -f waits
run 0 "$cli" trigger "$(pgrep -P "$tracer" gl_frames)" dump # again, by the program's id
contains out.txt '^kept.1.trace$'
run 0 "$cli" dump kept.1.trace
contains out.txt 'glClearColor\(red = 199999,'
touch go
wait_until test -e waits
after=$(sed -n 's/^VmHWM: *\([0-9]*\).*/\1/p' "/proc/$tracer/status")
kill -RTMIN "$tracer"
wait_until test -s kept.2.trace
[[ $after -lt $((before + 8192)) ]] || fail "the collector grew from $before to $after KB"
rm -f waits
touch go
wait "$tracer" || fail "status $?: $(<trace.err)"
[[ $(find . -name 'kept*.trace' | wc -l) -eq 4 || $(find . -name 'kept*.trace' | wc -l) -eq 3 ]] || fail "files: $(ls)"
rm -f kept*.trace

"$cli" trace --flight-recorder=256K sleep 3 2>trace.err &
tracer=$!
sleep 0.5
run 1 "$cli" trigger "$tracer" dump
contains err.txt 'no traced process has made a GL call so far'
wait "$tracer"
"$cli" trace -o all.trace "$frames" 10 wait=1 >/dev/null 2>&1 &
tracer=$!
wait_until test -e waits
rm -f waits
run 1 "$cli" trigger "$tracer" dump
contains err.txt 'without --flight-recorder'
touch go
wait "$tracer"

echo '--- what is too large'
run 0 "$cli" trace --flight-recorder=1M -o upload.trace "$frames" 200 upload=100
[[ $(stat -c %s upload.trace) -lt 2000000 ]] || fail 'more than 1M was kept'
run 0 "$cli" dump upload.trace
contains out.txt 'glClearColor\(red = 200,'
same_dump upload.trace
# A directory that does not exist at the first trigger, and does at the second; a full disk.
mkdir gone
"$cli" trace --flight-recorder=256K -o gone/out.trace "$frames" 3000 wait=1000 wait=2000 >/dev/null 2>trace.err &
tracer=$!
wait_until test -e waits
rm -rf waits gone
run 1 "$cli" trigger "$tracer" dump
contains err.txt 'a file could not be written'
mkdir gone
touch go
wait_until test -e waits
run 0 "$cli" trigger "$tracer" dump
contains out.txt '^gone/out.trace$'
touch go
wait "$tracer"
[[ $? -eq 1 ]] || fail 'a file that could not be written has no status'
contains trace.err 'gone/out.trace: .*the recording goes on'
rm -f waits
mkdir small
if mount -t tmpfs -o size=64k none small 2>/dev/null; then
    run 1 "$cli" trace --flight-recorder=1M -o small/out.trace "$frames" 20000
    contains err.txt 'small/out.trace: .*No space left'
    [[ ! -e small/out.trace ]] || fail 'half a file was left'
    umount small
fi

echo '--- several processes'
run 0 "$cli" trace --flight-recorder=1M -o fork.trace "$apps/gl_fork"
run 0 "$cli" trace -o spoon.trace "$apps/gl_fork"
[[ $(find . -name 'fork*.trace' | wc -l) -eq $(find . -name 'spoon*.trace' | wc -l) ]] || fail "files: $(ls)"
for file in fork*.trace; do
    same_dump "$file"
done

echo '--- threads, and a selection'
run 0 "$cli" trace --flight-recorder=64K -o threads.trace "$apps/gl_cheap" color 100000 3
same_dump threads.trace
run 0 "$cli" info --stats=table threads.trace
run 0 "$cli" trace --flight-recorder=64K --frames=100-2900 --calls=0-20000 -o some.trace "$frames" 3000
same_dump some.trace
run 0 "$cli" dump some.trace
contains out.txt '^// trace.selection = "--frames=100-2900 --calls=0-20000"$'
contains out.txt '^// trace.flightRecorder = "64K"$'
lacks out.txt 'glXCreateContext'

echo '--- options'
for bad in '' 64 x 64X 1e9 0x100000 64M,1M 30s,2m 1ms -5 , 64M, 99999999999G 64m64; do
    run 1 "$cli" trace --flight-recorder="$bad" true
    contains err.txt "say "
done
run 1 "$cli" trace --trigger-frame-time=50 true
contains err.txt 'is for --flight-recorder'
run 1 "$cli" trace --flight-recorder=1M --trigger-frame-time=0 true
run 1 "$cli" trace --flight-recorder=1M --trigger-frame-time=5 --timestamps=no true
run 1 "$cli" trace --state true
contains err.txt '\-\-state is for --frames'
run 0 "$cli" trace --flight-recorder=30s,1M -o both.trace "$frames" 5
finish
