#!/bin/bash
# SPDX-License-Identifier: MIT
# Programs with odd but legal lives of objects, contexts and mappings run the same when they are traced, and get the same
# answers when they are replayed, in every window system.
# usage: retrace_odd_lives.sh E2E_LIBRARY DATA_DIRECTORY CHECK_PIXELS
source "$1"
start_x
[[ -z ${TRACE_SANITIZE-} ]] || skip 'a program with a sanitizer takes no preloaded library before its runtime'

for program in gl_odd_lives es_odd_lives; do
    run 0 "$apps/$program"
    cp out.txt untraced.txt
    run 0 "$cli" trace -o $program.trace -- "$apps/$program"
    same "$program: traced or not" untraced.txt out.txt
    for options in '' --singlethread --headless --contexts=GLX --contexts=EGL; do
        # shellcheck disable=SC2086
        run 0 "$cli" retrace --check $options $program.trace || cat out.txt
        contains out.txt '^Checked [0-9]+ answers'
        contains out.txt '^No differences$'
        lacks err.txt 'could not be replayed'
    done
done

# Pictures and dumps leave alone what could not be bound again.
run 0 "$cli" retrace --check -s shots- -S '*/draw' -D '*/draw' --dump-prefix=state- gl_odd_lives.trace
contains out.txt '^No differences$'
contains err.txt 'no snapshot of framebuffer [0-9]+: another context has deleted'
contains err.txt 'cannot be read: another context has deleted'
finish
