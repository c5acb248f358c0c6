#!/bin/bash
# SPDX-License-Identifier: MIT
# Both libraries must export the functions that the public headers declare, and no other symbols that could
# conflict with a program's. usage: exports.sh COMPILER SHARED STATIC PUBLIC_HEADER…
set -u
compiler=$1 shared=$2 static=$3
shift 3

# Without comments and inline functions; the word before the first parenthesis of a declaration.
declared=$(cat "$@" |
    "$compiler" -fpreprocessed -dD -E -P - 2>/dev/null |
    grep -oE '^[a-z][a-zA-Z0-9_ *]*[ *]trace_[a-z0-9_]+\(' | grep -oE '[a-z0-9_]+\($' | tr -d '(' | sort)
[[ $(wc -l <<<"$declared") -gt 20 ]] || { echo "too few functions are declared: $declared"; exit 1; }

failures=0
compare() # NAME SYMBOLS
{
    diff -u --label declared --label "$1" <(echo "$declared") <(echo "$2") || failures=1
}
compare shared "$(nm -D --defined-only "$shared" | awk '{print $3}' | sort)"
compare static "$(nm --defined-only --extern-only "$static" | awk 'NF == 3 {print $3}' | sort)"
readelf -d "$shared" | grep -qE 'SONAME.*\[libtracecli\.so\.[0-9]+\]' || { echo 'the shared library has no soname'; failures=1; }
exit $failures
