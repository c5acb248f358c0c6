#!/bin/bash
# SPDX-License-Identifier: MIT
# Fails when a source file includes upward, when two source files have the same name, or when a window
# system or GL header is included where none belongs. docs/ARCHITECTURE.md, "Direction of dependency", is
# what this enforces.
# usage: layering.sh SOURCE_DIR
set -u
source_dir=${1:?usage: layering.sh SOURCE_DIR}
cd "$source_dir" || exit 2

# What every room of cli may include from.
below_cli="common/base common/trace common/symbols common/image common/formats/* specs/runtime"
# room = the rooms that its files may include from, itself apart. X/* is X and the rooms in it. A file belongs to
# the innermost room that it lies in.
below_formats="common/base common/trace common/symbols common/image"
apitrace=common/formats/apitrace
declare -A may_include=(
    [common/base]=""
    [common/trace]="common/base"
    [common/symbols]="common/base"
    [common/image]="common/base"
    [common/formats]="$below_formats"
    [common/formats/shared]="$below_formats"
    [$apitrace]="$below_formats"
    [$apitrace/container]="$below_formats $apitrace"
    [$apitrace/index]="$below_formats $apitrace $apitrace/container"
    [$apitrace/parse]="$below_formats $apitrace $apitrace/container"
    [$apitrace/scan]="$below_formats $apitrace $apitrace/container $apitrace/parse"
    [$apitrace/read]="$below_formats $apitrace $apitrace/container $apitrace/index $apitrace/parse $apitrace/scan"
    [$apitrace/write]="$below_formats $apitrace $apitrace/container $apitrace/index"
    [$apitrace/copy]="$below_formats $apitrace/*"
    [$apitrace/events]="$below_formats $apitrace/*"
    [specs/runtime]="common/base"
    [specs/specgen]="common/base specs/runtime"
    [wrappers/memory]="common/base"
    [wrappers/unwind]="common/base wrappers/memory"
    [wrappers/records]="common/base common/trace common/formats/* specs/runtime wrappers/memory"
    [wrappers/process]="common/base common/trace common/formats/* specs/runtime wrappers/memory wrappers/records"
    [wrappers/lookup]="common/base specs/runtime wrappers/unwind wrappers/process"
    [wrappers/context]="common/base specs/runtime wrappers/memory wrappers/lookup"
    [wrappers/capture]="common/base common/trace common/formats/* specs/runtime wrappers/memory wrappers/unwind wrappers/records wrappers/process wrappers/lookup wrappers/context"
    [wrappers/gl]="common/base common/trace common/formats/* specs/runtime wrappers/memory wrappers/records wrappers/process wrappers/lookup wrappers/context wrappers/capture"
    [wrappers/xray]="common/base common/trace common/formats/* wrappers/records wrappers/process"
    [wrappers/collector]="common/base common/trace common/formats/* common/symbols specs/runtime wrappers/memory wrappers/records wrappers/process"
    [retrace/profile]="common/base"
    [retrace]="common/base common/trace common/formats/* common/image specs/runtime retrace/profile"
    [cli/shell]="$below_cli"
    [cli/input]="$below_cli cli/shell"
    [cli/dump]="$below_cli cli/shell cli/input"
    [cli/resources]="$below_cli"
    [cli/info]="$below_cli cli/shell cli/input cli/resources"
    [cli/diff]="$below_cli cli/shell cli/input"
    [cli/leaks]="$below_cli cli/shell cli/input cli/resources"
    [cli/profile]="$below_cli cli/shell cli/input"
    [cli/edit]="$below_cli cli/shell cli/input"
    [cli/images]="$below_cli cli/shell"
    [cli/run]="$below_cli cli/shell wrappers/collector wrappers/process wrappers/records wrappers/xray retrace"
    [cli/generate]="$below_cli cli/shell cli"
    [cli]="$below_cli cli/shell"
    [tests]="*"
    [bench]="*"
)
# Formats do not know each other.
for directory in common/formats/*/; do
    directory=${directory%/}
    [[ -v may_include[$directory] || ! -d $directory ]] || may_include[$directory]="$below_formats common/formats/shared"
done

# Directories whose files may include GL, EGL, X11 or GLFW headers.
window_directories=" wrappers retrace retrace/profile tests bench "
window_headers='^(GL|GLES[0-9]*|EGL|KHR|X11|xcb|GLFW)/'

failures=0
complain()
{
    printf '%s\n' "$*"
    failures=$((failures + 1))
}

# The key of may_include that path belongs to: the longest one that is a leading part of it.
directory_of()
{
    local path=$1
    while [[ $path == */* ]]; do
        path=${path%/*}
        if [[ -v may_include[$path] ]]; then
            echo "$path"
            return
        fi
    done
}

may() # ROOM OTHER: may files of ROOM include those of OTHER?
{
    local allowed
    [[ $1 == "$2" || ${may_include[$1]} == '*' ]] && return
    read -ra allowed <<<"${may_include[$1]}"
    for allowed in "${allowed[@]}"; do
        [[ $2 == "$allowed" || ($allowed == */\* && $2/ == "${allowed%\*}"*) ]] && return
    done
    return 1
}

check_include() # FILE LINE DIRECTORY INCLUDED, as written between the quotes
{
    local target=${where[${4##*/}]-} directory
    if [[ $4 == *../* ]]; then
        complain "$1:$2: includes \"$4\": name it from its include directory, without .."
        return
    fi
    [[ -z $target ]] && return # generated, or a system header in quotes: belongs to nobody here
    directory=$(directory_of "$target")
    may "$3" "$directory" || complain "$1:$2: $3 includes $4 of $directory, which is not below it"
}

mapfile -t files < <(find common specs wrappers retrace cli tests bench \
    \( -name '*.c' -o -name '*.h' -o -name '*.inc' \) -type f 2>/dev/null | sort)
if [[ ${#files[@]} -eq 0 ]]; then
    echo "no source files under $source_dir"
    exit 2
fi

declare -A where=()
for file in "${files[@]}"; do
    name=${file##*/}
    if [[ -v where[$name] ]]; then
        complain "$file: has the same name as ${where[$name]}"
    fi
    where[$name]=$file
done

for file in "${files[@]}"; do
    directory=$(directory_of "$file")
    if [[ -z $directory ]]; then
        complain "$file: lies in no directory of the layering table"
        continue
    fi
    while IFS=: read -r line included; do
        case $included in
        \"*) check_include "$file" "$line" "$directory" "${included//\"/}" ;;
        *)
            included=${included//[<>]/}
            if [[ $included =~ $window_headers && $window_directories != *" $directory "* ]]; then
                complain "$file:$line: $directory includes <$included>, a window system's or GL's header"
            fi
            ;;
        esac
    done < <(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*([<"][^>"]+[>"]).*/\1/;T;=;p' "$file" |
        paste -d: - -)
done

if [[ $failures -ne 0 ]]; then
    echo "$failures layering failure(s) in ${#files[@]} files"
    exit 1
fi
echo "${#files[@]} files, no include goes upward"
