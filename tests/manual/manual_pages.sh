#!/bin/bash
# SPDX-License-Identifier: MIT
# Every subcommand has a manual page that names each option of its help, and every page is clean groff.
# usage: manual_pages.sh TRACE_CLI PAGES_DIR
set -u
cli=$1 pages=$2
failures=0
complain()
{
    echo "$*"
    failures=$((failures + 1))
}

# As text, without hyphenation and overstriking.
render()
{
    GROFF_NO_SGR=1 groff -man -Tascii -rHY=0 -P-c "$1" 2>&1 | sed 's/.\x08//g'
}

commands=$("$cli" help | sed -nE '/^Commands:/,/^$/s/^  ([a-z][a-z-]*) .*/\1/p')
[[ $(wc -w <<<"$commands") -ge 5 ]] || complain "trace-cli help shows too few commands: $commands"
for command in $commands; do
    grep -q "$command" "$pages/trace-cli.1" || complain "trace-cli.1 does not name $command"
    [[ $command == help || $command == version ]] && continue
    page=$pages/trace-cli-$command.1
    if [[ ! -e $page ]]; then
        complain "no manual page $page"
        continue
    fi
    text=$(render "$page")
    for option in $("$cli" help "$command" | sed -nE 's/^  (-.*)/\1/p' | grep -oE -- '(^|[ ,])--?[a-zA-Z][a-z-]*'); do
        grep -qE -- "(^|[^a-zA-Z-])$option([^a-z-]|$)" <<<"$text" || complain "$page does not have $option"
    done
done

for page in "$pages"/*.1; do
    warnings=$(groff -man -ww -Tascii -z "$page" 2>&1)
    [[ -z $warnings ]] || complain "$page: $warnings"
done
exit $((failures != 0))
