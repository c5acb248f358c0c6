#!/bin/bash
# SPDX-License-Identifier: MIT
# The times of calls: they must ascend, a pause between two calls must be as long as the program measured, and
# all must be within the time that the program ran.
source "$(dirname "$0")/e2e.sh"
start_x

# times TRACE [OPTION…]: the lines of the calls, as "SECONDS MICROSECONDS FUNCTION"
times()
{
    run 0 "$cli" dump -v --timestamps --call-nos=no --color=never "${@:2}" "$1"
    sed -nE 's/^ *([0-9.]+) s +([0-9.?]+) us +([a-zA-Z0-9]+)\(.*/\1 \2 \3/p' out.txt
}

# check_times TRACE SECONDS: they rise, no call ends before it begins, and the last ends within SECONDS
check_times()
{
    times "$1" >times.txt
    [[ $(wc -l <times.txt) -ge 10 ]] || fail "$1: $(wc -l <times.txt) times"
    awk -v limit="$2" '
        $2 == "?" { print "not ended: " $0; exit 1 }
        $1 < last { print "before the call above: " $0; exit 1 }
        $2 < 0 { print "ends before it begins: " $0; exit 1 }
        { last = $1; if ($1 + $2 / 1e6 > limit) { print "after " limit " s: " $0; exit 1 } }' times.txt ||
        fail "$1: times are wrong"
}

seconds()
{
    date +%s.%N
}

# Longer than it takes the lower half of a 2 GHz counter to overflow, and shorter.
for nap in 50 1500; do
    before=$(seconds)
    run 0 "$cli" trace -o app.trace -- "$apps/gl_sleeps" $nap
    read -r slept all < <(sed -nE 's/^slept ([0-9]+) of ([0-9]+)$/\1 \2/p' out.txt)
    after=$(seconds)
    check_times app.trace "$(awk "BEGIN { print $after - $before }")"
    times app.trace --grep='^glClearStencil$' | awk -v slept="$slept" -v all="$all" '
        NR == 1 { left = $1 + $2 / 1e6 }
        NR == 2 { between = $1 - left; print "slept", slept / 1e9, "s; between the calls", between, "s"
                  good = between >= slept / 1e9 - 1e-5 && between <= all / 1e9 + 1e-5 }
        END { exit !(NR == 2 && good) }' || fail "a nap of $nap ms is not in the trace"
done

# No times if none are wanted.
run 0 "$cli" trace --timestamps=no -o none.trace -- "$apps/gl_sleeps" 1
run 0 "$cli" dump --timestamps none.trace
contains err.txt 'none.trace: the trace has no times'
lacks out.txt '^ .* us '

# A killed program's trace has times, too.
run 137 "$cli" trace -o killed.trace -- "$apps/gl_exits" kill
run 0 "$cli" dump --timestamps killed.trace
contains out.txt ' us  [0-9]+ glClearStencil\(s = 123\)'
finish
