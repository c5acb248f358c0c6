#!/bin/bash
# SPDX-License-Identifier: MIT
# Sourced by the tests of XRay: builds programs with clang.
# shellcheck shell=bash disable=SC2154

# xray_build SOURCE PROGRAM OPTION…: skips the test if clang, or XRay's runtime, is missing
xray_build()
{
    local source=$1 program=$2 compiler=clang
    shift 2
    [[ $source == *.cpp ]] && compiler=clang++
    require "$compiler"
    "$compiler" -g -fxray-instrument -fxray-instruction-threshold=1 -pthread "$@" -o "$program" "$source" 2>build.txt &&
        return
    grep -q 'libclang_rt.xray' build.txt && skip "XRay's runtime for clang is not installed (libclang-rt-dev)"
    fail "clang does not build $source"
    cat build.txt
    exit 1
}

# xray_counts LOG PROGRAM: prints "FUNCTION COUNT" for the functions that the program counts itself
xray_counts()
{
    "$cli" account -f csv -m "$2" "$1" 2>account.txt | awk -F, 'NR > 1 { gsub(/"/, "", $NF); print $NF, $2 }' |
        grep -E '^(leaf|tree|logged|handled) ' | sort
}

# check_counts WHAT LOG PROGRAM FILE: the log has as many calls as the program has printed
check_counts()
{
    grep -E '^(leaf|tree|logged|handled) [1-9]' "$4" | sort >counted.txt
    xray_counts "$2" "$3" >recorded.txt
    [[ -s counted.txt ]] || fail "$1: the program has counted nothing"
    same "$1: calls counted and recorded" counted.txt recorded.txt
}
