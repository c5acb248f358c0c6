# SPDX-License-Identifier: MIT
# Sourced by the end-to-end tests: a scratch directory, a private X server with Mesa's software renderer, and
# checks. The build directory is in TRACE_BUILD_DIR. A test's exit status: 0 passed, 1 failed, 77 skipped (a
# program is missing).
# shellcheck shell=bash
set -u
e2e_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${TRACE_BUILD_DIR:?TRACE_BUILD_DIR must name the build directory}
cli=$build/bin/trace-cli
apps=$build/tests/apps
unset TRACE_FILE LD_PRELOAD
export LIBGL_ALWAYS_SOFTWARE=1 LC_ALL=C GLTRACE_CONF=

work=$(mktemp -d "${TMPDIR:-/tmp}/trace-e2e.XXXXXX")
cd "$work" || exit 1
failures=0

fail() # MESSAGE…: notes a failure and goes on
{
    printf 'FAILED: %s\n' "$*"
    failures=$((failures + 1))
}

skip()
{
    printf 'skipped: %s\n' "$*"
    exit 77
}

require() # PROGRAM…
{
    local program
    for program; do
        command -v "$program" >/dev/null || skip "$program is not installed"
    done
}

clean_up()
{
    [[ -n ${xvfb_process-} ]] && kill "$xvfb_process" 2>/dev/null
    rm -rf "$work"
}
trap clean_up EXIT

start_x() # OPTION…
{
    local number
    require Xvfb
    coproc xvfb { exec Xvfb -displayfd 1 -screen 0 1280x1024x24 -noreset -nolisten tcp "$@" 2>/dev/null; }
    xvfb_process=$xvfb_PID
    if ! read -r -t 60 number <&"${xvfb[0]}"; then
        echo 'Xvfb did not start'
        exit 1
    fi
    export DISPLAY=:$number
}

finish()
{
    [[ $failures -eq 0 ]] && exit 0
    echo "$failures failure(s)"
    exit 1
}

# run STATUS COMMAND…: runs it, expects the status, keeps its output in out.txt and err.txt
run()
{
    local expected=$1 status=0
    shift
    "$@" >out.txt 2>err.txt </dev/null || status=$?
    [[ $status -eq $expected ]] && return 0
    fail "status $status instead of $expected: $*"
    head -n 20 err.txt
    return 1
}

# wait_until COMMAND…: until it succeeds. A busy machine may need minutes for what takes no time on others.
wait_until()
{
    local i
    for ((i = 0; i < 6000; i++)); do
        "$@" && return
        sleep 0.05
    done
    fail "in vain: $*"
}

has_bytes() # FILE NUMBER: more than that?
{
    [[ -e $1 && $(stat -c %s "$1") -gt $2 ]]
}

same() # WHAT FILE FILE
{
    cmp -s "$2" "$3" && return
    fail "$1: $2 and $3 differ"
    diff -a "$2" "$3" | head -n 20
}

contains() # FILE EXTENDED_REGEX
{
    grep -aqE -- "$2" "$1" || fail "$1 has no line like: $2"
}

lacks() # FILE EXTENDED_REGEX
{
    if grep -aqE -- "$2" "$1"; then
        fail "$1 has a line like: $2: $(grep -aE -m 1 -- "$2" "$1")"
    fi
}

count() # FILE EXTENDED_REGEX: prints how many lines match
{
    grep -acE -- "$2" "$1"
}

frames_of() # TRACE
{
    "$cli" info "$1" | sed -n 's/.*"FramesCount": \([0-9]*\).*/\1/p'
}

# Traces a program that only a signal or timeout(1) ends; prints nothing. It runs longer on a busy machine, until there
# are that many frames. TRACE FRAMES SECONDS PROGRAM…
trace_frames()
{
    local seconds=$3 i
    for i in 1 2 3 4; do
        run 124 timeout -s KILL 600 "$cli" trace -o "$1" -- timeout "$seconds" "${@:4}"
        [[ $(frames_of "$1") -ge $2 ]] && return
        seconds=$(awk "BEGIN { print 3 * $seconds }")
    done
    fail "$1: $(frames_of "$1") frames in $seconds seconds"
}

# same_dump TRACE: both tools print the same bytes, with and without the verbose calls.
same_dump()
{
    local options
    for options in "" "-v" "-v --thread-ids --call-nos=no --arg-names=no" "--multiline=no"; do
        # shellcheck disable=SC2086
        apitrace dump --color=never $options "$1" >reference.txt 2>reference.err ||
            fail "apitrace dump $options $1: status $?"
        # shellcheck disable=SC2086
        run 0 "$cli" dump --color=never $options "$1" || continue
        [[ -s out.txt ]] || fail "dump $options $1 printed nothing"
        same "dump $options $1" reference.txt out.txt
    done
}

# replay_pictures COMMAND…: the pictures of a replay without their alpha channels, but for the first one
replay_pictures()
{
    local header width height
    header=$("$@" -s - --snapshot-format=PNM 2>/dev/null | head -n 3)
    read -r width height <<<"${header##*$'\n'}"
    "$@" -s - --snapshot-format=PNM 2>/dev/null | tail -c +$((${#header} + 5 + width * height * 3 + 1))
}

# same_replay API TRACE FRAMES: both tools' replays give the same pictures, and at least FRAMES of them.
# The first frame is left out: apitrace draws it in a window that it has only just resized, so that it holds
# memory that nobody has drawn to. So is the alpha channel of OpenGL ES: apitrace's window always has one, ours
# only if the program's has. pictures.sh checks both against what the program drew.
same_replay()
{
    local lines trace=$2
    run 0 "$cli" retrace --headless -s - --snapshot-format=MD5 "$trace" || return
    lines=$(wc -l <out.txt)
    [[ $lines -ge $3 ]] || fail "replay of $trace: $lines frames, expected at least $3"
    if [[ $1 == egl ]]; then
        replay_pictures "$cli" retrace --headless "$trace" >out.rest.txt
        replay_pictures apitrace replay --headless "$trace" | cmp - out.rest.txt || fail "replay of $trace: the pictures differ"
        [[ -s out.rest.txt ]] || fail "replay of $trace: no pictures"
        rm -f out.rest.txt
        return
    fi
    apitrace replay --headless -s - --snapshot-format=MD5 "$trace" >reference.txt 2>reference.err ||
        fail "apitrace replay $trace: status $?"
    tail -n +2 reference.txt >reference.rest.txt
    tail -n +2 out.txt >out.rest.txt
    same "replay of $trace" reference.rest.txt out.rest.txt
}
