#!/bin/bash
# SPDX-License-Identifier: MIT
# State dumps show textures of OpenGL ES that framebuffers cannot read, and the replay continues as without them.
# usage: retrace_es_textures.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
here=$(cd "$(dirname "$0")" && pwd)
check_pixels=$3
source "$1"
require python3
start_x
[[ -z ${TRACE_SANITIZE-} ]] || skip 'a program with a sanitizer takes no preloaded library before its runtime'

frames() # TRACE OPTION…: prints a checksum of each picture
{
    "$cli" retrace -s - --snapshot-format=MD5 -S '*/frame,*/draw' "${@:2}" "$1" 2>err.txt || cat err.txt
}

# check NAME VERSION PATTERN OPTION…: records the program, and dumps its state by a replay with options. PATTERN: of
# the textures that are checked.
check()
{
    local name=$1 version=$2 pattern=$3 call
    shift 3
    timeout 300 "$cli" trace -o "$name.trace" "$apps/es_textures" "$version" >"$name.txt" 2>&1
    [[ -s $name.trace ]] || fail "no trace with OpenGL ES $name"
    call=$("$cli" dump --calls='*/draw' "$name.trace" | sed -n 's/^\([0-9]*\) .*/\1/p' | head -n 1)
    run 0 "$cli" retrace "$@" -D "$call" "$name.trace" && mv out.txt "$name.json"
    grep -E "^[0-9]+ ($pattern)$" "$name.txt" >list.txt || fail "OpenGL ES $name has no textures"
    python3 "$here/check_es_textures.py" "$name.json" list.txt >wrong.txt 2>&1 ||
        fail "OpenGL ES $name $*: $(head -n 5 wrong.txt)"
    frames "$name.trace" "$@" >plain.txt
    frames "$name.trace" "$@" -D '*/frame,*/draw' --dump-prefix="$work/all-" >dumped.txt
    [[ -s plain.txt ]] || fail "no pictures of $name"
    same "pictures with dumps, OpenGL ES $name $*" plain.txt dumped.txt
    rm -f "$work"/all-*
    run 0 "$cli" retrace --check "$@" -D "$call" "$name.trace"
}

check 1.1 1 '.*' --headless
check 1.1 1 '.*'
# Mesa makes contexts of OpenGL ES 2 those of the latest version.
check 2 2 '.*' --headless
check 3 3 '.*' --headless
check 3 3 '.*'
MESA_GLES_VERSION_OVERRIDE=3.1 check 3.1 3 '.*' --headless
# Without a later version, integers, compressed textures and other floats are not known.
bytes='alpha|luminance|luminance_alpha|cube_luminance'
MESA_GLES_VERSION_OVERRIDE=3.0 check 3.0 3 "$bytes|mipmaps|array_luminance|srgb8|.*depth.*" --headless
MESA_GLES_VERSION_OVERRIDE=2.0 check 2.0 2 "$bytes" --headless

# pictures VERSION COUNT OPTION…: pictures of framebuffers with attachments of all kinds
pictures()
{
    local version=$1 count=$2 calls
    shift 2
    run 0 "$cli" trace -o attachments.trace "$apps/es_attachments" "$version" || cat err.txt
    calls=$("$cli" dump attachments.trace | sed -n 's/^\([0-9]*\) glClear(.*/\1/p' | paste -sd,)
    run 0 "$cli" retrace "$@" -s shown- -S "$calls" attachments.trace
    lacks err.txt 'warning'
    local expected=('32 16 5,5=255,0,0' '32 16 5,5=0,255,0' '16 16 5,5=0,0,255' '8 4 3,3=255,255,255') i=0
    for call in ${calls//,/ }; do
        # shellcheck disable=SC2086
        run 0 "$check_pixels" "shown-$(printf %010d "$call").png" ${expected[i]} || cat err.txt
        i=$((i + 1))
    done
    [[ $i == "$count" ]] || fail "OpenGL ES $version: $i pictures"
}

pictures 1 2 --headless
pictures 2 3
pictures 3 4 --headless
MESA_GLES_VERSION_OVERRIDE=3.0 pictures 3 4 --headless
MESA_GLES_VERSION_OVERRIDE=2.0 pictures 2 3 --headless
finish
