#!/bin/bash
# SPDX-License-Identifier: MIT
# Backtraces through code that the program has made itself: names from /tmp/perf-PID.map, also of a process in
# namespaces of its own.
source "$(dirname "$0")/e2e.sh"
start_x
app=$apps/gl_generated

# callers TRACE: "N: FUNCTION…" for each call, innermost first
callers()
{
    "$cli" dump --color=never --grep='^glLineWidth$' "$1" |
        awk '/^[0-9]+ / { if (line != "") print line; line = $0; sub(/.*= /, "", line); sub(/\)/, ":", line); next }
             /^Backtrace:/ || NF == 0 { next }
             { name = $0; if (!sub(/^[^:]*: /, "", name)) name = "?"; sub(/\+0x.*/, "", name); gsub(/ /, "_", name)
               line = line " " name }
             END { print line }'
}

check() # TRACE
{
    local line
    callers "$1" >callers.txt
    while read -r line; do contains callers.txt "^$line( |\$)"; done < <(grep -E '^[0-9]+:' plain.txt)
    [[ $failures -eq 0 ]] || cat callers.txt
}

# The program does not delete its map, and other tests have maps with such names.
cat >noted.sh <<'END'
echo "/tmp/perf-$$.map" >>maps
exec "$@"
END
trap 'xargs -r rm -f <maps; clean_up' EXIT
sh noted.sh "$app" >plain.txt 2>plain.err || { [[ $? -eq 99 ]] && skip 'no code can be made here'; }
run 0 "$cli" trace -v --backtrace=glLineWidth -o app.trace -- sh noted.sh "$app"
same 'what the program prints' plain.txt out.txt
lacks err.txt 'backtraces:'
check app.trace
run 0 "$cli" dump --grep='^glLineWidth$' app.trace
contains out.txt '^\[JIT\]: compiled again\+0x[0-9a-f]+$'
if command -v apitrace >/dev/null; then same_dump app.trace; fi

# A map that is a symbolic link is ignored, and reported once.
cat >link.sh <<'END'
ln -s "$PWD/secret" /tmp/perf-$$.map
exec "$@"
END
echo '0 ffffffffffffffff secret' >secret
sed 's/fopen(path, "w")/fopen("\/dev\/null", "w")/' "$e2e_dir/../apps/gl_generated.c" >other.c
if gcc -O2 -w -I"$e2e_dir/../apps" -o other other.c "$e2e_dir/../apps/app_glx.c" -lGL -lX11; then
    run 0 "$cli" trace -v --backtrace=glLineWidth -o link.trace -- sh link.sh ./other
    contains err.txt '^trace-cli: backtraces: /tmp/perf-[0-9]*.map: '
    [[ $(grep -c backtraces: err.txt) -eq 1 ]] || fail 'it is said more than once'
    callers link.trace >callers.txt
    lacks callers.txt secret
    find /tmp -maxdepth 1 -name 'perf-*.map' -lname "$work/secret" -delete
fi

# In namespaces of its own, where it has another process id and another /tmp.
if [[ $cli == /tmp/* ]]; then
    echo 'not in namespaces: what was built is in /tmp, which they replace'
elif unshare -mpf true 2>/dev/null; then
    sockets=$(mktemp -d /var/tmp/trace-e2e.XXXXXX)
    cat >inside.sh <<'END'
mount --bind /tmp/.X11-unix "$1" && mount -t tmpfs none /tmp && mkdir /tmp/.X11-unix && mount --move "$1" /tmp/.X11-unix || exit 98
"$2"
END
    "$cli" trace --backtrace=glLineWidth -o inside.trace -- unshare -mpf sh inside.sh "$sockets" "$app" >inside.txt 2>err.txt
    status=$?
    rmdir "$sockets"
    if [[ $status -eq 98 ]]; then
        echo 'nothing can be mounted here'
    else
        [[ $status -eq 0 ]] || { fail "status $status in namespaces"; cat err.txt; }
        same 'what the program prints in namespaces' plain.txt inside.txt
        check inside.trace
    fi
fi
finish
