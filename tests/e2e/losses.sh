#!/bin/bash
# SPDX-License-Identifier: MIT
# The trace cannot be written, or not completely. The program must not notice, the user must be told what is
# missing, and the exit status must show it unless the program's is not 0.
source "$(dirname "$0")/e2e.sh"
start_x
flood=600000

program_went_on()
{
    contains out.txt "^made $flood calls\$"
}

echo '--- no space'
run 1 "$cli" trace -o /dev/full -- "$apps/gl_flood" $flood
program_went_on
contains err.txt '^trace-cli: error: /dev/full: cannot write: No space left on device$'
[[ ! -e /dev/full.1.trace ]] || fail 'it was tried again elsewhere'
run 5 "$cli" trace -o /dev/full -- "$apps/gl_flood" $flood 5
program_went_on

limited() # TRACE WHAT: it begins with the first calls, ends with a whole one, and those that are missing are counted
{
    local there lost made
    "$cli" dump -v "$1" >out.txt 2>dump.err # it may end inside an event
    contains out.txt '^[0-9]+ glClearStencil\(s = 1\)$'
    there=$(count out.txt '^[0-9]+ ')
    lost=$(sed -nE 's/^trace-cli: warning: .*: ([0-9]+) calls were lost.*/\1/p' lost.txt)
    made=$(wc -l <all.txt)
    [[ $((there + ${lost:-0})) -eq $made ]] || fail "$2: $there calls are there and ${lost:-none} lost, of $made"
    rm -f "$1"
}

run 0 "$cli" trace -o app.trace -- "$apps/gl_flood" $flood
run 0 "$cli" dump -v app.trace
grep -aE '^[0-9]+ ' out.txt >all.txt
rm -f app.trace

echo '--- a file size limit'
run 1 bash -c 'ulimit -Sf 1000; exec "$@"' bash "$cli" trace -o app.trace -- sh -c 'ulimit -Sf unlimited; exec "$@"' sh "$apps/gl_flood" $flood
program_went_on
cp err.txt lost.txt
contains lost.txt '^trace-cli: error: app.trace: cannot write: File too large; the trace ends there$'
limited app.trace 'file size limit'

echo '--- no capture buffer'
run 1 bash -c 'ulimit -f 8; exec "$@"' bash "$cli" trace -o app.trace -- "$apps/gl_flood" 10
contains out.txt '^made 10 calls$'
contains err.txt '^trace-cli: gl_flood: not recorded: the file size limit .*$'
contains err.txt '^trace-cli: error: .*/gl_flood \(process [0-9]+\) could not be recorded$'
run 5 bash -c 'ulimit -f 8; exec "$@"' bash "$cli" trace -o app.trace -- "$apps/gl_flood" 10 5

echo '--- room for one thread only'
one_ring() # STATUS PROGRAM…: the library's memory may have 5 MB, which is one thread's
{
    local status=$1
    shift
    run "$status" "$cli" trace -o app.trace -- bash -c 'ulimit -Sf 5000; exec "$@"' bash "$@"
}
one_ring 1 "$apps/many_threads" 8
contains out.txt '^done$'
contains err.txt '^trace-cli: warning: app.trace: 40000 calls were lost: there was no room to record them in$'
[[ $(count err.txt '^trace-cli: many_threads: calls are lost: .') -eq 1 ]] || fail 'the program says once that calls are lost'
[[ $(count err.txt 'warning') -eq 1 ]] || fail 'one warning is enough'
run 0 "$cli" dump app.trace
[[ $(count out.txt '^[0-9]+ glColor4ub\(') -eq 0 ]] || fail 'calls are lost and there'
[[ $(count out.txt '^[0-9]+ glXSwapBuffers\(') -eq 1 ]] || fail 'the calls of the thread that has room'
one_ring 1 sh -c '"$@"; exit 0' sh "$apps/many_threads" 8
one_ring 7 sh -c '"$@"; exit 7' sh "$apps/many_threads" 8
contains err.txt '^trace-cli: warning: app.trace: 40000 calls were lost: there was no room to record them in$'
one_ring 0 "$apps/gl_flood" 100 # one is enough for this
lacks err.txt lost
rm -f app.trace

echo '--- a full file system'
if [[ $(id -u) -eq 0 ]] && mkdir -p small && mount -t tmpfs -o size=1m tmpfs small 2>/dev/null; then
    run 1 "$cli" trace -o small/app.trace -- "$apps/gl_flood" $flood
    program_went_on
    cp err.txt lost.txt
    contains lost.txt '^trace-cli: error: small/app.trace: cannot write: No space left on device; the trace ends there$'
    cp small/app.trace app.trace
    umount small
    limited app.trace 'full file system'
fi

echo '--- deleted while it is written'
"$cli" trace -o app.trace -- sh -c '"$@" & sleep 1; rm app.trace; wait' sh "$apps/gl_sleeps" 2000 >out.txt 2>err.txt
status=$?
[[ $status -eq 1 ]] || fail "status $status instead of 1 for a deleted trace"
contains err.txt '^trace-cli: warning: app.trace: the file was deleted while it was written, so there is no trace$'

echo '--- a pipe that nobody reads any more'
mkfifo pipe
timeout 60 head -c 100 pipe >/dev/null &
run 1 timeout 60 "$cli" trace -o pipe -- "$apps/gl_flood" $flood
program_went_on
contains err.txt '^trace-cli: error: pipe: cannot write: Broken pipe; the trace ends there$'
run 1 timeout 60 "$cli" trace -o pipe -- touch started # no reader at all
contains err.txt '^error: pipe: no process reads this pipe'
[[ -e started ]] && fail 'the program was started without a reader of its trace'
(sleep 0.2 && exec timeout 60 cat pipe >piped.trace) &
run 0 timeout 60 "$cli" trace -o pipe -- "$apps/gl_flood" 100
wait $!
run 0 "$cli" dump piped.trace
contains out.txt '^[0-9]+ glClearStencil\(s = 100\)'
rm -f pipe

echo '--- a program that writes over what was recorded'
nearly_all() # TRACE: of its 2000 calls
{
    run 0 "$cli" dump --grep='^glClearStencil$' "$1"
    [[ $(wc -l <out.txt) -ge 1997 ]] || fail "$1: $(wc -l <out.txt) of 2000 calls"
    contains out.txt '^[0-9]+ glClearStencil\(s = 1999\)$'
    rm -f "$1"
}
run 1 "$cli" trace -o app.trace -- "$apps/gl_scribbles" stop
contains err.txt '^1 rings$'
contains err.txt '^trace-cli: warning: app.trace: [1-3] records made no sense: the program has written over them'
nearly_all app.trace
run 0 env LD_PRELOAD="$build/lib/trace-cli/gltrace.so" TRACE_FILE=own.trace "$apps/gl_scribbles" go
contains err.txt '^1 rings$'
nearly_all own.trace

echo '--- nowhere to write'
run 1 "$cli" trace -o none/app.trace -- touch started
contains err.txt '^error: none/app.trace: cannot write the trace: No such file or directory$'
run 1 "$cli" trace -o . -- touch started
contains err.txt '^error: .: cannot write the trace: Is a directory$'
[[ -e started ]] && fail 'the program was started though its trace cannot be written'
nobody=(setpriv --reuid=65534 --clear-groups)
# Nobody can read what is in some directories of root's.
if [[ $(id -u) -eq 0 ]] && "${nobody[@]}" test -r "$build/lib/trace-cli/gltrace.so" 2>/dev/null; then
    mkdir -m 755 closed
    run 1 env -C closed "${nobody[@]}" "$cli" trace true
    contains err.txt '^error: cannot write a trace in this directory \(see option -o\): Permission denied$'
fi

echo '--- the directory becomes unwritable for a second process'
mkdir directory
"$cli" trace -o directory/app.trace -- sh -c '"$@"; rm -r directory; "$@"' sh "$apps/gl_flood" 100 >out.txt 2>err.txt
[[ $? -eq 1 ]] || fail 'status for a process that could not be recorded'
contains err.txt '^trace-cli: error: directory/app.*trace: cannot create: No such file or directory$'
[[ $(count out.txt '^made 100 calls$') -eq 2 ]] || fail 'the program did not go on'

echo '--- status'
run 127 "$cli" trace -- ./no-such-program
contains err.txt '^error: ./no-such-program: program not found'
echo '#!/no/such/interpreter' >script && chmod +x script && : >data
run 127 "$cli" trace -- ./script
run 126 "$cli" trace -- ./data
contains err.txt '^error: ./data: Permission denied$'
run 126 "$cli" trace -- .
run $((128 + 15)) "$cli" trace -o app.trace -- sh -c 'kill -TERM $$'
run 3 bash -c 'trap "" CHLD; exec "$@"' bash "$cli" trace -o app.trace -- sh -c 'exit 3'
run 0 python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])' "$cli" trace -o app.trace -- true

echo '--- what the program finds is what trace-cli found'
run 0 sh -c 'ulimit -Sn 100; exec "$@"' sh "$cli" trace -o app.trace -- sh -c 'ulimit -Sn; grep SigIgn /proc/self/status; grep SigBlk /proc/self/status'
cp out.txt traced.txt
run 0 sh -c 'ulimit -Sn 100; exec "$@"' sh sh -c 'ulimit -Sn; grep SigIgn /proc/self/status; grep SigBlk /proc/self/status'
same 'limits and signals' out.txt traced.txt
run 0 "$cli" trace -o app.trace -- ls /proc/self/fd
cp out.txt traced.txt
run 0 ls /proc/self/fd
same 'descriptors' out.txt traced.txt
"$cli" trace -o app.trace -- sh -c 'ls -l /proc/self/fd' >&- 2>&- <&-
[[ ! -e app.trace ]] || fail 'a trace of sh'
"$cli" trace -o app.trace -- "$apps/gl_flood" 100 2>&- >out.txt
run 0 "$cli" dump app.trace
contains out.txt '^[0-9]+ glClearStencil\(s = 100\)$'

echo '--- a limit of the stack that no thread can have'
run 0 bash -c 'ulimit -s 100000000; exec "$@"' bash "$cli" trace -o app.trace -- "$apps/gl_flood" 100
run 0 "$cli" dump app.trace
contains out.txt '^[0-9]+ glClearStencil\(s = 100\)$'

echo '--- words'
run 0 "$cli" trace -v -o app.trace -- "$apps/gl_flood" 100
contains err.txt '^trace-cli: LD_PRELOAD=.*/gltrace.so$'
contains err.txt "^trace-cli: tracing .*/gl_flood \\(process [0-9]+ of user $(id -u)\\) to app.trace\$"
if command -v script >/dev/null; then
    script -qec "\"$cli\" trace -o app.trace -- \"$apps/gl_flood\" 100" typescript </dev/null >/dev/null
    contains typescript 'trace-cli: app.trace: [0-9]+ calls, [0-9]+ frames'
fi
finish
