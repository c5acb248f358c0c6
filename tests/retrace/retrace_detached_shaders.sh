#!/bin/bash
# SPDX-License-Identifier: MIT
# State dumps show the shaders that a program was linked from, though it has detached them, and the replay does the
# same as without dumps.
# usage: retrace_detached_shaders.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
source "$1"
require python3
start_x
[[ -z ${TRACE_SANITIZE-} ]] || skip 'a program with a sanitizer takes no preloaded library before its runtime'

run 0 "$cli" trace -o app.trace -- "$apps/detached_shaders"
calls=$("$cli" dump app.trace | sed -n 's/^\([0-9]*\) glRectf.*/\1/p' | paste -sd,)
for options in '' --headless; do
    run 0 "$cli" retrace ${options:+"$options"} -D "$calls" app.trace
    python3 -c 'import json, sys
for line in sys.stdin:
    shaders = json.loads(line)["shaders"]
    print(*(stage + ":" + text[text.index("//") + 2 :] for stage, text in sorted(shaders.items())), sep=",")' \
        <out.txt >shaders.txt || fail "no states: $(cat err.txt)"
    cat >expected.txt <<'END'
GL_FRAGMENT_SHADER: first,GL_VERTEX_SHADER: both
GL_FRAGMENT_SHADER: second,GL_VERTEX_SHADER: both
GL_FRAGMENT_SHADER: not linked
GL_FRAGMENT_SHADER: not linked
END
    same "shaders $options" shaders.txt expected.txt
    run 0 "$cli" retrace ${options:+"$options"} -s - --snapshot-format=MD5 app.trace && mv out.txt plain.txt
    run 0 "$cli" retrace ${options:+"$options"} -s - --snapshot-format=MD5 -D "$calls" --dump-prefix=d- app.trace
    same "pictures $options" out.txt plain.txt
    run 0 "$cli" retrace --check ${options:+"$options"} -D "$calls" app.trace
done
finish
