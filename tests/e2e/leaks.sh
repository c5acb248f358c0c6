#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs that know which objects they do not delete: `trace-cli leaks` must report exactly these, and at
# least what apitrace reports.
source "$(dirname "$0")/e2e.sh"
start_x

# Prints "KIND NAME" for each line, or "freed KIND NAME" for objects that were freed with something else;
# sorted.
found() # TEXT
{
    sed -nE -e 's/^[0-9]+: error: (.*) was not destroyed until <EOF>$/\1/p' \
        -e 's/^[0-9]+: error: (.*) was not destroyed until [0-9]+$/freed \1/p' "$1" | sort
}

check_leaks() # NAME PROGRAM…: the program prints what it leaks
{
    run 0 "$cli" trace -o "$1.trace" "${@:2}" || return
    sort out.txt >"$1.expected"
    run 0 "$cli" leaks "$1.trace" || return
    cp out.txt "$1.leaks"
    found "$1.leaks" >"$1.found"
    [[ -s $1.expected ]] || fail "$1 says nothing"
    diff -u "$1.expected" "$1.found" || fail "$1: other leaks"
    run 2 "$cli" leaks --fail "$1.trace"
}

check_leaks glx "$apps/gl_leaks"
check_leaks egl "$apps/egl_images" leaks

# apitrace only knows textures and buffers. It knows neither their contexts nor names that come from a bind.
if command -v apitrace >/dev/null; then
    apitrace leaks glx.trace 2>&1 | sed -n 's/^\([0-9]*: error: .*\) until .*/\1/p' | sort >theirs.txt
    [[ -s theirs.txt ]] || fail 'apitrace finds nothing'
    grep -E '^[0-9]+: error: (texture|buffer) ' glx.leaks | grep -v 'texture 4000' | sed 's/ until .*//' | sort >ours.txt
    diff -u theirs.txt ours.txt || fail 'apitrace finds something else'
    # Traces by apitrace have the same leaks.
    run 0 apitrace trace -a gl -o theirs.trace "$apps/gl_leaks"
    sort out.txt >theirs.expected
    run 0 "$cli" leaks theirs.trace
    found out.txt >theirs.found
    diff -u theirs.expected theirs.found || fail 'other leaks in the trace of apitrace'
fi
finish
