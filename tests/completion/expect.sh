# SPDX-License-Identifier: MIT
# Sourced by the tests of this directory: creates a directory with some files to complete, and compares
# results. A test defines the function offers LINE, which prints what the shell offers at the end of LINE, one
# word on each line.
# shellcheck shell=bash
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir directory
touch app.trace app2.trace notes.txt 'two words.trace'
failures=0

require()
{
    command -v "$1" >/dev/null || { echo "$1 is not installed"; exit 77; }
}

# expect LINE WORD…: exactly these are offered, in any order.
expect()
{
    local line=$1 wanted found
    shift
    wanted=$(printf '%s\n' "$@" | sort)
    found=$(offers "$line" | sort)
    [[ $found == "$wanted" ]] && return
    printf '%s|: offered instead of the words marked with "-":\n' "$line"
    diff -u <(echo "$wanted") <(echo "$found") | tail -n +4
    failures=$((failures + 1))
}

# expect_among LINE WORD…: these are offered, and perhaps others.
expect_among()
{
    local line=$1 found word
    shift
    found=$(offers "$line")
    for word in "$@"; do
        grep -qxF -- "$word" <<<"$found" && continue
        printf '%s|: "%s" is not among what is offered:\n%s\n' "$line" "$word" "$found"
        failures=$((failures + 1))
    done
}

# What all shells offer in the same way, whatever their syntax.
expect_the_same_everywhere()
{
    expect_among 'trace-cli ' trace dump info diff pickle trim sed repack retrace replay help version
    expect 'trace-cli du' dump dump-images
    expect 'trace-cli --ver' --version
    expect_among 'trace-cli dump -' -v --verbose --utf8 --color
    expect_among 'trace-cli replay --s' --sb --singlethread
    expect 'trace-cli help tri' trigger trim
    expect 'trace-cli trace --api eg' egl
    expect 'trace-cli retrace --snapshot-format M' MD5
    expect 'trace-cli repack --zst' --zstd
    # Formats that can be written. There may be more in the future.
    expect_among 'trace-cli convert --to ' apitrace sp-rtrace-text
    expect 'trace-cli convert --to sp-' sp-rtrace sp-rtrace-1.4 sp-rtrace-text
    # After the name of another command, which is an operand here: the first command's options.
    expect 'trace-cli dump trace --verb' --verbose
}
