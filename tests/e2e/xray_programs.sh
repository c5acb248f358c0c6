#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs of all kinds recorded by XRay: their output and status are their own, and their logs have what they did.
# usage: xray_programs.sh APPS_SOURCE_DIR
source "$(dirname "$0")/e2e.sh"
source "$e2e_dir/xray_build.sh"
xray_build "$1/xray_counted.c" calls -O2
xray_build "$1/xray_counted.c" calls-no-pie -O2 -no-pie
xray_build "$1/xray_events.c" events -O2
xray_build "$1/xray_own_log.c" own-log -O2
xray_build "$1/xray_constructors.cpp" constructors -O2
cp calls stripped && strip stripped
cat >busy.c <<'END'
__attribute__((noinline)) static void leaf(int i) { __asm__ volatile("" : : "r"(i)); }
int main(void) { for (int i = 0; i < 500000; ++i) leaf(i); return 7; }
END
xray_build busy.c busy -O1

number() # CSV FUNCTION: how many calls of the function account has found
{
    awk -F, -v name="\"$2\"" '$NF == name { print $2 }' "$1"
}

run 7 "$cli" trace -a xray -o no-pie.xray ./calls-no-pie
check_counts 'a program at a fixed address' no-pie.xray ./calls-no-pie out.txt

# Before main() and after it.
run 4 "$cli" trace -a xray -o constructors.xray ./constructors
"$cli" account -f csv -m ./constructors constructors.xray >account.csv 2>err.txt
for name in '(anonymous namespace)::global::global()' '(anonymous namespace)::global::~global()'; do
    [[ $(number account.csv "$name") == 2 ]] || fail "not two calls of $name"
done
[[ $(number account.csv '(anonymous namespace)::at_exit()') == 1 ]] || fail 'not one call of at_exit()'

# Events, at an optimisation at which XRay's own recorder crashes in some versions of clang.
run 3 "$cli" trace -a xray -o events.xray ./events
run 0 "$cli" dump events.xray
[[ $(count out.txt 'custom_event.*"event [0-9]+"') -eq 50 ]] || fail 'not 50 custom events'
[[ $(count out.txt 'typed_event.*7.*"event [0-9]+"') -eq 50 ]] || fail 'not 50 typed events'
"$cli" account -f csv -m ./events events.xray >account.csv 2>err.txt
[[ $(number account.csv be_quick) == 1001 ]] || fail 'not 1001 calls of be_quick()'

# A part of a log, by the names of functions: those of the program that is given, or found beside it by the log's name.
run 0 "$cli" trim -m ./events --function='be_q*' -o given.xray events.xray
run 0 "$cli" trim --function='be_q*' -o found.xray events.xray
same 'the program that is found' given.xray found.xray
"$cli" account -f csv -m ./events given.xray >account.csv 2>err.txt
[[ $(number account.csv be_quick) == 1001 ]] || fail 'not 1001 calls of be_quick() are kept'
[[ $(number account.csv be_slow) == '' ]] || fail 'calls of another function are kept'

# Only calls that take long, and the one around the short one.
run 3 "$cli" trace -a xray --xray-threshold=2000 -o slow.xray ./events
"$cli" account -f csv -m ./events slow.xray >account.csv 2>err.txt
[[ $(number account.csv be_slow) == 1 ]] || fail 'a slow call is left out'
[[ $(number account.csv write_events) == 50 ]] || fail 'calls with events are left out'
[[ $(number account.csv be_quick) == '' ]] || fail 'quick calls are not left out'

# A program that uses XRay itself is not disturbed.
./own-log >plain.txt 2>/dev/null
rm -f xray-log.*
run 0 "$cli" trace -a xray -o own.xray ./own-log
same 'what a program with its own log prints' plain.txt out.txt
logs=(xray-log.own-log.*)
"$cli" account -f csv -m ./own-log "${logs[0]}" >account.csv 2>err.txt
[[ $(number account.csv work) == 100 ]] || fail "the program's own log does not have its 100 calls"

# Stripped: the runtime's own recorder. In a script, that cannot be known before.
run 7 "$cli" trace -a xray -o stripped.xray ./stripped
contains err.txt '^trace-cli: \./stripped is stripped'
check_counts 'a stripped program' stripped.xray ./calls out.txt
run 7 "$cli" trace -a xray sh -c './stripped'
contains err.txt 'process [0-9]+ \(stripped\) is instrumented, but stripped: use --xray-mode=basic$'

# Not instrumented: output and status are the program's.
run 5 "$cli" trace -a xray sh -c 'echo printed; exit 5'
contains out.txt '^printed$'
contains err.txt 'nothing was recorded, so there is no log$'
run 0 "$cli" trace -a xray /bin/true
contains err.txt 'true has no sleds of XRay: compile and link it with clang -fxray-instrument'
run 127 "$cli" trace -a xray ./no-such-program
contains err.txt 'program not found'
run 0 "$cli" trace -a xray -- "$apps/static_program"
contains err.txt 'has no sleds of XRay'

# Names are those of traces.
rm -f ./*.xray
run 7 "$cli" trace -a xray ./calls
run 7 "$cli" trace -a xray sh -c './calls; ./calls'
for name in calls.xray calls.1.xray calls.2.xray; do
    check_counts "$name" "$name" ./calls <(head -n 3 out.txt)
    "$cli" account "$name" >account.txt 2>err.txt
    contains account.txt ': tree$' # the program is found by the name of the log
done
"$cli" trace -a xray -o - ./calls 2>out.txt >stream.xray
check_counts 'the standard output' stream.xray ./calls out.txt

# No room: that is told, and the program goes on.
(failures=0 && ulimit -f 4096 && run 7 "$cli" trace -a xray -o cut.xray ./calls many && exit "$failures") || fail 'with too little room'
contains err.txt 'process [0-9]+ \(calls\) found no more room for records'
[[ -s cut.xray ]] || fail 'what was recorded before there was no more room is lost'
if [[ $(id -u) -eq 0 ]] && mkdir -p small && mount -t tmpfs -o size=3m tmpfs small 2>/dev/null; then
    run 7 "$cli" trace -a xray -o small/full.xray ./busy
    contains err.txt 'process [0-9]+ \(busy\) found no more room for records'
    lacks err.txt 'No space left'
    [[ $(stat -c %s small/full.xray) -gt 1500000 ]] || fail 'what was recorded before the disk was full is lost'
    run 0 "$cli" account -m ./busy small/full.xray
    rm small/full.xray
    run 7 "$cli" trace -a xray --xray-mode=basic -o small/full.xray ./busy
    [[ $(stat -c %s small/full.xray) -gt 1500000 ]] || fail 'what the runtime recorded before the disk was full is lost'
    run 0 "$cli" account -m ./busy small/full.xray
    umount small
fi
(failures=0 && ulimit -f 1024 && run 7 "$cli" trace -a xray -o cut.xray ./calls && exit "$failures") || fail 'without room'
contains err.txt 'a process had no room for its records'

run 1 "$cli" trace -a xray --frames=3 ./calls
contains err.txt '^error: --api=xray goes with'
run 1 "$cli" trace --xray-mode=fdr ./calls
contains err.txt 'are for --api=xray'
[[ -z $(find . -name '.xray-*') ]] || fail 'the directory of the records is still there'
finish
