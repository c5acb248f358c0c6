#!/bin/bash
# SPDX-License-Identifier: MIT
# Fails if source files of a library depend on each other in a circle. Without circles, each can be read and
# tested after those that it needs. An object file needs the symbols that it does not define.
# usage: object_circles.sh ARCHIVE...
set -u
# Allowed dependencies, FILE:NEEDED. help shows the table that contains it.
allowed=' commands.c:cmd_help.c '
failures=0
for archive in "$@"; do
    symbols=$(nm -A -P "$archive" 2>/dev/null) || { echo "$archive: nm cannot read it"; exit 2; }
    pairs=$(awk '{ match($1, /\[[^]]*\]/); file = substr($1, RSTART + 1, RLENGTH - 2)
            files[file]; if ($3 == "U") needs[file, $2]; else if ($3 ~ /[A-TV-Z]/) home[$2] = file }
        END { for (file in files) print file, file
              for (need in needs) { split(need, part, SUBSEP)
                  if (part[2] in home && home[part[2]] != part[1]) print part[1], home[part[2]] } }' <<<"$symbols" |
        sed 's/\.o\b//g' | sort -u | while read -r file needed; do [[ $allowed == *" $file:$needed "* ]] || echo "$file $needed"; done)
    if [[ $(awk '$1 != $2' <<<"$pairs" | wc -l) -eq 0 ]]; then
        echo "$archive: no file needs another one: that cannot be all"
        exit 2
    fi
    # Files that need nothing, or only such files, are removed until only circles are left.
    left=$(awk '{ needs[$1, $2]; files[$1]; files[$2] }
        END { do { changed = 0
                   for (f in files) { waits = 0
                       for (g in files) if (g != f && ((f, g) in needs)) { waits = 1; break }
                       if (!waits) { delete files[f]; changed = 1 } } } while (changed)
              do { changed = 0
                   for (f in files) { wanted = 0
                       for (g in files) if (g != f && ((g, f) in needs)) { wanted = 1; break }
                       if (!wanted) { delete files[f]; changed = 1 } } } while (changed)
              for (f in files) print "  " f }' <<<"$pairs" | sort)
    if [[ -n $left ]]; then
        printf '%s: files that need each other:\n%s\n' "$archive" "$left"
        failures=1
    fi
done
exit $failures
