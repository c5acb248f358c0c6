#!/bin/bash
# SPDX-License-Identifier: MIT
# Calls bash's completion function in the same way as readline. usage: completion_bash.sh COMPLETIONS
script=$(realpath "$1")/trace-cli
source "$(dirname "$0")/expect.sh"
bash -n "$script" || exit 1
source "$script"
complete -p trace-cli >/dev/null || exit 1

# Splits the line at blanks and at "=", as readline does.
offers()
{
    local line=$1
    [[ $COMP_WORDBREAKS != *=* ]] || line=${line//=/ = }
    read -r -a COMP_WORDS <<<"$line"
    [[ $line != *' ' || $1 == *= ]] || COMP_WORDS+=('')
    [[ $1 != *= || $COMP_WORDBREAKS != *=* ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$1 COMP_POINT=${#1}
    _trace_cli trace-cli "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    [[ ${#COMPREPLY[@]} -eq 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
}

expect_the_same_everywhere
expect 'trace-cli dump --co' --color
expect 'trace-cli dump --call' --calls= --call-nos
expect 'trace-cli dump --color=' auto always never
expect 'trace-cli dump --color=al' always
expect 'trace-cli dump --colour=n' never
expect 'trace-cli info --stats=' table json
expect 'trace-cli dump --call-nos=' yes no
expect 'trace-cli diff --ignore pointers,ha' pointers,handles
expect 'trace-cli diff --ignore=bl' blobs
expect 'trace-cli dump --calls frame,re' frame,rendertarget frame,render
expect 'trace-cli leaks --kind=texture,frameb' texture,framebuffer
expect 'trace-cli dump --format=j' json
expect 'trace-cli dump ' app.trace app2.trace 'two words.trace' directory
expect 'trace-cli dump --color=never app' app.trace app2.trace
expect 'trace-cli dump -- --v'
expect 'trace-cli repack -z app2' app2.trace
expect 'trace-cli trim --thread '
expect 'trace-cli trim --thread 1 di' directory
expect 'trace-cli trim --output x app2' app2.trace
expect_among 'trace-cli trace -o x.trace ca' cat
expect_among 'trace-cli trace -- ca' cat
expect 'trace-cli trace cat --out'
expect 'trace-cli frobnicate '

# For users who have removed "=" from the word separators.
COMP_WORDBREAKS=${COMP_WORDBREAKS//=/}
expect 'trace-cli dump --color=al' --color=always
expect 'trace-cli diff --ignore=pointers,r' --ignore=pointers,returns
exit $((failures != 0))
