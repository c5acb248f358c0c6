#!/bin/bash
# SPDX-License-Identifier: MIT
# Backtraces: who made a call, whatever its stack is like; the program's own backtraces are what they are untraced;
# apitrace prints the same, and its own traces have the same functions, files and lines.
# usage: stacks.sh omit|no-omit|no-tables, as the program was compiled
source "$(dirname "$0")/e2e.sh"
start_x
app=$apps/gl_stacks_$1

# functions TRACE N: the functions of the backtrace of glLineWidth(width = N), innermost first
functions()
{
    "$cli" dump --color=never --grep='^glLineWidth$' "$1" |
        awk -v call="glLineWidth(width = $2)" '
            /^[0-9]+ / { inside = $0 ~ "^[0-9]+ " && substr($0, index($0, " ") + 1) == call; if (inside) print "|"; next }
            /^Backtrace:/ { next }
            inside { name = $0; if (sub(/^[^:]*: /, "", name)) sub(/\+0x.*/, "", name); else name = "?"; print name }' |
        tr '\n' ' '
}

# check_stacks TRACE OUTPUT: each call's backtrace begins as the program says, every time
check_stacks()
{
    local number names found
    while IFS=: read -r number names; do
        found=$(functions "$1" "$number")
        [[ -n $found ]] || fail "$1: glLineWidth($number) has no backtrace"
        # One bar for each call.
        tr '|' '\n' <<<"$found" | sed 1d | grep -vE "^${names//.../.*}( |\$)" >odd.txt &&
            fail "$1: glLineWidth($number) was called by:$names, not: $(head -n 1 odd.txt)"
    done < <(grep -E '^[0-9]+: ' "$2" | sort -u)
}

run 0 "$app" "$apps"
cp out.txt plain.txt
run 0 "$cli" trace --backtrace='glLineWidth' -o app.trace -- "$app" "$apps"
same 'what the program prints' plain.txt out.txt
[[ $(count plain.txt '^[0-9]+: ') -ge 14 ]] || fail "the program makes $(count plain.txt '^[0-9]+: ') calls"
grep -v '^11:' plain.txt >parent.txt
grep '^11:' plain.txt >child.txt
check_stacks app.trace parent.txt
check_stacks app.1.trace child.txt
run 0 "$cli" dump --color=never app.trace
[[ $(count out.txt '^Backtrace:') -eq 13 ]] || fail "$(count out.txt '^Backtrace:') calls have a backtrace, not 13"
contains out.txt "^$app: set_width\+0x[0-9a-f]+: .*/gl_stacks.c:[0-9]+$"
contains out.txt '^.*/plugin_stacks_two.so: other_inner\+0x'

# The same by the environment, by the library alone (which has no names), and for no function.
run 0 env APITRACE_BACKTRACE='# glLine*' "$cli" trace -o variable.trace -- "$app" "$apps"
check_stacks variable.trace parent.txt
run 0 env LD_PRELOAD="$build/lib/trace-cli/gltrace.so" APITRACE_BACKTRACE=glLineWidth TRACE_FILE=alone.trace "$app" "$apps"
run 0 "$cli" dump alone.trace
contains out.txt "^$app\+0x[0-9a-f]+$"
[[ $(count out.txt '^Backtrace:') -eq 13 ]] || fail "$(count out.txt '^Backtrace:') calls of the library alone have a backtrace"
run 0 "$cli" trace -o none.trace -- "$app" "$apps"
run 0 "$cli" dump none.trace
lacks out.txt '^Backtrace:'

# All functions, and a depth.
run 0 "$cli" trace --backtrace --backtrace-depth=40 -o deep.trace -- "$app" "$apps"
check_stacks deep.trace parent.txt
[[ $(functions deep.trace 2 | tr ' ' '\n' | grep -c '^recurse$') -eq 31 ]] || fail "$(functions deep.trace 2)"
run 0 "$cli" dump -v deep.trace
[[ $(count out.txt '^Backtrace:') -eq $(count out.txt '^[0-9]+ [^/]*$') ]] || fail 'a call of deep.trace has no backtrace'
run 0 "$cli" trace --backtrace=glLineWidth --backtrace-depth=1 -o shallow.trace -- "$app" "$apps"
[[ $(functions shallow.trace 1) == '| set_width draw ' ]] || fail "depth 1: $(functions shallow.trace 1)"
run 1 "$cli" trace --backtrace-depth=0 -- "$app" "$apps"
contains err.txt "from 1 to 256, not '0'"

# A program that is deleted while it runs, before its first call. The reason for missing names is only reported
# on request.
cp "$app" removed
cat >remove.sh <<'END'
exec 9<removed
rm removed
exec /proc/self/fd/9 "$@"
END
run 0 "$cli" trace -v --backtrace=glLineWidth -o removed.trace -- sh remove.sh "$apps"
contains err.txt '^trace-cli: backtraces: .*removed'
run 0 "$cli" dump removed.trace
[[ $(count out.txt '^Backtrace:') -eq 13 ]] || fail "$(count out.txt '^Backtrace:') calls of a removed program have a backtrace"
grep -E '^([1-8]|12):' parent.txt >early.txt
check_stacks removed.trace early.txt # its file is there as long as it runs

# A program without symbols has modules and offsets, and names of exported functions.
cp "$app" stripped
strip stripped
run 0 "$cli" trace --backtrace=glLineWidth -o stripped.trace -- ./stripped "$apps"
run 0 "$cli" dump stripped.trace
contains out.txt '^\./stripped\+0x[0-9a-f]+$'
[[ $(count out.txt '^Backtrace:') -eq 13 ]] || fail "$(count out.txt '^Backtrace:') calls of a stripped program have a backtrace"

# Its debug information in another directory.
if [[ $1 == omit ]]; then
    id=$(readelf -n "$app" | sed -n 's/.*Build ID: //p')
    mkdir -p debug/.build-id/"${id:0:2}"
    objcopy --only-keep-debug "$app" "debug/.build-id/${id:0:2}/${id:2}.debug"
    run 0 "$cli" trace --backtrace=glLineWidth --debug-directory=nowhere --debug-directory=debug -o debug.trace -- ./stripped "$apps"
    contains err.txt '^warning: nowhere: no debug information: No such file or directory$'
    check_stacks debug.trace parent.txt

    # The same later and elsewhere: the trace contains the build-ids.
    mkdir elsewhere
    cd elsewhere || exit 1
    run 0 "$cli" symbolize -d ../debug -o later.trace ../stripped.trace
    check_stacks later.trace ../parent.txt
    run 0 "$cli" repack --zstd ../stripped.trace repacked.trace
    run 0 "$cli" symbolize -d ../debug -o later.trace repacked.trace
    check_stacks later.trace ../parent.txt
    cp ../stripped.trace indexed.trace
    run 0 "$cli" index --force indexed.trace
    run 0 "$cli" symbolize -d ../debug -o later.trace indexed.trace
    check_stacks later.trace ../parent.txt
    # Copies know the builds, too.
    run 0 "$cli" trim --calls=5- -o trimmed.trace ../stripped.trace
    run 0 "$cli" sed -e s/GL_NO_SUCH/GL_ELSE/ -o edited.trace trimmed.trace
    run 0 "$cli" index edited.trace
    contains out.txt 'has an index already'
    run 0 "$cli" symbolize -d ../debug -o later.trace edited.trace
    check_stacks later.trace ../parent.txt
    cp "$apps/gl_stacks_no-omit" stripped # another build
    run 0 "$cli" symbolize -o wrong.trace ../stripped.trace
    contains err.txt '^warning: ./stripped: this is not the file that ran: its build-id differs$'
    run 0 "$cli" symbolize -o wrong.trace edited.trace
    contains err.txt '^warning: ./stripped: this is not the file that ran: its build-id differs$'
    lacks err.txt 'names may be wrong'
    lacks <("$cli" dump wrong.trace) 'stripped: .*gl_stacks'
    run 0 "$cli" symbolize -d ../debug -o later.trace ../stripped.trace
    check_stacks later.trace ../parent.txt
    cd ..
fi
run 1 "$cli" trace --backtrace='glNoSuch*, x' -- "$app" "$apps"
contains err.txt "no function is called 'glNoSuch\*, x'"
run 0 env APITRACE_BACKTRACE=glNoSuch "$cli" trace -o unknown.trace -- "$app" "$apps"
contains err.txt "APITRACE_BACKTRACE=glNoSuch: no function has such a name"

# Files that only the program can see, in a mount of its own that ends with the program.
if command -v unshare >/dev/null && unshare -m true 2>/dev/null; then
    mkdir mounted
    cat >inside.sh <<'END'
mount -t tmpfs none mounted && cp "$1" mounted/hidden_app && exec "$PWD/mounted/hidden_app" "$2"
END
    run 0 "$cli" trace --backtrace=glLineWidth -o hidden.trace -- unshare -m sh inside.sh "$app" "$apps"
    check_stacks hidden.trace parent.txt
    [[ ! -e mounted/hidden_app ]] || fail 'the program is to be seen from outside'
fi

# A killed program's backtraces are in the trace, too.
run 137 "$cli" trace --backtrace='glClearStencil' -o killed.trace -- "$apps/gl_exits" kill
run 0 "$cli" dump --grep=glClearStencil killed.trace
contains out.txt 'main'

# Other output formats have backtraces, too.
run 0 "$cli" dump --format=json --grep='^glLineWidth$' app.trace
contains out.txt '"outer_function"'
run 0 "$cli" retrace --headless app.trace

if command -v apitrace >/dev/null; then
    same_dump app.trace
    same_dump alone.trace
    apitrace replay --headless app.trace >replay.out 2>replay.err || fail "apitrace replay: status $?"
    [[ $1 != no-tables ]] || finish # they are needed there
    APITRACE_BACKTRACE=glLineWidth apitrace trace -o theirs.trace "$app" "$apps" >/dev/null 2>&1
    # Without offsets, which are theirs from the beginning of the module, and without the C library's frames. Up to
    # the first library that is loaded later: apitrace knows no debug information of those, takes the second for
    # the first, and breaks its trace when the program forks.
    for trace in app theirs; do
        "$cli" dump --color=never --grep='^glLineWidth$' "$trace.trace" 2>/dev/null | sed '/plugin_stacks/,$d' |
            grep "^$app: [a-z]" | sed -E 's/\+0x[0-9a-f]+//' >"$trace.lines"
    done
    [[ $(wc -l <theirs.lines) -ge 40 ]] || fail "apitrace has $(wc -l <theirs.lines) frames of the program"
    same "apitrace's backtraces" theirs.lines app.lines
fi
finish
