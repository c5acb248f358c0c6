#!/bin/bash
# SPDX-License-Identifier: MIT
# State dumps say the same as apitrace's, and do not disturb the replay.
# usage: retrace_states.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
data=$2 here=$(cd "$(dirname "$0")" && pwd)
source "$1"
require python3 apitrace
start_x
[[ -z ${TRACE_SANITIZE-} ]] || skip 'a program with a sanitizer takes no preloaded library before its runtime'

compare() # EXPECTED ACTUAL: two dumps
{
    python3 "$here/compare_states.py" --expected="$here/expected_states.txt" "$1" "$2" >difference.txt 2>&1 && return
    fail "$1 and $2 differ"
    head -n 20 difference.txt
}

like_apitrace() # TRACE CALL
{
    apitrace replay --headless -D "$2" "$1" >theirs.json 2>/dev/null
    run 0 "$cli" retrace -D "$2" "$1" && mv out.txt ours.json && compare theirs.json ours.json
}

last_draw() # TRACE
{
    "$cli" dump --calls='*/draw' "$1" | sed -n 's/^\([0-9]*\) .*/\1/p' | tail -n 1
}

record() # NAME COMMAND…
{
    local name=$1
    shift
    timeout 20 "$cli" trace -o "$name.trace" "$@" >/dev/null 2>&1
    [[ -s $name.trace ]] || fail "no trace of $*"
}

# A later frame of the fixed pipeline, and of a program of OpenGL ES: apitrace's windows begin with a size
# of 32 x 32, and always have an alpha channel.
tri=$data/tri.trace
for program in glxgears es2gears_x11; do
    command -v "$program" >/dev/null || continue
    timeout 1 "$cli" trace -o "$program.trace" "$program" >/dev/null 2>&1
    frame=$("$cli" dump --calls='*/frame' "$program.trace" | sed -n 's/^\([0-9]*\) .*/\1/p' | head -n 20 | tail -n 1)
    like_apitrace "$program.trace" $((frame - 1))
done

# A core profile: buffers, shaders, uniform blocks.
record core "$apps/glfw_buffers"
like_apitrace core.trace "$(last_draw core.trace)"

# Programs of piglit, if they are there: integer textures, images of shaders.
piglit=/usr/lib/x86_64-linux-gnu/piglit/bin
for program in fbo-integer arb_shader_image_load_store-layer; do
    [[ -x $piglit/$program ]] || continue
    record piglit "$piglit/$program" -auto -fbo
    like_apitrace piglit.trace "$(last_draw piglit.trace)"
done

# Contexts of all kinds can be dumped.
for kind in compat core es1 es2 es3; do
    record "$kind" "$apps/gl_queries" "$kind"
    run 0 "$cli" retrace --headless -D 0-100000 --dump-prefix="$work/$kind-" "$kind.trace"
    files=("$work/$kind"-*.json)
    python3 -c 'import json, sys; sys.exit("parameters" not in json.load(open(sys.argv[1])))' "${files[-1]}" ||
        fail "$kind: ${files[-1]}"
done

# Several calls in one run have a line each. The replay ends after the last one.
run 0 "$cli" retrace --headless -D 19,27 "$tri"
[[ $(wc -l <out.txt) -eq 2 ]] || fail "$(wc -l <out.txt) dumps instead of 2"
tail -n 1 out.txt >second.json
run 0 "$cli" retrace --headless -D 27 "$tri"
same 'the same call alone' second.json out.txt
contains err.txt '^Rendered 0 frames'

# What apitrace says about two of them, which are different, is what diff-state says.
run 0 "$cli" retrace --headless -D 19 "$tri" && mv out.txt first.json
for option in '' --keep-images --ignore-added; do
    # shellcheck disable=SC2086 # none or one
    apitrace diff-state $option first.json second.json >theirs.txt
    run 1 "$cli" diff-state $option first.json second.json
    same "differences${option:+ with $option}" theirs.txt out.txt
done

# UBJSON has the same contents, in a file.
run 0 "$cli" retrace --headless -D 27 --dump-format=ubjson --dump-prefix="$work/binary-" "$tri"
compare second.json "$work/binary-0000000027.ubj"
run 0 "$cli" diff-state --keep-images second.json "$work/binary-0000000027.ubj"

# The replay continues normally.
for trace in tri core; do
    [[ $trace == tri ]] && file=$tri || file=$trace.trace
    run 0 "$cli" retrace --headless -s - --snapshot-format=MD5 -S '*/frame,*/draw' "$file"
    mv out.txt plain.txt
    run 0 "$cli" retrace --headless -s - --snapshot-format=MD5 -S '*/frame,*/draw' -D '*' \
        --dump-prefix="$work/all-" "$file"
    same "pictures of $trace" plain.txt out.txt
    rm -f "$work"/all-*
done
run 0 "$cli" retrace --headless --check -D '*' --dump-prefix="$work/all-" core.trace

run 1 "$cli" retrace --headless -D 99999 "$tri"
contains err.txt '^error: no state was dumped'
run 1 "$cli" retrace --headless -D 27 --dump-prefix=/nowhere/x "$tri"
contains err.txt '^error: .*/nowhere/x0000000027.json'
run 1 "$cli" retrace --dump-format=xml "$tri"
contains err.txt "^error: unknown format of state dumps 'xml'"
finish
