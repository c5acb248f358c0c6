#!/bin/bash
# SPDX-License-Identifier: MIT
# docs/HOWTO-coming-from-apitrace.md names no option of ours that does not exist, calls no option missing that does
# exist, and has every command and option of apitrace, if that is installed.
# usage: coming_from_apitrace.sh TRACE_CLI SOURCE_DIRECTORY
set -u
cli=$1 page=$2/docs/HOWTO-coming-from-apitrace.md
failures=0

fail()
{
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# Prints what is between backticks.
quoted()
{
    grep -oE '`[^`]+`' <<<"$1" | tr -d '`'
}

# has HELP OPTION
has()
{
    grep -qE -- "(^|[ ,])$2([ =,[]|\$)" <<<"$1"
}

# Prints the options at the beginning of the lines of a help text.
options_of()
{
    sed -nE 's/^ *((-[A-Za-z],? ?-?-?[-a-zA-Z]*|--[-a-z]+).*)/\1/p' | sed -E 's/  .*//' |
        grep -oE '(^|[ ,])--?[A-Za-z][-a-z]*' | tr -d ' ,' | grep -vE '^(-h|--help)$' | sort -u
}

# check_row HELP COMMAND APITRACE HERE REMARK
check_row()
{
    local option
    case $4 in
    'the same')
        for option in $(quoted "$3"); do has "$1" "$option" || fail "$2 has no $option"; done
        ;;
    'not there')
        for option in $(quoted "$3"); do
            ! grep -qE '^`?--' <<<"\`$option" || ! has "$1" "$option" || fail "$2 has $option"
        done
        ;;
    *)
        for option in $(quoted "$4"); do has "$1" "$option" || fail "$2 has no $option"; done
        ;;
    esac
    for option in $(grep -oE '`--[-a-z]+' <<<"$5" | tr -d '`'); do
        has "$1" "$option" || fail "$2 has no $option"
    done
}

rows=0 command='' help=''
declare -A listed
while IFS= read -r line; do
    if [[ $line == '## apitrace '* ]]; then
        command=${line#'## apitrace '}
        help=$("$cli" help "$command" 2>/dev/null)
    elif [[ $line == '| `'* ]]; then
        IFS='|' read -r _ theirs ours remark _ <<<"$line"
        ours=$(sed -E 's/^ +| +$//g' <<<"$ours")
        rows=$((rows + 1))
        for word in $(quoted "$theirs"); do listed["$command $word"]=1; done
        if [[ -n $command ]]; then
            check_row "$help" "$command" "$theirs" "$ours" "$remark"
        elif [[ $ours != 'not there' ]]; then
            for word in $(quoted "$ours"); do
                "$cli" help "$word" >/dev/null 2>&1 || fail "there is no command $word"
            done
        fi
    fi
done <"$page"
[[ $rows -ge 100 ]] || fail "$rows rows"

if command -v apitrace >/dev/null && apitrace help 2>/dev/null | grep -q gltrim; then
    for name in $(apitrace help | sed -nE 's/^    ([a-z-]+)  .*/\1/p'); do
        [[ -n ${listed[" $name"]-} ]] || fail "the page lacks the command $name"
        [[ $name != help ]] || continue
        for option in $(apitrace "$name" --help 2>&1 | options_of); do
            [[ -n ${listed["$name $option"]-} ]] || fail "the page lacks $name $option"
        done
    done
fi
[[ $failures -eq 0 ]] && echo "$rows rows"
exit $((failures > 0))
