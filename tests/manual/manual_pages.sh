#!/bin/bash
# SPDX-License-Identifier: MIT
# The generated manual pages: one for each subcommand, with all options of its help, in groff without warnings;
# and what is wrong with a hand-written part is told when the pages are made.
# usage: manual_pages.sh TRACE_CLI PAGES GENERATE_DOCS SOURCE_DIR
set -u
cli=$1 pages=$2 generate=$3 source=$4
failures=0
complain()
{
    echo "$*"
    failures=$((failures + 1))
}

# Prints a page as text, without hyphenation and overstriking. Warnings are looked at below: between the lines, they
# would split them.
render()
{
    (cd "$(dirname "$pages")" && GROFF_NO_SGR=1 groff -man -Tascii -rHY=0 -P-c "$1" 2>/dev/null | sed 's/.\x08//g')
}

sections='NAME SYNOPSIS DESCRIPTION OPTIONS EXIT STATUS EXAMPLES SEE ALSO'
commands=$("$cli" help | sed -nE '/^Examples:/,$d;s/^  ([a-z][a-z-]*) .*/\1/p')
[[ $(wc -w <<<"$commands") -ge 11 ]] || complain "trace-cli help shows too few commands: $commands"
for command in $commands replay; do
    page=man1/trace-cli-$command.1
    if [[ ! -e $pages/../$page ]]; then
        complain "no manual page $page"
        continue
    fi
    text=$(render "$page")
    for option in $("$cli" help "$command" | sed -nE '/^Options:/,/^$/s/^  +(-.*)/\1/p' |
        grep -oE -- '(^|[ ,])--?[a-zA-Z][a-z-]*'); do
        grep -qE -- "^ +(-[a-zA-Z].*, )?$option([^a-z-]|$)" <<<"$text" || complain "$page does not have $option"
    done
    found=$(grep -xE 'NAME|SYNOPSIS|DESCRIPTION|OPTIONS|EXIT STATUS|EXAMPLES|SEE ALSO' <<<"$text" | tr '\n' ' ')
    case $command in
    help | version) [[ "$found" == "${sections/EXAMPLES /} " ]] ;;
    *) [[ "$found" == "$sections " ]] ;;
    esac || complain "$page has the sections $found"
    [[ $command == replay ]] || grep -q "trace-cli-$command(1)" <(render man1/trace-cli.1) ||
        complain "trace-cli.1 does not name $command"
done

for page in "$pages"/*.1; do
    page=man1/${page##*/}
    warnings=$(cd "$pages/.." && groff -man -ww -Tascii -z "$page" 2>&1)
    [[ -z $warnings ]] || complain "$warnings"
    if command -v mandoc >/dev/null; then
        warnings=$(cd "$pages/.." && mandoc -T lint -W warning "$page" | grep -v -e 'missing date' -e '[.]so is fragile')
        [[ -z $warnings ]] || complain "$warnings"
    fi
done

# The options in all examples are options of their command.
for command in $commands; do
    help=$("$cli" help "$command")
    for option in $(sed -n '/^Examples:/,$p' <<<"$help" | sed 's/ -- .*//' | grep -oE -- ' --?[a-zA-Z][a-z-]*'); do
        letters=${option#-}
        [[ $option == --* ]] || option=-${letters:0:1}
        grep -qE -- "^ .*$option([^a-z]|$)" <<<"${help%Examples:*}" || complain "help $command: $option of an example"
    done
done

# What generate_docs reports about an incorrect part. expect_error FILE TEXT MESSAGE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expect_error()
{
    rm -rf "$work/man" "$work/out"
    mkdir "$work/man" "$work/out"
    printf '%s\n' "$2" >"$work/man/$1"
    if "$generate" "$work/man" "$source/cli/generate" "$work/out" 2>"$work/err" || ! grep -qF "$3" "$work/err"; then
        complain "$1 with \"$2\" is not told of: $(cat "$work/err")"
    fi
}
expect_error trace-cli-dump.1.in '.SH OPTION --gerp' 'trace-cli-dump.1.in:1: no option is called "OPTION --gerp"'
expect_error trace-cli-dupm.1.in '.SH NOTES' 'trace-cli-dupm.1.in: belongs to no command'

# A part that cannot be read is an error.
rm -rf "$work/man" "$work/out"
mkdir -p "$work/man/trace-cli-dump.1.in" "$work/out"
if "$generate" "$work/man" "$source/cli/generate" "$work/out" 2>"$work/err" ||
    ! grep -qF "trace-cli-dump.1.in: cannot be read" "$work/err"; then
    complain "an unreadable part is not told of: $(cat "$work/err")"
fi

# Output that cannot be written is an error.
for file in man1/trace-cli.1 man1/trace-cli-dump.1 completion/{trace-cli,trace-cli.fish,_trace-cli}; do
    rm -rf "$work/out"
    mkdir -p "$work/out/${file%/*}"
    ln -s /dev/full "$work/out/$file"
    if "$generate" "$source/docs/man" "$source/cli/generate" "$work/out" 2>"$work/err" ||
        ! grep -qF "cannot be written" "$work/err"; then
        complain "$file on a full disk: $(cat "$work/err")"
    fi
done
exit $((failures != 0))
