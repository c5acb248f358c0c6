#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs specgen on each directory here. good/* must give exactly the files in expected/, which have .txt added
# so that they do not count as sources. bad/* must give exactly the messages in errors.txt, no output file,
# and exit status 1.
# usage: golden.sh SPECGEN [--update]
set -u
specgen=$(realpath "${1:?usage: golden.sh SPECGEN [--update]}") || exit 2
update=${2-}
cd "$(dirname "$0")" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failures=0

check() # WHAT EXPECTED ACTUAL
{
    if [[ $update == --update ]]; then
        mkdir -p "$(dirname "$2")" && cp "$3" "$2"
    elif ! diff -u "$2" "$3"; then
        printf '%s differs\n' "$1"
        failures=$((failures + 1))
    fi
}

inputs()
{
    ls ./*.xml ./*.annot 2>/dev/null
}

for case in good/*/; do
    case=${case%/}
    out=$work/$case
    mkdir -p "$out"
    if ! (cd "$case" && "$specgen" --report -o "$out" $(inputs)) >"$out/report"; then
        printf '%s: specgen failed\n' "$case"
        failures=$((failures + 1))
    fi
    for file in "$case"/expected/*; do
        file=${file##*/}
        if [[ $update != --update && ! -e $out/${file%.txt} ]]; then
            printf '%s: %s was not written\n' "$case" "${file%.txt}"
            failures=$((failures + 1))
        fi
    done
    for file in "$out"/*; do
        check "$case/${file##*/}" "$case/expected/${file##*/}.txt" "$file"
    done
done

for case in bad/*/; do
    case=${case%/}
    out=$work/$case
    mkdir -p "$out"
    (cd "$case" && "$specgen" -o "$out" $(inputs)) >"$work/stdout" 2>"$work/errors.txt"
    status=$?
    check "$case/errors.txt" "$case/errors.txt" "$work/errors.txt"
    if [[ $status -ne 1 || -s $work/stdout || -n $(ls "$out") ]]; then
        printf '%s: exit status %d, output: %s\n' "$case" "$status" "$(ls "$out")"
        failures=$((failures + 1))
    fi
done
# Files that would not change are not written, and files with any difference are.
rewrites() # FILE
{
    touch -d @1000 "$work/again/$1"
    (cd good/mini && "$specgen" -o "$work/again" $(inputs)) || failures=$((failures + 1))
    cmp "$work/again/$1" "good/mini/expected/$1.txt" || failures=$((failures + 1))
    [[ $(stat -c %Y "$work/again/$1") -ne 1000 ]]
}

mkdir "$work/again"
for file in good/mini/expected/{spec_tables.c,spec_ids.h}.txt; do
    file=$(basename "$file" .txt)
    cp "good/mini/expected/$file.txt" "$work/again/$file"
    rewrites "$file" && printf '%s was written again\n' "$file" && failures=$((failures + 1))
    for change in 's/^/x/;1q' '1s/./x/' '$s/.$/x/' '$d' '$a more'; do
        sed "$change" "good/mini/expected/$file.txt" >"$work/again/$file"
        if ! cmp -s "$work/again/$file" "good/mini/expected/$file.txt"; then
            rewrites "$file" || { printf '%s was left, %s\n' "$file" "$change" && failures=$((failures + 1)); }
        fi
    done
done
[[ $failures -eq 0 ]]
