#!/bin/bash
# SPDX-License-Identifier: MIT
# However a program ends, the trace must contain its last call. trace-cli must return its status, or 128 + the
# signal.
source "$(dirname "$0")/e2e.sh"
start_x

check() # STATUS HOW [PROGRAM_STATUS]
{
    run "$1" "$cli" trace -o exits.trace -- "$apps/gl_exits" "${@:2}"
    run 0 "$cli" dump exits.trace
    same "stderr of dump after $2" err.txt /dev/null
    contains out.txt '^[0-9]+ glClearStencil\(s = 123\)$'
    [[ $(count out.txt '^[0-9]+ glXSwapBuffers\(.*\)$') -eq 1 ]] || fail "$2: not one glXSwapBuffers"
    rm -f exits.trace
}

check 0 return 0
check 3 return 3
check 4 exit 4
check 5 _exit 5
check 8 _Exit 8
check 6 quick_exit 6
check 7 _Exit 7
for how in execl execlp execle execv execvp execve execvpe fexecve; do
    check 8 "$how" 8
done
check $((128 + 6)) abort
check $((128 + 11)) segv
check $((128 + 15)) term
check $((128 + 9)) kill
finish
