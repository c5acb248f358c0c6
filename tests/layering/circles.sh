#!/bin/bash
# SPDX-License-Identifier: MIT
# Fails when modules include each other in a circle. A module is a header and the .c file of its name.
# usage: circles.sh SOURCE_DIR FOLDER…
set -u
cd "${1:?usage: circles.sh SOURCE_DIR FOLDER…}" || exit 2
shift
mapfile -t files < <(find "$@" \( -name '*.c' -o -name '*.h' \) -type f | sort)
if [[ ${#files[@]} -eq 0 ]]; then
    echo "no source files in $*"
    exit 2
fi

# MODULE INCLUDED-MODULE, a line for each include of a file that is among these.
pairs()
{
    awk '
        FNR == 1 { module = FILENAME; sub(/.*\//, "", module); sub(/\.[ch]$/, "", module); known[module] = 1 }
        /^[[:space:]]*#[[:space:]]*include[[:space:]]*"/ {
            included = $0
            sub(/^[^"]*"/, "", included); sub(/".*/, "", included)
            sub(/.*\//, "", included); sub(/\.h$/, "", included)
            if (included != module)
                pair[module " " included] = included
        }
        END { for (p in pair) if (pair[p] in known) print p }' "$@"
}

if ! loops=$(pairs "${files[@]}" | sort | tsort 2>&1 >/dev/null); then
    sed -n 's/^tsort: -: input contains a loop:$/These include each other in a circle:/p; s/^tsort: \([^-]\)/  \1/p' <<<"$loops"
    exit 1
fi
echo "${#files[@]} files of $*, no circles"
