#!/bin/bash
# SPDX-License-Identifier: MIT
# Compares the names of addresses in programs, from several compilers and versions of DWARF, with addr2line.
# usage: compare.sh NAME_ADDRESSES gcc|clang|kinds|separate|split|shared|libraries|mutations [MUTATE_MODULES]
set -u
program=${1:?usage: compare.sh NAME_ADDRESSES SUBJECT}
subject=${2:?usage: compare.sh NAME_ADDRESSES SUBJECT}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0

need()
{
    local tool
    for tool; do
        command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 77; }
    done
}

# build COMPILER SOURCE OUTPUT OPTION…
build()
{
    local compiler=$1 source=$2 output=$3
    shift 3
    "$compiler" -w -I"$here/programs" "$@" -o "$output" "$here/programs/$source" ||
        { echo "$compiler $* $source failed"; exit 1; }
}

compare() # [OPTION…] MODULE…
{
    python3 "$here/compare_addr2line.py" "$program" 7 "$@" || failures=$((failures + 1))
}

check() # NAME CONDITION…
{
    local name=$1
    shift
    "$@" || { echo "not so: $name"; failures=$((failures + 1)); }
}

# Messages on stderr about a module.
said() # [OPTION…] MODULE
{
    "$program" "$@" </dev/null 2>&1 >/dev/null
    echo 1000 | "$program" "$@" 2>&1 >/dev/null
}

versions() # C-COMPILER C++-COMPILER
{
    local version
    for version in 2 3 4 5; do
        build "$1" inlined.c c$version -O2 -g -gdwarf-$version
        build "$1" inlined.c c$version-O0 -O0 -g -gdwarf-$version
        build "$2" templates.cpp cpp$version -O2 -g -gdwarf-$version
    done
    compare c[2-5]* cpp[2-5]
}

kinds()
{
    local version
    build gcc inlined.c no-pie -O2 -g -no-pie
    build g++ templates.cpp lto -O2 -g -flto -no-pie
    build g++ templates.cpp sections -O2 -g -ffunction-sections -Wl,--gc-sections
    build g++ templates.cpp lines -O2 -g1
    build gcc inlined.c nothing -O2
    build g++ templates.cpp plain -O2 -g
    objcopy --compress-debug-sections=zlib plain compressed
    objcopy --compress-debug-sections=zlib-gnu plain compressed-gnu
    objcopy --strip-debug plain symbols-only
    compare no-pie lto sections lines nothing plain symbols-only
    compare -r plain compressed compressed-gnu
    # The first file of the line table is a header, which addr2line mistakes for the program's source.
    printf 'int in_header(int a)\n{\n    return a * 3;\n}\n' >first.h
    printf '#include "first.h"\nint main(int argc, char **argv)\n{\n    return in_header(argc) + !argv;\n}\n' >headed.c
    for version in 3 4 5; do
        gcc -O2 -g -gdwarf-$version -o headed headed.c
        check "a function of a header is there, DWARF $version" grep -q '/first.h:3$' \
            <(nm headed | sed -n 's/ T in_header$//p' | "$program" "$PWD/headed")
        check "others are where they are, DWARF $version" grep -q '/headed.c:4$' <(main_of "$PWD/headed")
    done
    build gcc inlined.c inlined.o -O2 -g -c -Dmain=c_main
    build g++ templates.cpp two-units -O2 -g inlined.o
    compare two-units
    for a in {4096..9000..7}; do printf '%x\n' "$a"; done | shuf --random-source=two-units >addresses
    check "what was forgotten is read again" \
        cmp <("$program" two-units <addresses) <("$program" -m 1 two-units <addresses)
    cp nothing stripped && strip stripped
    check "a stripped program has no names but those for the linker" \
        test "$(echo 1139 | "$program" "$PWD/stripped" | sed -n 2p)" = '??'
}

separate()
{
    local id module=$work/bin/module
    mkdir -p bin/.debug other/debug usr/"$work"/bin
    build gcc inlined.c "$module" -O2 -g -Wl,--build-id=sha1
    cp "$module" reference
    id=$(readelf -n "$module" | sed -n 's/.*Build ID: //p')
    objcopy --only-keep-debug "$module" module.debug
    strip "$module"
    objcopy --add-gnu-debuglink=module.debug "$module"
    check "without debug information nothing is found" test -z "$(echo 1 | "$program" "$module" 2>&1 | grep -v '^0x\|??')"

    mkdir -p ids/.build-id/"${id:0:2}"
    cp module.debug ids/.build-id/"${id:0:2}/${id:2}.debug"
    compare -r reference -d "$work/ids" "$module" # by build-id

    cp module.debug bin/module.debug
    compare -r reference "$module" # by link, beside it
    mv bin/module.debug bin/.debug/module.debug
    compare -r reference "$module" # in .debug
    mv bin/.debug/module.debug "usr/$work/bin/module.debug"
    compare -r reference -d "$work/usr" "$module" # below another root
    mv "usr/$work/bin/module.debug" other/module.debug
    compare -r reference -d "$work/other" "$module" # in a flat directory
    rm other/module.debug

    # Debug information of another build is not used.
    build gcc inlined.c other/program -O0 -g -Wl,--build-id=sha1
    objcopy --only-keep-debug other/program bin/module.debug
    check "another build's debug information is told" grep -q 'build-id differs' <<<"$(said "$module")"
    check "another build's debug information is not used" \
        test -z "$(echo 1139 | "$program" "$module" 2>/dev/null | grep -F inlined.c)"
    check "another build's module is told" grep -q 'build-id differs' <<<"$(said -b 0123456789 reference)"
    check "another build's module is not used" \
        test -z "$(echo 1139 | "$program" -b 0123456789 "$work/reference" 2>/dev/null | grep -v '^0x\|??')"
    check "the right build's module is used" \
        test -n "$(nm reference | sed -n 's/ T main$//p' | "$program" -b "$id" "$work/reference" | grep -x main)"

    # Without build-ids, the checksum is compared.
    build gcc inlined.c plain -O2 -g -Wl,--build-id=none
    objcopy --only-keep-debug plain plain.debug
    cp plain linked && strip linked && objcopy --add-gnu-debuglink=plain.debug linked
    compare -r plain "$work/linked"
    printf x >>plain.debug
    check "a wrong checksum is told" grep -q 'checksum differs' <<<"$(said "$work/linked")"

    check "a missing module is told" grep -q 'No such file' <<<"$(said "$work/none")"
    check "what is no ELF file is told" grep -q 'not an ELF file' <<<"$(said "$here/compare.sh")"
    head -c 9000 reference >cut
    check "a damaged module is told" grep -q 'damaged' <<<"$(said "$work/cut")"
}

# Debug information in .dwo files. The program without them is the reference.
split()
{
    local compiler version
    for compiler in g++ clang++; do
        command -v "$compiler" >/dev/null || continue
        for version in 4 5; do
            build "$compiler" templates.cpp whole -O2 -g -gdwarf-$version
            build "$compiler" templates.cpp parted -O2 -g -gdwarf-$version -gsplit-dwarf
            cmp <(objcopy -O binary -j .text whole /dev/stdout) <(objcopy -O binary -j .text parted /dev/stdout) ||
                continue
            compare -r whole "$work/parted"
        done
    done
    mkdir moved && mv ./*.dwo moved/ && mv parted moved/
    compare -r whole "$work/moved/parted" # the .dwo file is beside the program
    build g++ templates.cpp parted -O0 -g -gsplit-dwarf
    build g++ templates.cpp moved/other -O2 -g -gsplit-dwarf
    for dwo in ./*.dwo; do cp "$dwo" moved/other-templates.dwo; done
    check "another build's .dwo file is told" grep -q 'of another build' <<<"$(cd moved && main_of other)"
    rm -f ./*.dwo moved/*.dwo
    check "a missing .dwo file is told" grep -q 'dwo: cannot be opened' <<<"$(main_of "$work/parted")"
    check "without it there are lines" grep -q 'templates.cpp:' <<<"$(main_of "$work/parted")"
}

main_of() # MODULE: what is said of its main()
{
    nm "$1" | sed -n 's/ T main$//p' | "$program" "$1" 2>&1
}

# What several files have in common is in a file of its own.
shared()
{
    build g++ templates.cpp first -O0 -g -gdwarf-4
    build g++ templates.cpp second -O2 -g -gdwarf-4
    cp first first-whole && cp second second-whole
    dwz -m "$work/common" -h first second || { echo "dwz failed"; exit 1; }
    compare -r first-whole first
    compare -r second-whole second
    mkdir -p debug/.dwz && mv common debug/.dwz/
    check "a missing part is told" grep -q 'common is not found' <<<"$(main_of first)"
    check "what is there is used" grep -q 'templates.cpp:' <<<"$(main_of first)"
    compare -r first-whole -d debug first
    cp first-whole debug/.dwz/common
    check "a wrong part is told" grep -q 'build-id differs' <<<"$("$program" -d debug first <<<1000 2>&1)"
}

# Only symbol tables. The start of each function must have one of the names that nm prints.
libraries()
{
    local library path
    for library in libc.so.6 libstdc++.so.6 libGL.so.1; do
        path=$(ldconfig -p | sed -n "s/.*\b$library (libc6,x86-64.*) => //p" | head -n 1)
        [[ -n $path ]] || continue
        # Without the build-id, no debug information can be found.
        objcopy --remove-section=.note.gnu.build-id --remove-section=.gnu_debuglink "$path" "$library"
        nm -D --defined-only "$library" | sed -nE 's/^0*([0-9a-f]+) [TtWwi] ([^@]*).*/\1 \2/p' | sort -u >names
        cut -d' ' -f1 names | sort -u | "$program" "$PWD/$library" | paste - - - |
            sed -E 's/^0x0*([0-9a-f]+)\t([^\t]*)\t.*/\1 \2/' | sort -u >ours
        comm -23 ours names >wrong
        echo "$path: $(wc -l <ours) functions, $(wc -l <wrong) wrong"
        check "$path has functions" test -s ours
        check "functions of $path have their names" test ! -s wrong
        head -n 3 wrong
    done
}

# Damaged files do no harm.
mutations() # MUTATE_MODULES
{
    local version
    for version in 2 4 5; do
        build gcc inlined.c c$version -O2 -g -gdwarf-$version
    done
    build g++ templates.cpp cpp5 -O2 -g
    build gcc inlined.c nothing -O2
    objcopy --compress-debug-sections=zlib c5 compressed
    objcopy --compress-debug-sections=zlib-gnu c5 compressed-gnu
    "$1" 300 1 c2 c4 c5 cpp5 nothing compressed compressed-gnu || failures=$((failures + 1))
}

need addr2line python3 nm objcopy
case $subject in
gcc) need gcc g++ && versions gcc g++ ;;
clang) need clang clang++ && versions clang clang++ ;;
kinds) need gcc g++ && kinds ;;
separate) need gcc && separate ;;
split) need g++ && split ;;
shared) need g++ dwz && shared ;;
libraries) libraries ;;
mutations) need gcc g++ && mutations "${3:?usage: compare.sh NAME_ADDRESSES mutations MUTATE_MODULES}" ;;
*) echo "unknown subject $subject" && exit 2 ;;
esac
exit $((failures != 0))
