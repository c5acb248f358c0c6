#!/bin/bash
# SPDX-License-Identifier: MIT
# Every function of GL, GLX and EGL, called once with stub libraries behind them: what apitrace's trace of that shows and
# what ours shows are the same, but for the differences in expected/values-*.txt. Those are of a few kinds: we record data
# that the call writes where apitrace records the address; counts that it takes wrong (bytes as elements, one value of
# four, and the other way round); names of enums that it does not know; GL_NONE, GL_FALSE and GL_NO_ERROR, which it calls
# GL_ZERO; GL_ALL_ATTRIB_BITS. TRACE_UPDATE_EXPECTED=1 rewrites them.
source "$(dirname "$0")/e2e.sh"
require apitrace

# calls TRACE: number of the call, TAB, the call. Addresses are all alike, and names of arguments are left out: apitrace
# 11.1 has older ones.
calls()
{
    apitrace dump --color=never -v --call-nos=no --arg-names=no "$1" | sed -E 's/0x[0-9a-f]{6,}/ADDRESS/g' | awk '
        /^glClearStencil\(/ { gsub(/[^0-9]/, ""); number = $0; next }
        number != "" && /^(gl|egl)[A-Z]/ && !/\/\/ fake/ && !/^(glX|egl)GetProcAddress/ && !(number in seen) {
            seen[number] = 1
            print number "\t" substr($0, 1, 400)
        }'
}

compare() # API
{
    local api=$1
    apitrace trace -a "$api" -o theirs.trace "$apps/call_every_function" "$api" >theirs.out 2>theirs.err ||
        fail "apitrace trace -a $api: status $?"
    run 0 "$cli" trace -a "$api" -o ours.trace -- "$apps/call_every_function" "$api"
    calls theirs.trace | sort >theirs.txt
    calls ours.trace | sort >ours.txt
    # Functions that apitrace does not know are missing in its trace.
    join -t $'\t' theirs.txt ours.txt >both.txt
    [[ $(wc -l <both.txt) -gt 2500 ]] || fail "only $(wc -l <both.txt) calls to compare"
    sort -n both.txt | awk -F '\t' '
        function pattern(text) {
            gsub(/[][(){}.*+?|^$\\]/, "\\\\&", text)
            gsub(/ADDRESS/, "(ADDRESS|blob\\([0-9]+\\)|\\&[^,)]*|\\{[^}]*\\}|\"[^\"]*\")", text)
            return "^" text "$"
        }
        $2 != $3 && $3 !~ pattern($2) { print "apitrace " $2; print "ours     " $3 }' >differences.txt
    if [[ -n ${TRACE_UPDATE_EXPECTED-} ]]; then
        cp differences.txt "$e2e_dir/expected/values-$api.txt"
    fi
    same "values of -a $api" "$e2e_dir/expected/values-$api.txt" differences.txt
}

compare gl
compare egl
finish
