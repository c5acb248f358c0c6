#!/bin/bash
# SPDX-License-Identifier: MIT
# Asks fish for its completions. usage: completion_fish.sh COMPLETIONS
script=$(realpath "$1")/trace-cli.fish
source "$(dirname "$0")/expect.sh"
require fish
export HOME=$work LC_ALL=C.UTF-8
fish --no-execute "$script" || exit 1

# Fish prints a tab and a description after each word.
offers()
{
    fish -c 'source $argv[1]; complete -C $argv[2]' "$script" "$1" 2>&1 | cut -f1
}

expect_the_same_everywhere
expect 'trace-cli dump --color=' --color=auto --color=always --color=never
expect 'trace-cli info --stats=t' --stats=table
expect_among 'trace-cli diff --ignore pointers,' pointers,handles pointers,blobs
expect_among 'trace-cli dump ' app.trace directory/
expect_among 'trace-cli trim -o ' notes.txt
expect_among 'trace-cli trace -o x ca' cat
expect 'trace-cli trace -o x fish --no-e' --no-execute
expect_among 'trace-cli dump --calls ' frame draw
exit $((failures != 0))
