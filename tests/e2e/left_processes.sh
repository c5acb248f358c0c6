#!/bin/bash
# SPDX-License-Identifier: MIT
# Processes that are hard to track: daemons that outlive the program, other users, thousands of children, and
# programs that are traced by a traced trace-cli.
source "$(dirname "$0")/e2e.sh"

recorded() # TRACE WHAT
{
    run 0 "$cli" dump "$1" && contains out.txt '^0 glClearStencil\(s = 77\)' || fail "$2"
    rm -f "$1"
}

echo '--- a daemon uses GL after the program has ended'
run 6 "$cli" trace -o app.trace -- "$apps/gl_late" daemon 2500
contains err.txt '^trace-cli: .*/gl_late has ended; waiting for 1 of its processes \([0-9]+ gl_late\); interrupt'
[[ $(wc -l <err.txt) -eq 1 ]] || fail "more than one line on stderr: $(cat err.txt)"
recorded app.trace daemon

echo '--- one that has written over its environment'
run 6 "$cli" trace -o app.trace -- "$apps/gl_late" titled 2500
contains err.txt '^trace-cli: .*/gl_late has ended; waiting for 1 of its processes \([0-9]+ gl_late\); interrupt'
recorded app.trace 'titled daemon'

echo '--- one that does so soon is not worth a word'
run 6 "$cli" trace -o app.trace -- "$apps/gl_late" daemon 100
same 'stderr with a short daemon' err.txt /dev/null
recorded app.trace 'short daemon'

echo '--- an interrupt ends the waiting'
for signal in INT TERM HUP; do
    : >err.txt # it tells when to send the signal
    env --default-signal=INT setsid "$cli" trace -o app.trace -- bash -c "\"$apps/gl_late\" user $(id -u); sleep 600 & exit 4" >out.txt 2>err.txt </dev/null &
    tracer=$!
    wait_until grep -q 'waiting for 1' err.txt
    kill -$signal $tracer
    wait $tracer
    status=$?
    [[ $status -eq 4 ]] || fail "status $status instead of 4 after SIG$signal"
    contains err.txt 'waiting for 1 of its processes \([0-9]+ sleep\)'
    kill "$(sed -nE 's/.*processes \(([0-9]+) sleep.*/\1/p' err.txt)" || fail "SIG$signal did not end the waiting"
    recorded app.trace "interrupted by SIG$signal"
done

echo '--- another user'
if [[ $(id -u) -eq 0 ]]; then
    run 0 "$cli" trace -v -o app.trace -- "$apps/gl_late" user 65534
    contains out.txt '^user 65534$'
    contains err.txt 'tracing .*/gl_late \(process [0-9]+ of user 65534\) to app.trace$'
    recorded app.trace 'another user'
fi

echo '--- more processes than there may be descriptors'
run 0 bash -c 'ulimit -n 64; exec "$@"' bash "$cli" trace -o app.trace -- "$apps/gl_late" many 200
contains out.txt '^200 children$'
same 'stderr with many children' err.txt /dev/null
[[ $(ls app*.trace | wc -l) -eq 200 ]] || fail "$(ls app*.trace | wc -l) traces instead of 200"
recorded app.199.trace 'last child'
rm -f ./*.trace

echo '--- processes that wait for each other, more than there can be descriptors for'
run 1 timeout 60 bash -c 'ulimit -n 24; exec "$@"' bash "$cli" trace -o app.trace -- "$apps/gl_late" nested 20
contains err.txt '^trace-cli: error: .*(trace-cli has no descriptors left \(ulimit -n\)|: Too many open files)$'
recorded app.trace 'the first process'
rm -f ./*.trace

echo '--- processes that wait for descriptors, which others have for a while'
run 0 bash -c 'ulimit -n 30; exec "$@"' bash "$cli" trace -o app.trace -- \
    sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do "$@" & done; wait' sh "$apps/gl_late" daemon 300
sed -i '/ has ended; waiting for /d' err.txt # on a slow machine
same 'stderr of those who wait' err.txt /dev/null
[[ $(ls app*.trace | wc -l) -eq 12 ]] || fail "$(ls app*.trace | wc -l) traces instead of 12"
rm -f ./*.trace

echo '--- a traced trace-cli traces'
run 0 "$cli" trace -o outer.trace -- "$cli" trace -o inner.trace -- "$apps/gl_late" user "$(id -u)"
recorded inner.trace nested
[[ -e outer.trace ]] && fail 'the outer trace exists'

echo '--- callers that say nothing, or wrong things'
run 1 timeout 60 "$cli" trace -o app.trace -- python3 "$e2e_dir/strange_callers.py" "$apps/gl_late" user "$(id -u)"
contains out.txt "^user $(id -u)\$"
[[ $(count err.txt '^trace-cli: error: ') -eq 5 && $(wc -l <err.txt) -eq 5 ]] || fail "stderr: $(cat err.txt)"
recorded app.trace 'among strange callers'

echo '--- several at once'
for i in 1 2 3 4; do
    "$cli" trace -o "app.$i.trace" -- "$apps/gl_late" user "$(id -u)" >/dev/null 2>"err.$i" &
done
wait
for i in 1 2 3 4; do
    same "stderr of $i" "err.$i" /dev/null
    recorded "app.$i.trace" "number $i of several"
done
finish
