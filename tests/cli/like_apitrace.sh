#!/bin/bash
# SPDX-License-Identifier: MIT
# Compares dump with apitrace's for each option. repack and apitrace must be able to read each other's files.
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
        [[ -s expected.txt ]] || failures=1
    done
    for option in -s -z --brotli=4; do
        apitrace repack "$option" "$trace" theirs.trace || failures=1
        "$cli" dump -v theirs.trace | cmp - expected.txt || failures=1
        "$cli" repack -z theirs.trace ours.trace && "$cli" repack - back.trace <ours.trace || failures=1
        apitrace dump -v back.trace 2>/dev/null | cmp - expected.txt || failures=1
    done
done

# apitrace ignores an index without a warning, whoever wrote it.
for trace in sample.trace "$data"/{tri,all-types}.trace; do
    apitrace dump -v "$trace" >expected.txt 2>&1
    grep -q '(' expected.txt || { echo "apitrace finds no calls in $trace"; failures=1; }
    cp "$trace" with.trace && "$cli" index with.trace || failures=1
    apitrace dump -v with.trace 2>&1 | cmp - expected.txt || failures=1
    for option in -s -g -b4; do
        "$cli" repack "$option" "$trace" with.trace || failures=1
        apitrace dump -v with.trace 2>&1 | cmp - expected.txt || failures=1
        "$cli" index -f with.trace || failures=1
        apitrace dump -v with.trace 2>&1 | cmp - expected.txt || failures=1
    done
done

# The output is the same, and not empty.
compare_outputs()
{
    "$cli" "$@" >ours.txt 2>errors.txt
    apitrace "$@" >theirs.txt 2>>errors.txt
    cmp ours.txt theirs.txt && [[ -s theirs.txt ]] && return
    echo "$* differs, or prints nothing:"
    cat errors.txt
    failures=1
}

# info: the same bytes, except for the size of gzip streams, which apitrace gets wrong.
for trace in sample.trace "$data"/{tri,incomplete-call}.trace; do
    for option in "" --dump-frames; do
        compare_outputs info $option "$trace"
    done
done

# pickle: the same bytes. (The samples have integers that apitrace gets wrong.)
for options in "" -s --calls=5-20; do
    compare_outputs pickle $options "$data/tri.trace"
    compare_outputs pickle $options --calls=5-100 "$data/all-types.trace"
done
compare_outputs pickle "$data/incomplete-call.trace"
compare_outputs pickle -s "$data/incomplete-call.trace"

# trim and sed: apitrace reads our copies, and prints the same as for its own.
compare_copies()
{
    local command=$1 trace=$2
    shift 2
    "$cli" "$command" "$@" -o ours.trace "$trace" 2>/dev/null || failures=1
    apitrace "$command" "$@" -o theirs.trace "$trace" 2>/dev/null
    apitrace dump -v ours.trace >ours.txt
    "$cli" dump -v ours.trace | cmp - ours.txt || failures=1
    apitrace dump -v theirs.trace >theirs.txt
    cmp ours.txt theirs.txt && [[ -s theirs.txt ]] && return
    echo "$command $* $trace differs"
    failures=1
}
for options in --calls=3-20 --calls=15- --frames=0 '--frames=1 --calls=2' --calls=render --calls='*/3' --thread=0; do
    compare_copies trim "$data/tri.trace" $options
done
for options in '-e s/GL_TRIANGLES/GL_POINTS/' '-e s/GL_COLOR_BUFFER_BIT/GL_DEPTH_BUFFER_BIT/ -e s/True/False/' \
    '-e s/0xfc52b0/0x10/ --calls=10-' '--property=a=b' '-e s/GL_TRIANGLES/GL_NOTHING/'; do
    compare_copies sed "$data/tri.trace" $options
done
exit $failures
