#!/bin/bash
# SPDX-License-Identifier: MIT
# dump prints what apitrace prints, for each option; repack and apitrace read each other's files.
# usage: like_apitrace.sh TRACE_CLI SAMPLE_TRACE DATA_DIR
set -u
command -v apitrace >/dev/null || { echo "apitrace is not installed"; exit 77; }
cli=$1 sample=$2 data=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$sample" sample.trace || exit 1
failures=0
compare()
{
    apitrace dump "$@" >theirs.txt 2>/dev/null
    "$cli" dump "$@" >ours.txt 2>errors.txt
    cmp -s theirs.txt ours.txt && [[ -s theirs.txt ]] && return
    echo "dump $* differs:"
    diff theirs.txt ours.txt | head -n 10
    cat errors.txt
    failures=1
}

for trace in sample.trace "$data"/{tri,incomplete-call,all-types}.trace; do
    compare "$trace"
    compare -v "$trace"
    compare -v --color=always "$trace"
    compare -v --color=always --multiline=no --thread-ids=yes "$trace"
    compare --color=always --arg-names=no --call-nos=no "$trace"
    compare --thread-ids --arg-names=false --call-nos=yes --multiline=true "$trace"
    compare --grep='[gG]l' --calls='1-/2' "$trace"
    compare --calls=2,4-6 --calls='*/frame' --color=never "$trace"
done
compare --blobs sample.trace

for trace in sample.trace "$data"/{tri,all-types}.trace; do
    "$cli" dump -v "$trace" >expected.txt
    for option in -s -g -b4; do
        "$cli" repack "$option" "$trace" ours.trace || failures=1
        apitrace dump -v ours.trace 2>/dev/null | cmp - expected.txt || failures=1
    done
    for option in -s -z --brotli=4; do
        apitrace repack "$option" "$trace" theirs.trace || failures=1
        "$cli" dump -v theirs.trace | cmp - expected.txt || failures=1
        "$cli" repack -z theirs.trace ours.trace && "$cli" repack - back.trace <ours.trace || failures=1
        apitrace dump -v back.trace 2>/dev/null | cmp - expected.txt || failures=1
    done
done
exit $failures
