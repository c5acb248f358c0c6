#!/bin/bash
# SPDX-License-Identifier: MIT
# Checks that the source files which the documents name exist: at the path, if one is given, otherwise
# anywhere. A path may also begin in common/, or be the end of a longer one, such as "read/input.c".
# usage: documents.sh SOURCE_DIR
set -u
cd "${1:?usage: documents.sh SOURCE_DIR}" || exit 2
files=$(find bench cli common retrace specs tests wrappers -type f)
generated=' spec_tables.c stubs.c invokers.c '
count=0 failures=0
while IFS=: read -r document name; do
    count=$((count + 1))
    [[ $generated == *" ${name##*/} "* ]] && continue
    grep -qE "(^|/)${name//./\\.}$" <<<"$files" && continue
    echo "$document names $name, which is not there"
    failures=$((failures + 1))
done < <(grep -oE '\b[a-z0-9_/]+\.[ch]\b' -H CONTRIBUTING.md docs/ARCHITECTURE.md docs/trace-format.md | sort -u)
[[ $count -ge 20 ]] || { echo "only $count names found"; exit 1; }
[[ $failures -eq 0 ]] && echo "$count names of files in documents"
exit $((failures != 0))
