# SPDX-License-Identifier: MIT
# Completion of trace-cli for fish. The tables at the end follow from those in the program.

# Is no command given yet?
function __trace_cli_no_command
    test (count (commandline -opc)) -eq 1
end

# Is one of these the command?
function __trace_cli_command
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

# The same, where no option is being written.
function __trace_cli_operand
    __trace_cli_command $argv; and not string match -q -- '-*' (commandline -ct)
end

complete -c trace-cli -f
