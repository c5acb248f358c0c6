#!/bin/bash
# SPDX-License-Identifier: MIT
# Backtraces of a C++ program: names as people write them, functions that were inlined, exceptions.
# usage: stacks_cxx.sh SOURCE
source "$(dirname "$0")/e2e.sh"
require g++
start_x
g++ -std=c++17 -O2 -g -fno-optimize-sibling-calls -o program "$1" -lGL -lX11 || skip 'the program cannot be built here'
run 0 "$cli" trace --backtrace=glLineWidth --backtrace-depth=20 -o app.trace -- ./program

# A line for each call: its width, and the calling functions, innermost first.
run 0 "$cli" dump --color=never --grep='^glLineWidth$' app.trace
awk '/^[0-9]+ glLineWidth/ { if (line != "") print line; line = $0; sub(/.*= /, "", line); sub(/\)/, ":", line); next }
     /^Backtrace:/ { next }
     NF > 0 { sub(/^[^:]*: /, ""); sub(/\+0x[0-9a-f]+.*/, ""); line = line " | " $0 }
     END { print line }' out.txt >calls.txt

contains calls.txt '^1: \| scene::set_width\(float\) \| scene::line::draw\(float\) const \| main \|'
contains calls.txt '^2: .* \| scene::line::draw\(float\) const \| void scene::draw_scaled<int>\(scene::shape const&, int\) \| main '
contains calls.txt '^3: \| scene::set_width\(float\) \| scene::pen::operator\(\)\(int\) const \| main '
contains calls.txt '^4: .* \| scene::draws_at_its_end::~draws_at_its_end\(\) \| scene::throws\(std::.*string.* const&\)( \[clone[^]]*\])? \| main '
contains calls.txt '^5: .* \| in_lambda\(\)::\{lambda\(float\)#1\}::operator\(\)\(float\) const[^|]*\| .*for_each<.* \| in_lambda\(\)[^|]*\| main '
contains calls.txt '^6: .* \| std::thread::_State_impl<.*>::_M_run\(\) \| '
[[ $(wc -l <calls.txt) -eq 6 ]] || fail "$(wc -l <calls.txt) calls instead of 6"
[[ $failures -eq 0 ]] || cat calls.txt
if command -v apitrace >/dev/null; then same_dump app.trace; fi
finish
