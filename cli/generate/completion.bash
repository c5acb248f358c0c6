# SPDX-License-Identifier: MIT
# Completion of trace-cli for bash. The tables at the end follow from those in the program.

# Joins what readline took apart at "=": sets words (those up to the cursor's, which is the last one).
_trace_cli_join_words()
{
    local i word join=
    words=()
    for ((i = 0; i <= COMP_CWORD; ++i)); do
        word=${COMP_WORDS[i]}
        if [[ $join || ($word == = && $i -gt 0 && ${words[-1]} == --*) ]]; then
            words[-1]+=$word
            [[ $word == = ]] && join=yes || join=
        else
            words+=("$word")
        fi
    done
}

# Offers those of the words $1 that continue the text $2. Those that end with "=" get no blank after them.
_trace_cli_offer()
{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
}

# The same for the last item of a list with commas.
_trace_cli_offer_list()
{
    local before=
    [[ $2 != *,* ]] || before=${2%,*},
    _trace_cli_offer "$1" "${2##*,}"
    COMPREPLY=("${COMPREPLY[@]/#/$before}")
    compopt -o nospace 2>/dev/null
}

# Offers traces and directories that continue the text $1; where there are none, any file.
_trace_cli_offer_traces()
{
    mapfile -t COMPREPLY < <(compgen -f -X '!*.trace' -- "$1"; compgen -d -- "$1")
    compopt -o filenames -o default 2>/dev/null
}

# Offers what may stand for a value of the kind $1 (with words behind the kind), continuing the text $2.
_trace_cli_offer_value()
{
    case $1 in
    words\ *) _trace_cli_offer "${1#* }" "$2" ;;
    list\ *) _trace_cli_offer_list "${1#* }" "$2" ;;
    trace) _trace_cli_offer_traces "$2" ;;
    command) _trace_cli_offer "$_trace_cli_commands" "$2" ;;
    file) compopt -o default 2>/dev/null ;;
    esac
}

# The program that is to be traced, from word $1 on, and its arguments.
_trace_cli_offer_program()
{
    if [[ $1 -eq $((${#words[@]} - 1)) ]]; then
        mapfile -t COMPREPLY < <(compgen -c -- "${words[-1]}")
        compopt -o filenames -o default 2>/dev/null
    elif declare -F _command_offset >/dev/null; then
        _command_offset $((COMP_CWORD - (${#words[@]} - 1 - $1)))
    else
        compopt -o default 2>/dev/null
    fi
}

# Sets operand to the place in words of the first operand before the cursor, value_of to the option whose value
# is at the cursor; both may be empty.
_trace_cli_find_operand()
{
    local i options_end=
    operand= value_of=
    for ((i = 2; i < ${#words[@]} - 1; ++i)); do
        value_of=
        if [[ ! $options_end && ${words[i]} == -- ]]; then
            options_end=yes
        elif [[ ! $options_end && $separate == *" ${words[i]} "* ]]; then
            value_of=${words[i]}
            ((++i))
        elif [[ $options_end || ${words[i]} != -?* ]]; then
            operand=${operand:-$i}
        fi
    done
    [[ $i -gt $((${#words[@]} - 1)) ]] || value_of=
    [[ ! $options_end ]] || options=
}

_trace_cli()
{
    local words current options separate kind operand value_of value
    COMPREPLY=()
    _trace_cli_join_words
    current=${words[-1]}
    if [[ ${#words[@]} -eq 2 ]]; then
        _trace_cli_offer "$_trace_cli_commands --help --version" "$current"
        return
    fi
    _trace_cli_table "${words[1]}" || return
    _trace_cli_find_operand
    if [[ $value_of ]]; then
        _trace_cli_value "${words[1]} $value_of"
        _trace_cli_offer_value "$value" "$current"
    elif [[ $kind == program && ($operand || $current != -*) ]]; then
        _trace_cli_offer_program "${operand:-$((${#words[@]} - 1))}"
    elif [[ $options && $current == --*=* ]]; then
        _trace_cli_value "${words[1]} ${current%%=*}"
        [[ $COMP_WORDBREAKS == *=* ]] || local before=${current%%=*}=
        _trace_cli_offer_value "$value" "${current#*=}"
        COMPREPLY=("${COMPREPLY[@]/#/${before-}}")
    elif [[ $options && $current == -* ]]; then
        _trace_cli_offer "$options" "$current"
    else
        _trace_cli_offer_value "$kind" "$current"
    fi
}

complete -F _trace_cli trace-cli

