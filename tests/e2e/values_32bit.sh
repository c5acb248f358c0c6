#!/bin/bash
# SPDX-License-Identifier: MIT
# Every function of GL, GLX and EGL, called once by a program of 32 bits with stub libraries behind them: the trace
# shows the same as that of the same program of 64 bits. Integers as wide as a pointer are full of threes, more of them
# in 64 bits; the result of the one function that returns a float is left out (stub_libraries.c says why). A script of
# 64 bits that starts the program needs nothing else, and nobody complains about a library of the wrong kind.
# usage: values_32bit.sh
source "$(dirname "$0")/e2e.sh"

shown() # TRACE
{
    "$cli" dump -v --color=never "$1" | sed -E '/process\.name =/d
        /glGetPathLengthNV/d
        s/0x[0-9a-f]{5,}/ADDRESS/g
        s/\b217020518514230019\b/50529027/g'
}

for api in gl egl; do
    run 0 "$cli" trace -a "$api" -o wide.trace -- "$apps/call_every_function" "$api"
    run 0 "$cli" trace -a "$api" -o narrow.trace -- sh -c 'exec "$@"' sh "$apps/call_every_function_32" "$api"
    same "stderr of -a $api" /dev/null err.txt
    shown wide.trace >wide.txt
    shown narrow.trace >narrow.txt
    [[ $(wc -l <narrow.txt) -gt 12000 ]] || fail "only $(wc -l <narrow.txt) lines to compare"
    same "values of -a $api" wide.txt narrow.txt
done

# Without a collector, the library knows the size of pointers itself.
run 0 env LD_PRELOAD="$build/lib/trace-cli/i386/gltrace.so" TRACE_FILE=alone.trace "$apps/call_every_function_32" egl
shown alone.trace >alone.txt
same 'values without a collector' narrow.txt alone.txt

# Backtraces work for such programs, too.
run 0 "$cli" trace --backtrace=glAccum -o stacks.trace -- "$apps/call_every_function_32" gl
run 0 "$cli" dump --color=never stacks.trace
contains out.txt ': main: .*/call_every_function.c:[0-9]+$|call_every_function_32: main\+0x'

# A trace-cli without the library for 32-bit programs says so, and runs the program.
mkdir -p installed/bin installed/lib/trace-cli
cp "$cli" installed/bin/
cp "$build/lib/trace-cli/gltrace.so" installed/lib/trace-cli/
run 1 installed/bin/trace-cli trace -o none.trace -- "$apps/call_every_function_32" gl
contains err.txt "^trace-cli: error: $apps/call_every_function_32 is a 32-bit program.*TRACE_32BIT=ON.*; it runs without being recorded\$"
[[ $(wc -l <err.txt) -eq 1 && ! -e none.trace ]] || fail "more than this: $(cat err.txt)"
finish
