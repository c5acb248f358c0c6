#!/bin/bash
# SPDX-License-Identifier: MIT
# Every header must compile alone and without extensions; the public ones also in C++, and without
# _GNU_SOURCE.
# usage: headers.sh COMPILER SOURCE_DIR GENERATED PUBLIC_HEADER…
set -u
compiler=$1 source=$2 generated=$3
shift 3
cd "$source" || exit 1

# compile LANGUAGE STANDARD HEADER OPTION…
compile()
{
    local language=$1 standard=$2 header=$3
    shift 3
    # The declaration is for headers that only have macros.
    printf '#include "%s"\nextern int headers_sh;\n' "$header" |
        "$compiler" -x "$language" "-std=$standard" -pedantic -Wall -Wextra -Werror -fsyntax-only "$@" - ||
        { echo "$header: does not compile by itself as $standard"; return 1; }
}
export -f compile
export compiler

# Two at a time. all HEADERS LANGUAGE STANDARD OPTION…
all()
{
    local headers=$1
    shift
    local language=$1 standard=$2
    shift 2
    xargs -P 2 -I '{}' bash -c 'compile "$@"' compile "$language" "$standard" '{}' "$@" <<<"$headers"
}

headers=$(find common cli wrappers retrace specs/runtime -name '*.h')
[[ $(wc -l <<<"$headers") -gt 50 ]] || { echo 'the headers were not found'; exit 1; }
failed=0
all "$headers" c c11 -D_GNU_SOURCE -I . -I common -I cli -I wrappers -I retrace -I specs -I "$generated" || failed=1
public=$(printf '%s\n' "$@") # as they are installed: what they include has to be among them
all "$public" c c11 || failed=1
if "$compiler" -x c++ -fsyntax-only /dev/null 2>/dev/null; then
    all "$public" c++ c++11 || failed=1
    all "$public" c++ c++20 || failed=1
fi
exit $failed
