#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs an unusual but valid program of tests/apps/odd_*. When traced, it must print the same and end in the
# same way as without tracing, and the trace must contain its calls. The program's source says what the trace
# must contain, in comment lines of these forms:
#   expect: REGEX         a line of `dump -v` matches
#   lacks: REGEX          no line matches
#   utf8: REGEX           a line of `dump --utf8` matches
#   count: N REGEX        exactly N lines match
#   before: REGEX         a line and the one behind it, joined by a blank, match
#   stacks: REGEX         each line that matches has a backtrace, if backtraces are recorded
#   arguments: ARG…       the program's arguments (one run for each such line; without one, a run without arguments)
#   stderr: REGEX         a line of our own on stderr, which is allowed; others are not
#   status: N             the exit status of `trace`, where it is not to be the program's
#   pictures: W H         replays, ours and apitrace's, show the frames of W x H pixels that the program read back
#                         (app_glx_present() does), and have no warnings
#   apitrace: no          apitrace's dump and replay of the trace are not compared, and why
# Our own replay gets to the end of each trace.
# usage: unharmed.sh PROGRAM SOURCE
source "$(dirname "$0")/e2e.sh"
program=$1
source=$2
[[ -n ${DISPLAY-} ]] || start_x

directives() # KIND: the texts of that kind
{
    sed -nE "s|^[ */]*$1: +(.*[^ */])[ */]*\$|\\1|p" "$source"
}

# One in the middle of a line, where an editor may have put it, would be looked over.
lacks "$source" '^ \* .+ (expect|lacks|count|before|stacks|utf8|arguments|stderr|status|pictures|apitrace): '

check_calls() # the expectations about app.txt
{
    [[ -z ${APITRACE_BACKTRACE-} ]] || contains app.txt '^Backtrace:'
    local regex number
    while read -r regex; do contains app.txt "$regex"; done < <(directives expect)
    while read -r regex; do lacks app.txt "$regex"; done < <(directives lacks)
    awk '{ print before " " $0; before = $0 }' app.txt >pairs.txt
    while read -r regex; do contains pairs.txt "$regex"; done < <(directives before)
    [[ -z ${APITRACE_BACKTRACE-} ]] || while read -r regex; do
        [[ $(count app.txt "$regex") -eq $(count pairs.txt "$regex.* Backtrace:\$") && $(count app.txt "$regex") -gt 0 ]] ||
            fail "$(count pairs.txt "$regex.* Backtrace:\$") of $(count app.txt "$regex") lines with backtraces are like: $regex"
    done < <(directives stacks)
    run 0 "$cli" dump --utf8 --color=never app.trace
    while read -r regex; do contains out.txt "$regex"; done < <(directives utf8)
    while read -r number regex; do
        [[ $(count app.txt "$regex") -eq $number ]] ||
            fail "$(count app.txt "$regex") lines instead of $number are like: $regex"
    done < <(directives count)
}

check_replay() # ours gets to the end
{
    timeout 600 "$cli" retrace --headless app.trace >replay.out 2>replay.err || fail "retrace: status $?"
}

check_apitrace() # apitrace prints the same and replays without complaint
{
    command -v apitrace >/dev/null || return
    same_dump app.trace
    if ! timeout 600 apitrace replay --headless app.trace >replay.out 2>replay.err; then
        fail "apitrace replay: status $?"
        tail -n 5 replay.err
    fi
}

same_frames() # WIDTH HEIGHT SKIP COMMAND…: its pictures are those in drawn.raw, but for the first SKIP frames
{
    local width=$1 height=$2 skip=$3 frames channels
    run 0 "${@:4}" -s - --snapshot-format=MD5 app.trace || return
    frames=$(wc -l <out.txt)
    grep -av 'warning: glGetError(' err.txt >warnings.txt # errors are the program's own
    lacks warnings.txt warning
    run 0 "${@:4}" -s - --snapshot-format=RGB app.trace || return
    channels=$(($(stat -c %s out.txt) / (width * height * frames))) # three or four, as the window has
    tail -c +$((skip * width * height * channels + 1)) out.txt >replayed.raw
    tail -c +$((skip * width * height * 4 + 1)) drawn.raw >expected.raw
    run 0 "$apps/compare_frames" "$width" "$height" "$channels" expected.raw replayed.raw || cat out.txt
}

check_pictures() # WIDTH HEIGHT; apitrace's window has another size in its first frame
{
    run 0 "$cli" dump --blobs --grep='^glReadPixels$' app.trace
    grep -oE 'blob_call[0-9_]+\.bin' out.txt | sort -u -V | xargs cat >drawn.raw
    same_frames "$1" "$2" 0 "$cli" retrace --headless
    [[ -n $(directives apitrace) ]] || ! command -v apitrace >/dev/null ||
        same_frames "$1" "$2" 1 apitrace replay --headless
    rm -f blob_call*.bin
}

run_once() # ARGUMENT…
{
    local status=0 traced=0 wanted width height
    rm -f app.trace app.*.trace
    timeout 600 "$program" "$@" >plain.out 2>plain.err </dev/null || status=$?
    timeout 600 "$cli" trace -o app.trace -- "$program" "$@" >traced.out 2>traced.err </dev/null || traced=$?
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
    check_replay
    [[ -n $(directives apitrace) ]] || check_apitrace
    while read -r width height; do check_pictures "$width" "$height"; done < <(directives pictures)
}

mapfile -t lines < <(directives arguments)
for arguments in "${lines[@]-}"; do
    read -r -a words <<<"$arguments"
    run_once "${words[@]}"
done
finish
