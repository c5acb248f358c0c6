#!/bin/bash
# SPDX-License-Identifier: MIT
# Fails when modules include each other in a circle. A module is a header and the .c file of its name, and with
# them each header beside them that has no .c file, is named X_… and includes X.h: what the files of that subject
# share. So reader_state.h belongs to reader.
# usage: circles.sh SOURCE_DIR DIRECTORY…
set -u
cd "${1:?usage: circles.sh SOURCE_DIR DIRECTORY…}" || exit 2
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
        FNR == 1 { file = FILENAME; sub(/.*\//, "", file); path[file] = FILENAME }
        /^[[:space:]]*#[[:space:]]*include[[:space:]]*"/ {
            name = $0
            sub(/^[^"]*"/, "", name); sub(/".*/, "", name); sub(/.*\//, "", name)
            includes[file] = includes[file] " " name
        }
        function directory(file) { sub(/[^\/]*$/, "", file); return file }
        function stem(file) { sub(/\.[ch]$/, "", file); return file }
        function module(file,   part, names, count, i) {
            if (file in known)
                return known[file]
            known[file] = stem(file)
            if (file !~ /\.h$/ || (stem(file) ".c") in path)
                return known[file]
            count = split(includes[file], names, " ")
            for (part = stem(file); sub(/_[^_]*$/, "", part);)
                for (i = 1; i <= count; ++i)
                    if (directory(path[names[i]]) == directory(path[file]) && module(names[i]) == part)
                        return known[file] = part
            return known[file]
        }
        END {
            for (file in includes) {
                count = split(includes[file], names, " ")
                for (i = 1; i <= count; ++i)
                    if (names[i] in path && module(names[i]) != module(file))
                        print module(file), module(names[i])
            }
        }' "$@" | sort -u
}

if ! loops=$(pairs "${files[@]}" | tsort 2>&1 >/dev/null); then
    sed -n 's/^tsort: -: input contains a loop:$/These include each other in a circle:/p; s/^tsort: \([^-]\)/  \1/p' <<<"$loops"
    exit 1
fi
echo "${#files[@]} files of $*, no circles"
