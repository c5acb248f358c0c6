#!/bin/bash
# SPDX-License-Identifier: MIT
# trace-cli symbolize on traces with frames of a program that is built here.
# usage: symbolize.sh TRACE_CLI WRITE_BACKTRACES
set -u
cli=${1:?usage: symbolize.sh TRACE_CLI WRITE_BACKTRACES}
writer=${2:?usage: symbolize.sh TRACE_CLI WRITE_BACKTRACES}
programs=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/programs
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0

check() # NAME CONDITION…
{
    local name=$1
    shift
    "$@" || { echo "not so: $name"; failures=$((failures + 1)); }
}

expect() # NAME TEXT: what is on stdin is TEXT
{
    diff <(printf '%s\n' "$2") - >difference || { echo "not so: $1"; cat difference; failures=$((failures + 1)); }
}

last_backtrace() # TRACE
{
    "$cli" dump "$1" | sed -n '/^Backtrace:/h;/^Backtrace:/!H;${x;s/^Backtrace:\n//;p}' | sed "s|$work|DIR|g; s|$programs|SOURCE|g"
}

for tool in gcc nm addr2line objcopy; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 77; }
done
gcc -O2 -g -w -Wl,--build-id -o program "$programs/inlined.c" || exit 1
start_of() # FUNCTION
{
    nm program | sed -n "s/^0*\([0-9a-f]*\) . $1\$/\1/p"
}

# An address in a function that is inlined twice: squared() in sum_of_squares() in outer().
start=$((16#$(start_of outer)))
inlined=
for ((a = start; a < start + 80; ++a)); do
    if [[ $(addr2line -i -f -e program "$(printf %x $a)" | tr '\n' ' ') == *squared*sum_of_squares*outer* ]]; then
        inlined=$(printf %x $a)
        break
    fi
done
[[ -n $inlined ]] || { echo "nothing is inlined"; exit 1; }
in_outer=$(printf %x $((16#$inlined - start)))
line_of=$(addr2line -i -e program "$inlined" | sed 's/ .*//' | sed "s|$programs|SOURCE|")
mapfile -t places <<<"$line_of"

# As captured without symbols; only with functions; without a module; without a function; with everything.
cat >frames <<END
$work/program $inlined
$work/program $in_outer outer
$work/program 3 main
- 1234
$work/program 0
$work/program 5 known known.c 7
END
"$writer" before.trace <frames || exit 1
"$cli" symbolize -o after.trace before.trace >out 2>err
check "symbolize succeeds" test $? == 0
main_line=$(addr2line -e program "$(printf %x $((16#$(start_of main) + 3)))" | sed "s| .*||; s|$programs|SOURCE|")
expanded="DIR/program: squared+0x$in_outer: ${places[0]}
DIR/program: sum_of_squares+0x$in_outer: ${places[1]}
DIR/program: outer+0x$in_outer: ${places[2]}"
last_backtrace after.trace | expect "frames have names, inlined functions are frames" "$expanded
$expanded
DIR/program: main+0x3: $main_line
?+0x1234
DIR/program+0x0
DIR/program: known+0x5: known.c:7"
check "each call has the frames of its own" test "$("$cli" dump after.trace | grep -c squared)" == 11
check "the rest is as it was" cmp <("$cli" dump after.trace | grep '^[0-9]') <("$cli" dump before.trace | grep '^[0-9]')
check "nothing is wrong" test "$(cat err)" = "nothing more is known of 2 of 5 frames
Symbolized trace is available as after.trace"
touch -d '+1 minute' program
"$cli" symbolize -o newer.trace before.trace 2>err
check "a module newer than the trace is told once" test "$(grep -c "warning: $work/program was changed after" err)" == 1
"$cli" symbolize -o again.trace after.trace 2>/dev/null
check "what has names keeps them" cmp <("$cli" dump again.trace) <("$cli" dump after.trace)

# A stripped program, with its debug information elsewhere, and from another machine.
cp program whole
objcopy --only-keep-debug program program.debug
strip program
"$cli" symbolize -o stripped.trace before.trace 2>err
last_backtrace stripped.trace | expect "of a stripped program nothing is known" "$(last_backtrace before.trace)"
mkdir debug && mv program.debug debug/
id=$(readelf -n whole | sed -n 's/.*Build ID: //p')
mkdir -p debug/.build-id/"${id:0:2}" && mv debug/program.debug debug/.build-id/"${id:0:2}/${id:2}.debug"
"$cli" symbolize --debug-directory=debug -o debug.trace before.trace 2>err
check "a directory that is there is not told" test "$(grep -c 'no debug information' err)" == 0
"$cli" symbolize -d nowhere -d err --debug-directory=debug -o nowhere.trace before.trace 2>err
check "a missing directory is told" grep -qx "warning: nowhere: no debug information: No such file or directory" err
check "a directory that is a file is told" grep -qx "warning: err: no debug information: Not a directory" err
check "the others count" cmp <("$cli" dump nowhere.trace) <("$cli" dump after.trace)
check "debug information is found in a directory" cmp <("$cli" dump debug.trace) <("$cli" dump after.trace)
mkdir -p root/"$work" && mv whole root/"$work"/program && rm program
"$cli" symbolize -o missing.trace before.trace >out 2>err
check "a missing module is told" grep -q "warning: .*program: cannot be opened: No such file" err
check "once" test "$(grep -c warning err)" == 1
"$cli" symbolize --root=root -o root.trace before.trace 2>err
check "modules are found in another root" cmp <("$cli" dump root.trace) <("$cli" dump after.trace)
exit $((failures != 0))
