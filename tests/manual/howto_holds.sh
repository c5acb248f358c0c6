#!/bin/bash
# SPDX-License-Identifier: MIT
# Follows docs/HOWTO-add-a-*.md: adds their codec, subcommand and format to a copy of the project, only at the
# places that the pages name, builds it with the tests that use every codec, and runs them.
# usage: howto_holds.sh SOURCE_DIR WORK_DIR [CMAKE_OPTION...]
set -euo pipefail
source=$1 work=$2
shift 2
fail()
{
    echo "$*"
    exit 1
}

rm -rf "$work/project"
mkdir -p "$work/project"
(cd "$source" && cp -a CMakeLists.txt LICENSE common cli specs wrappers retrace thirdparty docs tests bench "$work/project")
cd "$work/project"

# line_of PAGE REGEX: prints the only indented line of the page that matches.
line_of()
{
    local lines
    lines=$(sed -nE "s/^    ($2)\$/\\1/p" "docs/HOWTO-add-a-$1.md")
    [[ -n $lines && $(wc -l <<<"$lines") -eq 1 ]] || fail "HOWTO-add-a-$1.md: not one line like $2: $lines"
    echo "$lines"
}

# A codec: a file and a row.
row=$(line_of codec 'ROW\(.*\)')
cp docs/example/codec_stored.c common/formats/apitrace/container/
awk -v row="$row" '{ last = /^    ROW\(.*[^\\]$/; print $0 (last ? " \\\n    " row : "") }' common/trace/container_kind.h >"$work/new"
cat "$work/new" >common/trace/container_kind.h

# A subcommand: a file and a line.
file=$(sed -nE 's/^## 1\. The file: //p' docs/HOWTO-add-a-command.md)
sed -n '/^```c$/,/^```$/p' docs/HOWTO-add-a-command.md | sed '/^```/d' >"$file"
line_of command 'CLI_COMMAND\(.*\)' >>cli/command_list.inc

# A format: a directory and a line.
cp -r docs/example/formats/call_lines common/formats/
line_of format 'TRACE_FORMAT\(.*\)' >>common/formats/format_list.inc

cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DTRACE_WERROR=ON "$@" >"$work/cmake.log" 2>&1 ||
    { cat "$work/cmake.log"; exit 1; }
cmake --build build --target trace-cli docs test_trace_containers >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log"; exit 1; }

build/bin/test_trace_containers >"$work/containers.log" 2>&1 || fail "$(cat "$work/containers.log")"
bash tests/layering/include_graph.sh .
DOCS=$PWD/build/cli/docs bash tests/cli/transcript.sh build/bin/trace-cli "$source/tests/manual/howto_holds.txt"
