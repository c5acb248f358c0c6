#!/bin/bash
# SPDX-License-Identifier: MIT
# Compiles the examples in docs/example, links them with the installed library in every possible way, and
# checks their results. usage: example.sh COMPILER BUILD_DIR SOURCE_DIR
set -u
compiler=$1 build=$2 source=$3
command -v pkg-config >/dev/null || { echo 'pkg-config is not installed'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

cmake --install "$build" --prefix "$work/installed" >install.txt || { cat install.txt; exit 1; }
mv installed moved # the .pc file finds its directory by itself
pc=$(find moved -name trace-cli.pc)
export PKG_CONFIG_PATH=$work/${pc%/*}
libraries=$(pkg-config --variable=libdir trace-cli)
cp -r "$source/docs/example" example

# Frame 0 to 4 have as many draws as their numbers.
for ((frame = 0; frame < 5; ++frame)); do
    echo 'glEnable cap=3042'
    for ((i = 0; i < frame; ++i)); do
        echo "glDrawArrays mode=4 first=$frame count=3"
    done
    echo 'glXSwapBuffers dpy=0xd1 drawable=7'
done | "$build/bin/make_trace" frames.trace || fail 'make_trace'

# check PROGRAM HOW: checks what it prints, and the trace that it writes.
check()
{
    local trace=frames.trace
    if ! LD_LIBRARY_PATH=$libraries "$1" "$trace" 3 "$work/frame.trace" >out.txt 2>err.txt; then
        fail "$2: $(cat err.txt)"
        return
    fi
    diff -u "$source/tests/library/example.txt" out.txt || fail "$2: the output"
    # Exactly the calls of that frame.
    "$build/bin/trace-cli" dump --call-nos=no --frames=3 "$trace" >wanted.txt
    "$build/bin/trace-cli" dump --call-nos=no frame.trace >found.txt
    [[ $(grep -c 'first = 3' wanted.txt) -eq 3 ]] || fail 'there is no such frame'
    diff -u wanted.txt found.txt | head -n 20
    cmp -s wanted.txt found.txt || fail "$2: the new trace has other calls"
    if command -v apitrace >/dev/null; then
        apitrace dump --color=never --call-nos=no frame.trace 2>&1 | cmp - wanted.txt || fail "$2: apitrace reads other calls"
    fi
}

# check_counts PROGRAM HOW: any format can be read and written.
check_counts()
{
    local log=$source/tests/formats/sp_rtrace/data/03-file.rtrace
    {
        LD_LIBRARY_PATH=$libraries "$1" "$log" sp-rtrace-text "$work/log.txt"
        LD_LIBRARY_PATH=$libraries "$1" frames.trace sp-rtrace "$work/frames.rtrace"
    } >out.txt 2>err.txt || fail "$2: $(cat err.txt)"
    diff -u "$source/tests/library/counts.txt" out.txt || fail "$2: the output"
    cmp "${log%.rtrace}.plain.txt" log.txt || fail "$2: the new log"
}

flags=(-std=c11 -Wall -Wextra -pedantic -Werror)
# The code in docs/HOWTO-use-the-library.md, as the body of a function.
{
    printf '#include <%s>\n' tracecli/{adaptors,error,reader,sink,source}.h inttypes.h stdio.h string.h
    echo 'int fail(const char *message);'
    echo 'int show(void) {'
    sed -n '/^```c$/,/^```$/p' "$source/docs/HOWTO-use-the-library.md" | sed '/^```/d'
    echo 'return rc; }'
} >page.c
grep -q trace_reader_open page.c || fail 'the page has no code'
"$compiler" "${flags[@]}" -c page.c $(pkg-config --cflags trace-cli) || fail 'the code of the page'

"$compiler" "${flags[@]}" -o shared example/frame_draws.c $(pkg-config --cflags --libs trace-cli) || fail 'linking'
check ./shared 'shared library'
"$compiler" "${flags[@]}" -o counts example/count_calls.c $(pkg-config --cflags --libs trace-cli) || fail 'linking count_calls'
check_counts ./counts 'shared library'
readelf -d shared | grep -q 'libtracecli\.so\.' || fail 'the shared library is not used'

"$compiler" "${flags[@]}" -o static example/frame_draws.c $(pkg-config --cflags --static --libs trace-cli |
    sed 's/-ltracecli/-l:libtracecli.a/') || fail 'linking statically'
check ./static 'static library'
! readelf -d static | grep -q libtracecli || fail 'the static library is not used'

cmake -S example -B with-cmake >cmake.txt 2>&1 && cmake --build with-cmake >>cmake.txt 2>&1 || { cat cmake.txt; fail CMake; }
check with-cmake/frame_draws CMake
check_counts with-cmake/count_calls CMake

if "$compiler" -x c++ -fsyntax-only /dev/null 2>/dev/null; then
    cat >count.cpp <<'END'
#include <tracecli/call_set.h>
#include <tracecli/writer.h>
#include <tracecli/reader.h>
#include <tracecli/error.h>
#include <tracecli/adaptors.h>
#include <tracecli/sink.h>
int main(int, char **argv)
{
    trace_reader *reader;
    trace_source *source;
    trace_sink *sink;
    if (trace_source_open(&source, argv[1]) != TRACE_ERR_IO ||
        trace_sink_create(&sink, "no-format", argv[1], nullptr) != TRACE_ERR_USAGE)
        return 1;
    return trace_reader_open(&reader, argv[1]) == TRACE_ERR_IO && trace_error_message()[0] == '/' ? 0 : 1;
}
END
    "$compiler" -Wall -Wextra -pedantic -Werror -o count count.cpp $(pkg-config --cflags --libs trace-cli) || fail 'C++'
    LD_LIBRARY_PATH=$libraries ./count /no/such.trace || fail 'the C++ program'
fi
LD_LIBRARY_PATH=$libraries ./shared frames.trace 17 none.trace >out.txt 2>err.txt && fail 'a frame too many is no error'
grep -qx 'error: there is no frame 17' err.txt && [[ ! -e none.trace ]] || fail "the message is: $(cat err.txt)"
LD_LIBRARY_PATH=$libraries ./shared /no/such.trace 2>err.txt && fail 'a missing file is no error'
grep -q '^error: /no/such.trace: ' err.txt || fail "the message is: $(cat err.txt)"
exit $((failures != 0))
