#!/bin/bash
# SPDX-License-Identifier: MIT
# Every command reports every kind of bad input in one line that names the file and the cause, with a non-zero
# status.
source "$(dirname "$0")/e2e.sh"
start_x

# fails FILE_OR_WORD COMMAND…: non-zero, no crash, no output but the calls before the damage, a line that
# names it
fails()
{
    local word=$1 status=0
    shift
    "$@" >out.txt 2>err.txt </dev/null || status=$?
    [[ $status -ne 0 ]] || fail "status 0: $*"
    [[ $status -lt 128 ]] || fail "crashed with status $status: $*"
    contains err.txt "$word"
    [[ $(wc -l <err.txt) -eq 1 ]] || fail "not one line on stderr ($(wc -l <err.txt)): $*: $(head -n 3 err.txt)"
}

run 0 "$cli" trace -o good.trace -- "$apps/glx_triangle"
# Without the collector, the library writes no index, so the last byte of this trace belongs to a call.
run 0 env LD_PRELOAD="$build/lib/trace-cli/gltrace.so" TRACE_FILE="$work/plain.trace" "$apps/glx_triangle"
good_size=$(stat -c %s good.trace)
plain_size=$(stat -c %s plain.trace)
: >empty.trace
printf 'This is a text file and no trace.\n' >text.trace
head -c $((plain_size / 2)) plain.trace >short.trace
head -c $((plain_size - 1)) plain.trace >cut.trace
head -c $((good_size - 1)) good.trace >no-index.trace
cp good.trace corrupt.trace
printf '\377\377\377\377' | dd of=corrupt.trace bs=1 seek=2 conv=notrunc status=none
printf '\011\011\000\000' | gzip >version.trace

for command in dump repack retrace; do
    extra=()
    [[ $command == repack ]] && extra=(out.trace)
    [[ $command == retrace ]] && options=(--headless) || options=()
    for file in missing.trace empty.trace text.trace corrupt.trace; do
        fails "$file" "$cli" "$command" "${options[@]}" "$file" "${extra[@]}"
        [[ -e out.trace ]] && fail "$command $file left out.trace"
        rm -f out.trace
    done
    if [[ $command != repack ]]; then # repack copies the bytes of any stream
        fails 'version.trace.*version' "$cli" "$command" "${options[@]}" version.trace "${extra[@]}"
    fi
done
fails 'directory' "$cli" dump directory-that-is-missing/x.trace
mkdir directory.trace
fails 'directory.trace' "$cli" dump directory.trace

# For a truncated trace, its calls are printed, then one warning that names it.
for file in short.trace cut.trace; do
    "$cli" dump "$file" >out.txt 2>err.txt </dev/null
    contains out.txt '^[0-9]+ glX'
    contains err.txt "$file"
    [[ $(wc -l <err.txt) -eq 1 ]] || fail "$file: not one line on stderr: $(head -n 3 err.txt)"
done
"$cli" dump plain.trace >good.txt
head -n "$(wc -l <out.txt)" good.txt >head.txt
[[ $(wc -l <out.txt) -gt 50 ]] || fail 'a trace cut by one byte lost most of its calls'

# If only the index is cut, no call is missing.
"$cli" dump good.trace >good.txt
run 0 "$cli" dump no-index.trace
same 'a trace whose index is cut' out.txt good.txt
same 'its warnings' err.txt /dev/null

# repack
fails 'same file|itself|input' "$cli" repack good.trace good.trace
ln good.trace hard-link.trace
fails 'same file|itself|input' "$cli" repack good.trace hard-link.trace
same 'a refused input' hard-link.trace good.trace
"$cli" repack good.trace >out.txt 2>err.txt && fail 'repack with no output succeeded'
contains err.txt 'output file'
fails '/nowhere' "$cli" repack good.trace /nowhere/out.trace

# trace
fails 'no-such-program' "$cli" trace -o none.trace -- no-such-program
[[ -e none.trace ]] && fail 'a program that does not exist left a trace'
touch not-executable
fails 'not-executable' "$cli" trace -o none.trace -- ./not-executable
fails '/nowhere' "$cli" trace -o /nowhere/app.trace -- "$apps/glx_triangle"
grep -q glx_triangle out.txt && fail 'the program ran although its trace cannot be written'

# A device that accepts no bytes: the program runs normally, the error names the device, and the device is not
# deleted.
if mknod full.trace c 1 7 2>/dev/null; then
    "$cli" trace -o full.trace -- "$apps/glx_triangle" >out.txt 2>err.txt </dev/null
    [[ $? -eq 1 ]] || fail 'a trace that cannot be written is no failure'
    contains out.txt 'glx_triangle 2'
    contains err.txt '^trace-cli: error: full.trace: .*No space left on device$'
    [[ -c full.trace ]] || fail 'the device is gone'
fi

# Commands and options
fails 'frobnicate' "$cli" frobnicate
fails 'frobnicate' "$cli" dump --frobnicate good.trace
finish
