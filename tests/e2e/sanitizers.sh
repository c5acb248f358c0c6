#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs that were built with a sanitizer, or are run by valgrind, run and are recorded. A sanitizer's runtime looks
# functions up before anything else runs, and while those that it replaces cannot be called. valgrind does not have all
# system calls.
# usage: sanitizers.sh SOURCE
source "$(dirname "$0")/e2e.sh"
source=$1
tried=0

try() # COMPILER SANITIZER
{
    echo "--- $1 -fsanitize=$2"
    command -v "$1" >/dev/null && "$1" -D_GNU_SOURCE "-fsanitize=$2" -o program "$source" -lGL 2>/dev/null || return
    ./program many 2 >plain.txt 2>&1 || return # its runtime does not work here
    tried=$((tried + 1))
    rm -f ./*.trace
    run 0 "$cli" trace -o app.trace -- ./program many 2
    same "$1 -fsanitize=$2: stdout" plain.txt out.txt
    same "$1 -fsanitize=$2: stderr" /dev/null err.txt
    run 0 "$cli" dump app.1.trace
    contains out.txt '^[0-9]+ glClearStencil\(s = 77\)$'
}

for compiler in gcc clang; do
    for sanitizer in address thread undefined leak; do
        try "$compiler" "$sanitizer"
    done
done
if command -v valgrind >/dev/null && valgrind -q true 2>/dev/null; then
    echo '--- valgrind'
    tried=$((tried + 1))
    rm -f ./*.trace
    run 0 "$cli" trace -o app.trace -- valgrind -q --tool=none "$apps/gl_late" nested 3
    same 'valgrind: stderr' /dev/null err.txt
    for trace in app.trace app.1.trace app.2.trace; do
        run 0 "$cli" dump $trace
        contains out.txt '^[0-9]+ glClearStencil\(s = 77\)$'
    done
fi
[[ $tried -gt 0 ]] || skip 'no compiler has a sanitizer, and there is no valgrind'
finish
