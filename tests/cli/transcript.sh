#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs the commands of a transcript and compares what they print, on which stream, and their exit status.
# usage: transcript.sh [--update] TRACE_CLI TRANSCRIPT...
#
# In a transcript a line beginning with "$ " is a command (bash, in an empty directory of its own, trace-cli in PATH, $DATA
# the directory of sample traces). After it come its standard output as it is (but \# and \$ at the
# beginning of a line), its standard error with "! " in front of each
# line ($DATA spelt so), and "? N" if the exit status is not 0. Lines beginning with "#" are comments. --update writes what was found
# into the transcripts: read the difference before it is committed.
set -u
export LC_ALL=C.UTF-8
update=no
if [[ $1 == --update ]]; then
    update=yes
    shift
fi
cli=$(realpath "$1")
shift
DATA=$(realpath "$(dirname "$0")/../data")
export DATA
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$cli" "$work/bin/trace-cli"
export PATH=$work/bin:$PATH
unset LESS PAGER NO_COLOR

run_command()
{
    (cd "$work/here" && bash -c "$1" >"$work/out" 2>"$work/err" </dev/null)
    local status=$?
    sed -e 's/^#/\\#/' -e 's/^[$] /\\&/' "$work/out"
    [[ ! -s $work/out || -z $(tail -c 1 "$work/out") ]] || echo "\\ no newline"
    sed -e 's/^/! /' -e "s|$DATA|\$DATA|g" "$work/err"
    [[ $status == 0 ]] || echo "? $status"
}

failures=0
for transcript in "$@"; do
    rm -rf "$work/here"
    mkdir "$work/here"
    while IFS= read -r line; do
        case $line in
        '#'*) echo "$line" ;;
        '$ '*)
            echo "$line"
            run_command "${line#'$ '}"
            ;;
        esac
    done < <(grep -E '^([$] |#)' "$transcript") >"$work/found"
    if [[ $update == yes ]]; then
        cp "$work/found" "$transcript"
    elif ! diff -u --label expected --label found <(cat "$transcript") "$work/found"; then
        echo "$transcript: differs"
        failures=1
    fi
done
exit $failures
