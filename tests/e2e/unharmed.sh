#!/bin/bash
# SPDX-License-Identifier: MIT
# An odd but legal program of tests/apps/odd_*: traced it prints what it prints untraced, ends alike, and the trace has
# its calls. What the trace must have is said in the program's source, in comment lines of these forms:
#   expect: REGEX         a line of `dump -v` matches
#   lacks: REGEX          no line matches
#   count: N REGEX        exactly N lines match
#   arguments: ARG…       the program's arguments (one run for each such line; without one, a run without arguments)
#   stderr: REGEX         a line of our own on stderr, which is allowed; others are not
#   status: N             the exit status of `trace`, where it is not to be the program's
#   apitrace: no          apitrace's dump and replay of the trace are not compared, and why
# usage: unharmed.sh PROGRAM SOURCE
source "$(dirname "$0")/e2e.sh"
program=$1
source=$2
[[ -n ${DISPLAY-} ]] || start_x

directives() # KIND: the texts of that kind
{
    sed -nE "s|^[ */]*$1: +(.*[^ */])[ */]*\$|\\1|p" "$source"
}

check_calls() # the expectations about app.txt
{
    local regex number
    while read -r regex; do contains app.txt "$regex"; done < <(directives expect)
    while read -r regex; do lacks app.txt "$regex"; done < <(directives lacks)
    while read -r number regex; do
        [[ $(count app.txt "$regex") -eq $number ]] ||
            fail "$(count app.txt "$regex") lines instead of $number are like: $regex"
    done < <(directives count)
}

check_apitrace() # apitrace prints the same and replays without complaint
{
    command -v apitrace >/dev/null || return
    same_dump app.trace
    if ! timeout 120 apitrace replay --headless app.trace >replay.out 2>replay.err; then
        fail "apitrace replay: status $?"
        tail -n 5 replay.err
    fi
}

run_once() # ARGUMENT…
{
    local status=0 traced=0 wanted
    rm -f app.trace app.*.trace
    timeout 120 "$program" "$@" >plain.out 2>plain.err </dev/null || status=$?
    timeout 120 "$cli" trace -o app.trace -- "$program" "$@" >traced.out 2>traced.err </dev/null || traced=$?
    wanted=$(directives status)
    [[ $status -ne 99 ]] || skip "$(cat plain.err)" # what the program needs is not here
    [[ $traced -eq ${wanted:-$status} ]] || fail "$program $*: status $traced traced, $status untraced"
    [[ -s plain.out ]] || fail "$program $* prints nothing: the comparison would be empty"
    same "$program $*: stdout" plain.out traced.out
    while read -r regex; do
        contains traced.err "$regex"
        grep -aEv -- "$regex" traced.err >rest.err
        mv rest.err traced.err
    done < <(directives stderr)
    same "$program $*: stderr" plain.err traced.err
    run 0 "$cli" dump -v --color=never app.trace && mv out.txt app.txt && check_calls
    [[ -n $(directives apitrace) ]] || check_apitrace
}

mapfile -t lines < <(directives arguments)
for arguments in "${lines[@]-}"; do
    read -r -a words <<<"$arguments"
    run_once "${words[@]}"
done
finish
