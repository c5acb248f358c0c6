#!/bin/bash
# SPDX-License-Identifier: MIT
# Tests repack --verify on a disk that flips a bit: it reports an error and leaves no file. Without --verify,
# the error is not noticed.
# usage: repack_verify.sh TRACE_CLI FLIP_BIT_LIBRARY TRACE
set -u
cli=$1 flip_bit=$2 trace=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS=verify_asan_link_order=0:${ASAN_OPTIONS-}
failures=0
fail()
{
    echo "$*"
    failures=1
}
cd "$work" || exit 1
for option in -s -g -z -b1; do
    "$cli" repack --verify $option "$trace" good.trace || fail "$option: refused a good file"
    echo old >out.trace
    FLIP_AT=9000 LD_PRELOAD=$flip_bit "$cli" repack --verify $option "$trace" out.trace 2>errors.txt &&
        fail "$option: not noticed"
    grep -q '^error: out.trace: verification failed; no file was changed: ' errors.txt || fail "$option: $(cat errors.txt)"
    [[ $(cat out.trace) == old ]] || fail "$option: the file was replaced"
    [[ $(echo *) == "errors.txt good.trace out.trace" ]] || fail "$option: left behind: $(echo *)"
    FLIP_AT=9000 LD_PRELOAD=$flip_bit "$cli" repack $option "$trace" out.trace || fail "$option: failed without --verify"
    cmp -s good.trace out.trace && fail "$option: no bit was turned"
done
exit "$failures"
