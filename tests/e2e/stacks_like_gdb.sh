#!/bin/bash
# SPDX-License-Identifier: MIT
# Backtraces of programs of several compilers, and of larger ones, are those that gdb finds in the same process:
# functions, files, lines, inlined functions.
source "$(dirname "$0")/e2e.sh"
require gdb python3
start_x
depth=40

# like_gdb NAME FUNCTIONS CALLS FRAMES PROGRAM [ARGUMENT…]: at least FRAMES frames are compared
like_gdb()
{
    local name=$1 functions=$2 calls=$3 frames=$4
    shift 4
    printf 'source %s\nrun\nquit\n' "$e2e_dir/gdb_backtraces.py" |
        GDB_FUNCTIONS=$functions GDB_CALLS=$calls GDB_OUTPUT=$PWD/$name.gdb timeout 60 "$cli" trace --debug \
            --backtrace="$functions" --backtrace-depth=$depth -o "$name.trace" "$@" >"$name.log" 2>&1
    "$cli" dump -v --format=json "$name.trace" 2>/dev/null | sed 1d |
        python3 "$e2e_dir/compare_backtraces.py" "$name.gdb" $depth "$frames" >"$name.result" ||
        { fail "$name: other backtraces than gdb's"; head -n 60 "$name.result"; tail -n 5 "$name.log"; }
    echo "$name: $(tail -n 1 "$name.result")"
}

# built NAME COMPILER OPTION…
built()
{
    local name=$1 compiler=$2 source=$e2e_dir/../apps/gl_stacks.c
    shift 2
    command -v "$compiler" >/dev/null || return
    "$compiler" -w -D_GNU_SOURCE -g "$@" -I"$e2e_dir/../apps" -o "$name" "$source" "$e2e_dir/../apps/app_glx.c" \
        -lGL -lX11 -lpthread -ldl || { echo "$name cannot be built here"; return; }
    like_gdb "$name" glLineWidth 100 100 "./$name" "$apps"
}

like_gdb stacks glLineWidth 100 130 "$apps/gl_stacks_omit" "$apps"
built gcc_lto gcc -O3 -flto -gdwarf-5
built gcc_no_pie gcc -O2 -gdwarf-4 -no-pie -fomit-frame-pointer
built gcc_O0 gcc -O0 -gz
built clang_split clang -O2 -gdwarf-5 -gsplit-dwarf
built clang4 clang -O1 -gdwarf-4 -fno-omit-frame-pointer
if command -v glmark2 >/dev/null; then
    like_gdb glmark2 'glDrawArrays glClear glUseProgram glBufferData glGetString glEnable' 60 90 glmark2 -s 160x120 -b build:duration=0.1
fi
finish
