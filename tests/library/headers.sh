#!/bin/bash
# SPDX-License-Identifier: MIT
# Every header compiles by itself, without extensions; the public ones in C++, too, and without _GNU_SOURCE.
# usage: headers.sh COMPILER SOURCE_DIR GENERATED PUBLIC_HEADER…
set -u
compiler=$1 source=$2 generated=$3
shift 3
failures=0
cd "$source" || exit 1

# compile LANGUAGE STANDARD HEADER OPTION…
compile()
{
    local language=$1 standard=$2 header=$3
    shift 3
    # The declaration is there for headers of nothing but macros.
    printf '#include "%s"\nextern int headers_sh;\n' "$header" |
        "$compiler" -x "$language" "-std=$standard" -pedantic -Wall -Wextra -Werror -fsyntax-only "$@" - ||
        { echo "$header: does not compile by itself as $standard"; failures=$((failures + 1)); }
}

headers=$(find common cli wrappers retrace specs/runtime -name '*.h')
[[ $(wc -l <<<"$headers") -gt 50 ]] || { echo 'the headers were not found'; exit 1; }
for header in $headers; do
    compile c c11 "$header" -D_GNU_SOURCE -I . -I common -I cli -I wrappers -I retrace -I specs -I "$generated"
done
for header; do
    compile c c11 "$header" -I common
    if "$compiler" -x c++ -fsyntax-only /dev/null 2>/dev/null; then
        compile c++ c++11 "$header" -I common
        compile c++ c++20 "$header" -I common
    fi
done
exit $((failures != 0))
