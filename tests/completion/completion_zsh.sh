#!/bin/bash
# SPDX-License-Identifier: MIT
# Types lines into a zsh on a pseudo-terminal and checks what its completion offers.
# usage: completion_zsh.sh COMPLETIONS
script=$(realpath "$1")/_trace-cli
capture=$(realpath "$(dirname "$0")")/capture.zsh
source "$(dirname "$0")/expect.sh"
require zsh
export HOME=$work LC_ALL=C.UTF-8
zsh -n "$script" || exit 1

offers()
{
    zsh -f "$capture" "$(dirname "$script")" "$1"
}

expect_the_same_everywhere
expect 'trace-cli dump --color=' auto always never
expect 'trace-cli info --stats=t' table
expect_among 'trace-cli diff --ignore pointers,' handles blobs
expect_among 'trace-cli dump ' app.trace app2.trace
expect_among 'trace-cli trim -o ' notes.txt
expect_among 'trace-cli trace -o x ca' cat
exit $((failures != 0))
