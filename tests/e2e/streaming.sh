#!/bin/bash
# SPDX-License-Identifier: MIT
# Traces that leave through a pipe or to another machine: -o -, --tcp and trace-cli receive. Whatever becomes of the
# other side, the program goes on, what arrived can be read, and the loss is told.
source "$(dirname "$0")/e2e.sh"
start_x

calls() # TRACE
{
    "$cli" dump -v "$1" 2>/dev/null | grep -av '^//'
}

echo '--- the standard output'
run 0 "$cli" trace -o app.trace "$apps/glx_triangle"
calls app.trace | sed -E 's/0x[0-9a-f]+/P/g' >file.txt
"$cli" trace -o - "$apps/glx_triangle" 2>err.txt | "$cli" dump -v - 2>dump.err | grep -v '^//' | sed -E 's/0x[0-9a-f]+/P/g' >pipe.txt
[[ ${PIPESTATUS[*]} == '0 0 0 0' ]] || fail "-o - and dump -: ${PIPESTATUS[*]}"
same 'what went through a pipe' file.txt pipe.txt
"$cli" trace -o - -- sh -c "echo said; $apps/glx_triangle" >redirected.trace 2>err.txt || fail "-o - >FILE: $?"
contains err.txt '^said$'
run 0 "$cli" dump redirected.trace
"$cli" trace -o - "$apps/gl_flood" 600000 2>err.txt | head -c 1000 >/dev/null
[[ ${PIPESTATUS[0]} -eq 1 ]] || fail "nobody reads: status ${PIPESTATUS[0]}"
contains err.txt '^made 600000 calls$'
contains err.txt '^trace-cli: error: standard output: cannot write: Broken pipe; the trace ends there$'
run 1 bash -c '"$@" >&-' bash "$cli" trace -o - "$apps/gl_flood" 10
contains err.txt '^error: the standard output is closed'
run 0 python3 -c 'import os, subprocess, sys, time
ends = os.pipe()
os.set_blocking(ends[0], False)
os.set_blocking(ends[1], False)
trace = subprocess.Popen(sys.argv[3:], stdout=ends[1])
time.sleep(0.5)
dump = subprocess.Popen([sys.argv[1], "dump", "-"], stdin=ends[0], stdout=open(sys.argv[2], "w"))
os.close(ends[1])
sys.exit(trace.wait() + dump.wait())' "$cli" dumped.txt "$cli" trace -o - --compression=none "$apps/gl_flood" 20000
[[ $(count dumped.txt '^[0-9]+ gl') -ge 20000 ]] || fail "through a pipe that does not block: $(count dumped.txt '^[0-9]+ gl') calls"
rm -f dumped.txt
# Of several processes, the first one gets the stream, and the others get files.
mkdir several && cd several || exit 1
"$cli" trace -o - "$apps/gl_fork" 2>../err.txt | "$cli" dump - >../out.txt || fail '-o - of two processes'
contains ../out.txt '^[0-9]+ glXSwapBuffers'
contains ../err.txt '^trace-cli: warning: another process uses GL: its trace is in a file, named after .*/gl_fork$'
[[ -s gl_fork.trace ]] || fail "the other trace is not there: $(ls)"
cd ..
if command -v script >/dev/null; then
    script -qec "'$cli' trace -o - '$apps/glx_triangle'" /dev/null </dev/null >out.txt
    contains out.txt 'a trace is not written to a terminal'
fi

run 1 "$cli" trace -o - --flight-recorder=1M "$apps/glx_triangle"
contains err.txt '^error: --flight-recorder writes files, '

listen_interruptibly()
{
    set -m
    listen 127.0.0.1:0
    set +m
}

listen() # ADDRESS OPTION…: starts a receiver; address, host, port, token
{
    local last='token: '
    [[ $* == *--token-file* ]] && last='listening at'
    mkdir -p received
    : >receiver.txt
    "$cli" receive --listen="$1" -o received "${@:2}" 2>receiver.txt &
    receiver=$!
    wait_until grep -q "$last" receiver.txt
    address=$(sed -n 's/^trace-cli: listening at //p' receiver.txt)
    host=${address%:*} host=${host//[\[\]]/} port=${address##*:}
    token=$(sed -n 's/^trace-cli: token: //p' receiver.txt)
}

received() # STATUS: waits for the receiver's end
{
    local status=0
    wait "$receiver" || status=$?
    [[ $status -eq $1 ]] || fail "receive: status $status instead of $1: $(<receiver.txt)"
}

hostile() # WHAT
{
    python3 "$e2e_dir/hostile_sender.py" "$host" "$port" "$token" "$1" >hostile.txt 2>&1
}

for listener in 127.0.0.1:0 '[::1]:0'; do
    [[ $listener == 127* || -e /proc/net/if_inet6 && -s /proc/net/if_inet6 ]] || continue
    echo "--- to another machine: $listener"
    listen "$listener"
    [[ ${#token} -eq 32 ]] || fail "the token is '$token'"
    # It listens on that address only.
    if command -v ss >/dev/null; then
        [[ $(ss -tlnpH | grep -c "pid=$receiver,") -eq 1 ]] || fail "it listens elsewhere: $(ss -tlnp | grep "$receiver")"
    fi
    run 1 "$cli" trace --tcp="$address" "$apps/glx_triangle"
    contains err.txt '^error: --tcp needs the receiver.s token, in TRACE_CLI_TOKEN or --token-file$'
    run 1 env TRACE_CLI_TOKEN=not-the-token "$cli" trace --tcp="$address" "$apps/glx_triangle"
    contains err.txt '^error: .*: the receiver does not accept the token$'
    hostile http
    hostile silent
    hostile prefix
    contains hostile.txt "^b'R'$"
    run 0 env TRACE_CLI_TOKEN="$token" "$cli" trace --tcp="$address" sh -c "echo \${TRACE_CLI_TOKEN-none}; $apps/glx_triangle"
    contains out.txt '^none$'
    received 0
    calls received/glx_triangle.trace | sed -E 's/0x[0-9a-f]+/P/g' >remote.txt
    same 'what went through the network' file.txt remote.txt
    "$cli" index received/glx_triangle.trace | grep -q 'has an index already' || fail 'it has no index'
    ls | grep -q 'glx_triangle' && fail 'there is a file here, too'
    rm -rf received
done

echo '--- names and several processes'
mkdir received
echo mine >received/app.trace
printf '%s\n' some-shared-secret >token.txt
listen localhost:0 --token-file=token.txt
[[ -z $token ]] || fail 'the token of a file is printed'
run 0 "$cli" trace --tcp="$address" --token-file=token.txt --compression=zstd -o ../else/app.trace "$apps/gl_fork"
received 0
[[ $(<received/app.trace) == mine ]] || fail 'a file was overwritten'
for trace in received/app.1.trace received/app.2.trace; do
    run 0 "$cli" dump "$trace"
done
rm -rf received

echo '--- the receiver goes'
listen 127.0.0.1:0
TRACE_CLI_TOKEN=$token "$cli" trace --tcp="$address" "$apps/gl_sleeps" 2000 >out.txt 2>err.txt &
tracer=$!
wait_until test -s received/gl_sleeps.trace
kill -9 $receiver
received 137
wait $tracer
[[ $? -eq 1 ]] || fail "the receiver has gone: status $?: $(<err.txt)"
contains err.txt '^trace-cli: error: 127\.0\.0\.1:[0-9]+: the receiver has gone \(.*\); the traces end there$'
contains err.txt '^trace-cli: warning: .*/gl_sleeps: [0-9]+ calls were lost'
run 1 env TRACE_CLI_TOKEN="$token" "$cli" trace --tcp="$address" "$apps/glx_triangle"
contains err.txt '^error: .*: cannot connect: Connection refused$'
rm -rf received

echo '--- the sender goes'
listen 127.0.0.1:0
TRACE_CLI_TOKEN=$token "$cli" trace --tcp="$address" "$apps/gl_sleeps" 60000 >left.txt 2>&1 &
tracer=$!
wait_until has_bytes received/gl_sleeps.trace 500
left=$(pgrep -P $tracer gl_sleeps) # goes on without its tracer
kill -9 $tracer
wait $tracer 2>/dev/null
kill "$left"
received 1
contains receiver.txt '^trace-cli: warning: gl_sleeps.trace: the sender has gone; the trace ends there$'
run 0 "$cli" dump received/gl_sleeps.trace
contains out.txt '^0 '
rm -rf received

echo '--- the receiver is interrupted'
for signal in INT TERM HUP; do
    # A command in the background would ignore SIGINT.
    listen_interruptibly
    TRACE_CLI_TOKEN=$token "$cli" trace --tcp="$address" "$apps/gl_flood" 100000000 >out.txt 2>err.txt &
    tracer=$!
    wait_until has_bytes received/gl_flood.trace 1000000
    kill -$signal "$receiver"
    received 1
    kill -TERM "$(pgrep -P "$tracer" gl_flood)"
    wait "$tracer" 2>/dev/null
    contains receiver.txt '^trace-cli: warning: gl_flood.trace: interrupted; the trace ends there$'
    lacks receiver.txt 'no index'
    run 0 "$cli" index received/gl_flood.trace
    contains out.txt 'has an index already'
    run 0 "$cli" info received/gl_flood.trace
    lacks err.txt .
    rm -rf received
done

echo '--- many traces of one name'
listen 127.0.0.1:0
hostile many || fail "the sender: $(<hostile.txt)"
received 0
# A name that was tried is not tried again, or many traces would take a time of their square.
[[ ! -e received/many.trace && -e received/many.1000.trace ]] || fail 'names are tried again'
[[ $(find received -name 'many*' | wc -l) -eq 999 ]] || fail 'there are other files'
rm -rf received

echo '--- senders that are none'
listen 127.0.0.1:0
touch received/there.trace
hostile names
received 0
(cd received && ls -A) >names.txt
printf '%s\n' _..trace _hidden.trace a__0_b_.trace absolute.trace escaped.trace there.1.trace there.trace | sort >expected.txt
grep -v '^xxx' names.txt | LC_ALL=C sort >plain.txt
same 'the names' plain.txt expected.txt
[[ $(grep -c '^xxx*\.trace$' names.txt) -eq 1 && ! -e escaped.trace ]] || fail "the names are $(<names.txt)"
rm -rf received
listen 127.0.0.1:0
hostile garbage
received 1
contains receiver.txt '^error: the sender breaks the protocol$'
[[ $(stat -c %s received/garbage.trace) -eq 9 ]] || fail 'the half chunk is still there'
rm -rf received
listen 127.0.0.1:0 --max-size=2
hostile much
received 1
contains receiver.txt '^trace-cli: error: much.trace: more than the limit of --max-size; the trace ends there$'
[[ $(stat -c %s received/much.trace) -le 2000000 ]] || fail 'there is more than --max-size'
rm -rf received
listen 127.0.0.1:0 --max-size=1
hostile chunks
received 1
[[ $(stat -c %s received/chunks.trace) -eq 900014 ]] || fail 'a trace beyond --max-size ends in a chunk'
rm -rf received
listen 127.0.0.1:0
hostile slow
received 0
[[ $(stat -c %s received/slow.trace) -eq 9 ]] || fail 'slow'
finish
